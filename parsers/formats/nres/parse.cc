#include <algorithm>
#include <limits>

#include "parsers/formats/nres/nres.h"
#include "parsers/formats/sort_map.h"

namespace assay::nres {
namespace {

constexpr std::uint64_t kU32Max = std::numeric_limits<std::uint32_t>::max();

FieldPath entry_path(std::size_t index) {
  return {"entry", index};
}

// Compares the names of two rows (docs/formats/nres.md, A4).
auto by_name(std::span<const Entry> entries) {
  return [entries](std::size_t left, std::size_t right) {
    return compare_folded(entries[left].name.text(), entries[right].name.text());
  };
}

}  // namespace

// Runs the checks in the order of docs/formats/nres.md and fills in the archive.
class Parser {
 public:
  Parser(Bytes image, const ParseContext& context, Findings& findings) : context_(context), findings_(findings) {
    archive_.image_ = image;
  }

  Result<Archive> run() {
    ASSAY_TRY(check_header());
    ASSAY_TRY(read_directory());
    find_active_ranges();
    check_overlap();
    check_sort_map();
    archive_.regions_ = find_regions(archive_.image_, {kHeaderRecord.size_bytes, archive_.directory_offset()},
                                     archive_.active_, kAlignment);
    ASSAY_TRY(check_regions());
    return std::move(archive_);
  }

 private:
  Diagnostic at(Code code, const FieldPlace& place, Datum expected, Datum got) const {
    return {code, context_.origin.at(place.offset), place.path, expected, got, place.offset};
  }

  template <typename Member>
  Failure refuse_header(Code code, Member Header::* member, Datum expected, Datum got) const {
    return fail(at(code, kHeaderRecord.place(member, 0, kHeaderRecord.name), expected, got));
  }

  template <typename Member>
  Diagnostic at_entry(Code code, std::size_t index, Member Entry::* member, Datum expected, Datum got) const {
    const std::uint64_t row_offset = archive_.directory_offset() + index * kEntryRecord.size_bytes;
    return at(code, kEntryRecord.place(member, row_offset, entry_path(index)), expected, got);
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
    if (header.magic != kMagic) {
      return refuse_header(Code::kInvalidMagic, &Header::magic, Datum::bytes4(kMagic), Datum::bytes4(header.magic));
    }
    if (header.version != kVersion) {
      return refuse_header(Code::kUnsupportedVersion, &Header::version, Datum::hex(kVersion),
                           Datum::hex(header.version));
    }
    if (header.entry_count < 0) {
      return refuse_header(Code::kInvalidEntryCount, &Header::entry_count, Datum::at_least(0),
                           Datum::signed_number(header.entry_count));
    }
    const auto count = static_cast<std::uint64_t>(header.entry_count);
    if (count > context_.limits.entry_count) {
      return refuse_header(Code::kLimitExceeded, &Header::entry_count, Datum::at_most(context_.limits.entry_count),
                           Datum::number(count));
    }
    if (header.total_size != image.size()) {
      return refuse_header(Code::kTotalSizeMismatch, &Header::total_size, Datum::number(image.size()),
                           Datum::number(header.total_size));
    }
    const std::uint64_t room = (image.size() - kHeaderRecord.size_bytes) / kEntryRecord.size_bytes;
    if (count > room) {
      return refuse_header(Code::kDirectoryOutOfBounds, &Header::entry_count, Datum::at_most(room),
                           Datum::number(count));
    }
    return {};
  }

  Result<void> read_directory() {
    const auto count = static_cast<std::size_t>(archive_.header_.entry_count);
    archive_.entries_.reserve(count);
    std::uint64_t payload_total = 0;
    for (std::size_t index = 0; index < count; ++index) {
      const std::uint64_t row_offset = archive_.directory_offset() + index * kEntryRecord.size_bytes;
      archive_.entries_.push_back(kEntryRecord.read(archive_.image_.subspan(static_cast<std::size_t>(row_offset))));
      const Entry& entry = archive_.entries_.back();
      if (const auto error = entry_violation(index, entry)) {
        archive_.errors_.add(index, *error);
        findings_.error(*error, static_cast<std::int64_t>(index));
        continue;
      }
      note_entry(index, entry);
      payload_total += entry.size;
      if (payload_total > context_.limits.payload_total_bytes) {
        return fail(at_entry(Code::kLimitExceeded, index, &Entry::size,
                             Datum::at_most(context_.limits.payload_total_bytes), Datum::number(payload_total)));
      }
    }
    return {};
  }

