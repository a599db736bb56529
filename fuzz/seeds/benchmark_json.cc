#include "fuzz/seeds/seed_functions.h"

namespace assay::fuzz {

std::vector<TargetSeed> benchmark_json_seeds(std::string_view /*target*/) {
  return {
      text_seed("repetitions",
                R"({"context":{"cpu":"a CPU","num_cpus":2,"caches":[{"level":1,"size":32768}]},"benchmarks":[)"
                R"({"name":"BM_A/16/repeats:2","run_name":"BM_A/16","run_type":"iteration","repetitions":2,)"
                R"("repetition_index":0,"threads":1,"iterations":5,"real_time":9e0,"cpu_time":2.5,"time_unit":"us",)"
                R"("bytes_per_second":4.0,"instructions_per_byte":1.5},)"
                R"({"name":"BM_A/16","run_name":"BM_A/16","run_type":"iteration","cpu_time":3,"time_unit":"ms"},)"
                R"({"name":"BM_A/16_median","run_name":"BM_A/16","run_type":"aggregate","cpu_time":2.7}]})"),
      text_seed("plain",
                R"({"benchmarks":[{"name":"b","cpu_time":1e308,"time_unit":"ns"},{"name":"b","cpu_time":7}]})"),
      text_seed("error", R"({"benchmarks":[{"name":"b","cpu_time":1,"error_occurred":true}]})"),
      text_seed("unit", R"({"benchmarks":[{"name":"b","cpu_time":1,"time_unit":"s","family_index":0}]})"),
      text_seed("aggregates", R"({"benchmarks":[{"name":"b","run_type":"aggregate","cpu_time":1}]})")};
}

}  // namespace assay::fuzz
