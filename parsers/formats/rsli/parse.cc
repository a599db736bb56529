#include <algorithm>

#include "parsers/codecs/xor_stream/xor_stream.h"
#include "parsers/formats/rsli/rsli.h"
#include "parsers/formats/sort_map.h"

namespace assay::rsli {
namespace {

// docs/formats/decisions.md, 9.
constexpr std::string_view kEofRuleFile = "sprites.lib";
constexpr std::string_view kEofRuleEntry = "INTERF8.TEX";

// Compares the names of two rows (docs/formats/rsli.md, B5).
auto by_name(std::span<const Entry> entries) {
  return [entries](std::size_t left, std::size_t right) {
    return compare_bytes(entries[left].name.text(), entries[right].name.text());
  };
}

}  // namespace

// Runs the checks in the order of docs/formats/rsli.md and fills in the archive.
class Parser {
 public:
  Parser(Bytes image, const ParseContext& context, Findings& findings) : context_(context), findings_(findings) {
    archive_.image_ = image;
    archive_.origin_ = context.origin;
    archive_.confirm_deflate_ = context.confirm_deflate;
  }

  Result<Archive> run() {
    ASSAY_TRY(check_header());
    ASSAY_TRY(read_trailer());
    ASSAY_TRY(read_rows());
    choose_map();
    note_header_copies();
    find_unclaimed();
    return std::move(archive_);
  }

 private:
  Diagnostic at(Code code, const FieldPlace& place, Datum expected, Datum got) const {
    return {code, context_.origin.at(place.offset), place.path, expected, got, place.offset};
  }

  template <typename Member>
  Diagnostic at_header(Code code, Member Header::* member, Datum expected, Datum got) const {
    return at(code, kHeaderRecord.place(member, 0, kHeaderRecord.name), expected, got);
  }

  template <typename Member>
  Diagnostic at_row(Code code, std::size_t index, Member Entry::* member, Datum expected, Datum got) const {
    const std::uint64_t row_offset = kHeaderRecord.size_bytes + index * kEntryRecord.size_bytes;
    return at(code, kEntryRecord.place(member, row_offset, FieldPath("entry", index)), expected, got);
  }

  Result<void> check_header() {
    const Bytes image = archive_.image_;
    const FieldPlace whole{0, "file"};
    if (image.size() > context_.limits.input_bytes) {
      return fail(
          at(Code::kLimitExceeded, whole, Datum::at_most(context_.limits.input_bytes), Datum::number(image.size())));
    }
    if (image.size() < kHeaderRecord.size_bytes) {
      return fail(
          at(Code::kInputTooShort, whole, Datum::at_least(kHeaderRecord.size_bytes), Datum::number(image.size())));
    }
    archive_.header_ = kHeaderRecord.read(image);
    const Header& header = archive_.header_;
    if (header.magic.raw != kMagic) {
      return fail(at_header(Code::kInvalidMagic, &Header::magic, Datum::words("'NL'"),
                            Datum::hex(load_little_endian<std::uint16_t>(header.magic.raw))));
    }
    if (header.reserved != 0) {
      return fail(
          at_header(Code::kInvalidReserved, &Header::reserved, Datum::number(0), Datum::number(header.reserved)));
    }
    if (header.version != kVersion) {
      return fail(at_header(Code::kUnsupportedVersion, &Header::version, Datum::number(kVersion),
                            Datum::number(header.version)));
    }
    if (header.entry_count < 0) {
      return fail(at_header(Code::kInvalidEntryCount, &Header::entry_count, Datum::at_least(0),
                            Datum::signed_number(header.entry_count)));
    }
    const auto count = static_cast<std::uint64_t>(header.entry_count);
    if (count > context_.limits.entry_count) {
      return fail(at_header(Code::kLimitExceeded, &Header::entry_count, Datum::at_most(context_.limits.entry_count),
                            Datum::number(count)));
    }
    if (archive_.table_end() > image.size()) {
      const std::uint64_t room = (image.size() - kHeaderRecord.size_bytes) / kEntryRecord.size_bytes;
      return fail(
          at_header(Code::kEntryTableOutOfBounds, &Header::entry_count, Datum::at_most(room), Datum::number(count)));
    }
    return {};
  }

  // The overlay is part of the format (docs/formats/decisions.md, 8); the trailer never reaches into the table.
  Result<void> read_trailer() {
    const Bytes image = archive_.image_;
    if (!context_.apply_overlay || image.size() - archive_.table_end() < kTrailerRecord.size_bytes) {
      return {};
    }
    const std::uint64_t start = image.size() - kTrailerRecord.size_bytes;
    const Bytes raw = image.subspan(static_cast<std::size_t>(start));
    const Trailer trailer = kTrailerRecord.read(raw);
    if (trailer.magic.raw != kTrailerMagic) {
      return {};
    }
    if (trailer.overlay > image.size()) {
      return fail(at(Code::kMediaOverlayOutOfBounds,
                     kTrailerRecord.place(&Trailer::overlay, start, kTrailerRecord.name), Datum::at_most(image.size()),
                     Datum::number(trailer.overlay)));
    }
    archive_.trailer_ = trailer;
    std::copy(raw.begin(), raw.end(), archive_.trailer_bytes_.begin());
    return {};
  }

