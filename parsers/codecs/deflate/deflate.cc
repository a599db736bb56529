#include "parsers/codecs/deflate/deflate.h"

#include <libdeflate.h>
#define ZLIB_CONST  // NOLINT(cppcoreguidelines-macro-usage): makes zlib take its input as const.
#include <zlib.h>

#include <algorithm>
#include <array>
#include <cassert>
#include <optional>

namespace assay::deflate {
namespace {

// zlib inflates through a buffer of this size.
constexpr std::size_t kPieceBytes = 32768;
// zlib counts its input in unsigned int, so it is fed in portions.
constexpr std::size_t kPortionBytes = std::size_t{1} << 30;
constexpr int kRawWindowBits = -15;

struct FreeDecompressor {
  void operator()(libdeflate_decompressor* decompressor) const { libdeflate_free_decompressor(decompressor); }
};
struct FreeCompressor {
  void operator()(libdeflate_compressor* compressor) const { libdeflate_free_compressor(compressor); }
};

// zlib keeps the address of its z_stream, so this stays where it was made.
class Inflater {
 public:
  Inflater() : ready_(inflateInit2(&stream_, kRawWindowBits) == Z_OK && prime()) {}
  ~Inflater() { inflateEnd(&stream_); }
  Inflater(const Inflater&) = delete;
  Inflater& operator=(const Inflater&) = delete;

  [[nodiscard]] bool ready() const { return ready_; }

  void begin(Bytes packed) {
    inflateReset(&stream_);
    rest_ = packed;
    feed();
  }

  // Inflates until `piece` is full or there is nothing more to do. Gives what it wrote and zlib's status.
  struct Step {
    std::size_t written_bytes;
    int status;
  };
  Step inflate_into(MutableBytes piece) {
    if (stream_.avail_in == 0) {
      feed();
    }
    stream_.next_out = piece.data();
    stream_.avail_out = static_cast<uInt>(piece.size());
    const int status = inflate(&stream_, Z_NO_FLUSH);
    return {.written_bytes = piece.size() - stream_.avail_out, .status = status};
  }

  [[nodiscard]] std::size_t used_bytes() const { return stream_.total_in; }
  [[nodiscard]] bool input_ended() const { return stream_.avail_in == 0 && rest_.empty(); }

 private:
  void feed() {
    const Bytes portion = rest_.first(std::min(rest_.size(), kPortionBytes));
    stream_.next_in = portion.data();
    stream_.avail_in = static_cast<uInt>(portion.size());
    rest_ = rest_.subspan(portion.size());
  }

  // zlib allocates its window when it first stops inside a stream and keeps it over resets. Stopping once here, after
  // one byte of a stored block of three, keeps the allocation out of decode().
  bool prime() {
    static constexpr std::array<std::uint8_t, 8> kStoredAbc = {0x01, 0x03, 0x00, 0xFC, 0xFF, 'a', 'b', 'c'};
    std::array<std::uint8_t, 1> one_byte{};
    begin(kStoredAbc);
    return inflate_into(one_byte).status == Z_OK;
  }

