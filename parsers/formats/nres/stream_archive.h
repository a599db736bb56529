#pragma once

#include <optional>
#include <utility>

#include "parsers/base/record_cursor.h"
#include "parsers/formats/nres/nres.h"

// What formats share that give a meaning to the members of an NRes archive: models and research trees.
namespace assay::nres {

// An archive whose members its own format reads as streams of records. As a container it is the archive; what a member
// is called is left to the format.
class StreamArchive : public Document, public Container {
 public:
  [[nodiscard]] const Archive& archive() const { return archive_; }

  // Streams through their record tables, everything else as it was.
  [[nodiscard]] Buffer write() const override;
  // The canonical archive; streams are not changed.
  [[nodiscard]] Result<Buffer> canonical() const override { return archive_.canonical(); }
  // The archive's map with the runs of the streams in place of their payloads. Where payloads share bytes it cannot be
  // said whose they are, and payloads they stay. Cost: O(runs log runs).
  [[nodiscard]] ByteMap account() const override;
  [[nodiscard]] const Container* container() const override { return this; }

  [[nodiscard]] std::size_t member_count() const override { return archive_.member_count(); }
  [[nodiscard]] Result<Bytes> load(std::size_t index, DecodeScratch& scratch, Findings& findings) const override {
    return archive_.load(index, scratch, findings);
  }
  [[nodiscard]] std::optional<std::size_t> find(Bytes query) const override { return archive_.find(query); }
  [[nodiscard]] std::optional<std::size_t> find_linear(Bytes query) const override {
    return archive_.find_linear(query);
  }
  [[nodiscard]] bool uses_sort_map() const override { return archive_.uses_sort_map(); }

 protected:
  explicit StreamArchive(Archive archive) : archive_(std::move(archive)) {}

  Archive archive_;
  // The runs of the streams. Each payload that was read has one that starts where it does.
  ByteMap stream_map_;
};

// Opens the archive's editor on a document that is a StreamArchive; Format::edit of such formats.
[[nodiscard]] Result<std::unique_ptr<Editor>> edit_streams(const Document& document);

// The directory rows of what has an NRes header, for probes: nothing when there is no header, the count is negative or
// the directory does not fit. Reads nothing else. Cost: O(1).
[[nodiscard]] std::optional<Records<kEntryRecord>> directory_rows(Bytes image);

}  // namespace assay::nres
