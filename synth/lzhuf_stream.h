#pragma once

#include <vector>

#include "parsers/base/bytes.h"
#include "parsers/codecs/lzhuf/adaptive_tree.h"
#include "synth/prng.h"

// LZHUF streams made symbol by symbol (docs/formats/codecs.md, B9), also of tokens that no encoder would choose.
namespace assay::synth {

class LzhufStream {
 public:
  LzhufStream() { tree_.reset(); }

  // Requires: byte < 256.
  void literal(unsigned byte) { symbol(byte); }
  // Requires: a length and a position of the format.
  void match(unsigned length_bytes, unsigned position);
  // A symbol of either kind; a match comes with `position`.
  void token(unsigned symbol, unsigned position);

  [[nodiscard]] const Buffer& packed() const { return packed_; }
  // Bytes that the stream decodes to.
  [[nodiscard]] std::size_t size_bytes() const { return size_bytes_; }
  [[nodiscard]] const lzhuf::AdaptiveTree& tree() const { return tree_; }

 private:
  void symbol(unsigned symbol);
  void bits(std::uint32_t value, unsigned count);

  lzhuf::AdaptiveTree tree_;
  Buffer packed_;
  std::uint64_t bit_count_ = 0;
  std::size_t size_bytes_ = 0;
};

struct HostileLzhufStream {
  const char* name = nullptr;
  LzhufStream stream{};
};

// Streams whose tree has as much to do as possible, of `symbol_count` symbols each. Cost: that of
// worst_lzhuf_stream().
[[nodiscard]] std::vector<HostileLzhufStream> hostile_lzhuf_streams(unsigned symbol_count);

// The worst of them: literals, each the one that moves most nodes of the tree as it then is for the bytes that it adds
// to input and output. Cost: 3 to 20 microseconds a byte, more at the beginning.
[[nodiscard]] LzhufStream worst_lzhuf_stream(std::size_t size_bytes, Prng& prng);

}  // namespace assay::synth
