#pragma once

#include <optional>
#include <span>
#include <vector>

#include "parsers/base/byte_writer.h"
#include "parsers/base/record.h"
#include "parsers/formats/entry_errors.h"
#include "parsers/formats/format.h"
#include "parsers/formats/regions.h"

// NRes archives: header, payloads, directory at the end (docs/formats/nres.md).
namespace assay::nres {

inline constexpr std::uint32_t kMagic = 0x7365524E;  // "NRes" in file order
inline constexpr std::uint32_t kVersion = 0x100;
inline constexpr std::uint32_t kAlignment = 8;
inline constexpr std::size_t kMaxNameBytes = 35;

struct Header {
  std::uint32_t magic = kMagic;
  std::uint32_t version = kVersion;
  std::int32_t entry_count = 0;
  std::uint32_t total_size = 0;
};

struct Entry {
  std::uint32_t type_id = 0;
  std::uint32_t attr1 = 0;
  std::uint32_t attr2 = 0;
  std::uint32_t size = 0;
  std::uint32_t attr3 = 0;
  FixedString<kMaxNameBytes + 1> name{};
  std::uint32_t data_offset = 0;
  std::uint32_t sort_index = 0;
};

inline constexpr auto kHeaderRecord =
    record<Header>("header", 16,
                   field(0x00, "magic", &Header::magic, FieldStatus::kLayoutConfirmed)
                       .shown_as(Display::kTag)
                       .derived("it marks the format"),
                   field(0x04, "version", &Header::version, FieldStatus::kLayoutConfirmed)
                       .shown_as(Display::kHex)
                       .derived("only one version is known"),
                   field(0x08, "entry_count", &Header::entry_count, FieldStatus::kLayoutConfirmed)
                       .derived("it counts the entries; use --add and --remove"),
                   field(0x0C, "total_size", &Header::total_size, FieldStatus::kLayoutConfirmed)
                       .derived("it is the length of the file"));

inline constexpr auto kEntryRecord = record<Entry>(
    "entry", 64,
    field(0x00, "type_id", &Entry::type_id, FieldStatus::kLayoutConfirmed)
        .shown_as(Display::kTag)
        .noted("four characters, or a small number that selects a stream"),
    field(0x04, "attr1", &Entry::attr1, FieldStatus::kConsumerInferred).noted("its meaning depends on the type"),
    field(0x08, "attr2", &Entry::attr2, FieldStatus::kConsumerInferred).noted("its meaning depends on the type"),
    field(0x0C, "size", &Entry::size, FieldStatus::kLayoutConfirmed)
        .derived("it is the length of the payload; use --replace"),
    field(0x10, "attr3", &Entry::attr3, FieldStatus::kConsumerInferred).noted("its meaning depends on the type"),
    field(0x14, "name", &Entry::name, FieldStatus::kLayoutConfirmed).noted("bytes after the NUL are kept"),
    field(0x38, "data_offset", &Entry::data_offset, FieldStatus::kLayoutConfirmed)
        .following_layout("it follows from the layout of the payloads"),
    field(0x3C, "sort_index", &Entry::sort_index, FieldStatus::kLayoutConfirmed)
        .following_layout("it follows from the names")
        .noted("the row at this position of the sorted order"));

// A read-only NRes archive.
//
// Payloads are views into the bytes it was parsed from. An entry whose range or name is refused keeps its row and has
// an error; the others are not affected.
class Archive final : public Document, public Container {
 public:
  // Parses with the checks of docs/formats/nres.md in their order. Errors of the whole archive are returned; errors of
  // single entries, strict findings and notes go to `findings`. Cost: O(n log n) for n entries; payload bytes are not
  // read, only those that no entry claims. Allocates O(n), after the count is known to fit the input.
  [[nodiscard]] static Result<Archive> parse(Bytes image, const ParseContext& context, Findings& findings);

  // The bytes that were parsed.
  [[nodiscard]] Bytes image() const { return image_; }
  [[nodiscard]] const Header& header() const { return header_; }
  [[nodiscard]] std::span<const Entry> entries() const { return entries_; }
  [[nodiscard]] std::span<const Region> regions() const { return regions_; }
  [[nodiscard]] std::uint64_t directory_offset() const;
  // The error of an entry, or null.
  [[nodiscard]] const Diagnostic* entry_error(std::size_t index) const { return errors_.find(index); }
  [[nodiscard]] const EntryErrors& entry_errors() const { return errors_; }
  // The stored bytes of an entry; empty when it has an error.
  [[nodiscard]] Bytes payload(std::size_t index) const;
  // Whether two non-empty payloads share bytes.
  [[nodiscard]] bool has_overlap() const { return has_overlap_; }

  [[nodiscard]] Buffer write() const override;
  [[nodiscard]] Result<Buffer> canonical() const override;
  [[nodiscard]] ByteMap account() const override;
  [[nodiscard]] std::vector<DocumentFact> facts() const override;
  [[nodiscard]] const Container* container() const override { return this; }

  [[nodiscard]] std::size_t member_count() const override { return entries_.size(); }
  [[nodiscard]] Member member(std::size_t index) const override;
  [[nodiscard]] Result<Bytes> load(std::size_t index, DecodeScratch& scratch, Findings& findings) const override;
  [[nodiscard]] std::optional<std::size_t> find(Bytes query) const override;
  [[nodiscard]] std::optional<std::size_t> find_linear(Bytes query) const override;
  [[nodiscard]] bool uses_sort_map() const override { return sort_map_is_sound_; }

 private:
  friend class Parser;
  Archive() = default;

  Bytes image_;
  Header header_;
  std::vector<Entry> entries_;
  EntryErrors errors_;
  std::vector<Region> regions_;
  // Non-empty readable payloads sorted by (start, end), and the entry of each.
  std::vector<ByteRange> active_;
  std::vector<std::size_t> active_entries_;
  bool has_overlap_ = false;
  bool sort_map_is_sound_ = false;
};

// Position i of the result holds the index of the entry that is i-th by name: lower-case folded, unsigned, ties in
// directory order (docs/formats/nres.md, names). Cost: O(n log n).
[[nodiscard]] std::vector<std::uint32_t> sort_map(std::span<const Entry> entries);

// One member for build_canonical(); `payload` must live until it returns.
struct NewEntry {
  Entry row;
  Bytes payload;
};

// Writes the canonical form: payloads in directory order, each padded to 8, then the directory. `size`, `data_offset`
// and `sort_index` of the rows are filled in. Errors: kIntegerOverflow when an offset passes 32 bits.
[[nodiscard]] Result<Buffer> build_canonical(std::span<const NewEntry> entries);

// Appends the directory of `rows` to `writer`, whose first 16 bytes are kept for the header, and fills the header in.
// Sets `sort_index` of the rows when asked to. Requires: the finished file fits 32 bits.
void write_directory(std::span<Entry> rows, bool recompute_sort_map, ByteWriter& writer);

// Opens an editor on an archive that outlives it.
[[nodiscard]] std::unique_ptr<Editor> edit(const Archive& archive);

// The entry of the format catalogue.
[[nodiscard]] const Format& format();

}  // namespace assay::nres
