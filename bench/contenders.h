#pragma once

#include <functional>
#include <vector>

#include "bench/streams.h"
#include "parsers/base/bytes.h"

// Every decoder that is measured: ours, the plain ones, and those of others.
namespace assay::bench {

// Fills `output` from `packed`, or says that it cannot.
using Decoder = std::function<bool(Bytes packed, MutableBytes output)>;

struct Contender {
  const char* name;
  Codec codec;
  Decoder decode;
};

// Each keeps the memory that it needs between calls, where its interface allows that.
[[nodiscard]] std::vector<Contender> make_contenders();

}  // namespace assay::bench
