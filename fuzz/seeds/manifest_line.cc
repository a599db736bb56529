#include "fuzz/seeds/seed_functions.h"

namespace assay::fuzz {

std::vector<TargetSeed> manifest_line_seeds(std::string_view /*target*/) {
  return {
      text_seed("header", R"({"iron_assay_manifest":1,"corpus":"corpus","profile":"compatible","files":2,"items":3})"),
      text_seed("item", R"({"path":"a.lib","entry":"","format":"nres","size":16,)"
                        R"("sha256":"98d1f695e9a930fa1627b50c68db06728a145ed191940516bd1fce37392fe79a","verdict":"ok",)"
                        R"("rules":[],"findings":[],"row":{},"facts":{"header.entry_count":"0"}})"),
      text_seed("entry",
                R"({"path":"a.lib","entry":"A::B","format":"rsli","size":3,)"
                R"("sha256":"98d1f695e9a930fa1627b50c68db06728a145ed191940516bd1fce37392fe79a",)"
                R"("stored_sha256":"08d1f695e9a930fa1627b50c68db06728a145ed191940516bd1fce37392fe79a",)"
                R"("verdict":"quirk","rules":["nres_linear_lookup"],"findings":["note empty_name entry[0].name"],)"
                R"("row":{"type_id":"MESH","attr1":"1"},"facts":{"payloads":"1"}})"),
      text_seed("accepted_failure",
                R"({"path":"b","entry":"","format":"","size":1,"sha256":null,"verdict":"fail","rules":[],)"
                R"("findings":["error input_too_short file"],"row":{},"facts":{},"reason":"known"})")};
}

}  // namespace assay::fuzz
