#include "golden/scan/walk.h"

#include <tbb/enumerable_thread_specific.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>
#include <tbb/task_group.h>

#include <algorithm>
#include <memory>

#include "golden/scan/hash.h"
#include "oracles/oracles.h"
#include "parsers/base/escape.h"
#include "parsers/formats/catalogue.h"
#include "parsers/formats/decode_scratch.h"
#include "parsers/resource/address.h"

namespace assay::golden {
namespace {

// Members below this number are not worth a task.
constexpr std::size_t kMembersPerTask = 16;
constexpr std::uint64_t kParallelBytes = std::uint64_t{1} << 20;

// What one thread reuses. A nested archive decodes into the memory of its own depth, because the archive around it is
// still in use.
class ThreadMemory {
 public:
  Hasher hasher;

  DecodeScratch& scratch(std::size_t depth) {
    while (scratches_.size() <= depth) {
      scratches_.push_back(std::make_unique<DecodeScratch>());
    }
    return *scratches_[depth];
  }

 private:
  std::vector<std::unique_ptr<DecodeScratch>> scratches_;
};

// Bytes that may still be looked at inside one member of the outermost archive.
class Budget {
 public:
  explicit Budget(std::uint64_t bytes) : left_bytes_(bytes) {}

  [[nodiscard]] bool take(std::uint64_t bytes) {
    if (bytes > left_bytes_) {
      return false;
    }
    left_bytes_ -= bytes;
    return true;
  }
  [[nodiscard]] std::uint64_t left_bytes() const { return left_bytes_; }

 private:
  std::uint64_t left_bytes_;
};

// The stored bytes of a member whose hash is computed while the member is walked, where it can be read, and whether
// they are what it decodes to.
struct LateHash {
  std::optional<Bytes> stored{};
  bool is_decoded_too = false;
};

// An item about to be visited: its bytes, and what is known of it from outside.
struct Visit {
  Bytes content{};
  ItemHints hints{};
  Origin origin{};
  std::size_t depth = 0;
  // Only below the outermost archive.
  Budget* budget = nullptr;
  // Only of the file itself: where its hash goes when it is computed side by side with those of its members.
  std::optional<Sha256>* hash = nullptr;
};

// By entry, and in the order of the checks for each.
std::vector<Finding> sorted_by_entry(std::span<const Finding> findings) {
  std::vector<const Finding*> order;
  order.reserve(findings.size());
  for (const Finding& finding : findings) {
    order.push_back(&finding);
  }
  std::ranges::sort(order, {}, [](const Finding* finding) { return std::pair(finding->entry_index, finding); });
  std::vector<Finding> sorted;
  sorted.reserve(findings.size());
  for (const Finding* finding : order) {
    sorted.push_back(*finding);
  }
  return sorted;
}

std::span<const Finding> findings_of_entry(std::span<const Finding> sorted, std::size_t index) {
  const auto wanted = static_cast<std::int64_t>(index);
  const auto range = std::ranges::equal_range(sorted, wanted, {}, &Finding::entry_index);
  return {range.begin(), range.end()};
}

// What looking at a member costs: the larger of what is read and what is made of it.
std::uint64_t work_of(const Member& member) {
  return std::max(member.packed_size, member.size);
}

void append_findings(std::span<const Finding> findings, Item& item) {
  for (const Finding& finding : findings) {
    item.findings.push_back(to_item_finding(finding));
  }
}

}  // namespace

class FileWalker::Impl {
 public:
  explicit Impl(const WalkOptions& options) : options_(options) {}

  std::vector<Item> run(Bytes content, Bytes path) {
    std::vector<Item> items(1);
    items.front().stored_size = content.size();
    items.front().size = content.size();
    std::optional<Sha256> hash;
    const Visit whole{.content = content, .hints = ItemHints::of_file(path), .hash = &hash};
    // While this thread waits it must not begin another file: that would pile up files on one stack. What it waits for
    // is spawned inside, because an isolated thread takes no task from outside.
    tbb::this_task_arena::isolate([&] { look_inside(whole, Verdict::kOk, items); });
    items.front().stored_sha256 = items.front().sha256 = hash ? *hash : memory_.local().hasher.hash(content);
    return items;
  }

 private:
  void check_stop() const {
    if (options_.stop != nullptr && options_.stop->load(std::memory_order_relaxed)) {
      throw Interrupted();
    }
  }

