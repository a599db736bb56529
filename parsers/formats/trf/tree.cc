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
  const auto rows = nres::directory_rows(bytes);
  if (!rows || rows->empty()) {
    return false;
  }
  for (std::size_t row = 0; row < rows->size(); ++row) {
    if (!stream_of_type((*rows)[row].type_id)) {
      return false;
    }
  }
  return true;
}

Result<std::unique_ptr<Document>> parse_document(Bytes bytes, const ParseContext& context, Findings& findings) {
  ASSAY_TRY_ASSIGN(Tree tree, Tree::parse(bytes, context, findings));
  return std::make_unique<Tree>(std::move(tree));
}

constexpr Format kFormat{.id = "trf",
                         .title = "research tree",
                         .documentation = "docs/formats/trf.md",
                         .refines = "nres",
                         .records = kRecords,
                         .name_patterns = kNamePatterns,
                         .probe = probe,
                         .parse = parse_document,
                         .edit = nres::edit_streams};

}  // namespace

const Format& format() {
  return kFormat;
}

}  // namespace assay::trf
