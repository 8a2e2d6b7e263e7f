// What a kernel sees of its arguments: pointers, lengths and strides, nothing of Python.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>
#include <variant>

namespace naively {

// A matrix in any memory order; strides count elements and may be 0 or negative.
template <class T>
struct Grid {
    const T* data;
    std::size_t rows, columns;
    std::ptrdiff_t row_stride, column_stride;

    const T* row(std::size_t i) const { return data + static_cast<std::ptrdiff_t>(i) * row_stride; }
};

using Real = std::variant<Grid<float>, Grid<double>>;

inline std::size_t columns_of(const Real& values) {
    return std::visit([](const auto& grid) { return grid.columns; }, values);
}

// A column of codes; the stride counts elements.
template <class T>
struct Strip {
    const T* data;
    std::size_t size;
    std::ptrdiff_t stride;

    T operator[](std::size_t i) const { return data[static_cast<std::ptrdiff_t>(i) * stride]; }
};

// Unsigned codes are never missing.
using Codes = std::variant<Strip<std::int8_t>, Strip<std::int16_t>, Strip<std::int32_t>,
                           Strip<std::int64_t>, Strip<std::uint8_t>, Strip<std::uint16_t>,
                           Strip<std::uint32_t>>;

using Groups = std::span<const std::int32_t>;
using Weights = std::span<const double>;  // empty: every row weighs 1

// A sparse block, compressed by rows.
template <class I>
struct Csr {
    std::span<const I> indptr, indices;
    std::span<const double> data;
    std::size_t rows() const { return indptr.size() - 1; }
};

using Sparse = std::variant<Csr<std::int32_t>, Csr<std::int64_t>>;

[[noreturn]] inline void refuse(const std::string& message) { throw std::invalid_argument(message); }

inline void refuse_above(const char* what, long long value, std::size_t size) {
    refuse(std::string(what) + " " + std::to_string(value) + " where there are " +
           std::to_string(size));
}

inline void refuse_below(const char* what, long long value, int low) {
    refuse(std::string(what) + " " + std::to_string(value) + " below " + std::to_string(low));
}

}  // namespace naively

// Compile a function for several generations of processors; the loader picks the best.
// The widest vectors pay where loops are long, in scoring; learning has short rows.
#if defined(__x86_64__) && defined(__GLIBC__) && defined(__GNUC__) && !defined(__clang__) && \
    __GNUC__ >= 12 && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define NAIVELY_CLONES __attribute__((target_clones("default", "arch=x86-64-v3")))
#define NAIVELY_WIDE_CLONES \
    __attribute__((target_clones("default", "arch=x86-64-v3", "arch=x86-64-v4")))
#else
#define NAIVELY_CLONES
#define NAIVELY_WIDE_CLONES
#endif

#if defined(__GNUC__)
#define NAIVELY_INLINE [[gnu::always_inline]] inline
#else
#define NAIVELY_INLINE inline
#endif

namespace naively {

// Ask for cells that will be read soon; addresses beyond the end do no harm.
template <class T>
NAIVELY_INLINE void prefetch([[maybe_unused]] const T* x, [[maybe_unused]] std::size_t cells) {
#if defined(__GNUC__)
    const auto first = reinterpret_cast<std::uintptr_t>(x);
    for (std::size_t i = 0; i < cells * sizeof(T); i += 64)
        __builtin_prefetch(reinterpret_cast<const void*>(first + i));
#endif
}

}  // namespace naively