  ParseContext context_of(const Visit& visit) const {
    return {.limits = options_.limits,
            .rules = options_.rules,
            .origin = visit.origin,
            .hints = visit.hints,
            .apply_overlay = options_.apply_overlay,
            .confirm_deflate = options_.confirm_deflate};
  }

  // Finds out what the last item of `items` is and appends what lies inside it. `known` is the verdict so far.
  void look_inside(const Visit& visit, Verdict known, std::vector<Item>& items) {
    const std::size_t self = items.size() - 1;
    const Identification identification = identify(visit.content, visit.hints);
    Findings findings;
    if (identification.contradicted != nullptr) {
      // NOLINTBEGIN(bugprone-suspicious-stringview-data-usage): format ids are string literals.
      findings.strict({.code = Code::kFormatContradiction,
                       .offset = visit.origin.at(0),
                       .field = visit.hints.is_file ? "file" : "payload",
                       .expected = Datum::words(identification.contradicted->id.data()),
                       .got = Datum::words(identification.format->id.data())});
      // NOLINTEND(bugprone-suspicious-stringview-data-usage)
    }
    if (identification.format == nullptr) {
      items[self].format = "unknown";
      items[self].verdict = known == Verdict::kOk ? Verdict::kUnknown : known;
      return;
    }
    items[self].format = identification.format->id;
    Verdict entries = Verdict::kOk;
    if (visit.depth > options_.limits.nesting_depth) {
      findings.error({.code = Code::kNestingTooDeep,
                      .offset = visit.origin.at(0),
                      .field = "payload",
                      .expected = Datum::at_most(options_.limits.nesting_depth),
                      .got = Datum::number(visit.depth)});
    } else {
      entries = parse_and_descend(*identification.format, visit, findings, items);
    }
    std::vector<Finding> own;
    std::ranges::copy_if(findings.list(), std::back_inserter(own),
                         [](const Finding& finding) { return finding.entry_index == Finding::kWholeItem; });
    append_findings(own, items[self]);
    items[self].verdict = std::max({known, verdict_of(own), entries});
  }

  // Gives the worst verdict that directory and decoders gave for the entries.
  Verdict parse_and_descend(const Format& format, const Visit& visit, Findings& findings, std::vector<Item>& items) {
    const auto document = format.parse(visit.content, context_of(visit), findings);
    if (!document) {
      findings.error(document.error());
      return walk_as_refined(format, visit, findings, items);
    }
    record_document(**document, visit, findings, items.back());
    const Container* container = (*document)->container();
    return container == nullptr ? Verdict::kOk : walk_members(*container, visit, findings, items);
  }

  // What refines an archive format and is refused is still such an archive: its members are not lost.
  Verdict walk_as_refined(const Format& refused, const Visit& visit, Findings& findings, std::vector<Item>& items) {
    const Format* base = refused.refines.empty() ? nullptr : find_format(refused.refines);
    if (base == nullptr || !base->has_magic(visit.content)) {
      return Verdict::kOk;
    }
    Findings of_archive;
    const auto document = base->parse(visit.content, context_of(visit), of_archive);
    if (!document) {
      return Verdict::kOk;
    }
    // The refused parse has said part of this already, up to where it stopped; the archive's own list is complete.
    Findings own;
    std::ranges::for_each(findings.list(), [&](const Finding& finding) {
      if (finding.entry_index == Finding::kWholeItem) {
        own.add(finding);
      }
    });
    findings = own;
    return walk_members(*(*document)->container(), visit, of_archive, items);
  }

  // The lossless comparison, and the facts.
  void record_document(const Document& document, const Visit& visit, Findings& findings, Item& item) {
    for (auto& [key, value] : document.facts()) {
      item.facts.push_back({std::move(key), std::move(value)});
    }
    ByteMap map = document.account();
    if (const oracles::Failures broken = oracles::round_trip(document, visit.content, map); !broken.empty()) {
      findings.error({.code = Code::kRoundTripMismatch, .offset = visit.origin.at(0), .field = "file"});
      return;
    }
    for (const ByteRun& run : map.runs()) {
      if (run.kind == ByteKind::kGap || run.kind == ByteKind::kUnindexed) {
        const Bytes bytes = *slice(visit.content, run.offset, run.size);
        item.facts.push_back({std::string(byte_kind_text(run.kind)) + '[' + std::to_string(run.offset) + ']',
                              std::to_string(run.size) + " bytes " + hash_text(memory_.local().hasher.hash(bytes))});
      }
    }
    for (const auto& [name, bytes] : map.shares().parts()) {
      if (bytes != 0) {
        item.facts.push_back({"bytes." + std::string(name), std::to_string(bytes)});
      }
    }
  }

