#include "parsers/resource/path.h"

#include <algorithm>
#include <map>

#include "parsers/base/ascii.h"

namespace assay::resource {
namespace {

constexpr std::string_view kSeparators = "\\/";

Failure refuse(const char* why) {
  return fail({.code = Code::kInvalidPath, .field = "path", .got = Datum::words(why)});
}

// Why the bytes are no path, or null. Parts are looked at one by one afterwards.
const char* fault_of_whole(std::string_view text) {
  if (text.empty()) {
    return "no path at all";
  }
  if (text.find('\0') != std::string_view::npos) {
    return "a NUL";
  }
  if (text.find(':') != std::string_view::npos) {
    return "a colon";
  }
  return kSeparators.find(text.front()) != std::string_view::npos ? "an absolute path" : nullptr;
}

const char* fault_of_part(std::string_view part) {
  if (part.empty()) {
    return "an empty part";
  }
  return part == "." || part == ".." ? "a part that leads elsewhere" : nullptr;
}

std::string joined(const std::string& folder, const std::string& name) {
  return folder.empty() ? name : folder + '/' + name;
}

bool equal_text(std::string_view left, std::string_view right) {
  return equal_folded(as_bytes(left), as_bytes(right));
}

// The name in `folder` that answers to `part`; nothing when none does. Error: kAmbiguousPath.
Result<std::optional<std::string>> find_part(const FileStore& store, const std::string& folder, const std::string& part,
                                             bool wants_folder) {
  std::optional<std::string> found;
  for (const FolderName& name : store.list(folder)) {
    if (name.is_folder != wants_folder || !equal_text(name.name, part)) {
      continue;
    }
    if (found) {
      return fail({.code = Code::kAmbiguousPath, .field = "path"});
    }
    found = name.name;
  }
  return found;
}

Result<std::optional<std::string>> find_in(const FileStore& store, const LegacyPath& path) {
  std::string reached;
  for (std::size_t index = 0; index < path.segments().size(); ++index) {
    const bool is_last = index + 1 == path.segments().size();
    ASSAY_TRY_ASSIGN(const auto name, find_part(store, reached, path.segments()[index], !is_last));
    if (!name) {
      return std::optional<std::string>();
    }
    reached = joined(reached, *name);
  }
  return std::optional(reached);
}

// A name that starts with a dot is an extension.
bool answers_to(std::string_view text, std::string_view name) {
  return equal_text(name.starts_with('.') && text.size() > name.size() ? text.substr(text.size() - name.size()) : text,
                    name);
}

// Adds what lies below `folder` of one store. Where two spellings have one key the smaller one stays, in whatever order
// the store lists them.
void collect(const FileStore& store, const std::string& folder, std::string_view wanted,
             std::map<std::string, LegacyPath>& found) {
  std::vector<std::string> waiting{folder};
  while (!waiting.empty()) {
    const std::string current = std::move(waiting.back());
    waiting.pop_back();
    for (const FolderName& name : store.list(current)) {
      const std::string path = joined(current, name.name);
      if (name.is_folder) {
        waiting.push_back(path);
      } else if (answers_to(name.name, wanted)) {
        if (auto legacy = LegacyPath::parse(as_bytes(path))) {
          const auto [known, is_new] = found.try_emplace(legacy->key(), *legacy);
          if (!is_new && legacy->raw() < known->second.raw()) {
            known->second = *std::move(legacy);
          }
        }
      }
    }
  }
}

}  // namespace

std::string folded(std::string_view text) {
  std::string lower(text);
  std::ranges::transform(lower, lower.begin(),
                         [](char letter) { return static_cast<char>(ascii_lower(static_cast<std::uint8_t>(letter))); });
  return lower;
}

Result<LegacyPath> LegacyPath::parse(Bytes raw) {
  const std::string_view text = as_text(raw);
  if (const char* fault = fault_of_whole(text)) {
    return refuse(fault);
  }
  LegacyPath path;
  path.raw_ = text;
  for (std::size_t start = 0; start <= text.size();) {
    const std::size_t end = std::min(text.find_first_of(kSeparators, start), text.size());
    const std::string_view part = text.substr(start, end - start);
    if (const char* fault = fault_of_part(part)) {
      return refuse(fault);
    }
    path.segments_.emplace_back(part);
    path.key_.append(path.key_.empty() ? "" : "/").append(folded(part));
    start = end + 1;
  }
  return path;
}

Result<FilePlace> FileTree::find(const LegacyPath& path) const {
  for (std::size_t root = 0; root < roots_.size(); ++root) {
    auto found = find_in(*roots_[root], path);
    if (!found) {
      Diagnostic refused = found.error();
      refused.field = FieldPath("path", root);
      return fail(refused);
    }
    if (*found) {
      return FilePlace{.root = root, .path = **std::move(found)};
    }
  }
  return fail({.code = Code::kMissingFile, .field = "path"});
}

Result<SharedBytes> FileTree::read(const FilePlace& place) const {
  return roots_[place.root]->read(place.path);
}

std::optional<Fingerprint> FileTree::fingerprint(const FilePlace& place) const {
  return roots_[place.root]->fingerprint(place.path);
}

std::vector<LegacyPath> FileTree::files_below(std::string_view folder, std::string_view name) const {
  std::map<std::string, LegacyPath> found;
  for (const FileStore* root : roots_) {
    std::map<std::string, LegacyPath> of_root;
    for (const FolderName& top : root->list("")) {
      if (top.is_folder && equal_text(top.name, folder)) {
        collect(*root, top.name, name, of_root);
      }
    }
    // A path that an earlier root has stays as it is.
    found.merge(of_root);
  }
  std::vector<LegacyPath> paths;
  for (auto& [key, path] : found) {
    paths.push_back(std::move(path));
  }
  return paths;
}

}  // namespace assay::resource
