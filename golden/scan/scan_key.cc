#include "golden/scan/scan_key.h"

#include <algorithm>
#include <filesystem>

#include "golden/scan/hash.h"

namespace assay::golden {
namespace {

void add(std::string& text, std::string_view value) {
  text += std::to_string(value.size()) + ':';
  text += value;
}

void add(std::string& text, std::uint64_t value) {
  text += std::to_string(value) + ';';
}

void add(std::string& text, const Limits& limits) {
  // Does not compile when a limit is added and forgotten here.
  const auto& [input, entries, payload, payload_total, preserved, packed, unpacked, unpacked_total, depth, expansion,
               floor] = limits;
  for (const std::uint64_t value : {input, entries, payload, payload_total, preserved, packed, unpacked, unpacked_total,
                                    std::uint64_t{depth}, expansion, floor}) {
    add(text, value);
  }
}

// The part of the files' paths that is not theirs but that of the corpus; the same for all of them.
std::string corpus_folder(const CorpusListing& corpus) {
  if (corpus.files.empty()) {
    return {};
  }
  const CorpusFile& file = corpus.files.front();
  const std::string path = path_below_corpus(file);
  std::size_t end = path.size();
  for (auto parts = std::ranges::count(file.path, '/') + 1; parts > 0 && end != 0; --parts) {
    const std::size_t slash = path.rfind('/', end - 1);
    end = slash == std::string::npos ? 0 : slash;
  }
  return path.substr(0, end);
}

}  // namespace

Sha256 scan_key(const WalkOptions& options, const std::string& build, const CorpusListing& corpus) {
  std::string text;
  add(text, build);
  add(text, corpus_folder(corpus));
  add(text, options.limits);
  for (const Rule& one : all_rules()) {
    add(text, options.rules.enabled(one.id));
  }
  add(text, std::uint64_t{options.apply_overlay});
  add(text, std::uint64_t{options.confirm_deflate});
  return Hasher().hash(as_bytes(text));
}

std::string path_below_corpus(const CorpusFile& file) {
  if (file.is_alone) {
    return std::filesystem::absolute(file.location).lexically_normal().native();
  }
  // The folder by its own name, whatever link leads to it: that is the corpus that a run is filed under.
  std::error_code error;
  const auto canonical = std::filesystem::weakly_canonical(file.location.parent_path(), error);
  std::string path = ((error ? std::filesystem::absolute(file.location.parent_path()).lexically_normal() : canonical) /
                      file.location.filename())
                         .native();
  auto folders = std::ranges::count(file.path, '/') + 2;
  std::size_t start = path.size();
  while (folders > 0 && start != std::string::npos && start != 0) {
    start = path.rfind('/', start - 1);
    --folders;
  }
  return start == std::string::npos ? path : path.substr(start == path.size() ? 0 : start + 1);
}

}  // namespace assay::golden
