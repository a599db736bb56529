#include "synth/random_archives.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <string>
#include <string_view>

#include "parsers/codecs/codec.h"
#include "synth/content.h"
#include "synth/stable_pack.h"

namespace assay::synth {
namespace {

// Few letters, so that names collide, differ by case only, and meet at the six bytes between Z and a.
constexpr std::string_view kNresLetters = "aAbBzZ_[^`\\01.-~";
constexpr std::string_view kRsliLetters = "ABCXYZ_01.-";

std::string random_name(Prng& prng, std::string_view letters, std::size_t longest) {
  const bool is_full = prng.chance(8);
  const std::size_t size = is_full ? longest : prng.between(prng.chance(3) ? 0 : 1, std::min<std::size_t>(longest, 6));
  const bool has_high_bytes = prng.chance(10);
  std::string name;
  for (std::size_t index = 0; index < size; ++index) {
    name += has_high_bytes && prng.chance(40) ? static_cast<char>(prng.between(0x80, 0xFF)) : prng.pick(letters);
  }
  return name;
}

std::string random_tail(Prng& prng) {
  std::string tail;
  for (std::uint64_t left = prng.chance(25) ? prng.between(1, 20) : 0; left > 0; --left) {
    tail += static_cast<char>(prng.byte());
  }
  return tail;
}

std::size_t random_size(Prng& prng) {
  if (prng.chance(12)) {
    return 0;
  }
  return prng.index(prng.chance(1) ? 40'000 : prng.chance(20) ? 2'000 : 200);
}

std::size_t random_count(Prng& prng) {
  return prng.index(prng.chance(2) ? 300 : prng.chance(30) ? 24 : 5);
}

Buffer random_payload(Prng& prng, const RandomOptions& options) {
  if (options.nesting == 0 || !prng.chance(6)) {
    return make_any_content(random_size(prng), prng);
  }
  RandomOptions inner = options;
  --inner.nesting;
  return prng.chance(60) ? random_nres(prng, inner) : random_rsli(prng, inner);
}

// Bytes of a gap; nothing most of the time.
Buffer random_gap(Prng& prng) {
  if (!prng.chance(12)) {
    return {};
  }
  const std::size_t size = prng.between(1, 40);
  return prng.chance(50) ? Buffer(size) : make_non_zero(size, prng);
}

std::vector<std::size_t> random_order(Prng& prng, std::size_t count) {
  if (!prng.chance(30)) {
    return {};
  }
  std::vector<std::size_t> order(count);
  std::iota(order.begin(), order.end(), std::size_t{0});
  prng.shuffle(order);
  return order;
}

// A map that is no good: arbitrary, a value out of range, or one shuffled.
template <typename Value>
std::vector<Value> bad_map(Prng& prng, std::size_t count) {
  std::vector<Value> map(count);
  std::iota(map.begin(), map.end(), Value{0});
  prng.shuffle(map);
  if (count != 0 && prng.chance(50)) {
    map[prng.index(count)] = static_cast<Value>(prng.chance(50) ? prng.index(count) : prng.next());
  }
  return map;
}

NresItem random_nres_item(Prng& prng, const RandomOptions& options) {
  NresItem item;
  item.row.type_id = prng.chance(50) ? static_cast<std::uint32_t>(prng.below(25)) : prng.word();
  item.row.attr1 = static_cast<std::uint32_t>(prng.below(100));
  item.row.attr2 = prng.chance(20) ? prng.word() : 0;
  item.row.attr3 = prng.chance(50) ? prng.word() : 1;
  const std::string name = random_name(prng, kNresLetters, nres::kMaxNameBytes);
  item.row.name = nres_name(name, random_tail(prng));
  item.payload = random_payload(prng, options);
  item.gap_before = random_gap(prng);
  return item;
}

// Moves one payload to where it is not aligned or shares bytes with another; both leave the file readable.
void shift_a_payload(Prng& prng, Buffer& archive, std::size_t count) {
  if (count == 0) {
    return;
  }
  const std::size_t row_from_end = (prng.index(count) + 1) * nres::kEntryRecord.size_bytes;
  const MutableBytes row = MutableBytes(archive).last(row_from_end);
  nres::Entry entry = nres::kEntryRecord.read(row);
  const std::uint32_t step = prng.chance(50) ? 1 : 8;
  if (entry.size > step) {
    entry.data_offset += step;
    entry.size -= step;
  } else if (entry.data_offset >= 24) {
    entry.data_offset -= 8;
  }
  nres::kEntryRecord.write(entry, row);
}

constexpr std::array kMethods{rsli::Method::kStored,  rsli::Method::kXor,   rsli::Method::kLzss,
                              rsli::Method::kXorLzss, rsli::Method::kLzhuf, rsli::Method::kXorLzhuf,
                              rsli::Method::kDeflate};

// Half of the payloads are packed by the encoders of parsers/ at any level, so that those are covered too.
Buffer random_packed(Prng& prng, rsli::Method method, Bytes plain) {
  if (prng.chance(50)) {
    return rsli::pack(method, plain, Level(static_cast<unsigned>(prng.below(Level::kHighest + 1))));
  }
  return pack_stably(method, plain, static_cast<DeflateBlocks>(prng.below(4)));
}

RsliItem random_rsli_item(Prng& prng, Bytes plain) {
  RsliItem item;
  const std::string name = random_name(prng, prng.chance(10) ? kNresLetters : kRsliLetters, rsli::kMaxNameBytes);
  item.name = rsli_name(name, random_tail(prng));
  item.method = prng.pick(kMethods);
  item.opaque_flags = prng.chance(20) ? static_cast<std::uint16_t>(prng.next() & ~std::uint64_t{rsli::kMethodMask}) : 0;
  if (prng.chance(20)) {
    item.service = {prng.byte(), prng.byte(), prng.byte(), prng.byte()};
  }
  item.unpacked_size = static_cast<std::uint32_t>(plain.size());
  item.packed = random_packed(prng, item.method, plain);
  item.gap_before = random_gap(prng);
  // A trailing byte that the decoder does not need.
  if (rsli::is_compressed(item.method) && prng.chance(10)) {
    item.packed.push_back(prng.byte());
  }
  return item;
}

// Lets compressed payloads declare one byte more than they have, where the trailing bytes make sure that there is one.
void share_bytes(Prng& prng, RsliLayout& layout) {
  if (!prng.chance(15)) {
    return;
  }
  layout.trailing.push_back(prng.byte());
  for (RsliItem& item : layout.items) {
    item.excess_bytes = rsli::is_compressed(item.method) ? 1 : 0;
  }
}

void fill_opaque_header(Prng& prng, RsliLayout& layout) {
  for (std::uint8_t& byte : layout.opaque08) {
    byte = prng.byte();
  }
  for (std::uint8_t& byte : layout.opaque18) {
    byte = prng.byte();
  }
}

}  // namespace

NresLayout random_nres_layout(Prng& prng, const RandomOptions& options) {
  NresLayout layout;
  const std::size_t count = random_count(prng);
  for (std::size_t index = 0; index < count; ++index) {
    layout.items.push_back(random_nres_item(prng, options));
  }
  layout.physical_order = random_order(prng, count);
  layout.trailing = random_gap(prng);
  layout.aligns_directory = prng.chance(85);
  if (!options.is_strict_clean && prng.chance(35)) {
    layout.sort_map = bad_map<std::uint32_t>(prng, count);
  }
  return layout;
}

RandomRsli random_rsli_layout(Prng& prng, const RandomOptions& options) {
  RandomRsli random;
  RsliLayout& layout = random.layout;
  const std::size_t count = random_count(prng);
  for (std::size_t index = 0; index < count; ++index) {
    random.plain.push_back(random_payload(prng, options));
    layout.items.push_back(random_rsli_item(prng, random.plain.back()));
  }
  layout.physical_order = random_order(prng, count);
  layout.trailing = random_gap(prng);
  layout.seed = prng.chance(10) ? 0 : prng.word();
  layout.is_presorted = prng.chance(75);
  layout.header_in_step = prng.chance(80);
  if (prng.chance(20)) {
    fill_opaque_header(prng, layout);
  }
  share_bytes(prng, layout);
  if (prng.chance(15)) {
    layout.overlay = static_cast<std::uint32_t>(prng.between(0, 32 + 32 * count));
  }
  if (!options.is_strict_clean && prng.chance(35)) {
    layout.sort_map = bad_map<std::uint16_t>(prng, count);
    layout.is_presorted = true;
  }
  return random;
}

Buffer random_nres(Prng& prng, const RandomOptions& options) {
  const NresLayout layout = random_nres_layout(prng, options);
  Buffer archive = build_nres(layout);
  if (!options.is_strict_clean && prng.chance(20)) {
    shift_a_payload(prng, archive, layout.items.size());
  }
  return archive;
}

Buffer random_rsli(Prng& prng, const RandomOptions& options) {
  return build_rsli(random_rsli_layout(prng, options).layout);
}

}  // namespace assay::synth
