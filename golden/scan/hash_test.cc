#include "golden/scan/hash.h"

#include <gtest/gtest.h>

#include <random>
#include <vector>

namespace assay::golden {
namespace {

Buffer make_bytes(std::size_t size, std::uint32_t seed) {
  std::mt19937 random(seed);
  Buffer bytes(size);
  for (std::uint8_t& byte : bytes) {
    byte = static_cast<std::uint8_t>(random());
  }
  return bytes;
}

void expect_hashes(std::span<const Bytes> inputs) {
  std::vector<Sha256> hashes(inputs.size());
  hash_all(inputs, hashes);
  Hasher hasher;
  for (std::size_t index = 0; index < inputs.size(); ++index) {
    ASSERT_EQ(hash_text(hashes[index]), hash_text(hasher.hash(inputs[index])))
        << "input " << index << " of " << inputs[index].size() << " bytes";
  }
}

TEST(HashAll, GivesTheKnownHashes) {
  std::vector<Sha256> hashes(3);
  const std::vector<Bytes> inputs{as_bytes("abc"), as_bytes("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
                                  Bytes()};
  hash_all(inputs, hashes);
  EXPECT_EQ(hash_text(hashes[0]), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(hash_text(hashes[1]), "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  EXPECT_EQ(hash_text(hashes[2]), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
}

TEST(HashAll, AgreesWithOpensslAtEverySizeAlone) {
  const Buffer bytes = make_bytes(400, 1);
  for (std::size_t size = 0; size <= bytes.size(); ++size) {
    const Bytes input = Bytes(bytes).first(size);
    expect_hashes({&input, 1});
  }
}

TEST(HashAll, AgreesWithOpensslForEveryPairOfSmallSizes) {
  const Buffer bytes = make_bytes(300, 2);
  for (std::size_t first = 0; first < 140; ++first) {
    for (std::size_t second = 0; second < 140; ++second) {
      const std::vector<Bytes> inputs{Bytes(bytes).first(first), Bytes(bytes).last(second)};
      expect_hashes(inputs);
    }
  }
}

TEST(HashAll, AgreesWithOpensslForAFileBesideItsParts) {
  const Buffer file = make_bytes(300'000, 3);
  std::mt19937 random(4);
  for (int round = 0; round < 20; ++round) {
    std::vector<Bytes> inputs{Bytes(file)};
    for (std::size_t start = 0; start < file.size();) {
      const std::size_t size =
          std::min<std::size_t>(file.size() - start, random() % 3 == 0 ? random() % 90'000 : random() % 200);
      inputs.push_back(Bytes(file).subspan(start, size));
      start += size + random() % 20;
    }
    expect_hashes(inputs);
  }
}

TEST(HashAll, OfNothingIsNothing) {
  hash_all({}, {});
}

}  // namespace
}  // namespace assay::golden
