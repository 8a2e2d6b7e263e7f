#include "turn.hpp"

#include <algorithm>
#include <cstring>

#include "views.hpp"

namespace naively {

namespace {

#if defined(__GNUC__)

template <class T>
using Four [[gnu::vector_size(4 * sizeof(T))]] = T;

template <class To, class From>
NAIVELY_INLINE Four<To> four(const From* from) {
    Four<From> v;
    std::memcpy(&v, from, sizeof v);
    return __builtin_convertvector(v, Four<To>);
}

template <class To>
NAIVELY_INLINE void put(const Four<To>& v, To* to) {
    std::memcpy(to, &v, sizeof v);
}

// to[j * to_stride + i] = from[i * from_stride + j] for 4 x 4 cells.
template <class From, class To>
NAIVELY_INLINE void turn_4x4(const From* from, std::ptrdiff_t from_stride, To* to,
                             std::size_t to_stride) {
    const auto a = four<To>(from), b = four<To>(from + from_stride),
               c = four<To>(from + 2 * from_stride), d = four<To>(from + 3 * from_stride);
    const auto ab_even = __builtin_shufflevector(a, b, 0, 4, 2, 6),
               ab_odd = __builtin_shufflevector(a, b, 1, 5, 3, 7),
               cd_even = __builtin_shufflevector(c, d, 0, 4, 2, 6),
               cd_odd = __builtin_shufflevector(c, d, 1, 5, 3, 7);
    put<To>(__builtin_shufflevector(ab_even, cd_even, 0, 1, 4, 5), to);
    put<To>(__builtin_shufflevector(ab_odd, cd_odd, 0, 1, 4, 5), to + to_stride);
    put<To>(__builtin_shufflevector(ab_even, cd_even, 2, 3, 6, 7), to + 2 * to_stride);
    put<To>(__builtin_shufflevector(ab_odd, cd_odd, 2, 3, 6, 7), to + 3 * to_stride);
}

constexpr std::size_t turned_at_once = 4;

using Bytes [[gnu::vector_size(16)]] = std::uint8_t;

// The same for 16 x 16 bytes: every round brings each line beside the one eight below it.
void turn_16x16(const std::uint8_t* from, std::ptrdiff_t from_stride, std::uint8_t* to,
                std::size_t to_stride) {
    Bytes line[16], mixed[16];
    for (std::ptrdiff_t i = 0; i < 16; ++i) std::memcpy(&line[i], from + i * from_stride, 16);
    for (int round = 0; round < 4; ++round) {
        for (std::size_t i = 0; i < 8; ++i) {
            mixed[2 * i] = __builtin_shufflevector(line[i], line[i + 8], 0, 16, 1, 17, 2, 18, 3,
                                                   19, 4, 20, 5, 21, 6, 22, 7, 23);
            mixed[2 * i + 1] = __builtin_shufflevector(line[i], line[i + 8], 8, 24, 9, 25, 10, 26,
                                                       11, 27, 12, 28, 13, 29, 14, 30, 15, 31);
        }
        std::memcpy(line, mixed, sizeof line);
    }
    for (std::size_t j = 0; j < 16; ++j) std::memcpy(to + j * to_stride, &line[j], 16);
}

constexpr std::size_t bytes_at_once = 16;

#else

template <class From, class To>
inline void turn_4x4(const From*, std::ptrdiff_t, To*, std::size_t) {}

inline void turn_16x16(const std::uint8_t*, std::ptrdiff_t, std::uint8_t*, std::size_t) {}

constexpr std::size_t turned_at_once = 0, bytes_at_once = 0;

#endif

template <class From, class To>
NAIVELY_INLINE void turn_all(const From* from, std::ptrdiff_t from_stride, std::size_t lines,
                             std::size_t length, To* to, std::size_t to_stride) {
    const std::size_t even_lines = turned_at_once ? lines / 4 * 4 : 0;
    const std::size_t even_length = turned_at_once ? length / 4 * 4 : 0;
    for (std::size_t i = 0; i < lines; ++i) {
        const From* line = from + static_cast<std::ptrdiff_t>(i) * from_stride;
        if (i % 4 == 0 && i < even_lines)
            for (std::size_t j = 0; j < even_length; j += 4)
                turn_4x4(line + j, from_stride, to + j * to_stride + i, to_stride);
        for (std::size_t j = i < even_lines ? even_length : 0; j < length; ++j)
            to[j * to_stride + i] = static_cast<To>(line[j]);
    }
}

}  // namespace

NAIVELY_CLONES void turn(const float* from, std::ptrdiff_t from_stride, std::size_t lines,
                         std::size_t length, float* to, std::size_t to_stride) {
    turn_all(from, from_stride, lines, length, to, to_stride);
}

NAIVELY_CLONES void turn(const float* from, std::ptrdiff_t from_stride, std::size_t lines,
                         std::size_t length, double* to, std::size_t to_stride) {
    turn_all(from, from_stride, lines, length, to, to_stride);
}

NAIVELY_CLONES void turn(const double* from, std::ptrdiff_t from_stride, std::size_t lines,
                         std::size_t length, double* to, std::size_t to_stride) {
    turn_all(from, from_stride, lines, length, to, to_stride);
}

// The last block of a line begins earlier where it would reach beyond the end.
void turn(const std::uint8_t* from, std::ptrdiff_t from_stride, std::size_t lines,
          std::size_t length, std::uint8_t* to, std::size_t to_stride) {
    const bool wide = bytes_at_once && length >= bytes_at_once;
    const std::size_t even_lines = wide ? lines / bytes_at_once * bytes_at_once : 0;
    for (std::size_t i = 0; i < even_lines; i += bytes_at_once)
        for (std::size_t j = 0; j < length; j += bytes_at_once) {
            const std::size_t at = std::min(j, length - bytes_at_once);
            turn_16x16(from + static_cast<std::ptrdiff_t>(i) * from_stride + at, from_stride,
                       to + at * to_stride + i, to_stride);
        }
    for (std::size_t i = even_lines; i < lines; ++i)
        for (std::size_t j = 0; j < length; ++j)
            to[j * to_stride + i] = from[static_cast<std::ptrdiff_t>(i) * from_stride + j];
}

}  // namespace naively
