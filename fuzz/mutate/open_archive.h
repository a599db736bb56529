#pragma once

#include <memory>
#include <optional>

#include "oracles/support.h"
#include "parsers/formats/format.h"

// An archive with an open editor.
namespace assay::fuzz {

// The format whose editor changes archives of `format`: its own, or that of the archives it gives a meaning to; or
// null.
[[nodiscard]] const Format* editing_format(const Format& format);

struct OpenArchive {
  oracles::Parsed parsed;
  std::unique_ptr<Editor> editor;

  [[nodiscard]] const Container& container() const { return *(*parsed.document)->container(); }
};

// Nothing where `bytes` are no archive that can be edited. Views `bytes`.
[[nodiscard]] std::optional<OpenArchive> open_archive(const Format& format, Bytes bytes);

}  // namespace assay::fuzz
