#include "synth/damage.h"

#include <array>
#include <utility>

#include "parsers/codecs/xor_stream/xor_stream.h"
#include "parsers/formats/nres/nres.h"
#include "parsers/formats/rsli/rsli.h"

namespace assay::synth {
namespace {

// Changes the header of an NRes archive by its record.
template <typename Change>
void change_nres_header(Buffer& archive, Change change) {
  nres::Header header = nres::kHeaderRecord.read(archive);
  change(header);
  nres::kHeaderRecord.write(header, archive);
}

// Changes the first two rows of the directory.
template <typename Change>
void change_nres_rows(Buffer& archive, Change change) {
  const nres::Header header = nres::kHeaderRecord.read(archive);
  const std::size_t directory_bytes = static_cast<std::size_t>(header.entry_count) * nres::kEntryRecord.size_bytes;
  const MutableBytes directory = MutableBytes(archive).last(directory_bytes);
  const MutableBytes second_bytes = directory.subspan(nres::kEntryRecord.size_bytes);
  nres::Entry first = nres::kEntryRecord.read(directory);
  nres::Entry second = nres::kEntryRecord.read(second_bytes);
  change(first, second);
  nres::kEntryRecord.write(first, directory);
  nres::kEntryRecord.write(second, second_bytes);
}

template <typename Change>
void change_rsli_header(Buffer& archive, Change change) {
  rsli::Header header = rsli::kHeaderRecord.read(archive);
  change(header);
  rsli::kHeaderRecord.write(header, archive);
}

// Changes the first two rows of the table, which is decoded and encoded again.
template <typename Change>
void change_rsli_rows(Buffer& archive, Change change) {
  const rsli::Header header = rsli::kHeaderRecord.read(archive);
  const auto key = static_cast<std::uint16_t>(header.xor_seed & 0xFFFF);
  const MutableBytes table =
      MutableBytes(archive).subspan(rsli::kHeaderRecord.size_bytes, std::size_t{2} * rsli::kEntryRecord.size_bytes);
  const MutableBytes second_bytes = table.subspan(rsli::kEntryRecord.size_bytes);
  xor_stream::apply(key, table, table);
  rsli::Entry first = rsli::kEntryRecord.read(table);
  rsli::Entry second = rsli::kEntryRecord.read(second_bytes);
  change(first, second);
  rsli::kEntryRecord.write(first, table);
  rsli::kEntryRecord.write(second, second_bytes);
  xor_stream::apply(key, table, table);
}

void set_nres_count(Buffer& archive, std::int32_t count) {
  change_nres_header(archive, [&](nres::Header& header) { header.entry_count = count; });
}

constexpr std::array kNresDamages{
    Damage{"input_too_short", Severity::kError, Code::kInputTooShort, true, [](Buffer& a) { a.resize(15); }},
    Damage{"magic", Severity::kError, Code::kInvalidMagic, true, [](Buffer& a) { a[0] ^= 0x20; }},
    Damage{"version", Severity::kError, Code::kUnsupportedVersion, true, [](Buffer& a) { a[4] ^= 1; }},
    Damage{"negative_count", Severity::kError, Code::kInvalidEntryCount, true,
           [](Buffer& a) { set_nres_count(a, -1); }},
    Damage{"huge_count", Severity::kError, Code::kLimitExceeded, true,
           [](Buffer& a) { set_nres_count(a, 0x0400'0001); }},
    Damage{"count_past_file", Severity::kError, Code::kDirectoryOutOfBounds, true,
           [](Buffer& a) { set_nres_count(a, 0xF'0000); }},
    Damage{"total_size", Severity::kError, Code::kTotalSizeMismatch, true,
           [](Buffer& a) { change_nres_header(a, [](nres::Header& header) { ++header.total_size; }); }},
    Damage{"last_byte_lost", Severity::kError, Code::kTotalSizeMismatch, true, [](Buffer& a) { a.pop_back(); }},
    Damage{"name_without_nul", Severity::kError, Code::kMissingNameTerminator, false,
           [](Buffer& a) { change_nres_rows(a, [](nres::Entry& row, nres::Entry&) { row.name.raw.fill('n'); }); }},
    Damage{"offset_in_header", Severity::kError, Code::kEntryDataOutOfBounds, false,
           [](Buffer& a) { change_nres_rows(a, [](nres::Entry& row, nres::Entry&) { row.data_offset = 15; }); }},
    Damage{"offset_overflow", Severity::kError, Code::kIntegerOverflow, false,
           [](Buffer& a) {
             change_nres_rows(a, [](nres::Entry& row, nres::Entry&) {
               row.data_offset = 0xFFFF'FFFF;
               row.size = 2;
             });
           }},
    Damage{"size_past_directory", Severity::kError, Code::kEntryDataOutOfBounds, false,
           [](Buffer& a) { change_nres_rows(a, [](nres::Entry& row, nres::Entry&) { row.size = 0x7FFF'FFFF; }); }},
    Damage{"misaligned", Severity::kStrict, Code::kMisalignedPayload, false,
           [](Buffer& a) {
             change_nres_rows(a, [](nres::Entry& row, nres::Entry&) {
               ++row.data_offset;
               --row.size;
             });
           }},
    Damage{"overlap", Severity::kStrict, Code::kEntryDataOverlap, false,
           [](Buffer& a) {
             change_nres_rows(a, [](nres::Entry& row, nres::Entry& next) { next.data_offset = row.data_offset; });
           }},
    Damage{
        "sort_index_out_of_range", Severity::kStrict, Code::kSortIndexOutOfRange, false,
        [](Buffer& a) { change_nres_rows(a, [](nres::Entry& row, nres::Entry&) { row.sort_index = 0xFFFF'FFFF; }); }},
    Damage{"sort_index_twice", Severity::kStrict, Code::kSortIndexDuplicate, false,
           [](Buffer& a) {
             change_nres_rows(a, [](nres::Entry& row, nres::Entry& next) { next.sort_index = row.sort_index; });
           }},
    Damage{"sort_order", Severity::kStrict, Code::kSortOrderMismatch, false,
           [](Buffer& a) {
             change_nres_rows(a,
                              [](nres::Entry& row, nres::Entry& next) { std::swap(row.sort_index, next.sort_index); });
           }},
};

constexpr std::array kRsliDamages{
    Damage{"input_too_short", Severity::kError, Code::kInputTooShort, true, [](Buffer& a) { a.resize(31); }},
    Damage{"magic", Severity::kError, Code::kInvalidMagic, true, [](Buffer& a) { a[1] ^= 0x20; }},
    Damage{"reserved", Severity::kError, Code::kInvalidReserved, true, [](Buffer& a) { a[2] = 1; }},
    Damage{"version", Severity::kError, Code::kUnsupportedVersion, true, [](Buffer& a) { a[3] = 2; }},
    Damage{"negative_count", Severity::kError, Code::kInvalidEntryCount, true,
           [](Buffer& a) { change_rsli_header(a, [](rsli::Header& header) { header.entry_count = -1; }); }},
    Damage{"table_past_file", Severity::kError, Code::kEntryTableOutOfBounds, true,
           [](Buffer& a) { change_rsli_header(a, [](rsli::Header& header) { header.entry_count = 0x7FFF; }); }},
    Damage{"overlay_past_file", Severity::kError, Code::kMediaOverlayOutOfBounds, true,
           [](Buffer& a) {
             constexpr std::array<std::uint8_t, 6> kTrailer{'A', 'O', 0xFF, 0xFF, 0xFF, 0x7F};
             a.insert(a.end(), kTrailer.begin(), kTrailer.end());
           }},
    Damage{"offset_past_file", Severity::kError, Code::kPackedSizePastEof, false,
           [](Buffer& a) {
             change_rsli_rows(a, [](rsli::Entry& row, rsli::Entry&) { row.data_offset_raw = 0xFFFF'FFFF; });
           }},
    Damage{
        "size_past_file", Severity::kError, Code::kPackedSizePastEof, false,
        [](Buffer& a) { change_rsli_rows(a, [](rsli::Entry& row, rsli::Entry&) { row.packed_size = 0x03FF'FFFF; }); }},
    Damage{
        "packed_over_limit", Severity::kError, Code::kLimitExceeded, false,
        [](Buffer& a) { change_rsli_rows(a, [](rsli::Entry& row, rsli::Entry&) { row.packed_size = 0x8000'0000; }); }},
    Damage{"unpacked_over_limit", Severity::kError, Code::kLimitExceeded, false,
           [](Buffer& a) {
             change_rsli_rows(a, [](rsli::Entry& row, rsli::Entry&) { row.unpacked_size = 0x7FFF'FFFF; });
           }},
    Damage{"unknown_method", Severity::kError, Code::kUnsupportedMethod, false,
           [](Buffer& a) { change_rsli_rows(a, [](rsli::Entry& row, rsli::Entry&) { row.flags = 0x1E0; }); }},
    Damage{"map_out_of_range", Severity::kStrict, Code::kSortIndexOutOfRange, false,
           [](Buffer& a) { change_rsli_rows(a, [](rsli::Entry& row, rsli::Entry&) { row.sort_to_original = -1; }); }},
    Damage{"map_twice", Severity::kStrict, Code::kSortIndexDuplicate, false,
           [](Buffer& a) {
             change_rsli_rows(
                 a, [](rsli::Entry& row, rsli::Entry& next) { next.sort_to_original = row.sort_to_original; });
           }},
    Damage{"map_order", Severity::kStrict, Code::kSortOrderMismatch, false,
           [](Buffer& a) {
             change_rsli_rows(a, [](rsli::Entry& row, rsli::Entry& next) {
               std::swap(row.sort_to_original, next.sort_to_original);
             });
           }},
};

}  // namespace

std::span<const Damage> nres_damages() {
  return kNresDamages;
}
std::span<const Damage> rsli_damages() {
  return kRsliDamages;
}

}  // namespace assay::synth
