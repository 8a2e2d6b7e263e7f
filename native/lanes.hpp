// A few doubles that are computed with at once.
#pragma once

#include <cstddef>
#include <cstring>

#include "views.hpp"

namespace naively {

#if defined(__GNUC__)

template <std::size_t width>
using Lane [[gnu::vector_size(width * sizeof(double))]] = double;

template <std::size_t width, class T>
NAIVELY_INLINE Lane<width> lane_of(const T* from) {
    using From [[gnu::vector_size(width * sizeof(T))]] = T;
    From v;
    std::memcpy(&v, from, sizeof v);
    return __builtin_convertvector(v, Lane<width>);
}

// The lane with 0 where `there` has a NaN.
template <std::size_t width>
NAIVELY_INLINE Lane<width> where_there(const Lane<width>& there, const Lane<width>& lane) {
    return there == there ? lane : Lane<width>{};
}

#else

template <std::size_t width>
struct Lane {
    double x[width] = {};

    template <class Op>
    Lane with(const Lane& other, Op op) const {
        Lane out;
        for (std::size_t k = 0; k < width; ++k) out.x[k] = op(x[k], other.x[k]);
        return out;
    }
    Lane operator+(const Lane& o) const { return with(o, [](double a, double b) { return a + b; }); }
    Lane operator-(const Lane& o) const { return with(o, [](double a, double b) { return a - b; }); }
    Lane operator*(const Lane& o) const { return with(o, [](double a, double b) { return a * b; }); }
    Lane& operator+=(const Lane& o) { return *this = *this + o; }
};

template <std::size_t width, class T>
Lane<width> lane_of(const T* from) {
    Lane<width> v;
    for (std::size_t k = 0; k < width; ++k) v.x[k] = static_cast<double>(from[k]);
    return v;
}

template <std::size_t width>
Lane<width> where_there(const Lane<width>& there, const Lane<width>& lane) {
    return there.with(lane, [](double t, double v) { return t == t ? v : 0.0; });
}

#endif

// The same number in every place.
template <std::size_t width>
NAIVELY_INLINE Lane<width> lane_full_of(double x) {
    double all[width];
    for (std::size_t k = 0; k < width; ++k) all[k] = x;
    return lane_of<width>(all);
}

template <std::size_t width>
NAIVELY_INLINE void put(const Lane<width>& lane, double* to) {
    std::memcpy(to, &lane, sizeof lane);
}

}  // namespace naively
