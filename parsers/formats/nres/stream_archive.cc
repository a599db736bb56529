#include "parsers/formats/nres/stream_archive.h"

#include <algorithm>
#include <vector>

#include "parsers/formats/plain_document.h"

namespace assay::nres {

Buffer StreamArchive::write() const {
  Buffer image = archive_.write();
  write_records(stream_map_, image);
  return image;
}

ByteMap StreamArchive::account() const {
  ByteMap of_archive = archive_.account();
  if (archive_.has_overlap()) {
    return of_archive;
  }
  std::vector<std::uint64_t> read_from;
  read_from.reserve(stream_map_.runs().size());
  for (const ByteRun& run : stream_map_.runs()) {
    read_from.push_back(run.offset);
  }
  std::ranges::sort(read_from);
  ByteMap map;
  for (const ByteRun& run : of_archive.runs()) {
    if (run.kind != ByteKind::kPayload || !std::ranges::binary_search(read_from, run.offset)) {
      map.add(run);
    }
  }
  for (const ByteRun& run : stream_map_.runs()) {
    map.add(run);
  }
  return map;
}

Result<std::unique_ptr<Editor>> edit_streams(const Document& document) {
  return edit(static_cast<const StreamArchive&>(document).archive());
}

std::optional<Records<kEntryRecord>> directory_rows(Bytes image) {
  if (image.size() < kHeaderRecord.size_bytes) {
    return std::nullopt;
  }
  const Header header = kHeaderRecord.read(image);
  const auto count = static_cast<std::uint64_t>(header.entry_count);
  if (header.magic != kMagic || header.entry_count < 0 || count > image.size() / kEntryRecord.size_bytes) {
    return std::nullopt;
  }
  const std::uint64_t directory_bytes = count * kEntryRecord.size_bytes;
  return Records<kEntryRecord>(image.last(static_cast<std::size_t>(directory_bytes)), image.size() - directory_bytes);
}

}  // namespace assay::nres
