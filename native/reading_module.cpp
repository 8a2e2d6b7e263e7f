// The Python face of the kernels that look at cells before they are counted.

#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/vector.h>

#include "arguments.hpp"
#include "modules.hpp"
#include "texts.hpp"

namespace nb = nanobind;
using namespace nb::literals;
using namespace naively::arguments;

namespace {

bool any_infinite(const AnyMatrix& values) {
    const auto real = real_of(values);
    nb::gil_scoped_release released;
    return naively::any_infinite(real);
}

Result outlines(const AnyMatrix& values) {
    const auto real = real_of(values);
    Zeros lines(values.shape(1), 6);
    {
        nb::gil_scoped_release released;
        naively::outlines(real, lines.out());
    }
    return lines.give();
}

using Bytes = nb::ndarray<const std::uint8_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Line = nb::ndarray<nb::ro, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Room = nb::ndarray<nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Flags = std::optional<nb::ndarray<const bool, nb::ndim<1>, nb::c_contig, nb::device::cpu>>;
using Coded = std::pair<nb::ndarray<nb::numpy, std::int32_t, nb::ndim<1>, nb::c_contig>, Rows>;

nb::ndarray<nb::numpy, bool, nb::ndim<1>, nb::c_contig> occurring(const AnyVector& codes,
                                                                 std::size_t size) {
    const auto strip = codes_of(codes);
    auto seen = std::make_unique<bool[]>(size);
    {
        nb::gil_scoped_release released;
        naively::occurring(strip, {seen.get(), size});
    }
    nb::capsule owner(seen.get(), [](void* p) noexcept { delete[] static_cast<bool*>(p); });
    return {seen.release(), {size}, owner};
}

template <class T, class U>
void fill(const Line& values, const Bytes& bits, std::size_t start, const Room& out) {
    if (!is_aligned<U>(out.data())) naively::refuse("room that is not aligned in memory");
    const std::span<const T> from{aligned_as<T>(values.data()), values.size()};
    const std::span<U> to{static_cast<U*>(out.data()), out.size()};
    nb::gil_scoped_release released;
    naively::filled<T, U>(from, {bits.data(), bits.size()}, start, to);
}

template <class T>
bool filled_as(const Line& values, const Bytes& bits, std::size_t start, const Room& out) {
    if (values.dtype() != nb::dtype<T>()) return false;
    if (out.dtype() == nb::dtype<T>())
        fill<T, T>(values, bits, start, out);
    else if (out.dtype() == nb::dtype<double>())
        fill<T, double>(values, bits, start, out);
    else
        throw nb::type_error("room for numbers of another type");
    return true;
}

void filled(const Line& values, const Bytes& bits, std::size_t start, const Room& out) {
    same("room", out.size(), values.size());
    if (!(filled_as<double>(values, bits, start, out) || filled_as<float>(values, bits, start, out) ||
          filled_as<std::int8_t>(values, bits, start, out) ||
          filled_as<std::int16_t>(values, bits, start, out) ||
          filled_as<std::int32_t>(values, bits, start, out) ||
          filled_as<std::int64_t>(values, bits, start, out)))
        throw nb::type_error("numbers that are neither floats nor signed integers");
}

std::pair<nb::ndarray<nb::numpy, std::int32_t, nb::ndim<1>, nb::c_contig>, std::size_t> small_codes(
    const AnyVector& numbers, std::size_t size) {
    const auto strip = codes_of(numbers);
    auto codes = std::make_unique_for_overwrite<std::int32_t[]>(numbers.size());
    std::size_t n = 0;
    {
        nb::gil_scoped_release released;
        n = naively::small_codes(strip, size, codes.get());
    }
    nb::capsule owner(codes.get(), [](void* p) noexcept { delete[] static_cast<std::int32_t*>(p); });
    return {{codes.release(), {n ? numbers.size() : 0}, owner}, n};
}

std::span<const std::uint8_t> bytes_of(const Bytes& bytes) { return {bytes.data(), bytes.size()}; }

template <class Texts>
Coded coded(const Texts& texts, const Flags& there) {
    std::span<const std::uint8_t> flags;
    if (there) flags = {reinterpret_cast<const std::uint8_t*>(there->data()), there->size()};
    if (there && there->size() != texts.size()) naively::refuse("flags for another number of texts");
    naively::Coded found;
    {
        nb::gil_scoped_release released;
        found = naively::text_codes(texts, flags);
    }
    return {given(std::move(found.codes)), given(std::move(found.first))};
}

template <class I>
naively::Joined<I> joined(const AnyVector& offsets, const Bytes& data) {
    return {{aligned_as<I>(offsets.data()), offsets.size()}, bytes_of(data)};
}

Coded text_codes(const AnyVector& offsets, const Bytes& data, const Flags& there) {
    if (offsets.size() == 0 || (offsets.size() > 1 && offsets.stride(0) != 1))
        naively::refuse("offsets of texts that do not stand side by side");
    if (offsets.dtype() == nb::dtype<std::int32_t>())
        return coded(joined<std::int32_t>(offsets, data), there);
    if (offsets.dtype() == nb::dtype<std::int64_t>())
        return coded(joined<std::int64_t>(offsets, data), there);
    throw nb::type_error("offsets that are neither int32 nor int64");
}

Coded view_codes(const Bytes& views, const std::vector<Bytes>& buffers, const Flags& there) {
    naively::Views texts{bytes_of(views), {}};
    for (const Bytes& buffer : buffers) texts.buffers.push_back(bytes_of(buffer));
    return coded(texts, there);
}

}  // namespace

void bind_reading(nb::module_& m) {
    m.def("any_infinite", &any_infinite, "values"_a);
    m.def("filled", &filled, "values"_a, "bits"_a, "start"_a, "out"_a);
    m.def("occurring", &occurring, "codes"_a, "size"_a);
    m.def("outlines", &outlines, "values"_a);
    m.def("small_codes", &small_codes, "numbers"_a, "size"_a);
    m.def("text_codes", &text_codes, "offsets"_a, "data"_a, "there"_a.none());
    m.def("view_codes", &view_codes, "views"_a, "buffers"_a, "there"_a.none());
}
