// The groups of rows: proven to be in range, weighed, and made of whole numbers.

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <mutex>

#include "kernels.hpp"
#include "threads.hpp"

namespace naively {

namespace {

constexpr std::size_t segment_rows = 65'536;

// Rows of the same group are often neighbours: several counts keep their increments apart.
constexpr std::size_t abreast = 4;

void count(Groups group, std::vector<std::uint32_t>& counts) {
    const std::size_t n = counts.size() / abreast;
    std::size_t i = 0;
    for (; i + abreast <= group.size(); i += abreast)
        for (std::size_t k = 0; k < abreast; ++k)
            ++counts[k * n + static_cast<std::size_t>(group[i + k])];
    for (; i < group.size(); ++i) ++counts[static_cast<std::size_t>(group[i])];
}

// What is in any of the numbers, bit by bit, once they are copied: of numbers below 2^31
// nothing was lost.
#define NAIVELY_COPY(T)                                                                   \
    NAIVELY_CLONES std::uint64_t copy(const T* from, std::size_t n, std::int32_t* to) {   \
        std::uint64_t bits = 0;                                                           \
        for (std::size_t i = 0; i < n; ++i) {                                             \
            bits |= static_cast<std::uint64_t>(from[i]);                                  \
            to[i] = static_cast<std::int32_t>(from[i]);                                   \
        }                                                                                 \
        return bits;                                                                      \
    }
NAIVELY_COPY(std::int8_t)
NAIVELY_COPY(std::int16_t)
NAIVELY_COPY(std::int32_t)
NAIVELY_COPY(std::int64_t)
NAIVELY_COPY(std::uint8_t)
NAIVELY_COPY(std::uint16_t)
NAIVELY_COPY(std::uint32_t)
#undef NAIVELY_COPY

NAIVELY_CLONES std::int32_t largest(const std::int32_t* codes, std::size_t n) {
    std::int32_t top = -1;
    for (std::size_t i = 0; i < n; ++i) top = std::max(top, codes[i]);
    return top;
}

// Some numbers of a column as codes, and the largest; -1 where one of them is no code.
template <class T>
std::int32_t copy_strip(const Strip<T>& numbers, std::size_t start, std::size_t n,
                        std::int32_t* to) {
    std::array<T, 1024> near;
    std::int32_t top = -1;
    for (std::size_t i = 0; i < n; i += near.size()) {
        const std::size_t rows = std::min(near.size(), n - i);
        const T* from = numbers.data + start + i;
        if (numbers.stride != 1) {
            for (std::size_t k = 0; k < rows; ++k) near[k] = numbers[start + i + k];
            from = near.data();
        }
        if (copy(from, rows, to + i) >> 31) return -1;
        top = std::max(top, largest(to + i, rows));
    }
    return top;
}

}  // namespace

void check_groups(Groups group, std::size_t n_groups) {
    std::int32_t low = 0, high = -1;
    for (const std::int32_t g : group) {
        low = std::min(low, g);
        high = std::max(high, g);
    }
    if (low < 0) refuse_below("group", low, 0);
    if (high >= 0 && static_cast<std::size_t>(high) >= n_groups)
        refuse_above("group", high, n_groups);
}

void group_weights(Groups group, Weights weight, Out n) {
    if (!weight.empty()) {
        check_groups(group, n.size());
        for (std::size_t i = 0; i < group.size(); ++i)
            n[static_cast<std::size_t>(group[i])] += weight[i];
        return;
    }
    const std::size_t segment = std::max(segment_rows, abreast * n.size());
    std::mutex lock;
    parallel((group.size() + segment - 1) / segment, group.size(), [&](std::size_t k) {
        const Groups part = group.subspan(k * segment, std::min(segment, group.size() - k * segment));
        check_groups(part, n.size());
        std::vector<std::uint32_t> counts(abreast * n.size());
        count(part, counts);
        std::lock_guard turn(lock);  // whole numbers: their sum is the same in any order
        for (std::size_t c = 0; c < counts.size(); ++c) n[c % n.size()] += counts[c];
    });
}

std::size_t small_codes(const Codes& numbers, std::size_t size, std::int32_t* codes) {
    const std::size_t rows = std::visit([](const auto& strip) { return strip.size; }, numbers);
    std::atomic<bool> all{true};
    std::mutex lock;
    std::int32_t top = -1;
    parallel((rows + segment_rows - 1) / segment_rows, rows, [&](std::size_t k) {
        if (!all) return;
        const std::size_t start = k * segment_rows, n = std::min(segment_rows, rows - start);
        const std::int32_t here = std::visit(
            [&](const auto& strip) { return copy_strip(strip, start, n, codes + start); }, numbers);
        if (here < 0 || static_cast<std::size_t>(here) >= size) all = false;
        std::lock_guard turn(lock);
        top = std::max(top, here);
    });
    return all ? static_cast<std::size_t>(top + 1) : 0;
}

}  // namespace naively
