#include "parsers/codecs/lzss/lzss.h"

#include <array>

#include "parsers/codecs/lzss/token.h"

namespace assay::lzss {
namespace {

static_assert(match_finder::kWindowBytes == kWindowBytes && match_finder::kWindowFill == kWindowFill);
static_assert(match_finder::kMinMatchBytes == kMinMatchBytes);

// Collects eight items behind one flag byte.
class Encoder {
 public:
  explicit Encoder(Buffer& out) : out_(out) {}

  void literal(std::uint8_t byte) {
    begin_item(true);
    out_.push_back(byte);
    produced_ += 1;
  }

  void match(match_finder::Match match) {
    begin_item(false);
    const std::size_t ring_index = (kFirstWrite + produced_ - match.distance) % kWindowBytes;
    out_.push_back(static_cast<std::uint8_t>(ring_index & 0xFF));
    out_.push_back(static_cast<std::uint8_t>((ring_index >> 4 & 0xF0) | (match.length_bytes - kMinMatchBytes)));
    produced_ += match.length_bytes;
  }

 private:
  void begin_item(bool is_literal) {
    if (items_ % kItemsPerFlagByte == 0) {
      flag_index_ = out_.size();
      out_.push_back(0);
    }
    if (is_literal) {
      out_[flag_index_] = static_cast<std::uint8_t>(out_[flag_index_] | 1U << items_ % kItemsPerFlagByte);
    }
    ++items_;
  }

  Buffer& out_;
  std::size_t items_ = 0;
  std::size_t flag_index_ = 0;
  std::size_t produced_ = 0;
};

// An item with its flag.
constexpr std::uint32_t kLiteralBits = 9;
constexpr std::uint32_t kReferenceBits = 17;

// The longest match at every position. Each shorter length is there too, at the same distance and for as many bits.
void find_longest_matches(Bytes plain, EncodeScratch& scratch) {
  scratch.choices.resize(plain.size());
  scratch.finder.begin(plain, kMaxMatchBytes, kWindowBytes);
  for (std::size_t position = 0; position < plain.size(); ++position) {
    const match_finder::Match match = scratch.finder.find(position);
    scratch.finder.insert(position);
    scratch.choices[position] = {.distance = static_cast<std::uint16_t>(match.distance),
                                 .length_bytes = static_cast<std::uint8_t>(match.length_bytes)};
  }
}

// Turns the longest lengths into those of a shortest stream, from the end to the beginning; 0 is a literal.
//
// Bytes are the bits rounded up, so that fewest bits are fewest bytes.
void choose_lengths(std::vector<EncodeScratch::Choice>& choices) {
  // Bits of the shortest stream for the data from a position on, by position modulo 32; 0 behind the end.
  constexpr std::size_t kRemembered = 32;
  static_assert(kRemembered > kMaxMatchBytes);
  std::array<std::uint64_t, kRemembered> bits{};
  for (std::size_t position = choices.size(); position-- > 0;) {
    std::uint64_t best_bits = kLiteralBits + bits[(position + 1) % kRemembered];
    std::uint8_t best_length = 0;
    for (std::uint8_t length = kMinMatchBytes; length <= choices[position].length_bytes; ++length) {
      const std::uint64_t with_reference = kReferenceBits + bits[(position + length) % kRemembered];
      if (with_reference < best_bits) {
        best_bits = with_reference;
        best_length = length;
      }
    }
    bits[position % kRemembered] = best_bits;
    choices[position].length_bytes = best_length;
  }
}

void encode_shortest(Bytes plain, EncodeScratch& scratch, Encoder& encoder) {
  find_longest_matches(plain, scratch);
  choose_lengths(scratch.choices);
  for (std::size_t position = 0; position < plain.size();) {
    const EncodeScratch::Choice choice = scratch.choices[position];
    if (choice.length_bytes == 0) {
      encoder.literal(plain[position++]);
      continue;
    }
    encoder.match({.distance = choice.distance, .length_bytes = choice.length_bytes});
    position += choice.length_bytes;
  }
}

}  // namespace

void encode(Bytes plain, Level level, EncodeScratch& scratch, Buffer& out) {
  Encoder encoder(out);
  if (level.value() >= kShortestLevel.value()) {
    encode_shortest(plain, scratch, encoder);
    return;
  }
  match_finder::parse(plain, kMaxMatchBytes, level, scratch.finder, encoder);
}

}  // namespace assay::lzss
