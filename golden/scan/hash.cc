#include "golden/scan/hash.h"

#include <openssl/evp.h>

#include <algorithm>
#include <array>
#include <cassert>
#include <new>
#include <stdexcept>
#include <utility>

#include "golden/scan/sha256_lanes.h"
#include "parsers/base/escape.h"

namespace assay::golden {
namespace {

// One input on its way through a lane: its whole blocks, then what the padding adds.
class Lane {
 public:
  // Takes an input up; its hash goes to `hash`.
  void start(Bytes input, Sha256& hash) {
    state_ = kShaStart;
    hash_ = &hash;
    next_ = input.data();
    blocks_ = input.size() / kShaBlockBytes;
    make_tail(input);
    skip_to_tail();
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
    skip_to_tail();
    if (blocks_ == 0) {
      for (std::size_t word = 0; word < state_.size(); ++word) {
        for (std::size_t byte = 0; byte < sizeof state_[0]; ++byte) {
          (*hash_)[word * sizeof state_[0] + byte] = static_cast<std::uint8_t>(state_[word] >> (24 - 8 * byte));
        }
      }
      hash_ = nullptr;
    }
  }

 private:
  // The bytes behind the last whole block, a one bit, zeros, and the size in bits (FIPS 180-4, 5.1.1).
  void make_tail(Bytes input) {
    const std::size_t rest = input.size() % kShaBlockBytes;
    tail_.fill(0);
    std::ranges::copy(input.last(rest), tail_.begin());
    tail_[rest] = 0x80;
    tail_blocks_ = rest + 1 + sizeof(std::uint64_t) > kShaBlockBytes ? 2 : 1;
    const std::uint64_t bits = std::uint64_t{input.size()} * 8;
    for (std::size_t byte = 0; byte < sizeof bits; ++byte) {
      tail_[tail_blocks_ * kShaBlockBytes - 1 - byte] = static_cast<std::uint8_t>(bits >> (8 * byte));
    }
  }

  void skip_to_tail() {
    if (blocks_ == 0 && tail_blocks_ != 0) {
      next_ = tail_.data();
      blocks_ = std::exchange(tail_blocks_, 0);
    }
  }

  ShaState state_{};
  Sha256* hash_ = nullptr;
  const std::uint8_t* next_ = nullptr;
  std::size_t blocks_ = 0;
  std::array<std::uint8_t, 2 * kShaBlockBytes> tail_{};
  std::size_t tail_blocks_ = 0;
};

void hash_in_lanes(std::span<const Bytes> inputs, std::span<Sha256> hashes) {
  std::array<Lane, 2> lanes;
  std::size_t taken = 0;
  while (true) {
    for (Lane& lane : lanes) {
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
      Lane& alone = first.is_busy() ? first : second;
      const std::size_t blocks = alone.blocks();
      sha256_blocks(alone.state(), alone.next(), blocks);
      alone.advance(blocks);
    } else {
      return;
    }
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
  assert(inputs.size() == hashes.size());
  if (has_sha_instructions()) {
    hash_in_lanes(inputs, hashes);
    return;
  }
  Hasher hasher;
  for (std::size_t index = 0; index < inputs.size(); ++index) {
    hashes[index] = hasher.hash(inputs[index]);
  }
}

std::string hash_text(const Sha256& hash) {
  return to_hex(hash);
}

}  // namespace assay::golden
