#pragma once

#include <optional>
#include <span>
#include <vector>

#include "parsers/base/byte_writer.h"
#include "parsers/base/record.h"
#include "parsers/formats/entry_errors.h"
#include "parsers/formats/format.h"
#include "parsers/formats/regions.h"
#include "parsers/formats/rsli/method.h"

// RsLi archives: header, transformed entry table, packed payloads anywhere behind, optional AO trailer
// (docs/formats/rsli.md).
namespace assay::rsli {

inline constexpr std::array<std::uint8_t, 2> kMagic{'N', 'L'};
inline constexpr std::uint8_t kVersion = 1;
inline constexpr std::uint16_t kPresorted = 0xABBA;
inline constexpr std::array<std::uint8_t, 2> kTrailerMagic{'A', 'O'};
inline constexpr std::size_t kMaxNameBytes = 12;
inline constexpr std::size_t kMaxEntryCount = 32'767;

struct Header {
  FixedString<2> magic{kMagic};
  std::uint8_t reserved = 0;
  std::uint8_t version = kVersion;
  std::int16_t entry_count = 0;
  std::uint16_t entry_count_copy = 0;
  std::array<std::uint8_t, 6> opaque08{};
  std::uint16_t presorted_flag = kPresorted;
  std::uint32_t unpacked_total = 0;
  std::uint32_t xor_seed = 0;
  std::array<std::uint8_t, 8> opaque18{};
};

struct Entry {
  FixedString<kMaxNameBytes> name{};
  std::array<std::uint8_t, 4> service{};
  std::uint16_t flags = 0;
  std::int16_t sort_to_original = 0;
  std::uint32_t unpacked_size = 0;
  std::uint32_t data_offset_raw = 0;
  std::uint32_t packed_size = 0;
};

struct Trailer {
  FixedString<2> magic{kTrailerMagic};
  std::uint32_t overlay = 0;
};

inline constexpr auto kHeaderRecord = record<Header>(
    "header", 32, field(0x00, "magic", &Header::magic, FieldStatus::kLayoutConfirmed).derived("it marks the format"),
    field(0x02, "reserved", &Header::reserved, FieldStatus::kLayoutConfirmed).derived("readers refuse anything but 0"),
    field(0x03, "version", &Header::version, FieldStatus::kLayoutConfirmed).derived("only one version is known"),
    field(0x04, "entry_count", &Header::entry_count, FieldStatus::kLayoutConfirmed)
        .derived("it counts the entries; use --add and --remove"),
    field(0x06, "entry_count_copy", &Header::entry_count_copy, FieldStatus::kConsumerInferred)
        .noted("equal to entry_count on both shipped files"),
    field(0x08, "opaque08", &Header::opaque08, FieldStatus::kOpaque),
    field(0x0E, "presorted_flag", &Header::presorted_flag, FieldStatus::kLayoutConfirmed)
        .shown_as(Display::kHex)
        .noted("0xabba: the stored map is used, else it is rebuilt by name"),
    field(0x10, "unpacked_total", &Header::unpacked_total, FieldStatus::kConsumerInferred)
        .noted("the sum of all unpacked sizes on both shipped files"),
    field(0x14, "xor_seed", &Header::xor_seed, FieldStatus::kLayoutConfirmed)
        .noted("its low 16 bits are the key of the entry table"),
    field(0x18, "opaque18", &Header::opaque18, FieldStatus::kOpaque));

inline constexpr auto kEntryRecord = record<Entry>(
    "entry", 32, field(0x00, "name", &Entry::name, FieldStatus::kLayoutConfirmed).noted("may fill all 12 bytes"),
    field(0x0C, "service", &Entry::service, FieldStatus::kOpaque),
    field(0x10, "flags", &Entry::flags, FieldStatus::kLayoutConfirmed)
        .shown_as(Display::kHex)
        .noted("bits 0x1e0 are the method, the others opaque"),
    field(0x12, "sort_to_original", &Entry::sort_to_original, FieldStatus::kLayoutConfirmed)
        .following_layout("it follows from the names")
        .noted("the row at this position of the sorted order; also the XOR key of this row"),
    field(0x14, "unpacked_size", &Entry::unpacked_size, FieldStatus::kLayoutConfirmed)
        .derived("it is the length of the payload; use --replace"),
    field(0x18, "data_offset_raw", &Entry::data_offset_raw, FieldStatus::kLayoutConfirmed)
        .following_layout("it follows from the layout of the payloads")
        .noted("before the AO overlay is added"),
    field(0x1C, "packed_size", &Entry::packed_size, FieldStatus::kLayoutConfirmed)
        .derived("it is the length of the packed payload; use --replace"));

inline constexpr auto kTrailerRecord = record<Trailer>(
    "trailer", 6, field(0x00, "magic", &Trailer::magic, FieldStatus::kLayoutConfirmed).derived("it marks the trailer"),
    field(0x02, "overlay", &Trailer::overlay, FieldStatus::kLayoutConfirmed)
        .derived("every payload offset is relative to it; repack folds it to 0"));

// Position i of the result holds the row that is i-th by name: unsigned bytes, no folding, ties in row order
// (docs/formats/rsli.md, map). Cost: O(n log n).
[[nodiscard]] std::vector<std::uint16_t> sort_map(std::span<const Entry> entries);

// The packed bytes of one row: where they are, and how many of the declared ones exist.
struct PackedRange {
  // Behind the overlay, local to the archive.
  std::uint64_t offset = 0;
  std::uint64_t available_bytes = 0;
};

// A read-only RsLi archive.
//
// Stored payloads are views into the bytes it was parsed from. A row that is refused keeps its place and has an error;
// the others are not affected. Packed ranges may overlap.
class Archive final : public Document, public Container {
 public:
  // Parses with the checks of docs/formats/rsli.md in their order. Errors of the whole archive are returned; errors of
  // single rows, strict findings and notes go to `findings`. Cost: O(n log n) for n rows; payloads are not decoded.
  // Allocates O(n), after the count is known to fit the input.
  [[nodiscard]] static Result<Archive> parse(Bytes image, const ParseContext& context, Findings& findings);

