#include "fuzz/seeds/seed_functions.h"

namespace assay::fuzz {

std::vector<TargetSeed> campaign_line_seeds(std::string_view /*target*/) {
  return {text_seed("reported",
                    R"({"target":"nres","engine":"libfuzzer","started_at":"2026-01-02T03:04:05Z","seconds":2,)"
                    R"("executions":50000,"features":10,"edges":5,"corpus_units":3,"new_units":1,"line_percent":null,)"
                    R"("crashes":[]})"),
          text_seed("listed", R"({"campaign_id":1,"target":"a","engine":"afl","started_at":"2026-01-02T03:04:05.678Z",)"
                              R"("seconds":0.5,"executions":1,"per_second":2,"features":1,"edges":1,"corpus_units":1,)"
                              R"("new_units":0,"line_percent":97.5,)"
                              R"("crashes":[{"kind":"k","frames":"a < b","reproducer":"r","new":true}]})")};
}

}  // namespace assay::fuzz
