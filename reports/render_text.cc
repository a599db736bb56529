#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "reports/lines.h"
#include "reports/render.h"

namespace assay::reports {
namespace {

using golden::Change;
using golden::ChangeKind;
using golden::FileChanges;
using golden::ItemChanges;

std::string kind_words(ChangeKind kind, std::uint64_t count) {
  std::string words(golden::change_kind_text(kind));
  std::ranges::replace(words, '_', ' ');
  return fmt::format("{} {}", count, words);
}

// The lines of one file. A file that came or went, and entries that went with a file that can no longer be read, are
// one line each.
class FileLines {
 public:
  explicit FileLines(const FileChanges& file) : file_(file) {}

  std::vector<std::string> take() {
    if (!file_.in_after) {
      lines_.push_back(fmt::format("{}: missing file{}", file_.path, with_entries(file_.items.size())));
      return std::move(lines_);
    }
    const std::uint64_t missing = missing_entries();
    const bool is_unreadable = is_failed_file() && missing > 1;
    for (const ItemChanges& item : file_.items) {
      const bool is_missing = !item.after.has_value();
      const bool is_plain_new = !file_.in_before && !item.entry.empty() && item.after != Verdict::kFail;
      if (!item.is_explained && !is_plain_new && !(is_unreadable && is_missing)) {
        add(item);
      }
    }
    if (is_unreadable) {
      lines_.push_back(fmt::format("{}: {} missing", file_.path, counted(missing, "entry item")));
    }
    if (file_.moved) {
      lines_.push_back(fmt::format("{}: {}", file_.path, moved_text(file_)));
    }
    return std::move(lines_);
  }

 private:
  static std::string with_entries(std::size_t items) {
    return items < 2 ? std::string() : fmt::format(" (with {} {})", items - 1, items == 2 ? "entry" : "entries");
  }

  void add(const ItemChanges& item) {
    const std::string address = address_text(file_.path, item.entry);
    if (!file_.in_before && item.entry.empty()) {
      lines_.push_back(
          fmt::format("{}: new file{}, {}", address, with_entries(file_.items.size()), verdict_text(*item.after)));
    }
    for (const Change& change : item.changes) {
      const bool is_told = change.kind == ChangeKind::kItemNew && item.entry.empty();
      if (!is_told) {
        lines_.push_back(fmt::format("{}: {}", address, change_text(change)));
      }
    }
  }

  [[nodiscard]] std::uint64_t missing_entries() const {
    return static_cast<std::uint64_t>(
        std::ranges::count_if(file_.items, [](const ItemChanges& item) { return !item.after; }));
  }

  // Whether the file itself now fails, so that the loss of its entries needs no line of its own.
  [[nodiscard]] bool is_failed_file() const {
    return !file_.items.empty() && file_.items.front().entry.empty() && file_.items.front().error_after.has_value();
  }

  const FileChanges& file_;
  std::vector<std::string> lines_;
};

// Appends lines, at most `options` many.
void append_cut(std::string& text, const std::vector<std::string>& lines, const TextOptions& options,
                std::string_view indent) {
  const std::size_t shown = options.all ? lines.size() : std::min(lines.size(), options.list_limit);
  for (std::size_t index = 0; index < shown; ++index) {
    text += fmt::format("{}{}\n", indent, lines[index]);
  }
  if (shown < lines.size()) {
    text += fmt::format("{}and {} more\n", indent, lines.size() - shown);
  }
}

std::vector<std::string> lines_of(const std::vector<FileChanges>& files) {
  std::vector<std::string> lines;
  for (const FileChanges& file : files) {
    std::ranges::move(FileLines(file).take(), std::back_inserter(lines));
  }
  return lines;
}

std::string item_text(const DiffItem& item) {
  return fmt::format("{}: {}", address_text(item.path, item.entry), item.detail);
}

// A group of archives alone that their entries explain is left out: the entries are in another category.
void append_group(std::string& text, const DiffGroup& group, const TextOptions& options) {
  std::vector<std::string> lines;
  for (const DiffItem& item : group.items) {
    if (!item.is_explained) {
      lines.push_back(item_text(item));
    }
  }
  if (lines.empty()) {
    return;
  }
  text += fmt::format("  {}: {}\n", group.cause, counted(group.items.size(), "item"));
  append_cut(text, lines, options, "    ");
}

}  // namespace

std::string check_text(const golden::CheckResult& result, const TextOptions& options) {
  if (result.passed()) {
    return fmt::format("check passed: {} as expected\n", counted(result.compared.items_after, "item"));
  }
  std::string kinds;
  for (std::size_t kind = 0; kind < golden::kChangeKinds; ++kind) {
    if (result.changes[kind] != 0) {
      kinds += fmt::format("{}{}", kinds.empty() ? ": " : ", ",
                           kind_words(static_cast<ChangeKind>(kind), result.changes[kind]));
    }
  }
  std::string text =
      fmt::format("check failed: {} of {} expected and {} scanned{}\n", counted(result.changed_items, "item"),
                  result.compared.items_before, result.compared.items_after, kinds);
  for (const std::string& problem : result.problems) {
    text += fmt::format("{}\n", problem);
  }
  append_cut(text, lines_of(result.files), options, "");
  return text;
}

std::string accepted_text(const golden::Accepted& accepted, const TextOptions& options) {
  if (accepted.files.empty()) {
    return "nothing to accept: the manifest already says so\n";
  }
  std::string text =
      fmt::format("accepted: {} in {}\n", counted(accepted.items, "item"), counted(accepted.files.size(), "file"));
  append_cut(text, lines_of(accepted.files), options, "");
  return text;
}

std::string diff_text(const Diff& diff, const TextOptions& options) {
  if (diff.empty()) {
    return fmt::format("no differences: {} before, {} after\n", counted(diff.compared.items_before, "item"),
                       diff.compared.items_after);
  }
  std::string text;
  for (std::size_t index = 0; index < kCategories; ++index) {
    if (diff.counts[index] != 0) {
      text += fmt::format("{}{} {}", text.empty() ? "" : ", ", diff.counts[index],
                          category_text(static_cast<Category>(index)));
    }
  }
  text += "\n";
  for (std::size_t index = 0; index < kCategories; ++index) {
    std::string groups;
    for (const DiffGroup& group : diff.groups) {
      if (group.category == static_cast<Category>(index)) {
        append_group(groups, group, options);
      }
    }
    if (!groups.empty()) {
      text += fmt::format("{}\n{}", category_text(static_cast<Category>(index)), groups);
    }
  }
  return text;
}

}  // namespace assay::reports
