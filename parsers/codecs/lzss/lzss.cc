#include "parsers/codecs/lzss/lzss.h"

#include <algorithm>
#include <cassert>

#include "parsers/codecs/lzss/bulk.h"

namespace assay::lzss {
namespace {

// Where decoding goes on in the output itself. Until then references may reach into the preset window, so that the
// output begins in the scratch, behind 4096 spaces.
constexpr std::size_t kOpeningStop = kWindowBytes + kUnderhangBytes;

static_assert(Scratch::kMarginBytes >= kUnderhangBytes);
// A block that begins in front of the stop has room in the scratch.
static_assert(Scratch::kOpeningBytes >= kOpeningStop + kMaxBlockGroups * kMaxGroupDecodedBytes + kOverhangBytes);

// How much of the stream is done.
struct Progress {
  std::size_t used_bytes = 0;
  std::size_t produced_bytes = 0;
};

void decode_groups(Path path, Bulk& bulk) {
  path == Path::kSimd ? decode_groups_simd(bulk) : decode_groups_scalar(bulk);
}

// Decodes groups into the scratch until the window holds nothing of the preset, and copies them to the output.
Progress open(Path path, Bytes packed, MutableBytes output, Scratch& scratch) {
  const MutableBytes window = MutableBytes(scratch.window).subspan(Scratch::kMarginBytes);
  std::fill_n(window.begin(), kWindowBytes, kWindowFill);
  const MutableBytes opening = window.subspan(kWindowBytes);
  Bulk bulk{.packed = packed.data(),
            .packed_end = packed.data() + packed.size(),
            .out = opening.data(),
            .out_end = opening.data() + std::min(opening.size(), output.size()),
            .stop = opening.data() + kOpeningStop,
            .position = 0};
  decode_groups(path, bulk);
  std::copy_n(opening.begin(), bulk.position, output.begin());
  return {.used_bytes = static_cast<std::size_t>(bulk.packed - packed.data()), .produced_bytes = bulk.position};
}

// Decodes further groups in the output.
void proceed(Path path, Bytes packed, MutableBytes output, Progress& progress) {
  Bulk bulk{.packed = packed.data() + progress.used_bytes,
            .packed_end = packed.data() + packed.size(),
            .out = output.data() + progress.produced_bytes,
            .out_end = output.data() + output.size(),
            .stop = output.data() + output.size(),
            .position = progress.produced_bytes};
  decode_groups(path, bulk);
  progress = {.used_bytes = static_cast<std::size_t>(bulk.packed - packed.data()), .produced_bytes = bulk.position};
}

// The last bytes, one by one and with every check.
class Careful {
 public:
  Careful(Bytes packed, MutableBytes output, Progress progress) : packed_(packed), output_(output), at_(progress) {}

  Result<Decoded> finish() {
    while (!full()) {
      if (rest_bytes() == 0) {
        return truncated();
      }
      const std::uint8_t flags = packed_[at_.used_bytes++];
      for (unsigned item = 0; item < kItemsPerFlagByte && !full(); ++item) {
        if (!decode_item((flags >> item & 1) != 0)) {
          return truncated();
        }
      }
    }
    return Decoded{.used_bytes = at_.used_bytes};
  }

 private:
  [[nodiscard]] bool full() const { return at_.produced_bytes == output_.size(); }
  [[nodiscard]] std::size_t rest_bytes() const { return packed_.size() - at_.used_bytes; }

  // All of the input was looked at in vain.
  [[nodiscard]] Failure truncated() const {
    return truncated_stream(packed_.size(), output_.size(), at_.produced_bytes);
  }

  // False when the input ends inside the item.
  bool decode_item(bool is_literal) {
    if (rest_bytes() < (is_literal ? 1U : 2U)) {
      return false;
    }
    const std::uint8_t first = packed_[at_.used_bytes++];
    if (is_literal) {
      output_[at_.produced_bytes++] = first;
      return true;
    }
    copy(unpack(first, packed_[at_.used_bytes++]));
    return true;
  }

  // A reference may read bytes that it is producing, so the bytes go one by one.
  void copy(Reference reference) {
    const std::size_t distance = distance_of(reference.ring_index, at_.produced_bytes);
    const std::size_t end = at_.produced_bytes + std::min(reference.length_bytes, output_.size() - at_.produced_bytes);
    for (; at_.produced_bytes < end; ++at_.produced_bytes) {
      output_[at_.produced_bytes] =
          distance <= at_.produced_bytes ? output_[at_.produced_bytes - distance] : kWindowFill;
    }
  }

  Bytes packed_;
  MutableBytes output_;
  Progress at_;
};

}  // namespace

bool is_available(Path path) {
#if defined(__x86_64__)
  return path == Path::kScalar || (__builtin_cpu_supports("sse4.2") && __builtin_cpu_supports("popcnt"));
#else
  return path == Path::kScalar;
#endif
}

Result<Decoded> decode_with(Path path, Bytes packed, MutableBytes output, Scratch& scratch) {
  assert(is_available(path));
  Progress progress = open(path, packed, output, scratch);
  if (progress.produced_bytes >= kOpeningStop) {
    proceed(path, packed, output, progress);
  }
  return Careful(packed, output, progress).finish();
}

Result<Decoded> decode(Bytes packed, MutableBytes output, Scratch& scratch) {
  return decode_with(is_available(Path::kSimd) ? Path::kSimd : Path::kScalar, packed, output, scratch);
}

}  // namespace assay::lzss
