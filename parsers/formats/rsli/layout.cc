#include "parsers/formats/rsli/layout.h"

#include <algorithm>
#include <limits>

#include "parsers/base/byte_writer.h"

namespace assay::rsli {
namespace {

constexpr std::uint64_t kMaxFileBytes = std::numeric_limits<std::uint32_t>::max();

// A run of the old data region that every range covers whole or not at all.
struct Piece {
  ByteRange old_range;
  std::int64_t keepers = 0;
  std::int64_t owners = 0;
  std::uint64_t new_start = 0;

  [[nodiscard]] bool is_dropped() const { return owners > 0 && keepers == 0; }
};

class Layout {
 public:
  Layout(const Archive& archive, const Header& header, std::span<const LayoutRow> rows)
      : archive_(archive), header_(header), rows_(rows), entries_(rows.size()) {
    for (std::size_t index = 0; index < rows.size(); ++index) {
      entries_[index] = rows[index].entry;
    }
  }

  Result<Buffer> run() {
    ASSAY_TRY(check_ranges());
    cut_into_pieces();
    count_owners();
    choose_places();
    header_.entry_count = static_cast<std::int16_t>(rows_.size());
    std::uint64_t cursor = kHeaderRecord.size_bytes + rows_.size() * kEntryRecord.size_bytes;
    ASSAY_TRY(write_pieces(cursor));
    ASSAY_TRY(write_appended(cursor));
    ASSAY_TRY(place_kept_rows());
    ASSAY_TRY(settle_cut_row(cursor));
    return assemble();
  }

 private:
  // The range of an original row inside the data region.
  ByteRange range_of(std::size_t original) const {
    const PackedRange& range = *archive_.packed_range(original);
    return {range.offset, std::min(range.offset + range.available_bytes, archive_.data_end())};
  }

  static Failure not_editable(std::size_t index, const char* why) {
    return fail({.code = Code::kNotEditable, .field = FieldPath("entry", index), .got = Datum::words(why)});
  }

  Result<void> check_ranges() const {
    for (std::size_t index = 0; index < archive_.entries().size(); ++index) {
      const auto& range = archive_.packed_range(index);
      if (!range) {
        return not_editable(index, "a packed range that is refused");
      }
      if (range->available_bytes == 0) {
        continue;
      }
      if (range->offset < archive_.table_end()) {
        return not_editable(index, "a packed range inside the entry table");
      }
      if (range->offset + range->available_bytes > archive_.data_end()) {
        return not_editable(index, "a packed range inside the trailer");
      }
    }
    return {};
  }

  void cut_into_pieces() {
    std::vector<std::uint64_t> cuts{archive_.table_end(), archive_.data_end()};
    for (std::size_t index = 0; index < archive_.entries().size(); ++index) {
      const ByteRange range = range_of(index);
      if (range.start < range.end) {
        cuts.push_back(range.start);
        cuts.push_back(range.end);
      }
    }
    std::sort(cuts.begin(), cuts.end());
    cuts.erase(std::unique(cuts.begin(), cuts.end()), cuts.end());
    for (std::size_t index = 1; index < cuts.size(); ++index) {
      pieces_.push_back({.old_range = {cuts[index - 1], cuts[index]}});
    }
  }

  std::size_t piece_at(std::uint64_t old_offset) const {
    const auto found =
        std::lower_bound(pieces_.begin(), pieces_.end(), old_offset,
                         [](const Piece& piece, std::uint64_t offset) { return piece.old_range.start < offset; });
    return static_cast<std::size_t>(found - pieces_.begin());
  }

  // Adds one owner to the pieces of each range: differences at both ends, then a running sum.
  void count_owners() {
    std::vector<std::int64_t> owners(pieces_.size() + 1);
    std::vector<std::int64_t> keepers(pieces_.size() + 1);
    const auto add = [&](std::vector<std::int64_t>& differences, std::size_t original) {
      const ByteRange range = range_of(original);
      if (range.start < range.end) {
        ++differences[piece_at(range.start)];
        --differences[piece_at(range.end)];
      }
    };
    for (std::size_t original = 0; original < archive_.entries().size(); ++original) {
      add(owners, original);
    }
    for (const LayoutRow& row : rows_) {
      if (row.original != LayoutRow::kNotInOriginal && row.keeps_bytes) {
        add(keepers, row.original);
      }
    }
    std::int64_t owner_count = 0;
    std::int64_t keeper_count = 0;
    for (std::size_t index = 0; index < pieces_.size(); ++index) {
      owner_count += owners[index];
      keeper_count += keepers[index];
      pieces_[index].owners = owner_count;
      pieces_[index].keepers = keeper_count;
    }
  }

