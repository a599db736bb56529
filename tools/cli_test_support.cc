#include "tools/cli_test_support.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <iterator>

#include "golden/scan/hash.h"
#include "parsers/formats/nres/nres.h"
#include "parsers/formats/rsli/rsli.h"
#include "synth/corpus.h"

namespace assay::tools {
namespace {

constexpr unsigned kSecondsForOneCommand = 120;
constexpr uid_t kNobody = 65534;
// What a child that could not be started ends with, as a shell has it.
constexpr int kNotStarted = 127;

void connect(int descriptor, const std::string& path) {
  const int file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0666);
  if (file < 0 || ::dup2(file, descriptor) < 0) {
    ::_exit(kNotStarted);
  }
  ::close(file);
}

[[noreturn]] void become(const std::vector<std::string>& arguments, const RunOptions& options) {
  if (options.file_size_limit) {
    const rlimit limit{*options.file_size_limit, *options.file_size_limit};
    ::setrlimit(RLIMIT_FSIZE, &limit);
  }
  // Opened while every folder on the way may still be entered; a checkout may lie in one that is closed to others.
  const int binary = ::open(ASSAY_BINARY, O_RDONLY | O_CLOEXEC);
  if (options.as_nobody && ::geteuid() == 0 && (::setgid(kNobody) != 0 || ::setuid(kNobody) != 0)) {
    ::_exit(kNotStarted);
  }
  std::vector<char*> pointers;
  std::string program = ASSAY_BINARY;
  pointers.push_back(program.data());
  std::vector<std::string> copies = arguments;
  for (std::string& argument : copies) {
    pointers.push_back(argument.data());
  }
  pointers.push_back(nullptr);
  // An alarm survives exec: no command hangs a test for longer.
  ::alarm(kSecondsForOneCommand);
  ::fexecve(binary, pointers.data(), environ);
  ::_exit(kNotStarted);
}

std::string text_of(const fs::path& path) {
  std::ifstream stream(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
}

}  // namespace

Buffer bytes_of(std::string_view text) {
  return {as_bytes(text).begin(), as_bytes(text).end()};
}

Buffer nres_archive(const std::vector<NresMember>& members) {
  std::vector<nres::NewEntry> rows;
  for (const NresMember& member : members) {
    rows.push_back({.row = {.type_id = member.type_id, .name = FixedString<36>::from_text(as_bytes(member.name))},
                    .payload = member.payload});
  }
  return nres::build_canonical(rows).value();
}

Buffer rsli_archive(const std::vector<RsliMember>& members, std::uint32_t xor_seed) {
  std::vector<rsli::PackedEntry> rows;
  for (const RsliMember& member : members) {
    rows.push_back({.row = {.name = FixedString<12>::from_text(as_bytes(member.name)),
                            .flags = static_cast<std::uint16_t>(member.method),
                            .unpacked_size = static_cast<std::uint32_t>(member.size)},
                    .packed = member.packed});
  }
  return rsli::build({.xor_seed = xor_seed}, rows).value();
}

Buffer with_trailer(Buffer rsli_archive, std::uint32_t overlay) {
  rsli_archive.insert(rsli_archive.end(), {'A', 'O', 0, 0, 0, 0});
  store_little_endian(overlay, MutableBytes(rsli_archive).last(sizeof overlay));
  return rsli_archive;
}

Buffer overlay_archive() {
  Buffer archive = rsli_archive({{"A", rsli::Method::kStored, bytes_of("abcd"), 4}});
  archive.push_back('e');
  return with_trailer(std::move(archive), 1);
}

std::string sha256_text(Bytes bytes) {
  return golden::hash_text(golden::Hasher().hash(bytes));
}

CliTest::CliTest() {
  const std::string base = (fs::temp_directory_path() / "assay-cli-XXXXXX").string();
  for (fs::path* made : {&folder_, &scratch_}) {
    std::string name = base;
    *made = ::mkdtemp(name.data());
    // Another user has to get in (RunOptions::as_nobody).
    fs::permissions(*made, fs::perms::all);
  }
}

CliTest::~CliTest() {
  std::error_code ignored;
  fs::remove_all(folder_, ignored);
  fs::remove_all(scratch_, ignored);
}

Outcome CliTest::run(const std::vector<std::string>& arguments, const RunOptions& options) {
  return finish(start(arguments, "run", options));
}

pid_t CliTest::start(const std::vector<std::string>& arguments, const std::string& tag, const RunOptions& options) {
  const std::string out = options.stdout_path.empty() ? output_of(tag).string() : options.stdout_path;
  const std::string err = options.stderr_path.empty() ? (scratch_ / (tag + ".err")).string() : options.stderr_path;
  const pid_t child = ::fork();
  if (child == 0) {
    connect(STDOUT_FILENO, out);
    connect(STDERR_FILENO, err);
    if (::chdir(folder_.c_str()) != 0) {
      ::_exit(kNotStarted);
    }
    become(arguments, options);
  }
  return child;
}

Outcome CliTest::finish(pid_t child, const std::string& tag) {
  int status = 0;
  rusage usage{};
  EXPECT_EQ(::wait4(child, &status, 0, &usage), child);
  Outcome outcome{.status = WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status),
                  .out = text_of(output_of(tag)),
                  .err = text_of(scratch_ / (tag + ".err")),
                  .peak_memory_bytes = static_cast<std::uint64_t>(usage.ru_maxrss) * 1024};
  EXPECT_NE(outcome.status, kNotStarted) << ASSAY_BINARY << " could not be started";
  return outcome;
}

