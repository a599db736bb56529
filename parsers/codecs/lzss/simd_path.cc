#include "parsers/codecs/lzss/bulk.h"

#if defined(__x86_64__)

#include <immintrin.h>

#include <algorithm>
#include <array>
#include <cstring>

#include "parsers/codecs/lzss/simd_tables.h"

// The flag bits of a stream cannot be predicted, so nothing here branches on one. Blocks of 32 groups go through three
// steps, and the first two, of which one waits for memory and the other computes, run side by side for two blocks:
//
//   split    one shuffle by the flag byte each for the literals and the references of a group, and the numbers of
//            literals between references from a table
//   prepare  eight references at a time: lengths, and ring indices to distances by a running sum of the lengths
//   execute  for each unit: copy 16 bytes of literals and go on by their number, copy 16 bytes of the reference and go
//            on by its length; what is too much is written again by what follows
//
// A load that overlaps stores that are still under way waits for them, about 14 cycles on Zen 4. Where references go
// back a few bytes (vertices, runs of a colour), that is the rule; for such a block a second version of the last step
// keeps the last 16 bytes of output in a register and builds near references from it. docs/performance.md has figures.
#define ASSAY_SIMD __attribute__((target("sse4.2,popcnt")))
#define ASSAY_SIMD_INLINE inline __attribute__((target("sse4.2,popcnt"), always_inline))

namespace assay::lzss {
namespace {

constexpr std::size_t kBlockGroups = kMaxBlockGroups;
constexpr std::size_t kBlockUnits = kBlockGroups * kItemsPerFlagByte;
constexpr std::size_t kPreparedAtOnce = 8;
constexpr std::size_t kExecutedAtOnce = 4;
// A block uses the register when more than one reference in this many is near. Measured on text, texture and mesh.
constexpr std::size_t kNearShare = 6;
// A distance that stands in for a near one where memory is read and not used: far enough for no store to be under way.
constexpr std::size_t kIdleDistance = 2048;

ASSAY_SIMD_INLINE __m128i load(const void* from) {
  return _mm_loadu_si128(static_cast<const __m128i*>(from));
}
ASSAY_SIMD_INLINE __m128i load_aligned(const void* from) {
  return _mm_load_si128(static_cast<const __m128i*>(from));
}
ASSAY_SIMD_INLINE __m128i load_half(const void* from) {
  return _mm_loadl_epi64(static_cast<const __m128i*>(from));
}
ASSAY_SIMD_INLINE void store(void* to, __m128i value) {
  _mm_storeu_si128(static_cast<__m128i*>(to), value);
}
ASSAY_SIMD_INLINE void store_half(void* to, __m128i value) {
  _mm_storel_epi64(static_cast<__m128i*>(to), value);
}
// The same number in all eight lanes; numbers count modulo 2^16.
ASSAY_SIMD_INLINE __m128i lanes(std::size_t number) {
  return _mm_set1_epi16(static_cast<std::int16_t>(number));
}

// The units of a block, split into their parts. Steps write and read past the last unit, hence the margins; there may
// be anything.
// NOLINTNEXTLINE(cppcoreguidelines-pro-type-member-init): filled as far as it is read; clearing would cost 100 cycles.
struct Split {
  static constexpr std::size_t kMargin = kVectorBytes;

  alignas(kVectorBytes) std::array<std::uint8_t, kMargin + kBlockUnits + kMargin> literals;
  alignas(kVectorBytes) std::array<std::uint16_t, kBlockUnits + kMargin> references;
  alignas(kVectorBytes) std::array<std::uint8_t, kBlockUnits + kMargin> literal_counts;
  std::size_t unit_count = 0;
  std::size_t literal_count = 0;
  std::size_t waiting_count = 0;  // literals behind the last unit

  [[nodiscard]] const std::uint8_t* first_literal() const { return literals.data() + kMargin; }
};

// The units of a block, ready to execute: the number of literals, the length in the next byte, the distance in the
// upper half. Behind the last unit are units that do nothing, up to a multiple of kExecutedAtOnce.
// NOLINTNEXTLINE(cppcoreguidelines-pro-type-member-init): likewise.
struct Prepared {
  alignas(kVectorBytes) std::array<std::uint32_t, kBlockUnits + kVectorBytes> units;
  std::size_t near_count = 0;
  std::size_t decoded_bytes = 0;
};

// Splits groups one after the other. The next group is found by the number of bits in the flag byte; that chain of
// load, count and add is what limits this step.
class Splitter {
 public:
  ASSAY_SIMD_INLINE Splitter(const std::uint8_t* packed, Split& split)
      : split_(split), packed_(packed), literal_(split.literals.data() + Split::kMargin) {}