  // A changed row goes to the first piece of its old range that nobody needs any more: no kept range reaches across it.
  void choose_places() {
    std::vector<std::size_t> next_dropped(pieces_.size() + 1, pieces_.size());
    for (std::size_t index = pieces_.size(); index-- > 0;) {
      next_dropped[index] = pieces_[index].is_dropped() ? index : next_dropped[index + 1];
    }
    inserts_.resize(pieces_.size() + 1);
    for (std::size_t index = 0; index < rows_.size(); ++index) {
      if (rows_[index].keeps_bytes && rows_[index].original != LayoutRow::kNotInOriginal) {
        continue;
      }
      std::size_t place = pieces_.size();
      if (rows_[index].original != LayoutRow::kNotInOriginal) {
        const ByteRange range = range_of(rows_[index].original);
        if (range.start < range.end) {
          const std::size_t candidate = next_dropped[piece_at(range.start)];
          place = candidate < piece_at(range.end) ? candidate : place;
        }
      }
      inserts_[place].push_back(index);
    }
  }

  Result<void> take_room(std::uint64_t& cursor, std::uint64_t size) const {
    cursor += size;
    const std::uint64_t end = cursor + (archive_.trailer() ? kTrailerRecord.size_bytes : 0);
    if (end > kMaxFileBytes) {
      return fail({.code = Code::kIntegerOverflow,
                   .field = "file",
                   .expected = Datum::at_most(kMaxFileBytes),
                   .got = Datum::number(end)});
    }
    return {};
  }

  Result<std::uint32_t> raw_offset(std::size_t index, std::uint64_t offset) const {
    if (offset < archive_.overlay()) {
      return not_editable(index, "a payload that would start before the overlay");
    }
    return static_cast<std::uint32_t>(offset - archive_.overlay());
  }

  Result<void> write_inserted(std::size_t place, std::uint64_t& cursor) {
    for (const std::size_t index : inserts_[place]) {
      ASSAY_TRY_ASSIGN(entries_[index].data_offset_raw, raw_offset(index, cursor));
      entries_[index].packed_size = static_cast<std::uint32_t>(rows_[index].stored.size());
      ASSAY_TRY(take_room(cursor, rows_[index].stored.size()));
      data_.write_bytes(rows_[index].stored);
    }
    return {};
  }

  Result<void> write_pieces(std::uint64_t& cursor) {
    for (std::size_t index = 0; index < pieces_.size(); ++index) {
      Piece& piece = pieces_[index];
      // New bytes stand for the piece they replace, so a row without bytes that points to its start still does.
      piece.new_start = cursor;
      ASSAY_TRY(write_inserted(index, cursor));
      if (!piece.is_dropped()) {
        const std::uint64_t size = piece.old_range.end - piece.old_range.start;
        ASSAY_TRY(take_room(cursor, size));
        data_.write_bytes(
            archive_.image().subspan(static_cast<std::size_t>(piece.old_range.start), static_cast<std::size_t>(size)));
      }
    }
    return {};
  }

  Result<void> write_appended(std::uint64_t& cursor) {
    data_region_end_ = cursor;
    return write_inserted(pieces_.size(), cursor);
  }

  Result<void> place_kept_rows() {
    for (std::size_t index = 0; index < rows_.size(); ++index) {
      const LayoutRow& row = rows_[index];
      if (row.original == LayoutRow::kNotInOriginal || !row.keeps_bytes) {
        continue;
      }
      ASSAY_TRY_ASSIGN(entries_[index].data_offset_raw,
                       raw_offset(index, moved(archive_.packed_range(row.original)->offset)));
    }
    return {};
  }