  Result<void> read_rows() {
    const auto count = static_cast<std::size_t>(archive_.header_.entry_count);
    const Bytes stored = archive_.image_.subspan(kHeaderRecord.size_bytes, count * kEntryRecord.size_bytes);
    archive_.table_.resize(stored.size());
    xor_stream::apply(static_cast<std::uint16_t>(archive_.header_.xor_seed & 0xFFFF), stored, archive_.table_);
    archive_.entries_.reserve(count);
    archive_.ranges_.resize(count);
    std::uint64_t unpacked_total = 0;
    std::uint64_t packed_total = 0;
    for (std::size_t index = 0; index < count; ++index) {
      archive_.entries_.push_back(kEntryRecord.read(Bytes(archive_.table_).subspan(index * kEntryRecord.size_bytes)));
      check_row(index, archive_.entries_.back());
      if (archive_.entry_error(index) == nullptr) {
        unpacked_total += archive_.entries_.back().unpacked_size;
        packed_total += archive_.entries_.back().packed_size;
        ASSAY_TRY(check_total(index, &Entry::unpacked_size, unpacked_total));
        ASSAY_TRY(check_total(index, &Entry::packed_size, packed_total));
      }
    }
    return {};
  }

  // Ranges may overlap, so a small file can ask for much: rows that share a payload give it once each, and a key
  // transform or a stream of empty Deflate blocks takes work for every packed byte although nothing comes out.
  Result<void> check_total(std::size_t index, std::uint32_t Entry::* size, std::uint64_t total) const {
    const std::uint64_t most = context_.limits.unpacked_total_bytes;
    if (total > most) {
      return fail(at_row(Code::kLimitExceeded, index, size, Datum::at_most(most), Datum::number(total)));
    }
    return {};
  }

  void refuse_row(std::size_t index, const Diagnostic& error) {
    archive_.errors_.add(index, error);
    findings_.error(error, static_cast<std::int64_t>(index));
  }

  void check_row(std::size_t index, const Entry& entry) {
    if (entry.name.text().empty()) {
      findings_.note(at_row(Code::kEmptyName, index, &Entry::name, {}, {}), static_cast<std::int64_t>(index));
    }
    if (entry.packed_size > context_.limits.packed_bytes) {
      return refuse_row(index, at_row(Code::kLimitExceeded, index, &Entry::packed_size,
                                      Datum::at_most(context_.limits.packed_bytes), Datum::number(entry.packed_size)));
    }
    if (entry.unpacked_size > context_.limits.unpacked_bytes) {
      return refuse_row(index,
                        at_row(Code::kLimitExceeded, index, &Entry::unpacked_size,
                               Datum::at_most(context_.limits.unpacked_bytes), Datum::number(entry.unpacked_size)));
    }
    check_range(index, entry);
    if (archive_.ranges_[index]) {
      check_packing(index, entry);
    }
  }

  void check_range(std::size_t index, const Entry& entry) {
    const std::uint64_t file_size = archive_.image_.size();
    const std::uint64_t start = std::uint64_t{entry.data_offset_raw} + archive_.overlay();
    const std::uint64_t end = start + entry.packed_size;
    if (start > file_size) {
      const std::uint64_t most = file_size - archive_.overlay();
      return refuse_row(index, at_row(Code::kPackedSizePastEof, index, &Entry::data_offset_raw, Datum::at_most(most),
                                      Datum::number(entry.data_offset_raw)));
    }
    if (end <= file_size) {
      archive_.ranges_[index] = PackedRange{start, entry.packed_size};
      if (start < archive_.table_end() && entry.packed_size != 0) {
        findings_.note(at_row(Code::kPayloadInsideTable, index, &Entry::data_offset_raw,
                              Datum::at_least(archive_.table_end()), Datum::number(start)),
                       static_cast<std::int64_t>(index));
      }
      return;
    }
    const Diagnostic overrun = at_row(Code::kPackedSizePastEof, index, &Entry::packed_size,
                                      Datum::at_most(file_size - start), Datum::number(entry.packed_size));
    if (!eof_rule_covers(index, entry, end)) {
      return refuse_row(index, overrun);
    }
    const bool applied = context_.rules.enabled(RuleId::kDeflateEofPlusOne);
    findings_.covered(overrun, RuleId::kDeflateEofPlusOne, applied, Severity::kError, static_cast<std::int64_t>(index));
    if (applied) {
      archive_.ranges_[index] = PackedRange{start, entry.packed_size - 1};
    } else {
      archive_.errors_.add(index, overrun);
    }
  }