  // Requires: `kGroups` times kMaxGroupPackedBytes readable.
  template <std::size_t kGroups>
  ASSAY_SIMD_INLINE void split_groups() {
    // The lengths of groups are added when all are done, and until then stand in the addresses: an addition less in the
    // chain.
    split_group(0);
    if constexpr (kGroups == 2) {
      split_group(kMaxGroupPackedBytes);
    }
    packed_ += kGroups * kMaxGroupPackedBytes;
  }

  ASSAY_SIMD_INLINE const std::uint8_t* finish() {
    split_.unit_count = unit_count_;
    split_.literal_count = static_cast<std::size_t>(literal_ - split_.first_literal());
    split_.waiting_count = waiting_count_;
    return packed_;
  }

 private:
  ASSAY_SIMD_INLINE void split_group(std::size_t offset) {
    const std::size_t flags = packed_[offset];
    const __m128i items = load(packed_ + offset + 1);
    const auto literal_count = static_cast<std::size_t>(_mm_popcnt_u32(static_cast<unsigned>(flags)));
    store_half(literal_, _mm_shuffle_epi8(items, load_aligned(kFlagTables.literals[flags].data())));
    store(split_.references.data() + unit_count_,
          _mm_shuffle_epi8(items, load_aligned(kFlagTables.references[flags].data())));
    std::uint64_t counts = 0;
    std::memcpy(&counts, kFlagTables.literal_counts[flags].data(), sizeof(counts));
    counts += waiting_count_;  // Into the first unit, whose count is the lowest byte.
    std::memcpy(split_.literal_counts.data() + unit_count_, &counts, sizeof(counts));
    waiting_count_ = kFlagTables.waiting_counts[flags];
    literal_ += literal_count;
    unit_count_ += kFlagTables.unit_counts[flags];
    packed_ -= literal_count;
  }

  Split& split_;
  const std::uint8_t* packed_;
  std::uint8_t* literal_;
  std::size_t unit_count_ = 0;
  std::uint64_t waiting_count_ = 0;
};

// Prepares eight units at a time.
class Preparer {
 public:
  // `position` is that of the first byte of the block in the output.
  ASSAY_SIMD_INLINE Preparer(const Split& split, std::size_t position, Prepared& prepared)
      : split_(split),
        prepared_(prepared),
        begin_(position + kFirstWrite - 1),
        end_(lanes(begin_)),
        near_(_mm_setzero_si128()) {}

  [[nodiscard]] ASSAY_SIMD_INLINE bool done() const { return next_ >= split_.unit_count; }

  ASSAY_SIMD_INLINE void prepare() {
    const __m128i reference = load_aligned(split_.references.data() + next_);
    const __m128i counts = _mm_cvtepu8_epi16(load_half(split_.literal_counts.data() + next_));
    const __m128i literal_mask = lanes(FlagTables::kNoReference - 1);
    const __m128i no_reference = _mm_cmpgt_epi16(counts, literal_mask);
    const __m128i literal_count = _mm_and_si128(counts, literal_mask);
    const __m128i stored_length = _mm_and_si128(_mm_srli_epi16(reference, 8), lanes(0x0F));
    const __m128i length = _mm_andnot_si128(no_reference, _mm_add_epi16(stored_length, lanes(kMinMatchBytes)));
    const __m128i end = _mm_add_epi16(running_sum(_mm_add_epi16(length, literal_count)), end_);
    const __m128i ring_index =
        _mm_or_si128(_mm_and_si128(reference, lanes(0xFF)), _mm_and_si128(_mm_srli_epi16(reference, 4), lanes(0xF00)));
    const __m128i back = _mm_sub_epi16(end, _mm_add_epi16(ring_index, length));
    const __m128i distance =
        _mm_andnot_si128(no_reference, _mm_add_epi16(_mm_and_si128(back, lanes(kWindowBytes - 1)), lanes(1)));
    near_ = _mm_sub_epi16(near_, _mm_cmplt_epi16(distance, lanes(HistoryTables::kFar)));
    const __m128i count_and_length = _mm_or_si128(literal_count, _mm_slli_epi16(length, 8));
    store(prepared_.units.data() + next_, _mm_unpacklo_epi16(count_and_length, distance));
    store(prepared_.units.data() + next_ + 4, _mm_unpackhi_epi16(count_and_length, distance));
    end_ = _mm_shuffle_epi8(end, lanes(0x0F0E));
    next_ += kPreparedAtOnce;
  }