  [[nodiscard]] Bytes image() const { return image_; }
  [[nodiscard]] const Header& header() const { return header_; }
  [[nodiscard]] std::span<const Entry> entries() const { return entries_; }
  [[nodiscard]] std::span<const Region> regions() const { return regions_; }
  [[nodiscard]] const std::optional<Trailer>& trailer() const { return trailer_; }
  [[nodiscard]] std::uint32_t overlay() const { return trailer_ ? trailer_->overlay : 0; }
  // The end of the entry table, and the end of the data: the trailer or the end of the file.
  [[nodiscard]] std::uint64_t table_end() const;
  [[nodiscard]] std::uint64_t data_end() const;
  // The error of a row, or null.
  [[nodiscard]] const Diagnostic* entry_error(std::size_t index) const { return errors_.find(index); }
  [[nodiscard]] const EntryErrors& entry_errors() const { return errors_; }
  // Where the packed bytes are; nothing when the row's range is refused.
  [[nodiscard]] const std::optional<PackedRange>& packed_range(std::size_t index) const { return ranges_[index]; }
  // The packed bytes that exist, as stored. Empty when the row's range is refused.
  [[nodiscard]] Bytes packed(std::size_t index) const;
  // Whether rule deflate_eof_plus_one reads the row, which then declares one packed byte that does not exist.
  [[nodiscard]] bool is_cut_by_rule(std::size_t index) const;
  // Whether such a row decodes only because the rule excuses the missing byte: its stream does not reach its end. Cost:
  // decodes the row, which must be readable.
  [[nodiscard]] bool lacks_end(std::size_t index) const;
  // The key of a row's payload transform (docs/formats/rsli.md, keys).
  [[nodiscard]] std::uint16_t key(std::size_t index) const { return keys_[index]; }
  // The payload ranges cut to the data region, non-empty, sorted, with the row of each.
  [[nodiscard]] std::vector<std::pair<ByteRange, std::size_t>> data_ranges() const;
  // Whether the stored map is the one in use.
  [[nodiscard]] bool is_presorted() const { return header_.presorted_flag == kPresorted; }

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
  [[nodiscard]] bool uses_sort_map() const override { return !map_.empty() || entries_.empty(); }

 private:
  friend class Parser;
  Archive() = default;

  [[nodiscard]] Diagnostic payload_diagnostic(std::size_t index, const Diagnostic& cause) const;

  Bytes image_;
  Origin origin_;
  bool confirm_deflate_ = true;
  Header header_;
  // The entry table after the transform.
  Buffer table_;
  std::vector<Entry> entries_;
  EntryErrors errors_;
  std::vector<std::optional<PackedRange>> ranges_;
  std::vector<std::uint16_t> keys_;
  // Sorted position to row; empty where lookup is linear.
  std::vector<std::uint16_t> map_;
  std::vector<Region> regions_;
  std::optional<Trailer> trailer_;
  std::array<std::uint8_t, kTrailerRecord.size_bytes> trailer_bytes_{};
};

// One row for build(). `packed` must live until it returns.
struct PackedEntry {
  Entry row;
  Bytes packed;
  // The key that `packed` is transformed with; 0 where it is not, since that key changes nothing.
  std::uint16_t key = 0;
  // Packed bytes that the row declares and that do not exist (rule deflate_eof_plus_one).
  std::uint32_t missing_bytes = 0;
};

// Writes rows in order with their packed bytes one after another behind the table, without trailer. Map, keys, offsets,
// packed sizes and the entry count are filled in; everything else of `header` and the rows is kept. Errors:
// kInvalidEntryCount, kIntegerOverflow. Where the last bytes would read as an AO trailer, one without effect follows
// them.
[[nodiscard]] Result<Buffer> build(const Header& header, std::span<const PackedEntry> entries);

// The packed bytes of a row before the key transform: a view of the archive where the method has none, else of
// `holder`, which is filled. Requires: the row has a range and a known method.
[[nodiscard]] Bytes packed_before_transform(const Archive& archive, std::size_t index, Buffer& holder);

// Appends header and transformed table to `writer`, which must be empty. Requires: at most kMaxEntryCount rows.
void write_table(const Header& header, std::span<const Entry> rows, ByteWriter& writer);

// Appends a trailer with overlay 0 where the last six bytes behind the table would read as a trailer: as part of a
// payload they are no overlay, and a reader cannot tell (docs/formats/decisions.md, 8). Such a trailer shifts nothing.
void shield_last_bytes(std::uint64_t table_end, Buffer& image);

// Opens an editor on an archive that outlives it.
[[nodiscard]] std::unique_ptr<Editor> edit(const Archive& archive);

// The entry of the format catalogue.
[[nodiscard]] const Format& format();

}  // namespace assay::rsli
