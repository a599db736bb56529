#include "parsers/codecs/lzhuf/decoder.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

#include "parsers/base/bit_reader.h"
#include "parsers/base/wide_bit_reader.h"
#include "parsers/codecs/lzhuf/position_code.h"
#include "parsers/codecs/ring_output.h"

// The output is the window: a match is copied from what was written before, and spaces stand for what would lie in
// front of it. Most of a stream is decoded by decode_most(), which looks at the input through 64 bits and copies more
// than it needs; close to either end decode_rest() goes on bit by bit and byte by byte.
namespace assay::lzhuf {
namespace {

static_assert(match_finder::kWindowBytes == kRingBytes && match_finder::kWindowFill == kRingFill);

// A code has at most 23 bits and a position at most 14, so that one refill is enough for a symbol.
static_assert(WideBitReader::kRefilledBits >= 23 + 14);

// A match may be copied in pieces that reach this far behind its start.
constexpr std::size_t kCopyReachBytes = 80;
constexpr std::size_t kPieceBytes = 8;
using Piece = std::array<std::uint8_t, kPieceBytes>;

// By the next eight bits of a position: its upper bits in place, and the length of their prefix below them.
constexpr unsigned kPrefixLengthBits = 4;
constexpr auto kPositionByByte = [] {
  std::array<std::uint16_t, kPrefixByByte.size()> table{};
  for (std::size_t byte = 0; byte < table.size(); ++byte) {
    table[byte] = static_cast<std::uint16_t>(kPrefixByByte[byte].upper << kPositionLowBits << kPrefixLengthBits |
                                             kPrefixByByte[byte].bit_count);
  }
  return table;
}();

[[gnu::always_inline]] inline std::size_t read_distance(WideBitReader& bits) {
  const unsigned entry = kPositionByByte[bits.window() >> (64 - kPrefixLookupBits)];
  const unsigned prefix_bits = entry & ((1U << kPrefixLengthBits) - 1);
  const std::size_t low = bits.window() << prefix_bits >> (64 - kPositionLowBits);
  bits.drop(prefix_bits + kPositionLowBits);
  return (entry >> kPrefixLengthBits) + low + 1;
}

[[gnu::always_inline]] inline void copy_piece(const std::uint8_t* from, std::uint8_t* to) {
  Piece piece;
  std::memcpy(piece.data(), from, piece.size());
  std::memcpy(to, piece.data(), piece.size());
}

// From or to little-endian; at -O2 a compiler does not make one load of the bytewise one of parsers/base.
std::uint64_t little_endian(std::uint64_t word) {
  return std::endian::native == std::endian::little ? word : __builtin_bswap64(word);
}

// A match that repeats fewer than eight bytes: a word full of them is made by a multiplication and stored as often as
// whole repetitions fit.
void copy_short_period(std::uint8_t* to, std::size_t distance, std::size_t length_bytes) {
  struct Period {
    std::uint64_t mask;
    std::uint64_t repeat;
    std::size_t step_bytes;
  };
  static constexpr auto kPeriods = [] {
    std::array<Period, sizeof(std::uint64_t)> periods{};
    for (std::size_t bytes = 1; bytes < periods.size(); ++bytes) {
      periods[bytes].mask = (std::uint64_t{1} << (8 * bytes)) - 1;
      for (std::size_t shift = 0; shift < 64; shift += 8 * bytes) {
        periods[bytes].repeat |= std::uint64_t{1} << shift;
      }
      periods[bytes].step_bytes = sizeof(std::uint64_t) / bytes * bytes;
    }
    return periods;
  }();
  const Period& period = kPeriods[distance];
  std::uint64_t word = 0;
  std::memcpy(&word, to - distance, sizeof(word));
  word = little_endian((little_endian(word) & period.mask) * period.repeat);
  const auto store = [&](std::size_t count) {
    for (std::size_t index = 0; index < count; ++index, to += period.step_bytes) {
      std::memcpy(to, &word, sizeof(word));
    }
  };
  // Numbers that the compiler knows: most matches need no more than three words, the longest up to twelve.
  std::uint8_t* const end = to + length_bytes;
  store(3);
  if (to < end) {
    store(4);
    while (to < end) {
      store(1);
    }
  }
}

// Copies a match and perhaps more. Requires: `distance` bytes in front of `to`, and kCopyReachBytes from it on.
[[gnu::always_inline]] inline void copy_match(std::uint8_t* to, std::size_t distance, std::size_t length_bytes) {
  const std::uint8_t* const from = to - distance;
  if (distance >= kPieceBytes) [[likely]] {
    // Four pieces always: a branch on the length would be foretold badly. So would one on the distance be, if pieces
    // were longer.
    for (std::size_t done = 0; done < 4 * kPieceBytes; done += kPieceBytes) {
      copy_piece(from + done, to + done);
    }
    if (length_bytes > 4 * kPieceBytes) {
      for (std::size_t done = 4 * kPieceBytes; done < 8 * kPieceBytes; done += kPieceBytes) {
        copy_piece(from + done, to + done);
      }
    }
  } else {
    copy_short_period(to, distance, length_bytes);
  }
}

// Copies exactly, also from the spaces in front of the output. Requires: to.size() is the length.
void copy_match_exactly(const std::uint8_t* output, MutableBytes to, std::size_t distance) {
  const auto produced = static_cast<std::size_t>(to.data() - output);
  const std::size_t preset_bytes = std::min(distance > produced ? distance - produced : 0, to.size());
  std::memset(to.data(), kRingFill, preset_bytes);
  for (std::size_t done = preset_bytes; done < to.size(); ++done) {
    to[done] = *(to.data() + done - distance);
  }
}

// Where decoding is.
struct Progress {
  WideBitReader bits;
  std::uint8_t* begin;
  std::uint8_t* next;
  std::uint8_t* room_end;  // behind the last place with room for the pieces of a match