  // The first hard violation of one row, in the documented order.
  std::optional<Diagnostic> entry_violation(std::size_t index, const Entry& entry) const {
    if (!entry.name.has_terminator()) {
      return at_entry(Code::kMissingNameTerminator, index, &Entry::name, Datum::at_most(kMaxNameBytes),
                      Datum::number(kMaxNameBytes + 1));
    }
    const std::uint64_t directory = archive_.directory_offset();
    const std::uint64_t end = std::uint64_t{entry.data_offset} + entry.size;
    const bool starts_outside = entry.data_offset < kHeaderRecord.size_bytes || entry.data_offset > directory;
    if (starts_outside) {
      return at_entry(
          end > kU32Max ? Code::kIntegerOverflow : Code::kEntryDataOutOfBounds, index, &Entry::data_offset,
          entry.data_offset > directory ? Datum::at_most(directory) : Datum::at_least(kHeaderRecord.size_bytes),
          Datum::number(entry.data_offset));
    }
    if (end > directory) {
      return at_entry(end > kU32Max ? Code::kIntegerOverflow : Code::kEntryDataOutOfBounds, index, &Entry::size,
                      Datum::at_most(directory - entry.data_offset), Datum::number(entry.size));
    }
    if (entry.size > context_.limits.payload_bytes) {
      return at_entry(Code::kLimitExceeded, index, &Entry::size, Datum::at_most(context_.limits.payload_bytes),
                      Datum::number(entry.size));
    }
    return std::nullopt;
  }

  void note_entry(std::size_t index, const Entry& entry) {
    const auto entry_index = static_cast<std::int64_t>(index);
    if (entry.name.text().empty()) {
      findings_.note(at_entry(Code::kEmptyName, index, &Entry::name, {}, {}), entry_index);
    }
    if (entry.size != 0 && entry.data_offset % kAlignment != 0) {
      findings_.strict(at_entry(Code::kMisalignedPayload, index, &Entry::data_offset, Datum::multiple_of(kAlignment),
                                Datum::number(entry.data_offset)),
                       entry_index);
    }
  }

  void find_active_ranges() {
    std::vector<std::size_t>& order = archive_.active_entries_;
    for (std::size_t index = 0; index < archive_.entries_.size(); ++index) {
      if (archive_.entries_[index].size != 0 && archive_.entry_error(index) == nullptr) {
        order.push_back(index);
      }
    }
    const auto range_of = [&](std::size_t index) {
      const Entry& entry = archive_.entries_[index];
      return ByteRange{entry.data_offset, std::uint64_t{entry.data_offset} + entry.size};
    };
    std::sort(order.begin(), order.end(), [&](std::size_t left, std::size_t right) {
      return std::pair(range_of(left), left) < std::pair(range_of(right), right);
    });
    archive_.active_.reserve(order.size());
    for (const std::size_t index : order) {
      archive_.active_.push_back(range_of(index));
    }
  }

  void check_overlap() {
    std::uint64_t end = 0;
    for (std::size_t position = 0; position < archive_.active_.size(); ++position) {
      const ByteRange& range = archive_.active_[position];
      if (range.start < end) {
        const std::size_t index = archive_.active_entries_[position];
        archive_.has_overlap_ = true;
        findings_.strict(at_entry(Code::kEntryDataOverlap, index, &Entry::data_offset, Datum::at_least(end),
                                  Datum::number(range.start)),
                         static_cast<std::int64_t>(index));
      }
      end = std::max(end, range.end);
    }
  }

  // The map is used as a whole or not at all, so its first violation is the finding.
  void check_sort_map() {
    const auto violation = sort_map_violation();
    archive_.sort_map_is_sound_ = !violation;
    if (violation) {
      const bool applied = context_.rules.enabled(RuleId::kNresLinearLookup);
      findings_.covered(*violation, RuleId::kNresLinearLookup, applied, Severity::kStrict);
    }
  }

  std::optional<Diagnostic> sort_map_violation() const {
    const std::span<const Entry> entries = archive_.entries_;
    const auto violation = find_violation(
        entries.size(), [&](std::size_t position) { return std::int64_t{entries[position].sort_index}; },
        by_name(entries));
    if (!violation) {
      return std::nullopt;
    }
    return at_entry(violation->code, violation->position, &Entry::sort_index, violation->expected,
                    Datum::number(entries[violation->position].sort_index));
  }

  Result<void> check_regions() {
    std::uint64_t preserved = 0;
    for (std::size_t index = 0; index < archive_.regions_.size(); ++index) {
      const Region& region = archive_.regions_[index];
      const FieldPlace place{region.offset, FieldPath("region", index)};
      preserved += region.kind == ByteKind::kPadding ? 0 : region.size;
      if (preserved > context_.limits.preserved_bytes) {
        return fail(
            at(Code::kLimitExceeded, place, Datum::at_most(context_.limits.preserved_bytes), Datum::number(preserved)));
      }
      if (!region.is_zero) {
        findings_.note(at(Code::kNonZeroGap, place, {}, Datum::number(region.size)));
      }
    }
    return {};
  }

  const ParseContext& context_;
  Findings& findings_;
  Archive archive_;
};

Result<Archive> Archive::parse(Bytes image, const ParseContext& context, Findings& findings) {
  return Parser(image, context, findings).run();
}

std::vector<std::uint32_t> sort_map(std::span<const Entry> entries) {
  return make_sort_map<std::uint32_t>(entries.size(), by_name(entries));
}

}  // namespace assay::nres
