#pragma once

#include <memory>
#include <vector>

#include "parsers/formats/plain_document.h"

// Formats of which nothing is known but that they exist: kept byte for byte, shown as opaque.
namespace assay {

// Reads an item of any size, also an empty one, as one opaque run called `content`. `observations` become its facts.
// Errors: those of check_input_size(). Cost: O(1).
[[nodiscard]] Result<std::unique_ptr<Document>> parse_raw(Bytes image, const ParseContext& context,
                                                          std::vector<DocumentFact> observations = {});

}  // namespace assay
