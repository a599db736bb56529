#pragma once

#include <string>

#include "golden/item.h"
#include "golden/scan/corpus.h"
#include "golden/scan/walk.h"

namespace assay::golden {

// A hash over everything besides a file's path in the corpus and its bytes that the results of a scan depend on: the
// code (`build`, see tool_build()), limits, rules and switches, and the name of the folder that the corpus is, which
// may say what its files are (docs/formats/README.md). Cost: O(1).
[[nodiscard]] Sha256 scan_key(const WalkOptions& options, const std::string& build, const CorpusListing& corpus);

// The raw path of a file from the corpus folder on, that folder's own name included: the folders may say what a file
// is, but not those that the corpus happens to lie in. A file that is looked at by itself has its whole path, as it has
// for `inspect` and `edit`. Cost: a look at each folder on the way.
[[nodiscard]] std::string path_below_corpus(const CorpusFile& file);

}  // namespace assay::golden