  ASSAY_SIMD_INLINE void finish() {
    store(prepared_.units.data() + split_.unit_count, _mm_setzero_si128());
    const __m128i sums = _mm_sad_epu8(near_, _mm_setzero_si128());
    prepared_.decoded_bytes =
        static_cast<std::uint16_t>(static_cast<std::size_t>(_mm_extract_epi16(end_, 0)) - begin_) +
        split_.waiting_count;
    prepared_.near_count = static_cast<std::size_t>(_mm_extract_epi16(sums, 0) + _mm_extract_epi16(sums, 4));
  }

 private:
  ASSAY_SIMD_INLINE static __m128i running_sum(__m128i numbers) {
    numbers = _mm_add_epi16(numbers, _mm_slli_si128(numbers, 2));
    numbers = _mm_add_epi16(numbers, _mm_slli_si128(numbers, 4));
    return _mm_add_epi16(numbers, _mm_slli_si128(numbers, 8));
  }

  const Split& split_;
  Prepared& prepared_;
  std::size_t next_ = 0;
  std::size_t begin_;
  __m128i end_;   // the write index less 1 behind the units so far, in all lanes
  __m128i near_;  // how many units are near, in each lane; lanes behind the last unit count too, which does no harm
};

struct Unit {
  ASSAY_SIMD_INLINE explicit Unit(std::uint32_t packed)
      : literal_count(packed & 0xFF), length_bytes(packed >> 8 & 0xFF), distance(packed >> 16) {}

  std::size_t literal_count;
  std::size_t length_bytes;
  std::size_t distance;
};

// Executes units for which memory is fast enough.
class PlainOutput {
 public:
  ASSAY_SIMD_INLINE PlainOutput(std::uint8_t* out, const std::uint8_t* literal)
      : out_(out), literal_(literal), tail_(out - kTailBytes) {}

  // The literals are stored together with the two bytes in front of them: a reference of 17 or 18 bytes lacks its last
  // ones so far.
  ASSAY_SIMD_INLINE void execute(Unit unit) {
    const __m128i literals = _mm_insert_epi16(load(literal_ - kTailBytes), tail(), 0);
    store(out_ - kTailBytes, literals);
    literal_ += unit.literal_count;
    out_ += unit.literal_count;
    const std::uint8_t* source = out_ - unit.distance;
    // About one reference in a hundred of text, so that it is worth a branch.
    if (unit.distance < unit.length_bytes) [[unlikely]] {
      repeat(source, unit);
    } else {
      store(out_, load(source));
    }
    out_ += unit.length_bytes;
    tail_ = source + unit.length_bytes - kTailBytes;
  }

  ASSAY_SIMD_INLINE std::uint8_t* finish(std::size_t waiting_count) {
    store(out_ - kTailBytes, _mm_insert_epi16(load(literal_ - kTailBytes), tail(), 0));
    return out_ + waiting_count;
  }

 private:
  static constexpr std::size_t kTailBytes = 2;

  [[nodiscard]] ASSAY_SIMD_INLINE int tail() const {
    std::uint16_t bytes = 0;
    std::memcpy(&bytes, tail_, sizeof(bytes));
    return bytes;
  }

  // Bytes of the reference are among those that it reads. Its first 16 are stored first, so that tail_ finds them.
  ASSAY_SIMD_INLINE void repeat(const std::uint8_t* source, Unit unit) {
    if (unit.distance >= kVectorBytes) {
      store(out_, load(source));
      return;
    }
    const __m128i pattern = load(source);
    const std::uint8_t* shuffle = kHistoryTables.repeat[unit.distance].data();
    store(out_, _mm_shuffle_epi8(pattern, load_aligned(shuffle)));
    store(out_ + kVectorBytes, _mm_shuffle_epi8(pattern, load_aligned(shuffle + kVectorBytes)));
  }

