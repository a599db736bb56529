#include <gtest/gtest.h>

#include <memory>

#include "oracles/peers/lhasa_peer.h"
#include "oracles/peers/mspack_peer.h"
#include "parsers/formats/rsli/rsli.h"
#include "synth/random_archives.h"

// Oracle 6 on archives: what members decode to is what decoders of other authors make of their packed bytes. Deflate
// has its second decoder inside the codec.
namespace assay::oracles {
namespace {

std::optional<Buffer> peer_decodes(rsli::Method method, Bytes packed, std::size_t size_bytes) {
  return method == rsli::Method::kLzss || method == rsli::Method::kXorLzss ? peers::mspack_lzss(packed, size_bytes)
                                                                           : peers::lhasa_lzhuf(packed, size_bytes);
}

bool has_peer(rsli::Method method) {
  return rsli::is_compressed(method) && method != rsli::Method::kDeflate;
}

TEST(PeersAgree, OnMembersOfRandomArchives) {
  const auto scratch = std::make_unique<DecodeScratch>();
  unsigned compared = 0;
  for (std::uint64_t seed = 0; seed < 150; ++seed) {
    synth::Prng prng(seed);
    const Buffer archive = synth::random_rsli(prng);
    Findings findings;
    const auto parsed = rsli::Archive::parse(archive, {}, findings);
    ASSERT_TRUE(parsed) << "seed " << seed;
    for (std::size_t row = 0; row < parsed->entries().size(); ++row) {
      const rsli::Method method = rsli::method_of(parsed->entries()[row].flags).value();
      const auto payload = parsed->load(row, *scratch, findings);
      ASSERT_TRUE(payload) << "seed " << seed << ", row " << row;
      if (!has_peer(method) || payload->empty()) {
        continue;
      }
      Buffer holder;
      const auto peer = peer_decodes(method, rsli::packed_before_transform(*parsed, row, holder), payload->size());
      ASSERT_TRUE(peer) << "seed " << seed << ", row " << row << ", " << rsli::method_text(method);
      EXPECT_TRUE(equal_bytes(*peer, *payload)) << "seed " << seed << ", row " << row;
      ++compared;
    }
  }
  EXPECT_GT(compared, 500U);
}

}  // namespace
}  // namespace assay::oracles
