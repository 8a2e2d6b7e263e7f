// Texts to codes: one hash table, whose slots point to the first occurrence of each text.

#include "texts.hpp"

#include <bit>
#include <limits>
#include <string>

namespace naively {

namespace {

std::uint64_t word(const char* at) {
    std::uint64_t w;
    std::memcpy(&w, at, sizeof w);
    return w;
}

std::uint64_t half_word(const char* at) {
    std::uint32_t w;
    std::memcpy(&w, at, sizeof w);
    return w;
}

// A text of up to 16 bytes as two words that, with its length, say all of it: longer ones
// share what stands between their ends.
struct Ends {
    std::uint64_t first, last;
};

NAIVELY_INLINE Ends ends_of(const Text& t) {
    if (t.size >= 8) return {word(t.data), word(t.data + t.size - 8)};
    if (t.size >= 4) return {half_word(t.data), half_word(t.data + t.size - 4)};
    if (t.size == 0) return {0, 0};
    const auto byte = [&](std::size_t i) {
        return static_cast<std::uint64_t>(static_cast<unsigned char>(t.data[i]));
    };
    return {byte(0), byte(t.size / 2) << 8 | byte(t.size - 1)};
}

NAIVELY_INLINE std::uint64_t mixed(std::uint64_t a, std::uint64_t b) {
    constexpr std::uint64_t p = 0x9e3779b97f4a7c15, q = 0xd6e8feb86659fd93;
    const std::uint64_t h = (a ^ (b + q + std::rotl(b, 29))) * p;
    return (h ^ (h >> 32)) * q;
}

NAIVELY_INLINE std::uint64_t hash_of(const Text& t, const Ends& ends) {
    std::uint64_t h = mixed(ends.first ^ (t.size * 0x2545f4914f6cdd1d), ends.last);
    for (std::size_t i = 8; i + 8 < t.size; i += 8) h = mixed(h, word(t.data + i));
    return h ^ (h >> 29);
}

// Both have the same length and the same ends.
NAIVELY_INLINE bool same_between(const Text& a, const Text& b) {
    for (std::size_t i = 8; i + 8 < a.size; i += 8)
        if (word(a.data + i) != word(b.data + i)) return false;
    return true;
}

class Index {
public:
    std::int32_t code_of(const Text& text, std::int64_t row, std::vector<std::int64_t>& first) {
        const Ends ends = ends_of(text);
        const std::uint64_t hash = hash_of(text, ends);
        for (std::size_t at = hash & mask_;; at = (at + 1) & mask_) {
            Slot& slot = slots_[at];
            if (slot.code < 0) {
                slot = {hash, ends, text, static_cast<std::int32_t>(first.size())};
                first.push_back(row);
                const std::int32_t code = slot.code;
                if (2 * first.size() > slots_.size()) grow();
                return code;
            }
            if (slot.hash == hash && slot.text.size == text.size &&
                slot.ends.first == ends.first && slot.ends.last == ends.last &&
                same_between(slot.text, text))
                return slot.code;
        }
    }

private:
    struct Slot {
        std::uint64_t hash = 0;
        Ends ends{};
        Text text{};
        std::int32_t code = -1;
    };

    void grow() {
        std::vector<Slot> before(4 * slots_.size());
        before.swap(slots_);
        mask_ = slots_.size() - 1;
        for (const Slot& slot : before) {
            if (slot.code < 0) continue;
            std::size_t at = slot.hash & mask_;
            while (slots_[at].code >= 0) at = (at + 1) & mask_;
            slots_[at] = slot;
        }
    }

    std::vector<Slot> slots_ = std::vector<Slot>(64);
    std::size_t mask_ = 63;
};

template <class Texts>
Coded coded(const Texts& texts, std::span<const std::uint8_t> there) {
    if (!there.empty() && there.size() != texts.size()) refuse("flags for another number of texts");
    if (texts.size() > static_cast<std::size_t>(std::numeric_limits<std::int32_t>::max()))
        refuse("more than 2,147,483,647 texts");
    Coded out;
    out.codes.resize(texts.size());
    Index index;
    for (std::size_t i = 0; i < texts.size(); ++i)
        out.codes[i] = there.empty() || there[i]
                           ? index.code_of(texts[i], static_cast<std::int64_t>(i), out.first)
                           : -1;
    return out;
}

}  // namespace

template <class I>
void Joined<I>::check() const {
    if (offsets.empty()) refuse("texts without offsets");
    if (offsets.front() < 0 || static_cast<std::size_t>(offsets.back()) > data.size())
        refuse("offsets beyond the texts");
    for (std::size_t i = 0; i + 1 < offsets.size(); ++i)
        if (offsets[i + 1] < offsets[i]) refuse("texts whose offsets fall");
}

void Views::check(std::span<const std::uint8_t> there) const {
    if (views.size() % width) refuse("texts whose views are not 16 bytes each");
    if (!there.empty() && there.size() != size()) refuse("flags for another number of texts");
    for (std::size_t i = 0; i < size(); ++i) {
        const std::uint8_t* view = &views[i * width];
        const std::int64_t length = number(view);
        if (!there.empty() && !there[i]) continue;
        if (length < 0) refuse("a text of negative length");
        if (length <= static_cast<std::int64_t>(inside)) continue;
        const std::int64_t buffer = number(view + 8), start = number(view + 12);
        if (buffer < 0 || start < 0 || static_cast<std::size_t>(buffer) >= buffers.size() ||
            static_cast<std::size_t>(start + length) > buffers[static_cast<std::size_t>(buffer)].size())
            refuse("a text beyond its buffer");
    }
}

void occurring(const Codes& codes, std::span<bool> seen) {
    std::visit(
        [&](const auto& strip) {
            for (std::size_t i = 0; i < strip.size; ++i) {
                const auto code = static_cast<std::int64_t>(strip[i]);
                if (code < 0) continue;
                if (static_cast<std::uint64_t>(code) >= seen.size())
                    refuse_above("code", code, seen.size());
                seen[static_cast<std::size_t>(code)] = true;
            }
        },
        codes);
}

Coded text_codes(const Joined<std::int32_t>& texts, std::span<const std::uint8_t> there) {
    texts.check();
    return coded(texts, there);
}

Coded text_codes(const Joined<std::int64_t>& texts, std::span<const std::uint8_t> there) {
    texts.check();
    return coded(texts, there);
}

Coded text_codes(const Views& texts, std::span<const std::uint8_t> there) {
    texts.check(there);
    return coded(texts, there);
}

}  // namespace naively
