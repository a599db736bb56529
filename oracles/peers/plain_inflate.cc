#include "oracles/peers/plain_inflate.h"

#include <array>
#include <expected>
#include <span>

namespace assay::peers {
namespace {

constexpr unsigned kMaxCodeBits = 15;
constexpr std::size_t kEndOfBlock = 256;
constexpr std::size_t kMaxLengthCodes = 286;
constexpr std::size_t kMaxDistanceCodes = 30;

template <typename T>
using Step = std::expected<T, DeflateDeviation>;

std::unexpected<DeflateDeviation> stop(DeflateDeviation deviation) {
  return std::unexpected(deviation);
}

// A canonical prefix code, decoded by comparing with the first code of each length.
class PrefixCode {
 public:
  explicit PrefixCode(std::span<const std::uint8_t> bits_of_symbol) {
    for (const std::uint8_t bits : bits_of_symbol) {
      ++count_[bits];
    }
    count_[0] = 0;
    for (unsigned bits = 1; bits <= kMaxCodeBits; ++bits) {
      symbol_count_ += count_[bits];
      for (std::size_t symbol = 0; symbol < bits_of_symbol.size(); ++symbol) {
        if (bits_of_symbol[symbol] == bits) {
          symbols_[filled_++] = static_cast<std::uint16_t>(symbol);
        }
      }
    }
  }

  // Positive: codes are free; negative: more codes than there are.
  [[nodiscard]] int free_codes() const {
    int free = 1;
    for (unsigned bits = 1; bits <= kMaxCodeBits && free >= 0; ++bits) {
      free = free * 2 - count_[bits];
    }
    return free;
  }
  [[nodiscard]] bool is_tiny() const { return symbol_count_ == 0 || (symbol_count_ == 1 && count_[1] == 1); }
  // Complete, or one that libdeflate lets pass.
  [[nodiscard]] bool is_usable() const { return free_codes() == 0 || is_tiny(); }

  template <typename Reader>
  [[nodiscard]] Step<std::size_t> read(Reader& reader) const {
    int code = 0;
    int first = 0;
    int index = 0;
    for (unsigned bits = 1; bits <= kMaxCodeBits; ++bits) {
      const auto bit = reader.take(1);
      if (!bit) {
        return stop(bit.error());
      }
      code |= static_cast<int>(*bit);
      if (code - first < count_[bits]) {
        return symbols_[static_cast<std::size_t>(index + code - first)];
      }
      if (is_tiny()) {
        return stop(DeflateDeviation::kUnusedHalf);
      }
      index += count_[bits];
      first = (first + count_[bits]) << 1;
      code <<= 1;
    }
    return stop(DeflateDeviation::kBroken);
  }

 private:
  std::array<int, kMaxCodeBits + 1> count_{};
  std::array<std::uint16_t, 320> symbols_{};
  std::size_t filled_ = 0;
  int symbol_count_ = 0;
};

class BitSource {
 public:
  explicit BitSource(Bytes bytes) : bytes_(bytes) {}

  [[nodiscard]] Step<std::uint32_t> take(unsigned count) {
    std::uint32_t value = 0;
    for (unsigned index = 0; index < count; ++index) {
      if (position_ / 8 >= bytes_.size()) {
        return stop(DeflateDeviation::kBroken);
      }
      value |= static_cast<std::uint32_t>(bytes_[position_ / 8] >> (position_ % 8) & 1U) << index;
      ++position_;
    }
    return value;
  }
  void align() { position_ = (position_ + 7) / 8 * 8; }
  [[nodiscard]] std::size_t used_bytes() const { return (position_ + 7) / 8; }