  z_stream stream_{};
  Bytes rest_;
  bool ready_;
};

// How one pass of zlib over a stream ended.
enum class Ending : std::uint8_t { kFinalBlock, kInputEnded, kBadData, kOutputExceeded, kOutputDiffers };

struct Pass {
  Ending ending = Ending::kBadData;
  std::size_t used_bytes = 0;
  std::size_t produced_bytes = 0;
};

enum class Purpose : std::uint8_t { kFill, kCompare };

// Writes `piece` to `target`, or tells whether it is there already.
bool settle(Bytes piece, MutableBytes target, Purpose purpose) {
  if (purpose == Purpose::kCompare) {
    return equal_bytes(piece, target);
  }
  std::copy(piece.begin(), piece.end(), target.begin());
  return true;
}

// What zlib's status means once the piece it came with is settled; nothing where inflating goes on.
std::optional<Ending> ending_of(int status, const Inflater& inflater) {
  switch (status) {
    case Z_STREAM_END: return Ending::kFinalBlock;
    case Z_OK: return std::nullopt;
    case Z_BUF_ERROR: return inflater.input_ended() ? std::optional(Ending::kInputEnded) : std::nullopt;
    default: return Ending::kBadData;
  }
}

// Inflates `packed` piece by piece and either writes the pieces to `output` or compares them with it. Stops at the
// first byte that `output` has no room for.
Pass run_zlib(Bytes packed, MutableBytes output, Purpose purpose, Inflater& inflater, MutableBytes piece) {
  Pass pass;
  inflater.begin(packed);
  for (;;) {
    const Inflater::Step step = inflater.inflate_into(piece);
    pass.used_bytes = inflater.used_bytes();
    const MutableBytes room = output.subspan(pass.produced_bytes);
    const std::size_t settled_bytes = std::min(step.written_bytes, room.size());
    const bool agrees = settle(piece.first(settled_bytes), room.first(settled_bytes), purpose);
    pass.produced_bytes += settled_bytes;
    if (!agrees || step.written_bytes > room.size()) {
      pass.ending = agrees ? Ending::kOutputExceeded : Ending::kOutputDiffers;
      return pass;
    }
    if (const auto ending = ending_of(step.status, inflater)) {
      pass.ending = *ending;
      return pass;
    }
  }
}

bool agrees(const Pass& pass, std::size_t used_bytes, std::size_t output_bytes) {
  return pass.ending == Ending::kFinalBlock && pass.used_bytes == used_bytes && pass.produced_bytes == output_bytes;
}

// The verdict of zlib on a stream that libdeflate refuses.
Result<DeflateDecoded> judge(const Pass& pass, std::size_t declared_bytes, bool allow_missing_end) {
  const bool lacks_end = pass.ending == Ending::kInputEnded;
  const bool has_ended = pass.ending == Ending::kFinalBlock || (lacks_end && allow_missing_end);
  if (has_ended && pass.produced_bytes == declared_bytes) {
    return DeflateDecoded{.used_bytes = pass.used_bytes, .served_by_zlib = true, .missing_end = lacks_end};
  }
  const Datum declared = Datum::number(declared_bytes);
  const Datum produced = Datum::number(pass.produced_bytes);
  switch (pass.ending) {
    case Ending::kInputEnded: return truncated_stream(pass.used_bytes, declared_bytes, pass.produced_bytes);
    case Ending::kFinalBlock: return stream_failure(Code::kOutputSizeMismatch, pass.used_bytes, declared, produced);
    case Ending::kOutputExceeded:
      return stream_failure(Code::kOutputSizeMismatch, pass.used_bytes, declared,
                            Datum::at_least(std::uint64_t{declared_bytes} + 1));
    default: return stream_failure(Code::kInvalidStream, pass.used_bytes, declared, produced);
  }
}

// A block header of a stored block is three bits and padding, then LEN and its complement.
void encode_stored(Bytes plain, Buffer& out) {
  constexpr std::size_t kMaxBlockBytes = 0xFFFF;
  bool is_final = false;
  do {
    const Bytes block = plain.first(std::min(plain.size(), kMaxBlockBytes));
    plain = plain.subspan(block.size());
    is_final = plain.empty();
    const auto length = static_cast<std::uint16_t>(block.size());
    std::array<std::uint8_t, 5> header{};
    header[0] = is_final ? 1 : 0;
    store_little_endian(length, MutableBytes(header).subspan(1, 2));
    store_little_endian(static_cast<std::uint16_t>(~length), MutableBytes(header).subspan(3, 2));
    out.insert(out.end(), header.begin(), header.end());
    out.insert(out.end(), block.begin(), block.end());
  } while (!is_final);
}

}  // namespace

struct Scratch::State {
  std::unique_ptr<libdeflate_decompressor, FreeDecompressor> libdeflate{libdeflate_alloc_decompressor()};
  Inflater zlib;
  std::array<std::uint8_t, kPieceBytes> piece{};
};

Scratch::Scratch() : state_(std::make_unique<State>()) {}
Scratch::~Scratch() = default;

Result<DeflateDecoded> decode(Bytes packed, MutableBytes output, const Options& options, Scratch& scratch) {
  Scratch::State& state = scratch.state();
  if (!state.libdeflate || !state.zlib.ready()) {
    return stream_failure(Code::kInternal, 0, Datum::number(output.size()), Datum::words("no memory for the decoders"));
  }
  std::size_t used_bytes = 0;
  const libdeflate_result verdict = libdeflate_deflate_decompress_ex(
      state.libdeflate.get(), packed.data(), packed.size(), output.data(), output.size(), &used_bytes, nullptr);
  if (verdict != LIBDEFLATE_SUCCESS) {
    return judge(run_zlib(packed, output, Purpose::kFill, state.zlib, state.piece), output.size(),
                 options.allow_missing_end);
  }
  DeflateDecoded decoded{.used_bytes = used_bytes};
  if (options.confirm) {
    const Pass pass = run_zlib(packed, output, Purpose::kCompare, state.zlib, state.piece);
    decoded.zlib_refused = !agrees(pass, used_bytes, output.size());
  }
  return decoded;
}

struct EncodeScratch::State {
  std::unique_ptr<libdeflate_compressor, FreeCompressor> compressor;
  unsigned level = 0;
};

EncodeScratch::EncodeScratch() : state_(std::make_unique<State>()) {}
EncodeScratch::~EncodeScratch() = default;

void encode(Bytes plain, Level level, EncodeScratch& scratch, Buffer& out) {
  EncodeScratch::State& state = scratch.state();
  if (level.value() != state.level) {
    state.compressor.reset(libdeflate_alloc_compressor(static_cast<int>(level.value())));
    state.level = level.value();
  }
  if (level.value() == kNoMatchesLevel.value() || !state.compressor) {
    encode_stored(plain, out);
    return;
  }
  const std::size_t start = out.size();
  out.resize(start + libdeflate_deflate_compress_bound(state.compressor.get(), plain.size()));
  const MutableBytes room = MutableBytes(out).subspan(start);
  const std::size_t packed_bytes =
      libdeflate_deflate_compress(state.compressor.get(), plain.data(), plain.size(), room.data(), room.size());
  assert(packed_bytes > 0);  // The bound is large enough for any data.
  out.resize(start + packed_bytes);
}

}  // namespace assay::deflate
