// Texts as kernels see them: where each begins and how long it is, whatever holds them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

#include "views.hpp"

namespace naively {

struct Text {
    const char* data;
    std::size_t size;
};

// Texts one after another in one buffer; text i ends where text i + 1 begins.
template <class I>
struct Joined {
    std::span<const I> offsets;
    std::span<const std::uint8_t> data;

    std::size_t size() const { return offsets.size() - 1; }
    Text operator[](std::size_t i) const {
        return {reinterpret_cast<const char*>(data.data()) + offsets[i],
                static_cast<std::size_t>(offsets[i + 1] - offsets[i])};
    }
    void check() const;
};

// Arrow's views: 16 bytes each, a short text in the view itself, a long one in a buffer.
struct Views {
    static constexpr std::size_t width = 16, inside = 12;
    std::span<const std::uint8_t> views;
    std::vector<std::span<const std::uint8_t>> buffers;

    std::size_t size() const { return views.size() / width; }
    Text operator[](std::size_t i) const {
        const std::uint8_t* view = &views[i * width];
        const auto length = static_cast<std::size_t>(number(view));
        if (length <= inside) return {reinterpret_cast<const char*>(view) + 4, length};
        const auto& buffer = buffers[static_cast<std::size_t>(number(view + 8))];
        return {reinterpret_cast<const char*>(buffer.data()) + number(view + 12), length};
    }
    void check(std::span<const std::uint8_t> there) const;

private:
    static std::int32_t number(const std::uint8_t* at) {
        std::int32_t n;
        std::memcpy(&n, at, sizeof n);
        return n;
    }
};

// Which of the codes 0 .. seen.size() - 1 occur; negative ones say nothing.
void occurring(const Codes& codes, std::span<bool> seen);

// The code of every text, in the order in which texts first occur (-1 where `there` is 0),
// and the rows where each of them first occurs.
struct Coded {
    std::vector<std::int32_t> codes;
    std::vector<std::int64_t> first;
};

Coded text_codes(const Joined<std::int32_t>& texts, std::span<const std::uint8_t> there);
Coded text_codes(const Joined<std::int64_t>& texts, std::span<const std::uint8_t> there);
Coded text_codes(const Views& texts, std::span<const std::uint8_t> there);

}  // namespace naively
