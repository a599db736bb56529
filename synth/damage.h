#pragma once

#include <span>
#include <string_view>

#include "parsers/base/bytes.h"
#include "parsers/base/diagnostic.h"
#include "parsers/base/findings.h"

// Single faults in archives that were valid, by name.
namespace assay::synth {

// One fault and what a parser has to say of it.
struct Damage {
  std::string_view name;
  Severity severity = Severity::kError;
  Code code = Code::kInternal;
  // The whole archive is refused; otherwise this is a finding of its parse.
  bool refuses_archive = true;
  void (*apply)(Buffer& archive) = nullptr;
};

// Faults for NRes. Each requires a valid archive of at least two entries, all names different, the
// first two payloads of at least two bytes.
[[nodiscard]] std::span<const Damage> nres_damages();
// Faults for RsLi. Each requires a valid, presorted archive of at least two entries, all names different, the
// first one compressed, without trailer.
[[nodiscard]] std::span<const Damage> rsli_damages();

}  // namespace assay::synth
