#include <algorithm>
#include <utility>

#include "parsers/formats/trf/trf.h"

namespace assay::trf {
namespace {

// Of each list the first record that is wrong speaks for all, so that findings do not outgrow the input.
class Checks {
 public:
  Checks(const Tree& tree, const Origin& origin, Findings& findings)
      : tree_(tree), streams_(tree.streams()), origin_(origin), findings_(findings) {}

  void run() {
    check_items_row();
    check_count(Stream::kStates, streams_.states.size());
    check_count(Stream::kLinkCounts, streams_.link_counts.size());
    check_count(Stream::kBackLinkCounts, streams_.back_link_counts.size());
    check_links(Stream::kLinkCounts, streams_.link_counts, Stream::kLinks, streams_.links, "link");
    check_links(Stream::kBackLinkCounts, streams_.back_link_counts, Stream::kBackLinks, streams_.back_links,
                "back_link");
    check_parts();
    check_offsets(&Item::code_offset, Stream::kCodes, streams_.codes);
    check_offsets(&Item::name_offset, Stream::kNames, streams_.names);
    check_offsets(&Item::description_offset, Stream::kDescriptions, streams_.descriptions);
    check_offsets(&Item::template_offset, Stream::kTemplates, streams_.templates);
    check_own_parts();
    check_transpose();
  }

 private:
  bool can_read(Stream stream) const {
    const auto entry = tree_.entry_of(stream);
    return entry && tree_.archive().entry_error(*entry) == nullptr;
  }

  std::size_t item_count() const { return streams_.items.size(); }

  Diagnostic at(Code code, const FieldPlace& place, Datum expected, Datum got) const {
    return {code, origin_.at(place.offset), place.path, expected, got, place.offset};
  }

  // Requires: can_read(stream).
  std::int64_t index_of(Stream stream) const { return static_cast<std::int64_t>(*tree_.entry_of(stream)); }
  const nres::Entry& row_of(Stream stream) const { return tree_.archive().entries()[*tree_.entry_of(stream)]; }

  template <typename Member>
  FieldPlace row_place(Stream stream, Member nres::Entry::* member) const {
    const std::size_t entry = *tree_.entry_of(stream);
    const std::uint64_t row = tree_.archive().directory_offset() + entry * nres::kEntryRecord.size_bytes;
    return nres::kEntryRecord.place(member, row, FieldPath("entry", entry));
  }

  void strict_row(Code code, Stream stream, std::uint32_t nres::Entry::* member, std::uint64_t expected) {
    findings_.strict(
        at(code, row_place(stream, member), Datum::number(expected), Datum::number(row_of(stream).*member)),
        index_of(stream));
  }

  void check_items_row() {
    if (!can_read(Stream::kItems)) {
      return;
    }
    if (row_of(Stream::kItems).attr1 != item_count()) {
      strict_row(Code::kAttributeMismatch, Stream::kItems, &nres::Entry::attr1, item_count());
    }
    if (row_of(Stream::kItems).attr2 != kItemsVersion) {
      strict_row(Code::kAttributeMismatch, Stream::kItems, &nres::Entry::attr2, kItemsVersion);
    }
  }

  // One record for each item.
  void check_count(Stream stream, std::size_t records) {
    if (can_read(Stream::kItems) && can_read(stream) && records != item_count()) {
      const std::uint64_t record_bytes =
          stream == Stream::kStates ? kStateRecord.size_bytes : kLinkCountRecord.size_bytes;
      strict_row(Code::kCountMismatch, stream, &nres::Entry::size, item_count() * record_bytes);
    }
  }

  template <const auto& Counts>
  static std::uint64_t sum_of(const Records<Counts>& counts) {
    std::uint64_t sum = 0;
    for (std::size_t index = 0; index < counts.size(); ++index) {
      sum += counts[index].count;
    }
    return sum;
  }

  template <const auto& Counts, const auto& Links>
  void check_links(Stream counts_stream, const Records<Counts>& counts, Stream links_stream,
                   const Records<Links>& links, const char* path) {
    if (!can_read(links_stream)) {
      return;
    }
    if (can_read(counts_stream) && sum_of(counts) != links.size()) {
      strict_row(Code::kCountMismatch, links_stream, &nres::Entry::size, sum_of(counts) * Links.size_bytes);
    }
    for (std::size_t index = 0; can_read(Stream::kItems) && index < links.size(); ++index) {
      if (links[index].item >= item_count()) {
        findings_.strict(
            at(Code::kIndexOutOfRange, Links.place(&Link::item, links.offset_of(index), FieldPath(path, index)),
               Datum::below(item_count()), Datum::number(links[index].item)),
            index_of(links_stream));
        return;
      }
    }
  }

