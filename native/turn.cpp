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

// As four by four, of 16 lines by 8 bytes. Read as one row of cells, the matrix in its new
// order is the old one shuffled four times as cards are: each time the place of a cell, in
// binary digits, is turned round by one of its seven.
NAIVELY_INLINE void turn_16x8(const std::uint8_t* from, std::ptrdiff_t from_stride,
                              std::uint8_t* to, std::size_t to_stride) {
    using Sixteen [[gnu::vector_size(16)]] = std::uint8_t;
    using Two [[gnu::vector_size(16)]] = std::uint64_t;
    Sixteen deck[8], next[8];
    for (Sixteen& cells : deck) {
        std::uint64_t a, b;
        std::memcpy(&a, from, sizeof a);
        std::memcpy(&b, from + from_stride, sizeof b);
        cells = reinterpret_cast<Sixteen>(Two{a, b});
        from += 2 * from_stride;
    }
    for (int times = 0; times < 4; ++times) {
        for (std::size_t k = 0; k < 4; ++k) {
            next[2 * k] = __builtin_shufflevector(deck[k], deck[k + 4], 0, 16, 1, 17, 2, 18, 3, 19,
                                                  4, 20, 5, 21, 6, 22, 7, 23);
            next[2 * k + 1] = __builtin_shufflevector(deck[k], deck[k + 4], 8, 24, 9, 25, 10, 26,
                                                      11, 27, 12, 28, 13, 29, 14, 30, 15, 31);
        }
        std::copy(next, next + 8, deck);
    }
    for (std::size_t j = 0; j < 8; ++j) std::memcpy(to + j * to_stride, &deck[j], 16);
}

constexpr std::size_t turned_at_once = 4;
constexpr bool turns_bytes = true;

#else

inline void turn_16x8(const std::uint8_t*, std::ptrdiff_t, std::uint8_t*, std::size_t) {}

constexpr bool turns_bytes = false;

template <class From, class To>
inline void turn_4x4(const From*, std::ptrdiff_t, To*, std::size_t) {}

constexpr std::size_t turned_at_once = 0;

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

// What remains at an end is turned with some of what was turned before it.
void turn(const std::uint8_t* from, std::ptrdiff_t from_stride, std::size_t lines,
          std::size_t length, std::uint8_t* to, std::size_t to_stride) {
    if (!turns_bytes || lines < 16 || length < 8)
        return turn_all(from, from_stride, lines, length, to, to_stride);
    for (std::size_t row = 0; row < lines; row += 16) {
        const std::size_t i = std::min(row, lines - 16);
        const std::uint8_t* line = from + static_cast<std::ptrdiff_t>(i) * from_stride;
        for (std::size_t column = 0; column < length; column += 8) {
            const std::size_t j = std::min(column, length - 8);
            turn_16x8(line + j, from_stride, to + j * to_stride + i, to_stride);
        }
    }
}

}  // namespace naively
