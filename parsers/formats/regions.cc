#include "parsers/formats/regions.h"

#include <algorithm>

namespace assay {
namespace {

std::uint64_t bytes_to_align(std::uint64_t offset, std::uint64_t alignment) {
  return (alignment - offset % alignment) % alignment;
}

ByteKind kind_of_run(const Region& run, bool is_between, std::uint64_t alignment) {
  if (run.is_zero && run.size == bytes_to_align(run.offset, alignment)) {
    return ByteKind::kPadding;
  }
  return is_between ? ByteKind::kGap : ByteKind::kUnindexed;
}

}  // namespace

std::vector<Region> find_regions(Bytes image, ByteRange data, std::span<const ByteRange> active,
                                 std::uint64_t alignment) {
  std::vector<Region> regions;
  std::uint64_t cursor = data.start;
  bool seen_active = false;
  const auto emit = [&](std::uint64_t end, bool followed_by_active) {
    if (end <= cursor) {
      return;
    }
    Region run{.offset = cursor, .size = end - cursor};
    run.is_zero = all_zero(image.subspan(static_cast<std::size_t>(cursor), static_cast<std::size_t>(run.size)));
    run.kind = kind_of_run(run, seen_active && followed_by_active, alignment);
    regions.push_back(run);
  };
  for (const ByteRange& range : active) {
    emit(range.start, true);
    cursor = std::max(cursor, range.end);
    seen_active = true;
  }
  emit(data.end, false);
  return regions;
}

void add_payloads(ByteMap& map, std::span<const ByteRange> active, std::span<const FieldPath> paths) {
  std::uint64_t cursor = 0;
  for (std::size_t index = 0; index < active.size(); ++index) {
    const std::uint64_t start = std::max(cursor, active[index].start);
    if (start < active[index].end) {
      map.add({.offset = start, .size = active[index].end - start, .kind = ByteKind::kPayload, .path = paths[index]});
      cursor = active[index].end;
    }
  }
}

void add_regions(ByteMap& map, std::span<const Region> regions) {
  for (std::size_t index = 0; index < regions.size(); ++index) {
    map.add({.offset = regions[index].offset,
             .size = regions[index].size,
             .kind = regions[index].kind,
             .path = FieldPath("region", index)});
  }
}

}  // namespace assay