  // Every condition of rule deflate_eof_plus_one, and nothing else.
  bool eof_rule_covers(std::size_t index, const Entry& entry, std::uint64_t end) const {
    return end == archive_.image_.size() + 1 && index + 1 == static_cast<std::size_t>(archive_.header_.entry_count) &&
           method_of(entry.flags) == Method::kDeflate && as_text(entry.name.text()) == kEofRuleEntry &&
           equal_folded(context_.hints.file_name(), as_bytes(kEofRuleFile));
  }

  void check_packing(std::size_t index, const Entry& entry) {
    const auto method = method_of(entry.flags);
    if (!method) {
      return refuse_row(index, at_row(Code::kUnsupportedMethod, index, &Entry::flags, Datum::words("a known method"),
                                      Datum::hex(entry.flags & kMethodMask)));
    }
    const std::uint64_t available = archive_.ranges_[index]->available_bytes;
    if (!is_compressed(*method) && entry.packed_size != entry.unpacked_size) {
      return refuse_row(index, at_row(Code::kStoredSizeMismatch, index, &Entry::packed_size,
                                      Datum::number(entry.unpacked_size), Datum::number(entry.packed_size)));
    }
    // No stream of that length can give so much: refused before anything is allocated for it.
    const std::uint64_t most = max_decoded_bytes(*method, available);
    if (entry.unpacked_size > most) {
      const Code code = *method == Method::kDeflate ? Code::kOutputSizeMismatch : Code::kTruncatedStream;
      return refuse_row(
          index, at_row(code, index, &Entry::unpacked_size, Datum::at_most(most), Datum::number(entry.unpacked_size)));
    }
  }

  // The map that lookup uses and the keys of the rows (docs/formats/decisions.md, 11).
  void choose_map() {
    const std::span<const Entry> entries = archive_.entries_;
    if (!archive_.is_presorted()) {
      archive_.map_ = sort_map(entries);
      archive_.keys_ = archive_.map_;
      return;
    }
    archive_.keys_.reserve(entries.size());
    for (const Entry& entry : entries) {
      archive_.keys_.push_back(static_cast<std::uint16_t>(entry.sort_to_original));
    }
    if (const auto violation = stored_map_violation()) {
      const bool applied = context_.rules.enabled(RuleId::kInvalidPresortedFallback);
      findings_.covered(*violation, RuleId::kInvalidPresortedFallback, applied, Severity::kStrict);
    } else {
      archive_.map_ = archive_.keys_;
    }
  }

  std::optional<Diagnostic> stored_map_violation() const {
    const std::span<const Entry> entries = archive_.entries_;
    const auto violation = find_violation(
        entries.size(), [&](std::size_t position) { return std::int64_t{entries[position].sort_to_original}; },
        by_name(entries));
    if (!violation) {
      return std::nullopt;
    }
    return at_row(violation->code, violation->position, &Entry::sort_to_original, violation->expected,
                  Datum::signed_number(entries[violation->position].sort_to_original));
  }

  // Fields that repeat a fact on the shipped files; diagnosed, never refused (docs/formats/rsli.md, header).
  void note_header_copies() {
    const Header& header = archive_.header_;
    if (header.entry_count_copy != static_cast<std::uint16_t>(header.entry_count)) {
      findings_.note(at_header(Code::kHeaderCopyMismatch, &Header::entry_count_copy,
                               Datum::signed_number(header.entry_count), Datum::number(header.entry_count_copy)));
    }
    std::uint64_t total = 0;
    for (const Entry& entry : archive_.entries_) {
      total += entry.unpacked_size;
    }
    if (header.unpacked_total != total) {
      findings_.note(at_header(Code::kHeaderCopyMismatch, &Header::unpacked_total, Datum::number(total),
                               Datum::number(header.unpacked_total)));
    }
  }

  void find_unclaimed() {
    std::vector<ByteRange> active;
    for (const auto& [range, row] : archive_.data_ranges()) {
      active.push_back(range);
    }
    // Payloads are not aligned in this format, so no run is padding.
    archive_.regions_ =
        find_regions(archive_.image_, {archive_.table_end(), archive_.data_end()}, active, /*alignment=*/1);
    for (std::size_t index = 0; index < archive_.regions_.size(); ++index) {
      const Region& region = archive_.regions_[index];
      if (!region.is_zero) {
        findings_.note(
            at(Code::kNonZeroGap, {region.offset, FieldPath("region", index)}, {}, Datum::number(region.size)));
      }
    }
  }

  const ParseContext& context_;
  Findings& findings_;
  Archive archive_;
};

Result<Archive> Archive::parse(Bytes image, const ParseContext& context, Findings& findings) {
  return Parser(image, context, findings).run();
}

std::vector<std::uint16_t> sort_map(std::span<const Entry> entries) {
  return make_sort_map<std::uint16_t>(entries.size(), by_name(entries));
}

}  // namespace assay::rsli
