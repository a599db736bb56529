#include "golden/scan/hash.h"

#include <openssl/evp.h>

#include <algorithm>
#include <array>
#include <cassert>
#include <new>
#include <stdexcept>
#include <utility>
#include <vector>

#include "golden/scan/sha256_lanes.h"
#include "parsers/base/escape.h"

namespace assay::golden {
namespace {

// An input that is in memory as a whole.
class WholeInput {
 public:
  explicit WholeInput(Bytes bytes) : bytes_(bytes) {}

  Bytes operator()() { return std::exchange(bytes_, Bytes()); }

 private:
  Bytes bytes_;
};

// One input on its way through a lane: the whole blocks of its pieces, then what the padding adds.
template <typename Input>
class Lane {
 public:
  // Takes an input up; its hash goes to `hash`.
  void start(Input& input, Sha256& hash) {
    state_ = kShaStart;
    input_ = &input;
    hash_ = &hash;
    total_bytes_ = 0;
    refill();
  }

  [[nodiscard]] bool is_busy() const { return hash_ != nullptr; }
  // How many blocks can be read from one place.
  [[nodiscard]] std::size_t blocks() const { return blocks_; }
  [[nodiscard]] const std::uint8_t* next() const { return next_; }
  [[nodiscard]] ShaState& state() { return state_; }

  // So many blocks were taken into the state.
  void advance(std::size_t blocks) {
    next_ += blocks * kShaBlockBytes;
    blocks_ -= blocks;
    if (blocks_ != 0) {
      return;
    }
    if (tail_blocks_ != 0) {
      next_ = tail_.data();
      blocks_ = std::exchange(tail_blocks_, 0);
    } else if (input_ != nullptr) {
      refill();
    } else {
      finish();
    }
  }

 private:
  // Only the last piece, which may be empty, has anything but whole blocks.
  void refill() {
    const Bytes piece = (*input_)();
    total_bytes_ += piece.size();
    next_ = piece.data();
    blocks_ = piece.size() / kShaBlockBytes;
    if (piece.empty() || piece.size() % kShaBlockBytes != 0) {
      make_tail(piece.last(piece.size() % kShaBlockBytes));
      input_ = nullptr;
      advance(0);
    }
  }

  // The bytes behind the last whole block, a one bit, zeros, and the size in bits (FIPS 180-4, 5.1.1).
  void make_tail(Bytes rest) {
    tail_.fill(0);
    std::ranges::copy(rest, tail_.begin());
    tail_[rest.size()] = 0x80;
    tail_blocks_ = rest.size() + 1 + sizeof(std::uint64_t) > kShaBlockBytes ? 2 : 1;
    const std::uint64_t bits = total_bytes_ * 8;
    for (std::size_t byte = 0; byte < sizeof bits; ++byte) {
      tail_[tail_blocks_ * kShaBlockBytes - 1 - byte] = static_cast<std::uint8_t>(bits >> (8 * byte));
    }
  }

  void finish() {
    for (std::size_t word = 0; word < state_.size(); ++word) {
      for (std::size_t byte = 0; byte < sizeof state_[0]; ++byte) {
        (*hash_)[word * sizeof state_[0] + byte] = static_cast<std::uint8_t>(state_[word] >> (24 - 8 * byte));
      }
    }
    hash_ = nullptr;
  }

  ShaState state_{};
  // Null once the last piece was taken.
  Input* input_ = nullptr;
  Sha256* hash_ = nullptr;
  const std::uint8_t* next_ = nullptr;
  std::size_t blocks_ = 0;
  std::uint64_t total_bytes_ = 0;
  std::array<std::uint8_t, 2 * kShaBlockBytes> tail_{};
  std::size_t tail_blocks_ = 0;
};

template <typename Input>
void hash_in_lanes(std::span<Input> inputs, std::span<Sha256> hashes) {
  std::array<Lane<Input>, 2> lanes;
  std::size_t taken = 0;
  while (true) {
    for (Lane<Input>& lane : lanes) {
      if (!lane.is_busy() && taken < inputs.size()) {
        lane.start(inputs[taken], hashes[taken]);
        ++taken;
      }
    }
    auto& [first, second] = lanes;
    if (first.is_busy() && second.is_busy()) {
      const std::size_t blocks = std::min(first.blocks(), second.blocks());
      sha256_blocks(first.state(), first.next(), second.state(), second.next(), blocks);
      first.advance(blocks);
      second.advance(blocks);
    } else if (first.is_busy() || second.is_busy()) {
      Lane<Input>& alone = first.is_busy() ? first : second;
      const std::size_t blocks = alone.blocks();
      sha256_blocks(alone.state(), alone.next(), blocks);
      alone.advance(blocks);
    } else {
      return;
    }
  }
}

template <typename Input>
Sha256 hash_one(Hasher& hasher, Input& input) {
  hasher.start();
  Bytes piece;
  do {
    piece = input();
    hasher.update(piece);
  } while (!piece.empty() && piece.size() % kShaBlockBytes == 0);
  return hasher.finish();
}

template <typename Input>
void hash_inputs(std::span<Input> inputs, std::span<Sha256> hashes) {
  assert(inputs.size() == hashes.size());
  if (has_sha_instructions()) {
    hash_in_lanes(inputs, hashes);
    return;
  }
  Hasher hasher;
  for (std::size_t index = 0; index < inputs.size(); ++index) {
    hashes[index] = hash_one(hasher, inputs[index]);
  }
}

void require(int openssl_result) {
  if (openssl_result != 1) {
    throw std::runtime_error("OpenSSL cannot compute SHA-256");
  }
}

// Looked up once: a look-up costs more than hashing a small payload.
const EVP_MD* sha256() {
  static const EVP_MD* const kSha256 = EVP_MD_fetch(nullptr, "SHA256", nullptr);
  return kSha256;
}

}  // namespace

void Hasher::Free::operator()(evp_md_ctx_st* context) const {
  EVP_MD_CTX_free(context);
}

Hasher::Hasher() : context_(EVP_MD_CTX_new()) {
  if (!context_) {
    throw std::bad_alloc();
  }
}

Sha256 Hasher::hash(Bytes bytes) {
  start();
  update(bytes);
  return finish();
}

void Hasher::start() {
  require(EVP_DigestInit_ex2(context_.get(), sha256(), nullptr));
}

void Hasher::update(Bytes bytes) {
  require(EVP_DigestUpdate(context_.get(), bytes.data(), bytes.size()));
}

Sha256 Hasher::finish() {
  Sha256 digest{};
  unsigned digest_bytes = 0;
  require(EVP_DigestFinal_ex(context_.get(), digest.data(), &digest_bytes));
  return digest;
}

void hash_all(std::span<const Bytes> inputs, std::span<Sha256> hashes) {
  std::vector<WholeInput> whole(inputs.begin(), inputs.end());
  hash_inputs(std::span(whole), hashes);
}

void hash_all_pieces(std::span<NextPiece> inputs, std::span<Sha256> hashes) {
  hash_inputs(inputs, hashes);
}

std::string hash_text(const Sha256& hash) {
  return to_hex(hash);
}

}  // namespace assay::golden
