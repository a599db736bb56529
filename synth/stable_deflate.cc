#include <algorithm>
#include <array>
#include <span>
#include <vector>

#include "synth/greedy_parse.h"
#include "synth/stable_pack.h"

// A Deflate writer (RFC 1951) with fixed choices: blocks of a fixed number of plain bytes, and for dynamic blocks a
// code of its own that is always the same.
namespace assay::synth {
namespace {

constexpr std::size_t kBlockBytes = 20000;
constexpr std::size_t kLiteralCodes = 286;
constexpr std::size_t kDistanceCodes = 30;
constexpr unsigned kEndOfBlock = 256;

struct Code {
  std::uint32_t bits = 0;
  unsigned bit_count = 0;
};

// Codes in order of length, then of symbol (RFC 1951, 3.2.2), bits already reversed for writing.
std::vector<Code> canonical_codes(std::span<const std::uint8_t> lengths) {
  constexpr unsigned kLongest = 15;
  std::array<std::uint32_t, kLongest + 2> next{};
  for (unsigned length = 1; length <= kLongest; ++length) {
    const auto count = static_cast<std::uint32_t>(std::ranges::count(lengths, length));
    next[length + 1] = (next[length] + count) << 1;
  }
  std::vector<Code> codes;
  for (const std::uint8_t length : lengths) {
    std::uint32_t code = next[length]++;
    std::uint32_t reversed = 0;
    for (unsigned bit = 0; bit < length; ++bit, code >>= 1) {
      reversed = reversed << 1 | (code & 1U);
    }
    codes.push_back({reversed, length});
  }
  return codes;
}

class BitWriter {
 public:
  explicit BitWriter(Buffer& out) : out_(out) {}

  // Least significant bit first, as everything in Deflate but the codes, which come reversed.
  void bits(std::uint32_t value, unsigned count) {
    for (unsigned bit = 0; bit < count; ++bit, ++bit_index_) {
      if (bit_index_ % 8 == 0) {
        out_.push_back(0);
      }
      out_.back() = static_cast<std::uint8_t>(out_.back() | (value >> bit & 1U) << bit_index_ % 8);
    }
  }
  void code(const Code& code) { bits(code.bits, code.bit_count); }
  void to_byte() { bit_index_ += (8 - bit_index_ % 8) % 8; }
  void bytes(Bytes raw) { out_.insert(out_.end(), raw.begin(), raw.end()); }

 private:
  Buffer& out_;
  std::size_t bit_index_ = 0;
};

// One row of the tables of RFC 1951, 3.2.5: from `base` on, with `extra_bits` more bits.
struct ExtraRange {
  std::uint32_t base;
  unsigned extra_bits;
};

template <std::size_t Count>
constexpr std::array<ExtraRange, Count> extra_ranges(std::uint32_t base, unsigned plain_codes, unsigned codes_a_step) {
  std::array<ExtraRange, Count> ranges{};
  for (std::size_t index = 0; index < Count; ++index) {
    const unsigned extra = index < plain_codes ? 0 : static_cast<unsigned>((index - plain_codes) / codes_a_step + 1);
    ranges[index] = {base, extra};
    base += 1U << extra;
  }
  return ranges;
}
// The table's last length code stands for 258 alone and is handled by itself.
constexpr auto kLengths = extra_ranges<28>(3, 8, 4);
constexpr auto kDistances = extra_ranges<30>(1, 4, 2);

template <std::size_t Count>
std::size_t range_of(const std::array<ExtraRange, Count>& ranges, std::size_t value) {
  const auto after = std::ranges::upper_bound(ranges, value, {}, &ExtraRange::base);
  return static_cast<std::size_t>(after - ranges.begin()) - 1;
}

// Writes the tokens of one block with given codes.
class TokenSink {
 public:
  TokenSink(BitWriter& writer, std::span<const std::uint8_t> literal_lengths,
            std::span<const std::uint8_t> distance_lengths)
      : writer_(writer), literals_(canonical_codes(literal_lengths)), distances_(canonical_codes(distance_lengths)) {}

  void literal(std::uint8_t byte) { writer_.code(literals_[byte]); }
  void match(std::size_t distance, std::size_t length) {
    if (length == 258) {
      writer_.code(literals_[285]);
    } else {
      put(literals_, 257, kLengths, length);
    }
    put(distances_, 0, kDistances, distance);
  }
  void end() { writer_.code(literals_[kEndOfBlock]); }

 private:
  template <std::size_t Count>
  void put(const std::vector<Code>& codes, std::size_t first, const std::array<ExtraRange, Count>& ranges,
           std::size_t value) {
    const std::size_t range = range_of(ranges, value);
    writer_.code(codes[first + range]);
    writer_.bits(static_cast<std::uint32_t>(value) - ranges[range].base, ranges[range].extra_bits);
  }

