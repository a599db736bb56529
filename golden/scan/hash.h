#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>

#include "golden/item.h"
#include "parsers/base/bytes.h"

struct evp_md_ctx_st;

namespace assay::golden {

// Computes SHA-256. Reusable, one thread at a time.
class Hasher {
 public:
  Hasher();

  // The hash of `bytes`. Cost: O(n), no allocation.
  [[nodiscard]] Sha256 hash(Bytes bytes);

  // The same in pieces: start(), any number of update(), finish().
  void start();
  void update(Bytes bytes);
  [[nodiscard]] Sha256 finish();

 private:
  struct Free {
    void operator()(evp_md_ctx_st* context) const;
  };
  std::unique_ptr<evp_md_ctx_st, Free> context_;
};

// The hashes of many inputs at once, each in its place. With the SHA instructions of x86-64 two inputs are computed
// side by side, which takes half the time of one after the other when the inputs can be split in two of equal size.
// Gives what Hasher gives. Requires: as many hashes as inputs. Cost: O(n).
void hash_all(std::span<const Bytes> inputs, std::span<Sha256> hashes);

// Gives the next bytes of an input, which stay as they are until the next call: a multiple of 64 of them, apart from
// the last piece, or none when there are no more. Called until it gives either.
using NextPiece = std::function<Bytes()>;

// The same for inputs that come in pieces; at most two are under way at once.
void hash_all_pieces(std::span<NextPiece> inputs, std::span<Sha256> hashes);

// Lower-case hex, 64 digits.
[[nodiscard]] std::string hash_text(const Sha256& hash);

}  // namespace assay::golden
