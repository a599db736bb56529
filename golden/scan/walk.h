#pragma once

#include <atomic>
#include <exception>
#include <memory>
#include <optional>
#include <vector>

#include "golden/item.h"
#include "parsers/base/bytes.h"
#include "parsers/base/limits.h"
#include "parsers/base/rules.h"

// From the bytes of one file to its items: detection, strict parse, lossless comparison, decoding, and the same for
// what lies inside, to the depth limit.
namespace assay::golden {

struct WalkOptions {
  Limits limits;
  RuleSet rules = RuleSet::compatible();
  bool apply_overlay = true;
  bool confirm_deflate = true;
  // Set from another thread or a signal handler to stop; the walk then throws Interrupted. May be null.
  const std::atomic<bool>* stop = nullptr;
};

struct Interrupted final : std::exception {
  [[nodiscard]] const char* what() const noexcept override { return "interrupted"; }
};

// Walks files one after the other or several at once.
//
// The first item of a file is its own, its entries follow in directory order, depth first. Findings about an entry are
// on the entry's item; the verdict of an archive counts those that its directory and decoders gave for its entries too
// (docs/formats/decisions.md, 2).
//
// Members of the outermost archive are walked in parallel in the caller's TBB arena; the result does not depend on it.
class FileWalker {
 public:
  explicit FileWalker(const WalkOptions& options);
  ~FileWalker();
  FileWalker(const FileWalker&) = delete;
  FileWalker& operator=(const FileWalker&) = delete;

  // The items of one file. `path` is its path with '/' between folders, as far as it is known; raw bytes. May be called
  // by several threads at once. Throws Interrupted. Cost: bounded by the limits: O(input + declared output), and inside
  // each member of the outermost archive at most Limits::nested_expansion times its size.
  [[nodiscard]] std::vector<Item> walk(Bytes content, Bytes path);

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

// A finding as it is recorded.
[[nodiscard]] ItemFinding to_item_finding(const Finding& finding);

}  // namespace assay::golden