  // Only the last original row can be one that rule deflate_eof_plus_one reads. Where it no longer meets the rule, it
  // must do without: its missing byte may now be somebody else's first.
  Result<void> settle_cut_row(std::uint64_t data_end) {
    const std::size_t last = archive_.entries().size() - 1;
    const auto row = std::find_if(rows_.begin(), rows_.end(), [&](const LayoutRow& candidate) {
      return candidate.original == last && candidate.keeps_bytes && archive_.is_cut_by_rule(last);
    });
    if (row == rows_.end()) {
      return {};
    }
    const auto index = static_cast<std::size_t>(row - rows_.begin());
    const std::uint64_t file_size = data_end + (archive_.trailer() ? kTrailerRecord.size_bytes : 0);
    const std::uint64_t end =
        std::uint64_t{entries_[index].data_offset_raw} + archive_.overlay() + row->entry.packed_size;
    const bool meets_rule = index + 1 == rows_.size() && end == file_size + 1 &&
                            equal_bytes(row->entry.name.text(), archive_.entries()[last].name.text());
    if (meets_rule) {
      return {};
    }
    if (archive_.lacks_end(last)) {
      return not_editable(last, "a payload that lacks its end and would no longer meet rule deflate_eof_plus_one");
    }
    if (end > file_size) {
      entries_[index].packed_size = static_cast<std::uint32_t>(archive_.packed_range(last)->available_bytes);
    }
    return {};
  }

  // Where a kept byte went. A row without bytes may point anywhere and keeps its distance to the piece or end it
  // follows.
  std::uint64_t moved(std::uint64_t old_offset) const {
    if (old_offset < archive_.table_end()) {
      return old_offset;
    }
    if (old_offset >= archive_.data_end()) {
      return data_region_end_ + (old_offset - archive_.data_end());
    }
    const auto after =
        std::upper_bound(pieces_.begin(), pieces_.end(), old_offset,
                         [](std::uint64_t offset, const Piece& piece) { return offset < piece.old_range.start; });
    const Piece& piece = *std::prev(after);
    return piece.new_start + (piece.is_dropped() ? 0 : old_offset - piece.old_range.start);
  }

  Result<Buffer> assemble() {
    ByteWriter writer;
    write_table(header_, entries_, writer);
    writer.write_bytes(std::move(data_).take());
    if (archive_.trailer()) {
      kTrailerRecord.write(*archive_.trailer(), writer.grow(kTrailerRecord.size_bytes));
      Buffer image = std::move(writer).take();
      if (archive_.overlay() > image.size()) {
        return fail({.code = Code::kNotEditable,
                     .field = FieldPath("trailer").then("overlay"),
                     .got = Datum::words("an overlay larger than what would be left of the file")});
      }
      return image;
    }
    Buffer image = std::move(writer).take();
    if (!keeps_last_bytes()) {
      shield_last_bytes(kHeaderRecord.size_bytes + rows_.size() * kEntryRecord.size_bytes, image);
    }
    return image;
  }

  // Whether the file ends with the bytes it ended with: then they read as before, also where the reader was told to see
  // no trailer in them.
  bool keeps_last_bytes() const {
    return inserts_.back().empty() && !pieces_.empty() && !pieces_.back().is_dropped() &&
           pieces_.back().old_range.end - pieces_.back().old_range.start >= kTrailerRecord.size_bytes;
  }

  const Archive& archive_;
  Header header_;
  std::span<const LayoutRow> rows_;
  std::vector<Entry> entries_;
  std::vector<Piece> pieces_;
  // By piece, and at the end for what is appended: the rows whose new bytes go before it.
  std::vector<std::vector<std::size_t>> inserts_;
  ByteWriter data_;
  std::uint64_t data_region_end_ = 0;
};

}  // namespace

std::vector<bool> rows_that_share(const Archive& archive) {
  std::vector<bool> shares(archive.entries().size());
  const auto ranges = archive.data_ranges();
  // The row whose range reaches furthest so far: who starts before its end shares with it, and any two that overlap are
  // found.
  std::size_t furthest = 0;
  for (std::size_t position = 1; position < ranges.size(); ++position) {
    if (ranges[position].first.start < ranges[furthest].first.end) {
      shares[ranges[position].second] = true;
      shares[ranges[furthest].second] = true;
    }
    furthest = ranges[position].first.end > ranges[furthest].first.end ? position : furthest;
  }
  return shares;
}

Result<Buffer> lay_out(const Archive& archive, const Header& header, std::span<const LayoutRow> rows) {
  return Layout(archive, header, rows).run();
}

}  // namespace assay::rsli