void CliTest::write(const fs::path& name, Bytes bytes) {
  fs::create_directories(at(name).parent_path());
  std::ofstream stream(at(name), std::ios::binary);
  stream.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
  ASSERT_TRUE(stream.flush()) << name;
}

Buffer CliTest::read(const fs::path& name) const {
  return bytes_of(read_text(name));
}

std::string CliTest::read_text(const fs::path& name) const {
  EXPECT_TRUE(fs::exists(at(name))) << name;
  return text_of(at(name));
}

std::vector<std::string> CliTest::names_in(const fs::path& name) const {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(at(name))) {
    names.push_back(entry.path().filename().string());
  }
  std::ranges::sort(names);
  return names;
}

void CliTest::make_read_only(const fs::path& name, bool is_read_only) {
  const fs::perms writing = fs::perms::owner_write | fs::perms::group_write | fs::perms::others_write;
  fs::permissions(at(name), is_read_only ? fs::perms::all & ~writing : fs::perms::all);
}

void CliTest::make_corpus(const std::string& name) {
  synth::write_corpus({.folder = at(name)});
}

std::vector<std::pair<std::string, std::string>> CliTest::listing(const std::string& archive) {
  const Outcome outcome = run({"ls", archive, "--json"});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  std::vector<std::pair<std::string, std::string>> entries;
  for (const OrderedJson& row : json_lines(outcome.out)) {
    entries.emplace_back(row["name"], row["sha256"].is_null() ? "" : row["sha256"].get<std::string>());
  }
  return entries;
}

std::vector<OrderedJson> json_lines(const std::string& text) {
  std::vector<OrderedJson> objects;
  EXPECT_TRUE(text.empty() || text.ends_with('\n')) << text;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    objects.push_back(OrderedJson::parse(text.substr(at, end - at), nullptr, false));
    EXPECT_TRUE(objects.back().is_object()) << text.substr(at, end - at);
    at = end + 1;
  }
  return objects;
}

std::vector<std::string> keys_of(const OrderedJson& object) {
  std::vector<std::string> keys;
  for (const auto& [key, value] : object.items()) {
    keys.push_back(key);
  }
  return keys;
}

void expect_file(const std::string& name, const std::string& actual) {
  const fs::path path = fs::path(ASSAY_TESTDATA) / name;
  const char* update = std::getenv("ASSAY_UPDATE");
  if (update != nullptr && std::string_view(update) == "1") {
    std::ofstream(path, std::ios::binary) << actual;
    return;
  }
  ASSERT_TRUE(fs::exists(path)) << path << " is missing; ASSAY_UPDATE=1 writes it";
  EXPECT_EQ(actual, text_of(path)) << "differs from " << path << "; ASSAY_UPDATE=1 rewrites it";
}

}  // namespace assay::tools