  BitWriter& writer_;
  std::vector<Code> literals_;
  std::vector<Code> distances_;
};

std::vector<std::uint8_t> fixed_literal_lengths() {
  std::vector<std::uint8_t> lengths(288, 8);
  std::fill(lengths.begin() + 144, lengths.begin() + 256, std::uint8_t{9});
  std::fill(lengths.begin() + 256, lengths.begin() + 280, std::uint8_t{7});
  return lengths;
}

// 226 codes of 8 bits and 60 of 9 are complete, and so are 2 distance codes of 4 bits and 28 of 5.
std::vector<std::uint8_t> dynamic_literal_lengths() {
  std::vector<std::uint8_t> lengths(kLiteralCodes, 8);
  std::fill(lengths.begin() + 160, lengths.begin() + 220, std::uint8_t{9});
  return lengths;
}
std::vector<std::uint8_t> dynamic_distance_lengths() {
  std::vector<std::uint8_t> lengths(kDistanceCodes, 5);
  lengths[8] = lengths[9] = 4;
  return lengths;
}

// Writes the code lengths with runs as "repeat the last one 3 to 6 times".
void write_code_lengths(BitWriter& writer, std::span<const std::uint8_t> lengths) {
  constexpr unsigned kRepeat = 16;
  std::array<std::uint8_t, 19> lengths_of_lengths{};
  lengths_of_lengths[4] = lengths_of_lengths[5] = lengths_of_lengths[8] = 2;
  lengths_of_lengths[9] = lengths_of_lengths[kRepeat] = 3;
  const std::vector<Code> codes = canonical_codes(lengths_of_lengths);
  constexpr std::array<std::uint8_t, 19> kOrder{16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15};
  constexpr std::size_t kUsedOrder = 12;
  writer.bits(kUsedOrder - 4, 4);
  for (const std::uint8_t symbol : std::span(kOrder).first(kUsedOrder)) {
    writer.bits(lengths_of_lengths[symbol], 3);
  }
  for (std::size_t at = 0; at < lengths.size();) {
    const auto differs = [&](std::uint8_t length) { return length != lengths[at]; };
    const auto run =
        static_cast<std::size_t>(std::ranges::find_if(lengths.subspan(at), differs) - lengths.subspan(at).begin());
    const std::size_t repeats = run > 3 ? std::min<std::size_t>(run - 1, 6) : 0;
    writer.code(codes[lengths[at]]);
    if (repeats != 0) {
      writer.code(codes[kRepeat]);
      writer.bits(static_cast<std::uint32_t>(repeats - 3), 2);
    }
    at += 1 + repeats;
  }
}

void write_coded(BitWriter& writer, Bytes plain, std::span<const std::uint8_t> literals,
                 std::span<const std::uint8_t> distances) {
  TokenSink sink(writer, literals, distances);
  greedy_parse(plain, {.window_bytes = 32768, .longest_bytes = 258}, sink);
  sink.end();
}

void write_dynamic(BitWriter& writer, Bytes plain) {
  const std::vector<std::uint8_t> literals = dynamic_literal_lengths();
  const std::vector<std::uint8_t> distances = dynamic_distance_lengths();
  writer.bits(kLiteralCodes - 257, 5);
  writer.bits(kDistanceCodes - 1, 5);
  std::vector<std::uint8_t> all = literals;
  all.insert(all.end(), distances.begin(), distances.end());
  write_code_lengths(writer, all);
  write_coded(writer, plain, literals, distances);
}

void write_stored(BitWriter& writer, Bytes plain) {
  writer.to_byte();
  const auto size = static_cast<std::uint32_t>(plain.size());
  const std::uint32_t inverse = ~size & 0xFFFF;
  writer.bits(size, 16);
  writer.bits(inverse, 16);
  writer.bytes(plain);
}

// A mixed stream takes the kinds in turn.
DeflateBlocks kind_of_block(DeflateBlocks blocks, std::size_t block_index) {
  constexpr std::array kTurn{DeflateBlocks::kFixed, DeflateBlocks::kDynamic, DeflateBlocks::kStored,
                             DeflateBlocks::kDynamic};
  return blocks == DeflateBlocks::kMixed ? kTurn[block_index % kTurn.size()] : blocks;
}

void write_block(BitWriter& writer, Bytes plain, DeflateBlocks kind, bool is_last) {
  writer.bits(is_last ? 1 : 0, 1);
  writer.bits(static_cast<std::uint32_t>(kind), 2);
  switch (kind) {
    case DeflateBlocks::kDynamic: return write_dynamic(writer, plain);
    case DeflateBlocks::kStored: return write_stored(writer, plain);
    default: break;
  }
  write_coded(writer, plain, fixed_literal_lengths(), std::vector<std::uint8_t>(32, 5));
}

static_assert(static_cast<int>(DeflateBlocks::kStored) == 0 && static_cast<int>(DeflateBlocks::kFixed) == 1 &&
              static_cast<int>(DeflateBlocks::kDynamic) == 2);

}  // namespace

void append_deflate(Bytes plain, DeflateBlocks blocks, Buffer& out) {
  BitWriter writer(out);
  std::size_t block_index = 0;
  do {
    const Bytes block = plain.first(std::min(plain.size(), kBlockBytes));
    plain = plain.subspan(block.size());
    write_block(writer, block, kind_of_block(blocks, block_index++), plain.empty());
  } while (!plain.empty());
}

}  // namespace assay::synth
