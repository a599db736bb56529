#include "golden/scan/hash.h"

#include <openssl/evp.h>

#include <new>
#include <stdexcept>

#include "parsers/base/escape.h"

namespace assay::golden {
namespace {

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

std::string hash_text(const Sha256& hash) {
  return to_hex(hash);
}

}  // namespace assay::golden
