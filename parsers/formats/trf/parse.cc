#include <algorithm>

#include "parsers/formats/trf/trf.h"

namespace assay::trf {

// Runs the checks in the order of docs/formats/trf.md: those of the archive, which streams there are, then each stream
// by itself. What concerns several streams is in checks.cc.
class Parser {
 public:
  Parser(nres::Archive archive, const ParseContext& context, Findings& findings)
      : context_(context), findings_(findings), tree_(std::move(archive)) {}

  Tree run() && {
    find_streams();
    read_streams();
    check_streams(tree_, context_.origin, findings_);
    return std::move(tree_);
  }

 private:
  const nres::Archive& archive() const { return tree_.archive_; }

  Diagnostic at(Code code, const FieldPlace& place, Datum expected, Datum got) const {
    return {code, context_.origin.at(place.offset), place.path, expected, got, place.offset};
  }

  template <typename Member>
  FieldPlace row_place(std::size_t entry, Member nres::Entry::* member) const {
    const std::uint64_t row = archive().directory_offset() + entry * nres::kEntryRecord.size_bytes;
    return nres::kEntryRecord.place(member, row, FieldPath("entry", entry));
  }

  void find_streams() {
    for (std::size_t entry = 0; entry < archive().entries().size(); ++entry) {
      const std::uint32_t type_id = archive().entries()[entry].type_id;
      const auto stream = stream_of_type(type_id);
      const FieldPlace place = row_place(entry, &nres::Entry::type_id);
      const auto index = static_cast<std::int64_t>(entry);
      if (!stream) {
        findings_.note(at(Code::kUnusualStreams, place, {}, Datum::bytes4(type_id)), index);
      } else if (auto& known = tree_.entries_[static_cast<std::size_t>(*stream)]; known) {
        findings_.strict(at(Code::kDuplicateStream, place, {}, Datum::bytes4(type_id)), index);
      } else {
        known = entry;
      }
    }
    for (std::size_t stream = 0; stream < kStreamCount; ++stream) {
      if (const StreamInfo& info = stream_infos()[stream]; info.is_mandatory && !tree_.entries_[stream]) {
        findings_.strict(at(Code::kMissingStream, {archive().directory_offset(), info.path}, {}, {}));
      }
    }
  }

  void read_streams() {
    Streams& streams = tree_.streams_;
    read_records(Stream::kItems, "item", streams.items);
    read_records(Stream::kStates, "state", streams.states);
    read_records(Stream::kLinkCounts, "link_count", streams.link_counts);
    read_records(Stream::kLinks, "link", streams.links);
    read_records(Stream::kBackLinkCounts, "back_link_count", streams.back_link_counts);
    read_records(Stream::kBackLinks, "back_link", streams.back_links);
    read_pool<kPartId>(Stream::kPartIds, streams.part_ids);
    read_pool<kCode>(Stream::kCodes, streams.codes);
    read_pool<kName>(Stream::kNames, streams.names);
    read_pool<kDescription>(Stream::kDescriptions, streams.descriptions);
    read_pool<kTemplate>(Stream::kTemplates, streams.templates);
    read_records(Stream::kParts, "part", streams.parts);
  }

  // A cursor over the payload of that entry.
  RecordCursor cursor_over(std::size_t entry) {
    return RecordCursor(archive().payload(entry), context_.origin, tree_.stream_map_,
                        archive().entries()[entry].data_offset);
  }

  template <const auto& Table>
  void read_records(Stream stream, const char* path, Records<Table>& records) {
    const auto entry = tree_.entry_of(stream);
    if (!entry || archive().entry_error(*entry) != nullptr) {
      return;
    }
    RecordCursor cursor = cursor_over(*entry);
    // Neither read can fail, since each asks for no more than there is.
    if (const auto read = cursor.read_array<Table>(path, cursor.remaining() / Table.size_bytes)) {
      records = *read;
    }
    if (!cursor.at_end()) {
      findings_.strict(at(Code::kSizeMismatch, row_place(*entry, &nres::Entry::size),
                          Datum::multiple_of(Table.size_bytes), Datum::number(archive().entries()[*entry].size)),
                       static_cast<std::int64_t>(*entry));
      (void)cursor.read_opaque(FieldPath(info_of(stream).path).then("rest"), cursor.remaining());
    }
  }

  template <const TextRecord& Table>
  void read_pool(Stream stream, Pool& pool) {
    const auto entry = tree_.entry_of(stream);
    if (!entry || archive().entry_error(*entry) != nullptr) {
      return;
    }
    pool.bytes = archive().payload(*entry);
    const std::uint64_t start = archive().entries()[*entry].data_offset;
    RecordCursor cursor = cursor_over(*entry);
    while (!cursor.at_end()) {
      const FieldPath path(Table.name, pool.starts.size());
      pool.starts.push_back(static_cast<std::uint32_t>(cursor.offset() - start));
      if (const auto text = cursor.read_text<Table>(path, pool.bytes.size()); !text) {
        findings_.strict(text.error(), static_cast<std::int64_t>(*entry));
        (void)cursor.read_opaque(FieldPath(info_of(stream).path).then("rest"), cursor.remaining());
      }
    }
  }

  const ParseContext& context_;
  Findings& findings_;
  Tree tree_;
};

Result<Tree> Tree::parse(Bytes image, const ParseContext& context, Findings& findings) {
  ASSAY_TRY_ASSIGN(nres::Archive archive, nres::Archive::parse(image, context, findings));
  return Parser(std::move(archive), context, findings).run();
}

}  // namespace assay::trf
