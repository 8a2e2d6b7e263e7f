// The exponential of numbers that are not positive, in loops that turn into vectors.
#pragma once

#include <bit>
#include <cstdint>

#include "views.hpp"

namespace naively {

// exp(x) for x <= 0, to an ulp or two, as a loop that turns into vectors: x = k log 2 + r,
// a polynomial for exp(r), k into the exponent. Below -700 the answer is 0: beside the
// row's largest term, which is 1, it would not be seen.
NAIVELY_INLINE double exp_below_0(double x) {
    constexpr double log2e = 1.4426950408889634074, ln2_high = 6.93147180369123816490e-01,
                     ln2_low = 1.90821492927058770002e-10, round = 6755399441055744.0;
    const double clamped = x < -700.0 ? -700.0 : x;
    const double shifted = clamped * log2e + round;  // its last bits are the integer k
    const double k = shifted - round;
    const double r = (clamped - k * ln2_high) - k * ln2_low;
    double p = 1.0 / 6227020800;
    p = p * r + 1.0 / 479001600;
    p = p * r + 1.0 / 39916800;
    p = p * r + 1.0 / 3628800;
    p = p * r + 1.0 / 362880;
    p = p * r + 1.0 / 40320;
    p = p * r + 1.0 / 5040;
    p = p * r + 1.0 / 720;
    p = p * r + 1.0 / 120;
    p = p * r + 1.0 / 24;
    p = p * r + 1.0 / 6;
    p = p * r + 0.5;
    p = p * r * r + r + 1.0;
    const auto bits = (std::bit_cast<std::uint64_t>(shifted) + 1023) << 52;
    return x < -700.0 ? 0.0 : p * std::bit_cast<double>(bits);
}

}  // namespace naively