  template <typename Member>
  void strict_part(Code code, std::size_t index, Member Part::* member, std::uint64_t limit) {
    findings_.strict(at(code, kPartRecord.place(member, streams_.parts.offset_of(index), FieldPath("part", index)),
                        Datum::below(limit), Datum::number(streams_.parts[index].*member)),
                     index_of(Stream::kParts));
  }

  void check_parts() {
    const std::size_t id_bytes = streams_.part_ids.bytes.size();
    const auto first_bad = [&](auto is_bad) {
      std::size_t index = 0;
      while (index < streams_.parts.size() && !is_bad(streams_.parts[index])) {
        ++index;
      }
      return index;
    };
    if (can_read(Stream::kPartIds)) {
      const std::size_t bad = first_bad([&](const Part& part) { return part.id_offset >= id_bytes; });
      if (bad < streams_.parts.size()) {
        strict_part(Code::kRangeOutOfBounds, bad, &Part::id_offset, id_bytes);
      }
    }
    if (can_read(Stream::kItems)) {
      const std::size_t bad = first_bad([&](const Part& part) { return part.item >= item_count(); });
      if (bad < streams_.parts.size()) {
        strict_part(Code::kIndexOutOfRange, bad, &Part::item, item_count());
      }
    }
  }

  template <typename Member>
  Diagnostic at_item(Code code, std::size_t index, Member Item::* member, Datum expected) const {
    return at(code, kItemRecord.place(member, streams_.items.offset_of(index), FieldPath("item", index)), expected,
              Datum::signed_number(streams_.items[index].*member));
  }

  void check_offsets(std::int32_t Item::* member, Stream stream, const Pool& pool) {
    for (std::size_t index = 0; can_read(stream) && index < item_count(); ++index) {
      const std::int32_t offset = streams_.items[index].*member;
      if (offset < 0 || static_cast<std::size_t>(offset) >= pool.bytes.size()) {
        findings_.strict(at_item(Code::kRangeOutOfBounds, index, member, Datum::below(pool.bytes.size())),
                         index_of(Stream::kItems));
        return;
      }
      if (!std::ranges::binary_search(pool.starts, static_cast<std::uint32_t>(offset))) {
        findings_.strict(at_item(Code::kUnexpectedValue, index, member, Datum::words("the start of a string")),
                         index_of(Stream::kItems));
        return;
      }
    }
  }

  void check_own_parts() {
    for (std::size_t index = 0; can_read(Stream::kParts) && index < item_count(); ++index) {
      const std::uint16_t part = streams_.items[index].part;
      if (part != kNoPart && part >= streams_.parts.size()) {
        findings_.note(at_item(Code::kIndexOutOfRange, index, &Item::part, Datum::below(streams_.parts.size())),
                       index_of(Stream::kItems));
        return;
      }
    }
  }

  using Edge = std::pair<std::uint32_t, std::uint32_t>;

  // Every link as (item that has it, item that it names). Requires: the counts add up to the links.
  template <const auto& Counts, const auto& Links>
  static std::vector<Edge> edges_of(const Records<Counts>& counts, const Records<Links>& links) {
    std::vector<Edge> edges;
    edges.reserve(links.size());
    for (std::size_t item = 0; item < counts.size(); ++item) {
      for (std::uint32_t left = counts[item].count; left != 0; --left) {
        edges.emplace_back(static_cast<std::uint32_t>(item), links[edges.size()].item);
      }
    }
    return edges;
  }

  // The back links are the links the other way round.
  void check_transpose() {
    if (!can_read(Stream::kLinks) || !can_read(Stream::kBackLinks) ||
        sum_of(streams_.link_counts) != streams_.links.size() ||
        sum_of(streams_.back_link_counts) != streams_.back_links.size()) {
      return;
    }
    std::vector<Edge> links = edges_of(streams_.link_counts, streams_.links);
    std::vector<Edge> back_links = edges_of(streams_.back_link_counts, streams_.back_links);
    for (Edge& edge : back_links) {
      std::swap(edge.first, edge.second);
    }
    std::ranges::sort(links);
    std::ranges::sort(back_links);
    if (links != back_links) {
      findings_.note(
          at(Code::kUnexpectedValue, {row_of(Stream::kBackLinks).data_offset, info_of(Stream::kBackLinks).path},
             Datum::words("the links of TRF3 the other way round"), {}),
          index_of(Stream::kBackLinks));
    }
  }

  const Tree& tree_;
  const Streams& streams_;
  const Origin& origin_;
  Findings& findings_;
};

}  // namespace

void check_streams(const Tree& tree, const Origin& origin, Findings& findings) {
  Checks(tree, origin, findings).run();
}

}  // namespace assay::trf
