// Numbers beside the bits that say which of them are there, as Arrow keeps them.

#include <limits>
#include <type_traits>

#include "kernels.hpp"

namespace naively {

namespace {

template <class T>
constexpr T missing = std::is_floating_point_v<T> ? std::numeric_limits<T>::quiet_NaN() : T(-1);

template <class T, class U>
NAIVELY_CLONES void fill(const T* from, const std::uint8_t* bits, std::size_t bytes, U* to) {
    for (std::size_t b = 0; b < bytes; ++b, from += 8, to += 8)
        for (unsigned k = 0; k < 8; ++k)
            to[k] = bits[b] >> k & 1 ? static_cast<U>(from[k]) : missing<U>;
}

}  // namespace

template <class T, class U>
void filled(std::span<const T> values, std::span<const std::uint8_t> bits, std::size_t start,
            std::span<U> out) {
    if (start > 8 * bits.size() || values.size() > 8 * bits.size() - start)
        refuse("bits for another number of cells");
    const auto one = [&](std::size_t i) {
        const std::size_t bit = start + i;
        out[i] = bits[bit / 8] >> bit % 8 & 1 ? static_cast<U>(values[i]) : missing<U>;
    };
    std::size_t i = 0;
    for (; i < values.size() && (start + i) % 8; ++i) one(i);
    const std::size_t bytes = (values.size() - i) / 8;
    fill(values.data() + i, bits.data() + (start + i) / 8, bytes, out.data() + i);
    for (i += 8 * bytes; i < values.size(); ++i) one(i);
}

#define NAIVELY_FILLED(T, U)                                                                  \
    template void filled(std::span<const T>, std::span<const std::uint8_t>, std::size_t,      \
                         std::span<U>);
NAIVELY_FILLED(float, float)
NAIVELY_FILLED(float, double)
NAIVELY_FILLED(double, double)
NAIVELY_FILLED(std::int8_t, std::int8_t)
NAIVELY_FILLED(std::int8_t, double)
NAIVELY_FILLED(std::int16_t, std::int16_t)
NAIVELY_FILLED(std::int16_t, double)
NAIVELY_FILLED(std::int32_t, std::int32_t)
NAIVELY_FILLED(std::int32_t, double)
NAIVELY_FILLED(std::int64_t, std::int64_t)
NAIVELY_FILLED(std::int64_t, double)
#undef NAIVELY_FILLED

}  // namespace naively
