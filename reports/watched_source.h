#pragma once

#include <functional>
#include <optional>
#include <utility>

#include "golden/item.h"

namespace assay::reports {

// Hands on what another source gives and shows each file to `look` first, so that one pass serves two readers.
class WatchedSource final : public golden::FileSource {
 public:
  using Look = std::function<void(const golden::FileResult&)>;

  // The source must outlive the object.
  WatchedSource(golden::FileSource& source, Look look) : source_(&source), look_(std::move(look)) {}

  std::optional<golden::FileResult> next() override {
    std::optional<golden::FileResult> file = source_->next();
    if (file) {
      look_(*file);
    }
    return file;
  }

 private:
  golden::FileSource* source_;
  Look look_;
};

}  // namespace assay::reports
