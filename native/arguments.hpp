// What Python hands over, checked in type and shape, as the views that kernels take.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <memory>
#include <new>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include "kernels.hpp"

namespace naively::arguments {

namespace nb = nanobind;

using AnyVector = nb::ndarray<nb::ro, nb::ndim<1>, nb::device::cpu>;
using AnyMatrix = nb::ndarray<nb::ro, nb::ndim<2>, nb::device::cpu>;
using Vector = nb::ndarray<const double, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Matrix = nb::ndarray<const double, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using Scores = nb::ndarray<double, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using Result = nb::ndarray<nb::numpy, double, nb::ndim<2>, nb::c_contig>;
using Answer = nb::ndarray<nb::numpy, double, nb::ndim<1>, nb::c_contig>;
using Rows = nb::ndarray<nb::numpy, std::int64_t, nb::ndim<1>, nb::c_contig>;
using OptionalWeight = std::optional<Vector>;

template <class T>
bool is_aligned(const void* data) {
    return reinterpret_cast<std::uintptr_t>(data) % alignof(T) == 0;
}

// Where numbers begin: a vector loop may fault on those that do not lie at multiples of their
// size. Only this error is a BufferError: kernels/registry.py answers it with copies.
template <class T>
const T* aligned_as(const void* data) {
    if (!is_aligned<T>(data)) throw nb::buffer_error("numbers that are not aligned in memory");
    return static_cast<const T*>(data);
}

template <class Array>
std::span<const double> span_of(const Array& array) {
    return {aligned_as<double>(array.data()), array.size()};
}

// To be called before all else: what is written into a copy would be lost.
inline naively::Out out_of(const Scores& scores) {
    if (!is_aligned<double>(scores.data())) naively::refuse("scores that are not aligned in memory");
    return {scores.data(), scores.size()};
}

inline void same(const char* what, std::size_t found, std::size_t expected) {
    if (found != expected)
        naively::refuse(std::string(what) + ": " + std::to_string(found) + " beside " +
                        std::to_string(expected));
}

template <class Array>
void shaped(const char* what, const Array& array, std::size_t rows, std::size_t columns) {
    same(what, array.shape(0), rows);
    same(what, array.shape(1), columns);
}

template <class T>
naively::Grid<T> grid_of(const AnyMatrix& m) {
    return {aligned_as<T>(m.data()), m.shape(0), m.shape(1), m.stride(0), m.stride(1)};
}

inline naively::Real real_of(const AnyMatrix& values) {
    if (values.dtype() == nb::dtype<double>()) return grid_of<double>(values);
    if (values.dtype() == nb::dtype<float>()) return grid_of<float>(values);
    throw nb::type_error("values that are neither float32 nor float64");
}

template <class T>
naively::Strip<T> strip_of(const AnyVector& v) {
    return {aligned_as<T>(v.data()), v.shape(0), v.stride(0)};
}

inline naively::Codes codes_of(const AnyVector& codes) {
    if (codes.dtype() == nb::dtype<std::int8_t>()) return strip_of<std::int8_t>(codes);
    if (codes.dtype() == nb::dtype<std::int16_t>()) return strip_of<std::int16_t>(codes);
    if (codes.dtype() == nb::dtype<std::int32_t>()) return strip_of<std::int32_t>(codes);
    if (codes.dtype() == nb::dtype<std::int64_t>()) return strip_of<std::int64_t>(codes);
    if (codes.dtype() == nb::dtype<std::uint8_t>()) return strip_of<std::uint8_t>(codes);
    if (codes.dtype() == nb::dtype<std::uint16_t>()) return strip_of<std::uint16_t>(codes);
    if (codes.dtype() == nb::dtype<std::uint32_t>()) return strip_of<std::uint32_t>(codes);
    throw nb::type_error("codes or groups that are not integers of up to 64 bits");
}

inline std::vector<naively::Codes> codes_of(const std::vector<AnyVector>& columns, std::size_t rows) {
    std::vector<naively::Codes> all;
    for (const AnyVector& column : columns) {
        same("rows", column.shape(0), rows);
        all.push_back(codes_of(column));
    }
    return all;
}

// Groups as contiguous int32: a view where they are that, a checked copy elsewhere.
class GroupsOf {
public:
    GroupsOf(const AnyVector& group, std::size_t rows, std::size_t n_groups) {
        same("groups", group.shape(0), rows);
        if (n_groups > static_cast<std::size_t>(std::numeric_limits<std::int32_t>::max()))
            naively::refuse("more than 2,147,483,647 groups");
        const naively::Codes codes = codes_of(group);
        const auto* strip = std::get_if<naively::Strip<std::int32_t>>(&codes);
        if (strip && strip->stride == 1)
            view_ = {strip->data, strip->size};
        else
            std::visit([&](const auto& any) { copy(any, n_groups); }, codes);
    }