  std::uint8_t* out_;
  const std::uint8_t* literal_;
  const std::uint8_t* tail_;  // where the last two bytes of the last reference are copied from
};

// Executes units with the last 16 bytes of output in a register. What is stored ends where the unit ends.
class HistoryOutput {
 public:
  ASSAY_SIMD_INLINE HistoryOutput(std::uint8_t* out, const std::uint8_t* literal)
      : out_(out), literal_(literal), history_(load(out - kVectorBytes)) {}

  ASSAY_SIMD_INLINE void execute(Unit unit) {
    literal_ += unit.literal_count;
    out_ += unit.literal_count;
    append(kHistoryTables.shift[unit.literal_count].data(), literal_ - kVectorBytes);
    const bool is_near = unit.distance < HistoryTables::kFar;
    const std::uint8_t* source = out_ - (is_near ? kIdleDistance : unit.distance);
    const std::size_t index = HistoryTables::index(is_near ? unit.distance : HistoryTables::kFar, unit.length_bytes);
    // Of these only the one or two bytes stay that a length above 16 has in front of the register.
    store(out_, from_history(kHistoryTables.first.data() + index, source));
    out_ += unit.length_bytes;
    append(kHistoryTables.last.data() + index, source + unit.length_bytes - kVectorBytes);
  }

  ASSAY_SIMD_INLINE std::uint8_t* finish(std::size_t waiting_count) {
    store(out_, load(literal_));
    return out_ + waiting_count;
  }

 private:
  // Bytes of the history by the shuffle, and those of `elsewhere` where it has none.
  [[nodiscard]] ASSAY_SIMD_INLINE __m128i from_history(const std::uint8_t* shuffle, const void* elsewhere) const {
    const __m128i indices = load_aligned(shuffle);
    return _mm_blendv_epi8(_mm_shuffle_epi8(history_, indices), load(elsewhere), indices);
  }

  ASSAY_SIMD_INLINE void append(const std::uint8_t* shuffle, const void* elsewhere) {
    history_ = from_history(shuffle, elsewhere);
    store(out_ - kVectorBytes, history_);
  }

