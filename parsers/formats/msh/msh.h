#pragma once

#include <array>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "parsers/base/record_cursor.h"
#include "parsers/formats/msh/records.h"
#include "parsers/formats/msh/streams.h"
#include "parsers/formats/nres/stream_archive.h"

// Models: an NRes archive whose members are the streams of one model (docs/formats/msh.md).
namespace assay::msh {

// The streams as records. Views into the model's bytes; a stream that is missing, or whose size is no whole number of
// records, is empty.
struct Streams {
  // 38, or 24 for records that are not understood and not listed in `nodes`.
  std::uint32_t node_record_bytes = kNodeBytes;
  std::size_t node_count = 0;
  Records<kNodeRecord> nodes{};
  SlotHeader slot_header{};
  Records<kSlotRecord> slots{};
  Records<kPositionRecord> positions{};
  Records<kNormalRecord> normals{};
  Records<kUv0Record> uv0{};
  Records<kIndexRecord> indices{};
  Records<kTriangleRecord> triangles{};
  Records<kKeyRecord> keys{};
  Records<kNodeNameRecord> node_names{};
  // One a node, without length and NUL; raw bytes.
  std::vector<Bytes> labels{};
  Records<kBatchRecord> batches{};
  Records<kAuxiliaryRecord> auxiliary{};
  Records<kHallNodeRecord> hall_nodes{};
  Records<kHallLinkRecord> hall_links{};
  Records<kUv1Record> uv1{};
  Records<kFrameMapRecord> frame_map{};
  // attr2 of the frame map.
  std::uint32_t frame_count = 0;
  Records<kProbeRecord> probes{};
};

// A parsed model. As a container its members are its streams, which are not items of other formats.
//
// Streams are found by type; names, order, attributes, gaps and streams of unknown types are kept as they are. Of a
// type that is there twice the first is used.
class Model final : public nres::StreamArchive {
 public:
  // Parses with the checks of docs/formats/msh.md in their order. What is about the archive has the index of its entry,
  // what is about the model none. Cost: O(size), and O(n log n) for n directory rows; allocates a constant number of
  // times, a few bytes an index, a vertex, a batch or a node.
  [[nodiscard]] static Result<Model> parse(Bytes image, const ParseContext& context, Findings& findings);

  [[nodiscard]] const Streams& streams() const { return streams_; }
  // The directory row of the stream that is used of a type, or nothing.
  [[nodiscard]] std::optional<std::size_t> entry_of(StreamType type) const;
  [[nodiscard]] bool has(StreamType type) const { return entry_of(type).has_value(); }

  [[nodiscard]] std::vector<DocumentFact> facts() const override;
  [[nodiscard]] Member member(std::size_t index) const override;

 private:
  friend class Parser;
  explicit Model(nres::Archive archive) : StreamArchive(std::move(archive)) {}

  Streams streams_;
  // By position in stream_rows().
  std::array<std::optional<std::size_t>, 16> entries_{};
};

// The entry of the format catalogue.
[[nodiscard]] const Format& format();

}  // namespace assay::msh