    operator naively::Groups() const { return view_; }

private:
    template <class T>
    void copy(const naively::Strip<T>& codes, std::size_t n_groups) {
        copy_.resize(codes.size);
        for (std::size_t i = 0; i < codes.size; ++i) {
            if (std::is_signed_v<T> && codes[i] < 0) naively::refuse_below("group", codes[i], 0);
            if (static_cast<std::uint64_t>(codes[i]) >= n_groups)
                naively::refuse_above("group", codes[i], n_groups);
            copy_[i] = static_cast<std::int32_t>(codes[i]);
        }
        view_ = copy_;
    }

    std::vector<std::int32_t> copy_;
    naively::Groups view_;
};

inline naively::Weights weights_of(const OptionalWeight& weight, std::size_t rows) {
    if (!weight) return {};
    same("weights", weight->shape(0), rows);
    return span_of(*weight);
}

// A matrix of zeros that Python will own.
struct Zeros {
    std::size_t rows, columns;
    std::unique_ptr<double[]> data;

    Zeros(std::size_t rows, std::size_t columns)
        : rows(rows), columns(columns), data(new double[cells(rows, columns)]()) {}

    naively::Out out() { return {data.get(), rows * columns}; }

    Result give() {
        nb::capsule owner(data.get(), [](void* p) noexcept { delete[] static_cast<double*>(p); });
        return Result(data.release(), {rows, columns}, owner);
    }

    Answer give_vector() {
        nb::capsule owner(data.get(), [](void* p) noexcept { delete[] static_cast<double*>(p); });
        return Answer(data.release(), {rows}, owner);
    }

private:
    // A product that wrapped around would be a small matrix in the clothes of a large one.
    static std::size_t cells(std::size_t rows, std::size_t columns) {
        if (columns && rows > std::numeric_limits<std::size_t>::max() / columns)
            throw std::bad_array_new_length();
        return rows * columns;
    }
};

// Integers that Python will own.
template <class I>
nb::ndarray<nb::numpy, I, nb::ndim<1>, nb::c_contig> given(std::vector<I> numbers) {
    auto kept = std::make_unique<std::vector<I>>(std::move(numbers));
    I* data = kept->data();
    const std::size_t size = kept->size();
    nb::capsule owner(kept.release(),
                      [](void* p) noexcept { delete static_cast<std::vector<I>*>(p); });
    return {data, {size}, owner};
}

template <class I>
naively::Csr<I> csr_of(const AnyVector& indptr, const AnyVector& indices, const Vector& data) {
    return {{aligned_as<I>(indptr.data()), indptr.size()},
            {aligned_as<I>(indices.data()), indices.size()},
            span_of(data)};
}

// Both index arrays in one width, contiguous; copies where they are not.
class SparseOf {
public:
    SparseOf(const AnyVector& indptr, const AnyVector& indices, const Vector& data) {
        if (indptr.size() == 0) naively::refuse("an empty indptr");
        same("stored cells", data.size(), indices.size());
        if (plain<std::int32_t>(indptr) && plain<std::int32_t>(indices))
            block_ = csr_of<std::int32_t>(indptr, indices, data);
        else if (plain<std::int64_t>(indptr) && plain<std::int64_t>(indices))
            block_ = csr_of<std::int64_t>(indptr, indices, data);
        else
            block_ = naively::Csr<std::int64_t>{wide(indptr, indptr_), wide(indices, indices_),
                                                span_of(data)};
    }

    operator const naively::Sparse&() const { return block_; }

private:
    template <class I>
    static bool plain(const AnyVector& v) {
        return v.dtype() == nb::dtype<I>() && (v.stride(0) == 1 || v.size() < 2);
    }

    static std::span<const std::int64_t> wide(const AnyVector& from, std::vector<std::int64_t>& to) {
        std::visit(
            [&](const auto& strip) {
                for (std::size_t i = 0; i < strip.size; ++i) to.push_back(strip[i]);
            },
            codes_of(from));
        return to;
    }

    std::vector<std::int64_t> indptr_, indices_;
    naively::Sparse block_;
};

}  // namespace naively::arguments
