#pragma once

#include "parsers/base/bytes.h"
#include "synth/nres_builder.h"
#include "synth/prng.h"
#include "synth/rsli_builder.h"

// Random archives for the oracles: every layout that a parser accepts, in small.
namespace assay::synth {

struct RandomOptions {
  // Only what the strict profile finds in order; otherwise about half of the archives break a rule that still leaves
  // them readable.
  bool is_strict_clean = true;
  // How deep archives may be put into archives.
  unsigned nesting = 2;
};

// The plan of a random archive and, for RsLi, the payloads as they decode, row by row.
[[nodiscard]] NresLayout random_nres_layout(Prng& prng, const RandomOptions& options);
struct RandomRsli {
  RsliLayout layout;
  std::vector<Buffer> plain;
};
[[nodiscard]] RandomRsli random_rsli_layout(Prng& prng, const RandomOptions& options);

// A random archive, mostly below 4 KiB, at times larger.
[[nodiscard]] Buffer random_nres(Prng& prng, const RandomOptions& options = {});
[[nodiscard]] Buffer random_rsli(Prng& prng, const RandomOptions& options = {});

}  // namespace assay::synth