  std::uint8_t* out_;
  const std::uint8_t* literal_;
  __m128i history_;
};

template <typename Output>
ASSAY_SIMD_INLINE std::uint8_t* execute(const Split& split, const Prepared& prepared, std::uint8_t* out) {
  Output output(out, split.first_literal());
  const std::uint32_t* const end = prepared.units.data() + split.unit_count;
  for (const std::uint32_t* unit = prepared.units.data(); unit < end; unit += kExecutedAtOnce) {
    output.execute(Unit(unit[0]));
    output.execute(Unit(unit[1]));
    output.execute(Unit(unit[2]));
    output.execute(Unit(unit[3]));
  }
  return output.finish(split.waiting_count);
}

ASSAY_SIMD_INLINE std::uint8_t* execute_block(const Split& split, const Prepared& prepared, std::uint8_t* out) {
  return prepared.near_count * kNearShare > split.unit_count ? execute<HistoryOutput>(split, prepared, out)
                                                             : execute<PlainOutput>(split, prepared, out);
}

// Splits groups into `next` while the units of `current` are prepared.
ASSAY_SIMD_INLINE const std::uint8_t* split_and_prepare(const std::uint8_t* packed, std::size_t group_count,
                                                        Split& next, Preparer& preparer) {
  Splitter splitter(packed, next);
  for (std::size_t group = 0; group + 1 < group_count; group += 2) {
    splitter.split_groups<2>();
    if (!preparer.done()) {
      preparer.prepare();
    }
  }
  if (group_count % 2 != 0) {
    splitter.split_groups<1>();
  }
  while (!preparer.done()) {
    preparer.prepare();
  }
  preparer.finish();
  return splitter.finish();
}

// How many groups of the longest kind are still there, up to a block.
std::size_t groups_left(const std::uint8_t* packed, const std::uint8_t* packed_end) {
  return std::min(static_cast<std::size_t>(packed_end - packed) / kMaxGroupPackedBytes, kBlockGroups);
}

ASSAY_SIMD_INLINE bool fits(const Prepared& prepared, const Bulk& bulk) {
  return static_cast<std::size_t>(bulk.out_end - bulk.out) >= prepared.decoded_bytes + kOverhangBytes;
}

void advance(Bulk& bulk, std::uint8_t* out, const std::uint8_t* packed) {
  bulk.position += static_cast<std::size_t>(out - bulk.out);
  bulk.out = out;
  bulk.packed = packed;
}

// Why decode_blocks() came to an end.
enum class Ending : std::uint8_t { kNoMore, kLiteralsOnly };

// Decodes blocks until one does not fit into the output or has no references; that one is not begun.
ASSAY_SIMD Ending decode_blocks(Bulk& bulk) {
  std::array<Split, 2> splits;
  Prepared prepared;
  // Nothing to prepare yet.
  splits[1].unit_count = 0;
  Preparer none(splits[1], 0, prepared);
  const std::uint8_t* packed = bulk.packed;
  std::size_t group_count = groups_left(packed, bulk.packed_end);
  packed = split_and_prepare(packed, group_count, splits[0], none);
  for (std::size_t current = 0; group_count > 0; current ^= 1U) {
    const Split& split = splits.at(current);
    Split& next = splits.at(current ^ 1U);
    Preparer preparer(split, bulk.position, prepared);
    group_count = groups_left(packed, bulk.packed_end);
    const std::uint8_t* const packed_next = packed;
    packed = split_and_prepare(packed, group_count, next, preparer);
    if (!fits(prepared, bulk)) {
      return Ending::kNoMore;
    }
    if (prepared.decoded_bytes == split.literal_count) [[unlikely]] {
      return Ending::kLiteralsOnly;
    }
    advance(bulk, execute_block(split, prepared, bulk.out), packed_next);
    if (bulk.out >= bulk.stop) {
      return Ending::kNoMore;
    }
  }
  return Ending::kNoMore;
}

// Copies groups of eight literals, as long as there are any.
void copy_literal_groups(Bulk& bulk) {
  constexpr std::uint8_t kAllLiterals = 0xFF;
  std::uint8_t* out = bulk.out;
  const std::uint8_t* packed = bulk.packed;
  constexpr std::ptrdiff_t kGroupBytes = 1 + std::ptrdiff_t{kItemsPerFlagByte};
  while (bulk.packed_end - packed >= kGroupBytes && *packed == kAllLiterals && out < bulk.stop &&
         bulk.out_end - out >= static_cast<std::ptrdiff_t>(kItemsPerFlagByte)) {
    std::memcpy(out, packed + 1, kItemsPerFlagByte);
    out += kItemsPerFlagByte;
    packed += 1 + kItemsPerFlagByte;
  }
  advance(bulk, out, packed);
}

// Decodes one block of that many groups if it fits and they are there.
ASSAY_SIMD void decode_short_block(Bulk& bulk, std::size_t group_count) {
  if (groups_left(bulk.packed, bulk.packed_end) < group_count) {
    return;
  }
  Split split;
  Split none;
  Prepared prepared;
  none.unit_count = 0;
  Preparer nothing(none, 0, prepared);
  const std::uint8_t* const packed = split_and_prepare(bulk.packed, group_count, split, nothing);
  Preparer preparer(split, bulk.position, prepared);
  split_and_prepare(packed, 0, none, preparer);
  if (fits(prepared, bulk)) {
    advance(bulk, execute_block(split, prepared, bulk.out), packed);
  }
}

}  // namespace

ASSAY_SIMD void decode_groups_simd(Bulk& bulk) {
  while (bulk.out < bulk.stop && decode_blocks(bulk) == Ending::kLiteralsOnly) {
    copy_literal_groups(bulk);
  }
  // What did not fit as a whole fits in part.
  for (std::size_t group_count = kBlockGroups / 2; group_count > 0 && bulk.out < bulk.stop; group_count /= 2) {
    decode_short_block(bulk, group_count);
  }
}

}  // namespace assay::lzss

#else

namespace assay::lzss {

void decode_groups_simd(Bulk& bulk) {
  decode_groups_scalar(bulk);
}

}  // namespace assay::lzss

#endif