 private:
  Bytes bytes_;
  std::size_t position_ = 0;
};

// Base values and extra bits follow a rule with one exception each (RFC 1951, 3.2.5).
struct BaseAndBits {
  std::uint32_t base;
  unsigned bits;
};

constexpr BaseAndBits length_of(std::size_t symbol) {
  const std::size_t index = symbol - kEndOfBlock - 1;
  if (index < 8) {
    return {static_cast<std::uint32_t>(index) + 3, 0};
  }
  if (symbol == kMaxLengthCodes - 1) {
    return {258, 0};
  }
  const auto bits = static_cast<unsigned>(index / 4 - 1);
  return {((4 + static_cast<std::uint32_t>(index % 4)) << bits) + 3, bits};
}

constexpr BaseAndBits distance_of(std::size_t symbol) {
  if (symbol < 4) {
    return {static_cast<std::uint32_t>(symbol) + 1, 0};
  }
  const auto bits = static_cast<unsigned>(symbol / 2 - 1);
  return {((2 + static_cast<std::uint32_t>(symbol % 2)) << bits) + 1, bits};
}

class Inflater {
 public:
  Inflater(Bytes packed, std::size_t max_bytes) : source_(packed), max_bytes_(max_bytes) {}

  PlainInflated run() {
    for (;;) {
      const auto is_final = source_.take(1);
      const auto kind = source_.take(2);
      if (!is_final || !kind) {
        return result(DeflateDeviation::kBroken);
      }
      const DeflateDeviation deviation = *kind == 0   ? stored()
                                         : *kind == 1 ? fixed()
                                         : *kind == 2 ? dynamic()
                                                      : DeflateDeviation::kBroken;
      if (deviation != DeflateDeviation::kNone || *is_final != 0) {
        return result(deviation);
      }
    }
  }

 private:
  PlainInflated result(DeflateDeviation deviation) { return {deviation, std::move(output_), source_.used_bytes()}; }

  bool put(std::uint8_t byte) {
    output_.push_back(byte);
    return output_.size() <= max_bytes_;
  }

  DeflateDeviation stored() {
    source_.align();
    const auto size = source_.take(16);
    const auto inverse = source_.take(16);
    if (!size || !inverse || (*size ^ *inverse) != 0xFFFF) {
      return DeflateDeviation::kBroken;
    }
    for (std::uint32_t index = 0; index < *size; ++index) {
      const auto byte = source_.take(8);
      if (!byte || !put(static_cast<std::uint8_t>(*byte))) {
        return DeflateDeviation::kBroken;
      }
    }
    return DeflateDeviation::kNone;
  }

  DeflateDeviation fixed() {
    std::array<std::uint8_t, 288> lengths{};
    for (std::size_t symbol = 0; symbol < lengths.size(); ++symbol) {
      lengths[symbol] = symbol < 144 ? 8 : symbol < 256 ? 9 : symbol < 280 ? 7 : 8;
    }
    std::array<std::uint8_t, 32> distances{};
    distances.fill(5);
    return block(PrefixCode(lengths), PrefixCode(distances));
  }

  DeflateDeviation dynamic() {
    static constexpr std::array<std::uint8_t, 19> kOrder{16, 17, 18, 0, 8,  7, 9,  6, 10, 5,
                                                         11, 4,  12, 3, 13, 2, 14, 1, 15};
    const auto length_count = source_.take(5);
    const auto distance_count = source_.take(5);
    const auto code_count = source_.take(4);
    if (!length_count || !distance_count || !code_count) {
      return DeflateDeviation::kBroken;
    }
    const std::size_t lengths = *length_count + 257;
    const std::size_t distances = *distance_count + 1;
    if (lengths > kMaxLengthCodes || distances > kMaxDistanceCodes) {
      return DeflateDeviation::kTooManyCodes;
    }
    std::array<std::uint8_t, 19> bits{};
    for (std::size_t index = 0; index < *code_count + 4; ++index) {
      const auto width = source_.take(3);
      if (!width) {
        return DeflateDeviation::kBroken;
      }
      bits[kOrder[index]] = static_cast<std::uint8_t>(*width);
    }
    const PrefixCode code_of_lengths(bits);
    if (code_of_lengths.free_codes() != 0) {
      return code_of_lengths.is_tiny() ? DeflateDeviation::kUnusedHalf : DeflateDeviation::kBroken;
    }
    std::array<std::uint8_t, kMaxLengthCodes + kMaxDistanceCodes> widths{};
    const DeflateDeviation read = read_widths(code_of_lengths, std::span(widths).first(lengths + distances));
    if (read != DeflateDeviation::kNone) {
      return read;
    }
    const std::span<const std::uint8_t> all_widths(widths);
    const PrefixCode length_code(all_widths.first(lengths));
    const PrefixCode distance_code(all_widths.subspan(lengths, distances));
    if (!length_code.is_usable() || !distance_code.is_usable()) {
      return DeflateDeviation::kBroken;
    }
    return widths[kEndOfBlock] == 0 ? DeflateDeviation::kNoEndOfBlock : block(length_code, distance_code);
  }

