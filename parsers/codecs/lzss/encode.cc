#include "parsers/codecs/lzss/lzss.h"
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

}  // namespace

void encode(Bytes plain, Level level, EncodeScratch& scratch, Buffer& out) {
  Encoder encoder(out);
  match_finder::parse(plain, kMaxMatchBytes, level, scratch.finder, encoder);
}

}  // namespace assay::lzss
