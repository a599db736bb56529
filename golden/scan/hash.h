#pragma once

#include <memory>
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

// Lower-case hex, 64 digits.
[[nodiscard]] std::string hash_text(const Sha256& hash);

}  // namespace assay::golden
