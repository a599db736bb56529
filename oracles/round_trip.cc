#include <algorithm>
#include <string>

#include "oracles/oracles.h"
#include "oracles/support.h"

namespace assay::oracles {
namespace {

std::string difference(Bytes wanted, Bytes got) {
  if (wanted.size() != got.size()) {
    return std::to_string(got.size()) + " bytes instead of " + std::to_string(wanted.size());
  }
  const auto differing = std::ranges::mismatch(wanted, got).in1 - wanted.begin();
  return "byte " + std::to_string(differing) + " differs";
}

}  // namespace

Failures round_trip(const Document& document, Bytes bytes) {
  ByteMap map = document.account();
  return round_trip(document, bytes, map);
}

Failures round_trip(const Document& document, Bytes bytes, ByteMap& map) {
  Failures failures;
  const Buffer written = document.write();
  if (!equal_bytes(written, bytes)) {
    failures.push_back({"round_trip", "write() gives other bytes: " + difference(bytes, written)});
  }
  if (const auto closed = map.close(bytes.size()); !closed) {
    failures.push_back({"round_trip", "the byte map does not close: " + describe(closed.error())});
  } else if (map.shares().total() != bytes.size()) {
    failures.push_back({"round_trip", "the shares sum up to " + std::to_string(map.shares().total()) + " of " +
                                          std::to_string(bytes.size()) + " bytes"});
  }
  return failures;
}

}  // namespace assay::oracles