  Verdict walk_members(const Container& container, const Visit& visit, const Findings& findings,
                       std::vector<Item>& items) {
    const std::vector<Finding> sorted = sorted_by_entry(findings.list());
    const std::string prefix = items.back().entry.empty() ? std::string() : items.back().entry + "::";
    const std::vector<std::string> addresses = member_addresses(container);
    const std::string record = container.member_count() == 0
                                   ? std::string()
                                   : items.back().format + '.' + container.member(0).row_record->name;
    const auto walk_one = [&](std::size_t index, std::vector<Item>& out, LateHash* late_hash) {
      check_stop();
      out.emplace_back();
      out.back().entry = prefix + addresses[index];
      out.back().row.record = record;
      return walk_member(container, index, visit, findings_of_entry(sorted, index), late_hash, out);
    };
    if (visit.depth == 0) {
      return walk_outermost(container, visit, walk_one, items);
    }
    Verdict worst = Verdict::kOk;
    for (std::size_t index = 0; index < container.member_count(); ++index) {
      worst = std::max(worst, walk_one(index, items, nullptr));
    }
    return worst;
  }

  // Walks the members in parallel, and beside that computes the hashes of the file and of what is stored in it.
  template <typename WalkOne>
  static Verdict walk_outermost(const Container& container, const Visit& visit, const WalkOne& walk_one,
                                std::vector<Item>& items) {
    const std::size_t count = container.member_count();
    std::vector<std::vector<Item>> results(count);
    std::vector<Verdict> verdicts(count, Verdict::kOk);
    std::vector<LateHash> late = stored_members(container, visit.content);
    std::vector<Sha256> hashes(count);
    with_hashing(
        visit.content.size(), [&] { *visit.hash = hash_beside(visit.content, late, hashes); },
        [&] {
          tbb::parallel_for(tbb::blocked_range<std::size_t>(0, count, kMembersPerTask), [&](const auto& range) {
            for (std::size_t index = range.begin(); index != range.end(); ++index) {
              verdicts[index] = walk_one(index, results[index], &late[index]);
            }
          });
        });
    for (std::size_t index = 0; index < count; ++index) {
      Item& member = results[index].front();
      if (late[index].stored) {
        member.stored_sha256 = hashes[index];
        member.sha256 = late[index].is_decoded_too ? member.stored_sha256 : member.sha256;
      }
      std::ranges::move(results[index], std::back_inserter(items));
      std::vector<Item>().swap(results[index]);
    }
    return count == 0 ? Verdict::kOk : std::ranges::max(verdicts);
  }

  // Runs both, beside each other where there is enough to do.
  template <typename Hash, typename Walk>
  static void with_hashing(std::size_t size_bytes, const Hash& hash, const Walk& walk) {
    if (size_bytes < kParallelBytes) {
      hash();
      walk();
      return;
    }
    tbb::task_group hashing;
    hashing.run(hash);
    try {
      walk();
    } catch (...) {
      hashing.wait();
      throw;
    }
    hashing.wait();
  }

  // Of members that cannot be read there is nothing to hash.
  static std::vector<LateHash> stored_members(const Container& container, Bytes content) {
    std::vector<LateHash> late(container.member_count());
    for (std::size_t index = 0; index < late.size(); ++index) {
      const Member member = container.member(index);
      if (member.error == nullptr) {
        late[index].stored = *slice(content, member.offset, member.packed_size);
      }
    }
    return late;
  }

  // Gives the hash of the file. It comes first, since it takes about as long as all others together.
  static Sha256 hash_beside(Bytes file, std::span<const LateHash> late, std::span<Sha256> hashes) {
    std::vector<Bytes> inputs{file};
    for (const LateHash& member : late) {
      inputs.push_back(member.stored.value_or(Bytes()));
    }
    std::vector<Sha256> all(inputs.size());
    hash_all(inputs, all);
    std::ranges::copy(std::span(all).subspan(1), hashes.begin());
    return all.front();
  }

