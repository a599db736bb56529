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
  hash_all_pieces({}, {});
}

// Gives `bytes` in pieces of so many.
NextPiece in_pieces(Bytes bytes, std::size_t piece_bytes) {
  return [rest = bytes, piece_bytes]() mutable {
    const Bytes piece = rest.first(std::min(piece_bytes, rest.size()));
    rest = rest.subspan(piece.size());
    return piece;
  };
}

TEST(HashAllPieces, GivesTheHashOfTheWholeWhereverItIsCut) {
  const Buffer bytes = make_bytes(1000, 5);
  Hasher hasher;
  for (std::size_t size = 0; size <= 400; ++size) {
    for (const std::size_t piece_bytes : {64U, 128U, 640U}) {
      const Bytes first = Bytes(bytes).first(size);
      const Bytes second = Bytes(bytes).last((size * 7) % 1000);
      std::vector<NextPiece> inputs{in_pieces(first, piece_bytes), in_pieces(second, 128), in_pieces(first, 64)};
      std::vector<Sha256> hashes(inputs.size());
      hash_all_pieces(inputs, hashes);
      ASSERT_EQ(hash_text(hashes[0]), hash_text(hasher.hash(first))) << size << " in pieces of " << piece_bytes;
      ASSERT_EQ(hash_text(hashes[1]), hash_text(hasher.hash(second))) << second.size();
      ASSERT_EQ(hashes[2], hashes[0]);
    }
  }
}

}  // namespace
}  // namespace assay::golden