  DeflateDeviation read_widths(const PrefixCode& code, std::span<std::uint8_t> widths) {
    std::size_t filled = 0;
    while (filled < widths.size()) {
      const auto symbol = code.read(source_);
      if (!symbol) {
        return symbol.error();
      }
      if (*symbol < 16) {
        widths[filled++] = static_cast<std::uint8_t>(*symbol);
        continue;
      }
      const unsigned bits = *symbol == 16 ? 2 : *symbol == 17 ? 3 : 7;
      const auto extra = source_.take(bits);
      const std::size_t repeat = extra ? *extra + (*symbol == 18 ? 11U : 3U) : 0;
      if (repeat == 0 || repeat > widths.size() - filled || (*symbol == 16 && filled == 0)) {
        return DeflateDeviation::kBroken;
      }
      const std::uint8_t width = *symbol == 16 ? widths[filled - 1] : std::uint8_t{0};
      for (std::size_t index = 0; index < repeat; ++index) {
        widths[filled++] = width;
      }
    }
    return DeflateDeviation::kNone;
  }

  DeflateDeviation block(const PrefixCode& length_code, const PrefixCode& distance_code) {
    for (;;) {
      const auto symbol = length_code.read(source_);
      if (!symbol || *symbol == kEndOfBlock) {
        return symbol ? DeflateDeviation::kNone : symbol.error();
      }
      const DeflateDeviation deviation = *symbol < kEndOfBlock ? literal(*symbol) : match(*symbol, distance_code);
      if (deviation != DeflateDeviation::kNone) {
        return deviation;
      }
    }
  }

  DeflateDeviation literal(std::size_t symbol) {
    return put(static_cast<std::uint8_t>(symbol)) ? DeflateDeviation::kNone : DeflateDeviation::kBroken;
  }

  DeflateDeviation match(std::size_t length_symbol, const PrefixCode& distance_code) {
    if (length_symbol >= kMaxLengthCodes) {
      return DeflateDeviation::kReservedSymbol;
    }
    const BaseAndBits length = length_of(length_symbol);
    const auto length_extra = source_.take(length.bits);
    if (!length_extra) {
      return length_extra.error();
    }
    const auto distance_symbol = distance_code.read(source_);
    if (!distance_symbol || *distance_symbol >= kMaxDistanceCodes) {
      return distance_symbol ? DeflateDeviation::kReservedSymbol : distance_symbol.error();
    }
    const BaseAndBits distance = distance_of(*distance_symbol);
    const auto distance_extra = source_.take(distance.bits);
    if (!distance_extra || distance.base + *distance_extra > output_.size()) {
      return DeflateDeviation::kBroken;
    }
    for (std::uint32_t count = length.base + *length_extra; count > 0; --count) {
      if (!put(output_[output_.size() - distance.base - *distance_extra])) {
        return DeflateDeviation::kBroken;
      }
    }
    return DeflateDeviation::kNone;
  }

  BitSource source_;
  std::size_t max_bytes_;
  Buffer output_;
};

}  // namespace

std::string_view deflate_deviation_text(DeflateDeviation deviation) {
  switch (deviation) {
    case DeflateDeviation::kNone: return "none";
    case DeflateDeviation::kTooManyCodes: return "too many codes";
    case DeflateDeviation::kReservedSymbol: return "reserved symbol";
    case DeflateDeviation::kUnusedHalf: return "unused half of a code";
    case DeflateDeviation::kNoEndOfBlock: return "no end of block";
    case DeflateDeviation::kBroken: return "broken";
  }
  return "broken";
}

PlainInflated plain_inflate(Bytes packed, std::size_t max_bytes) {
  return Inflater(packed, max_bytes).run();
}

}  // namespace assay::peers
