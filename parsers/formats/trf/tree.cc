#include <algorithm>

#include "parsers/formats/trf/trf.h"

namespace assay::trf {
namespace {

constexpr std::uint32_t tag(char last) {
  return 0x00465254U | static_cast<std::uint32_t>(static_cast<std::uint8_t>(last)) << 24;  // "TRF" and one more
}

constexpr std::array<StreamInfo, kStreamCount> kStreams{{
    {tag('0'), "trf.TRF0", "stream[TRF0]"},
    {tag('1'), "trf.TRF1", "stream[TRF1]"},
    {tag('2'), "trf.TRF2", "stream[TRF2]"},
    {tag('3'), "trf.TRF3", "stream[TRF3]", false},
    {tag('4'), "trf.TRF4", "stream[TRF4]"},
    {tag('5'), "trf.TRF5", "stream[TRF5]", false},
    {tag('6'), "trf.TRF6", "stream[TRF6]"},
    {tag('7'), "trf.TRF7", "stream[TRF7]"},
    {tag('8'), "trf.TRF8", "stream[TRF8]"},
    {tag('9'), "trf.TRF9", "stream[TRF9]"},
    {tag('A'), "trf.TRFA", "stream[TRFA]"},
    {tag('B'), "trf.TRFB", "stream[TRFB]"},
}};

}  // namespace

const std::array<StreamInfo, kStreamCount>& stream_infos() {
  return kStreams;
}

std::optional<Stream> stream_of_type(std::uint32_t type_id) {
  const auto* found = std::ranges::find(kStreams, type_id, &StreamInfo::type_id);
  if (found == kStreams.end()) {
    return std::nullopt;
  }
  return static_cast<Stream>(found - kStreams.begin());
}

Member Tree::member(std::size_t index) const {
  Member member = archive_.member(index);
  const auto stream = stream_of_type(archive_.entries()[index].type_id);
  if (stream && entry_of(*stream) == index) {
    member.claimed_as = info_of(*stream).claim;
  }
  return member;
}

ByteMap Tree::account() const {
  ByteMap of_archive = archive_.account();
  if (archive_.has_overlap()) {
    return of_archive;
  }
  std::vector<std::uint64_t> stream_offsets;
  for (const auto& entry : entries_) {
    if (entry && !archive_.payload(*entry).empty()) {
      stream_offsets.push_back(archive_.entries()[*entry].data_offset);
    }
  }
  ByteMap map;
  for (const ByteRun& run : of_archive.runs()) {
    const bool is_stream = std::ranges::find(stream_offsets, run.offset) != stream_offsets.end();
    if (run.kind != ByteKind::kPayload || !is_stream) {
      map.add(run);
    }
  }
  for (const ByteRun& run : stream_map_.runs()) {
    map.add(run);
  }
  return map;
}

std::vector<DocumentFact> Tree::facts() const {
  return {{"items", std::to_string(streams_.items.size())},
          {"links", std::to_string(streams_.links.size())},
          {"parts", std::to_string(streams_.parts.size())},
          {"part_ids", std::to_string(streams_.part_ids.starts.size())}};
}

namespace {

constexpr RecordInfo kRecords[] = {
    kInfoOf<nres::kHeaderRecord>,
    kInfoOf<nres::kEntryRecord>,
    kInfoOf<kItemRecord>,
    kInfoOf<kStateRecord>,
    kInfoOf<kLinkCountRecord>,
    kInfoOf<kLinkRecord>,
    kInfoOf<kBackLinkCountRecord>,
    kInfoOf<kBackLinkRecord>,
    kInfoOf<kPartId>,
    kInfoOf<kCode>,
    kInfoOf<kName>,
    kInfoOf<kDescription>,
    kInfoOf<kTemplate>,
    kInfoOf<kPartRecord>,
};

constexpr NamePattern kNamePatterns[] = {{.pattern = "*.trf", .files_only = true}};

// A directory that lists streams of this format and nothing else.
bool probe(Bytes bytes) {
  if (bytes.size() < nres::kHeaderRecord.size_bytes) {
    return false;
  }
  const nres::Header header = nres::kHeaderRecord.read(bytes);
  constexpr std::uint64_t kRowBytes = nres::kEntryRecord.size_bytes;
  const auto rows = static_cast<std::uint64_t>(std::max(header.entry_count, 0));
  if (header.magic != nres::kMagic || rows == 0 || rows > bytes.size() / kRowBytes) {
    return false;
  }
  for (Bytes directory = bytes.last(static_cast<std::size_t>(rows * kRowBytes)); !directory.empty();
       directory = directory.subspan(kRowBytes)) {
    if (!stream_of_type(nres::kEntryRecord.read(directory).type_id)) {
      return false;
    }
  }
  return true;
}

Result<std::unique_ptr<Document>> parse_document(Bytes bytes, const ParseContext& context, Findings& findings) {
  ASSAY_TRY_ASSIGN(Tree tree, Tree::parse(bytes, context, findings));
  return std::make_unique<Tree>(std::move(tree));
}

Result<std::unique_ptr<Editor>> edit_document(const Document& document) {
  return nres::edit(static_cast<const Tree&>(document).archive());
}

constexpr Format kFormat{.id = "trf",
                         .title = "research tree",
                         .documentation = "docs/formats/trf.md",
                         .refines = "nres",
                         .records = kRecords,
                         .name_patterns = kNamePatterns,
                         .probe = probe,
                         .parse = parse_document,
                         .edit = edit_document};

}  // namespace

const Format& format() {
  return kFormat;
}

}  // namespace assay::trf
