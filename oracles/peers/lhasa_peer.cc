#include "oracles/peers/lhasa_peer.h"

#include <lhasa.h>

#include <algorithm>
#include <array>
#include <memory>

namespace assay::peers {
namespace {

// liblhasa asks for input through this; 0 means that there is no more.
std::size_t read_packed(void* buffer, std::size_t capacity, void* user) {
  Bytes& rest = *static_cast<Bytes*>(user);
  const Bytes portion = rest.first(std::min(capacity, rest.size()));
  std::copy(portion.begin(), portion.end(), static_cast<std::uint8_t*>(buffer));
  rest = rest.subspan(portion.size());
  return portion.size();
}

struct FreeDecoder {
  void operator()(LHADecoder* decoder) const { lha_decoder_free(decoder); }
};

}  // namespace

std::optional<Buffer> lhasa_lzhuf(Bytes packed, std::size_t size) {
  std::array<char, 6> name = {'-', 'l', 'h', '1', '-', '\0'};
  LHADecoderType* type = lha_decoder_for_name(name.data());
  if (type == nullptr) {
    return std::nullopt;
  }
  Bytes rest = packed;
  const std::unique_ptr<LHADecoder, FreeDecoder> decoder(lha_decoder_new(type, read_packed, &rest, size));
  if (decoder == nullptr) {
    return std::nullopt;
  }
  Buffer output(size);
  std::size_t produced = 0;
  while (produced < size) {
    const std::size_t step = lha_decoder_read(decoder.get(), output.data() + produced, size - produced);
    if (step == 0) {
      return std::nullopt;
    }
    produced += step;
  }
  return output;
}

}  // namespace assay::peers
