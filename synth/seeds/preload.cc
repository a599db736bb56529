#include "parsers/formats/preload/preload.h"
#include "synth/seeds/seeds.h"

namespace assay::synth {

std::vector<Seed> preload_seeds();

// Stand-ins: no layout is known that could be written.
std::vector<Seed> preload_seeds() {
  const auto seed = [](std::string name, std::string_view text) {
    const Bytes bytes = as_bytes(text);
    return Seed{.name = std::move(name), .bytes = copy_of(bytes), .item_name = "preload.lst", .is_file = true};
  };
  return {seed("nothing", {}), seed("lines", "static.rlb\r\nbases.rlb\r\n"), seed("bytes_of_any_kind", "\xFF\x80\x01")};
}

}  // namespace assay::synth