  // Fills in the last item of `items` and appends what is inside. Gives the verdict of what its archive's directory and
  // decoder said of it. With `late_hash` the hash of the stored bytes is left to the caller.
  Verdict walk_member(const Container& container, std::size_t index, const Visit& archive,
                      std::span<const Finding> directory_findings, LateHash* late_hash, std::vector<Item>& items) {
    const Member member = container.member(index);
    describe(member, index, archive, items.back());
    append_findings(directory_findings, items.back());
    Verdict verdict = verdict_of(directory_findings);
    items.back().format = "unknown";
    items.back().verdict = verdict;
    if (!member.claimed_as.empty()) {
      items.back().format = member.claimed_as;
    }
    if (member.error != nullptr) {
      return verdict;
    }
    if (archive.budget != nullptr && !archive.budget->take(work_of(member))) {
      refuse_over_budget(member, archive, items.back());
      return verdict;
    }
    ThreadMemory& memory = memory_.local();
    const Bytes stored = *slice(archive.content, member.offset, member.packed_size);
    if (late_hash == nullptr) {
      items.back().stored_sha256 = memory.hasher.hash(stored);
    }
    Findings load_findings;
    const auto content = container.load(index, memory.scratch(archive.depth), load_findings);
    if (!content) {
      load_findings.error(content.error());
    }
    append_findings(load_findings.list(), items.back());
    verdict = std::max(verdict, verdict_of(load_findings.list()));
    items.back().verdict = verdict;
    if (!content) {
      return verdict;
    }
    const bool is_view = content->data() == stored.data() && content->size() == stored.size();
    items.back().size = content->size();
    items.back().sha256 = is_view ? items.back().stored_sha256 : memory.hasher.hash(*content);
    if (late_hash != nullptr) {
      late_hash->is_decoded_too = is_view;
    }
    if (member.claimed_as.empty()) {
      descend_into(member, *content, is_view, archive, verdict, items);
    }
    return verdict;
  }

  void descend_into(const Member& member, Bytes content, bool is_view, const Visit& archive, Verdict verdict,
                    std::vector<Item>& items) {
    Budget own_budget(
        std::max(options_.limits.nested_floor_bytes, options_.limits.nested_expansion * std::uint64_t{content.size()}));
    look_inside(
        {.content = content,
         .hints = member.hints(),
         .origin = is_view ? archive.origin.stored_part(member.offset) : archive.origin.decoded_part(member.offset),
         .depth = archive.depth + 1,
         .budget = archive.budget != nullptr ? archive.budget : &own_budget},
        verdict, items);
  }

  static void describe(const Member& member, std::size_t index, const Visit& archive, Item& item) {
    item.offset = archive.origin.at(member.offset);
    item.stored_size = member.packed_size;
    item.size = member.size;
    item.row.index = index;
    item.row.offset = archive.origin.at(member.row_offset);
    item.row.bytes.assign(member.row.begin(), member.row.end());
  }

  static void refuse_over_budget(const Member& member, const Visit& archive, Item& item) {
    const Finding refused{.severity = Severity::kError,
                          .diagnostic = {.code = Code::kLimitExceeded,
                                         .offset = archive.origin.at(member.offset),
                                         .field = "payload",
                                         .expected = Datum::at_most(archive.budget->left_bytes()),
                                         .got = Datum::number(work_of(member))}};
    item.findings.push_back(to_item_finding(refused));
    item.verdict = Verdict::kFail;
  }

  const WalkOptions options_;
  tbb::enumerable_thread_specific<ThreadMemory> memory_;
};

FileWalker::FileWalker(const WalkOptions& options) : impl_(std::make_unique<Impl>(options)) {}
FileWalker::~FileWalker() = default;

std::vector<Item> FileWalker::walk(Bytes content, Bytes path) {
  return impl_->run(content, path);
}

ItemFinding to_item_finding(const Finding& finding) {
  return {.code = std::string(code_text(finding.diagnostic.code)),
          .severity = finding.severity,
          .rule = finding.rule ? std::string(rule(*finding.rule).name) : std::string(),
          .applied = finding.applied,
          .offset = finding.diagnostic.offset,
          .field = finding.diagnostic.field.to_text(),
          .message = finding.diagnostic.message()};
}

}  // namespace assay::golden
