#include "golden/accept.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "golden/glob.h"

namespace assay::golden {
namespace {

int badness(Verdict verdict) {
  switch (verdict) {
    case Verdict::kOk: return 0;
    case Verdict::kQuirk: return 1;
    case Verdict::kUnknown: return 2;
    case Verdict::kFail: return 3;
  }
  return 3;
}

bool needs_reason(const ItemChanges& item) {
  if (!item.after) {
    return false;
  }
  return *item.after == Verdict::kFail || (item.before && badness(*item.after) > badness(*item.before));
}

bool is_blank(const std::string& text) {
  return text.find_first_not_of(" \t\r\n") == std::string::npos;
}

const ItemChanges* find_changes(const FileChanges& file, const std::string& entry) {
  const auto found = std::ranges::lower_bound(file.items, entry, {}, &ItemChanges::entry);
  return found != file.items.end() && found->entry == entry ? &*found : nullptr;
}

class Acceptance {
 public:
  Acceptance(ManifestWriter& writer, const AcceptRequest& request, const RecordFinder& find_record)
      : writer_(writer), request_(request), find_record_(find_record) {}

  void take(const ExpectedFile* before, const FileResult* after) {
    run_items_ += after == nullptr ? 0 : after->items.size();
    const std::string& path = before == nullptr ? after->path : before->path;
    if (!request_.path_pattern.empty() && !glob_matches(request_.path_pattern, path)) {
      if (before != nullptr) {
        writer_.add(*before);
      }
      return;
    }
    any_match_ = true;
    FileChanges changes = compare_file(before, after, find_record_);
    if (after != nullptr) {
      writer_.add(merged(before, *after, changes));
    }
    if (!changes.empty()) {
      accepted_.items += changes.items.size();
      note_reason(changes);
      accepted_.files.push_back(std::move(changes));
    }
  }

  // Throws unless everything that was taken may be.
  Accepted finish() {
    if (run_items_ == 0) {
      throw AcceptError("the run holds zero items; nothing is accepted");
    }
    if (!any_match_) {
      throw AcceptError(fmt::format("no file of the run or the manifest matches {}", request_.path_pattern));
    }
    if (unexplained_ && is_blank(request_.reason)) {
      throw AcceptError(fmt::format("{} is a failure or worse than before; give a reason to accept it", *unexplained_));
    }
    return std::move(accepted_);
  }

 private:
  void note_reason(const FileChanges& changes) {
    for (const ItemChanges& item : changes.items) {
      if (!unexplained_ && needs_reason(item)) {
        unexplained_ = changes.path + (item.entry.empty() ? "" : "::" + item.entry);
      }
    }
  }

  // What the run gives, with the reasons of before, and the new one on what changed.
  ExpectedFile merged(const ExpectedFile* before, const FileResult& after, const FileChanges& changes) const {
    ExpectedFile file = expectation_of(after, find_record_);
    std::map<std::string_view, const std::string*> reasons;
    if (before != nullptr) {
      for (const Expectation& item : before->items) {
        reasons.emplace(item.entry, &item.reason);
      }
    }
    for (Expectation& item : file.items) {
      if (const auto found = reasons.find(item.entry); found != reasons.end()) {
        item.reason = *found->second;
      }
      if (!is_blank(request_.reason) && find_changes(changes, item.entry) != nullptr) {
        item.reason = request_.reason;
      }
    }
    return file;
  }

  ManifestWriter& writer_;
  const AcceptRequest& request_;
  const RecordFinder& find_record_;
  Accepted accepted_;
  std::optional<std::string> unexplained_;
  std::uint64_t run_items_ = 0;
  bool any_match_ = false;
};

}  // namespace

Accepted accept(const std::filesystem::path& path, const AcceptRequest& request, FileSource& actual,
                const RecordFinder& find_record) {
  if (!request.is_complete) {
    throw AcceptError("the run is incomplete, it was cut off or is still being written; scan again");
  }
  ManifestReader expected(path);
  if (expected.header().profile != request.profile) {
    throw AcceptError(fmt::format("the manifest is for profile {}, the run used {}; make a new manifest for it",
                                  expected.header().profile, request.profile));
  }
  ManifestWriter writer(path, expected.header().corpus, request.profile);
  Acceptance acceptance(writer, request, find_record);
  merge_files(expected, actual,
              [&](const ExpectedFile* before, const FileResult* after) { acceptance.take(before, after); });
  Accepted accepted = acceptance.finish();
  if (!accepted.files.empty()) {
    writer.commit();
  }
  return accepted;
}

}  // namespace assay::golden
