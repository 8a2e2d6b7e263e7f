// Turning a small matrix: lines that stand side by side come to stand one after another.
#pragma once

#include <cstddef>
#include <cstdint>

namespace naively {

// to[j * to_stride + i] = from[i * from_stride + j] for i < lines, j < length.
void turn(const float* from, std::ptrdiff_t from_stride, std::size_t lines, std::size_t length,
          float* to, std::size_t to_stride);
void turn(const float* from, std::ptrdiff_t from_stride, std::size_t lines, std::size_t length,
          double* to, std::size_t to_stride);
void turn(const double* from, std::ptrdiff_t from_stride, std::size_t lines, std::size_t length,
          double* to, std::size_t to_stride);
void turn(const std::uint8_t* from, std::ptrdiff_t from_stride, std::size_t lines,
          std::size_t length, std::uint8_t* to, std::size_t to_stride);

}  // namespace naively
