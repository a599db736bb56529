#include <string>

#include "parsers/formats/msh/msh.h"

namespace assay::msh {
namespace {

// A directory of more rows is no model.
constexpr std::size_t kMostRowsOfModel = 64;

std::size_t animated_nodes(const Streams& streams) {
  std::size_t count = 0;
  for (std::size_t index = 0; index < streams.nodes.size(); ++index) {
    count += streams.nodes[index].anim_map_start != kNoIndex ? 1U : 0U;
  }
  return count;
}

}  // namespace

std::optional<std::size_t> Model::entry_of(StreamType type) const {
  const StreamRow* row = find_stream_row(static_cast<std::uint32_t>(type));
  return entries_[static_cast<std::size_t>(row - stream_rows().data())];
}

Member Model::member(std::size_t index) const {
  Member member = archive_.member(index);
  member.claimed_as = stream_name(archive_.entries()[index].type_id);
  return member;
}

std::vector<DocumentFact> Model::facts() const {
  std::vector<DocumentFact> facts;
  const auto add = [&](const char* key, std::uint64_t count) { facts.emplace_back(key, std::to_string(count)); };
  add("streams", archive_.entries().size());
  add("node_bytes", streams_.node_record_bytes);
  add("nodes", streams_.node_count);
  add("animated_nodes", animated_nodes(streams_));
  add("slots", streams_.slots.size());
  add("batches", streams_.batches.size());
  add("vertices", streams_.positions.size());
  add("indices", streams_.indices.size());
  add("triangles", streams_.triangles.size());
  add("keys", streams_.keys.size());
  add("frames", streams_.frame_count);
  return facts;
}

namespace {

constexpr std::uint32_t kModelTag = 0x4853454D;  // "MESH" in file order

constexpr RecordInfo kRecords[] = {
    kInfoOf<nres::kHeaderRecord>, kInfoOf<nres::kEntryRecord>, kInfoOf<kNodeRecord>,      kInfoOf<kSlotHeaderRecord>,
    kInfoOf<kSlotRecord>,         kInfoOf<kPositionRecord>,    kInfoOf<kNormalRecord>,    kInfoOf<kUv0Record>,
    kInfoOf<kIndexRecord>,        kInfoOf<kTriangleRecord>,    kInfoOf<kKeyRecord>,       kInfoOf<kNodeNameRecord>,
    kInfoOf<kLabelRecord>,        kInfoOf<kBatchRecord>,       kInfoOf<kAuxiliaryRecord>, kInfoOf<kHallNodeRecord>,
    kInfoOf<kHallLinkRecord>,     kInfoOf<kUv1Record>,         kInfoOf<kFrameMapRecord>,  kInfoOf<kProbeRecord>,
};

constexpr std::uint32_t kTypeTags[] = {kModelTag};
constexpr NamePattern kNamePatterns[] = {{.pattern = "*.msh"}};

// An archive with every stream that a model needs. Terrain has stream 21 in place of 6, so it is none.
bool probe(Bytes bytes) {
  const auto rows = nres::directory_rows(bytes);
  if (!rows || rows->size() > kMostRowsOfModel) {
    return false;
  }
  for (const StreamRow& wanted : stream_rows()) {
    bool is_there = !wanted.is_required;
    for (std::size_t row = 0; row < rows->size() && !is_there; ++row) {
      is_there = (*rows)[row].type_id == static_cast<std::uint32_t>(wanted.type);
    }
    if (!is_there) {
      return false;
    }
  }
  return true;
}

Result<std::unique_ptr<Document>> parse_document(Bytes bytes, const ParseContext& context, Findings& findings) {
  ASSAY_TRY_ASSIGN(Model model, Model::parse(bytes, context, findings));
  return std::make_unique<Model>(std::move(model));
}

constexpr Format kFormat{.id = "msh",
                         .title = "model",
                         .documentation = "docs/formats/msh.md",
                         .refines = "nres",
                         .records = kRecords,
                         .type_tags = kTypeTags,
                         .name_patterns = kNamePatterns,
                         .probe = probe,
                         .parse = parse_document,
                         .edit = nres::edit_streams};

}  // namespace

const Format& format() {
  return kFormat;
}

}  // namespace assay::msh
