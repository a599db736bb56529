#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/types.h>

#include <filesystem>
#include <initializer_list>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "parsers/base/bytes.h"
#include "parsers/formats/rsli/method.h"

// Running the command as a user does: the real binary in a fresh folder, judged by exit status, stdout and stderr.
namespace assay::tools {

using OrderedJson = nlohmann::ordered_json;
namespace fs = std::filesystem;

struct Outcome {
  // The exit status, or minus the signal that ended it.
  int status = -1;
  std::string out;
  std::string err;
  // The most memory that it held.
  std::uint64_t peak_memory_bytes = 0;
};

// How the command is started.
struct RunOptions {
  // What stdout is connected to, when not collected.
  std::string stdout_path{};
  // The same for stderr.
  std::string stderr_path{};
  // The largest file that it may write.
  std::optional<std::size_t> file_size_limit{};
  // Without the rights of root, for whom no permission is ever missing.
  bool as_nobody = false;
};

// A member of a synthetic archive.
struct NresMember {
  std::string_view name;
  Buffer payload;
  std::uint32_t type_id = 7;
};
struct RsliMember {
  std::string_view name;
  rsli::Method method = rsli::Method::kStored;
  // As the decoder reads it, before any key transform, and the size that it decodes to.
  Buffer packed;
  std::size_t size = 0;
};

[[nodiscard]] Buffer bytes_of(std::string_view text);
[[nodiscard]] Buffer nres_archive(const std::vector<NresMember>& members);
[[nodiscard]] Buffer rsli_archive(const std::vector<RsliMember>& members, std::uint32_t xor_seed = 5);
// With an AO trailer behind it.
[[nodiscard]] Buffer with_trailer(Buffer rsli_archive, std::uint32_t overlay);
// Entry A is "bcde" at 0x41 where the trailer counts, and "abcd" at 0x40 where it does not.
[[nodiscard]] Buffer overlay_archive();
[[nodiscard]] std::string sha256_text(Bytes bytes);

class CliTest : public ::testing::Test {
 protected:
  CliTest();
  ~CliTest() override;

  // The fresh folder, in which the command runs.
  [[nodiscard]] const fs::path& folder() const { return folder_; }
  [[nodiscard]] fs::path at(const fs::path& name) const { return folder_ / name; }

  Outcome run(const std::vector<std::string>& arguments, const RunOptions& options = {});
  // The same without waiting; finish() collects. One at a time for each `tag`.
  [[nodiscard]] pid_t start(const std::vector<std::string>& arguments, const std::string& tag = "run",
                            const RunOptions& options = {});
  Outcome finish(pid_t child, const std::string& tag = "run");
  [[nodiscard]] fs::path output_of(const std::string& tag) const { return scratch_ / (tag + ".out"); }

  void write(const fs::path& name, Bytes bytes);
  void write(const fs::path& name, std::string_view text) { write(name, as_bytes(text)); }
  [[nodiscard]] Buffer read(const fs::path& name) const;
  [[nodiscard]] std::string read_text(const fs::path& name) const;
  // The names in a folder, sorted.
  [[nodiscard]] std::vector<std::string> names_in(const fs::path& name = ".") const;
  // Takes the right to write into a folder from everybody (root keeps it: RunOptions::as_nobody), or gives it back.
  void make_read_only(const fs::path& name, bool is_read_only = true);
  // Writes the synthetic corpus of containers into a folder of that name.
  void make_corpus(const std::string& name);
  // The payloads of an archive by `ls --json`: name and decoded hash.
  std::vector<std::pair<std::string, std::string>> listing(const std::string& archive);

 private:
  fs::path folder_;
  // Collected output, outside the folder that tests look at.
  fs::path scratch_;
};

// The objects of `--json` output, one a line.
[[nodiscard]] std::vector<OrderedJson> json_lines(const std::string& text);
[[nodiscard]] std::vector<std::string> keys_of(const OrderedJson& object);

// Compares with tools/testdata/NAME, or rewrites that file when ASSAY_UPDATE=1.
void expect_file(const std::string& name, const std::string& actual);

}  // namespace assay::tools