  [[nodiscard]] bool has_room() const { return bits.can_refill() && next < room_end; }
};

// Writes what a symbol stands for; the position of a match comes next in the input.
[[gnu::always_inline]] inline void write(std::size_t symbol, Progress& progress) {
  if (symbol < kFirstMatchSymbol) {
    *progress.next++ = static_cast<std::uint8_t>(symbol);
    return;
  }
  const std::size_t distance = read_distance(progress.bits);
  const std::size_t length_bytes = symbol - kFirstMatchSymbol + kMinMatchBytes;
  if (distance > static_cast<std::size_t>(progress.next - progress.begin)) [[unlikely]] {
    copy_match_exactly(progress.begin, MutableBytes(progress.next, length_bytes), distance);
  } else {
    copy_match(progress.next, distance, length_bytes);
  }
  progress.next += length_bytes;
}

// Decodes while there is room at both ends and the tree can count. Not inlined, because the registers are for it alone.
template <unsigned kRootBits>
[[gnu::noinline]] void decode_while_credit(FastTree& tree, Progress& shared) {
  Progress progress = shared;  // In registers.
  while (progress.has_room() && tree.has_credit()) {
    progress.bits.refill();
    const FastTree::Found found = tree.find<kRootBits>(progress.bits.window());
    tree.count<kRootBits>(found, progress.bits.window());
    progress.bits.drop(found.bit_count);
    write(found.symbol, progress);
  }
  shared = progress;
}

template <unsigned kRootBits>
void decode_over_rebuild(FastTree& tree, Progress& progress) {
  progress.bits.refill();
  const FastTree::Found found = tree.find<kRootBits>(progress.bits.window());
  tree.rebuild_and_count(found.symbol);
  progress.bits.drop(found.bit_count);
  write(found.symbol, progress);
}

template <unsigned kRootBits>
void decode_some(FastTree& tree, Progress& progress) {
  if (tree.rebuild_is_due()) {
    decode_over_rebuild<kRootBits>(tree, progress);
  }
  decode_while_credit<kRootBits>(tree, progress);
}

void decode_most(FastTree& tree, Progress& progress) {
  while (progress.has_room()) {
    if (!tree.has_credit()) {
      tree.refresh();
    }
    if (tree.root_bits() == FastTree::kWideBits) {
      decode_some<FastTree::kWideBits>(tree, progress);
    } else {
      decode_some<FastTree::kNarrowBits>(tree, progress);
    }
  }
}

Result<Decoded> decode_rest(FastTree& tree, const Progress& progress, Bytes packed, MutableBytes output) {
  const auto used_bytes = static_cast<std::size_t>(progress.bits.used_bits() / 8);
  MsbBitReader bits(packed.subspan(used_bytes));
  static_cast<void>(bits.read_bits(static_cast<unsigned>(progress.bits.used_bits() % 8)));
  auto produced = static_cast<std::size_t>(progress.next - progress.begin);
  tree.settle();
  while (produced < output.size()) {
    const unsigned symbol = tree.read_settled(bits);
    const bool is_match = symbol >= kFirstMatchSymbol;
    const std::size_t distance = is_match ? read_position(bits) + 1U : 0;
    if (bits.overrun()) {
      return truncated_stream(packed.size(), output.size(), produced);
    }
    tree.count_settled(symbol);
    if (is_match) {
      const std::size_t length_bytes =
          std::min<std::size_t>(symbol - kFirstMatchSymbol + kMinMatchBytes, output.size() - produced);
      copy_match_exactly(output.data(), output.subspan(produced, length_bytes), distance);
      produced += length_bytes;
    } else {
      output[produced++] = static_cast<std::uint8_t>(symbol);
    }
  }
  return Decoded{.used_bytes = used_bytes + bits.used_bytes()};
}

}  // namespace

Result<Decoded> decode_with(TreeDesign design, Bytes packed, MutableBytes output, Scratch& scratch) {
  scratch.tree.reset(design);
  Progress progress{
      .bits = WideBitReader(packed),
      .begin = output.data(),
      .next = output.data(),
      .room_end = output.data() + (output.size() < kCopyReachBytes ? 0 : output.size() - kCopyReachBytes + 1)};
  decode_most(scratch.tree, progress);
  return decode_rest(scratch.tree, progress, packed, output);
}

}  // namespace assay::lzhuf
