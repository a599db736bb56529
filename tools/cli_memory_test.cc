#include "synth/corpus.h"
#include "tools/cli_test_support.h"

namespace assay::tools {
namespace {

namespace fs = std::filesystem;

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define ASSAY_MEMORY_IS_SHADOWED
#endif
#endif

class CliMemory : public CliTest {};

// As many payloads as the larger game has, in about its shares, in one process.
TEST_F(CliMemory, VerifyNeedsTheLargestFileAndAHundredMegabytes) {
#ifdef ASSAY_MEMORY_IS_SHADOWED
  GTEST_SKIP() << "the sanitizer keeps freed memory and shadows the rest";
#endif
  constexpr std::uint64_t kPayloads = 16'000;
  constexpr std::uint64_t kAllowance = 100'000'000;
  synth::write_corpus({.folder = at("mix"), .profile = synth::CorpusProfile::kResources, .entries = kPayloads});
  std::uint64_t largest = 0;
  for (const auto& file : fs::recursive_directory_iterator(at("mix"))) {
    largest = std::max(largest, file.is_regular_file() ? file.file_size() : 0);
  }
  const Outcome outcome = run({"verify", "--profile", "compatible", "mix"});
  EXPECT_EQ(outcome.status, 0) << outcome.out.substr(0, 2'000);
  EXPECT_LT(outcome.peak_memory_bytes, largest + kAllowance);
}

}  // namespace
}  // namespace assay::tools
