#include <zlib.h>

#include <array>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>

#include "tools/cli_test_support.h"

// Streams of other programs, as members of RsLi archives.
namespace assay::tools {
namespace {

namespace fs = std::filesystem;

class CliVectors : public CliTest {
 protected:
  // Lists an archive of these members and compares each decoded hash.
  void expect_hashes(const std::vector<RsliMember>& members, const std::vector<std::string>& hashes) {
    write("v.rlb", rsli_archive(members));
    const Outcome outcome = run({"ls", "v.rlb", "--json"});
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    const auto rows = json_lines(outcome.out);
    ASSERT_EQ(rows.size(), members.size());
    for (std::size_t index = 0; index < rows.size(); ++index) {
      EXPECT_EQ(rows[index]["sha256"], hashes[index]) << rows[index].dump();
      EXPECT_EQ(rows[index]["size"], members[index].size);
      EXPECT_EQ(rows[index]["method"], rsli::method_text(members[index].method));
    }
  }
};

Buffer file_bytes(const fs::path& path) {
  std::ifstream stream(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
}

fs::path shared_folder() {
  const char* given = std::getenv("ASSAY_SHARED");
  if (given != nullptr) {
    return given;
  }
  const char* source = std::getenv("ASSAY_SOURCE_DIR");
  return fs::path(source == nullptr ? "." : source) / "../shared";
}

TEST_F(CliVectors, StreamsOfOldArchiversDecode) {
  const fs::path streams = shared_folder() / "vectors/streams";
  if (!fs::exists(streams / "index.json")) {
    GTEST_SKIP() << "no test vectors at " << streams << "; ASSAY_SHARED names their folder";
  }
  const Buffer index_bytes = file_bytes(streams / "index.json");
  const OrderedJson index = OrderedJson::parse(as_text(index_bytes));
  ASSERT_GE(index.size(), 6U);
  std::vector<std::string> names;
  std::vector<std::string> hashes;
  std::vector<RsliMember> members;
  names.reserve(2 * index.size());
  for (const OrderedJson& row : index) {
    const Buffer packed = file_bytes(streams / row["file"].get<std::string>());
    ASSERT_EQ(packed.size(), row["packed_size"]);
    const std::string method = row["method"];
    for (const std::string& form : {method, "xor+" + method}) {
      const auto found = rsli::find_method(form);
      ASSERT_TRUE(found) << form;
      names.push_back("V" + std::to_string(names.size()));
      members.push_back({names.back(), *found, packed, row["size"]});
      hashes.push_back(row["sha256"]);
    }
  }
  expect_hashes(members, hashes);
}

// Where the Deflate stream of a gzip member begins (RFC 1952, 2.3), or 0 where it is none.
std::size_t gzip_header_bytes(Bytes file) {
  constexpr std::size_t kFixedBytes = 10;
  constexpr unsigned kHeaderChecksum = 2;
  constexpr unsigned kExtra = 4;
  constexpr unsigned kName = 8;
  constexpr unsigned kComment = 16;
  if (file.size() < kFixedBytes || file[0] != 0x1F || file[1] != 0x8B || file[2] != 8) {
    return 0;
  }
  const unsigned flags = file[3];
  std::size_t at = kFixedBytes;
  if ((flags & kExtra) != 0 && at + 2 <= file.size()) {
    at += 2 + file[at] + 256U * file[at + 1];
  }
  for (const unsigned text : {kName, kComment}) {
    while ((flags & text) != 0 && at < file.size() && file[at++] != 0) {
    }
  }
  at += (flags & kHeaderChecksum) != 0 ? 2U : 0U;
  return at < file.size() ? at : 0;
}

// One raw stream: what zlib makes of it, and how many packed bytes that took. Nothing where it is no single stream.
struct Inflated {
  Buffer bytes;
  std::size_t used_bytes = 0;
};
std::optional<Inflated> inflate_raw(Bytes packed) {
  z_stream stream{};
  if (inflateInit2(&stream, -MAX_WBITS) != Z_OK) {
    return std::nullopt;
  }
  Inflated result;
  std::array<std::uint8_t, 65536> piece{};
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-const-cast): zlib's interface; inflate() reads only.
  stream.next_in = const_cast<std::uint8_t*>(packed.data());
  stream.avail_in = static_cast<unsigned>(packed.size());
  int code = Z_OK;
  while (code == Z_OK) {
    stream.next_out = piece.data();
    stream.avail_out = static_cast<unsigned>(piece.size());
    code = inflate(&stream, Z_NO_FLUSH);
    result.bytes.insert(result.bytes.end(), piece.begin(), piece.end() - stream.avail_out);
  }
  result.used_bytes = packed.size() - stream.avail_in;
  inflateEnd(&stream);
  return code == Z_STREAM_END ? std::optional(std::move(result)) : std::nullopt;
}

TEST_F(CliVectors, RawDeflateOfInstalledGzipFilesDecodes) {
  constexpr std::size_t kEnough = 200;
  constexpr std::size_t kNeeded = 50;
  std::vector<std::string> names;
  std::vector<std::string> hashes;
  std::vector<RsliMember> members;
  names.reserve(kEnough);
  std::error_code missing;
  const auto skip = fs::directory_options::skip_permission_denied;
  for (const auto& entry : fs::recursive_directory_iterator("/usr/share/doc", skip, missing)) {
    if (entry.path().extension() != ".gz" || entry.is_symlink() || names.size() == kEnough) {
      continue;
    }
    const Buffer file = file_bytes(entry.path());
    const std::size_t begin = gzip_header_bytes(file);
    const auto inflated = begin == 0 ? std::nullopt : inflate_raw(Bytes(file).subspan(begin));
    if (!inflated) {
      continue;
    }
    names.push_back("G" + std::to_string(names.size()));
    const Bytes packed = Bytes(file).subspan(begin, inflated->used_bytes);
    members.push_back(
        {names.back(), rsli::Method::kDeflate, Buffer(packed.begin(), packed.end()), inflated->bytes.size()});
    hashes.push_back(sha256_text(inflated->bytes));
  }
  if (names.size() < kNeeded) {
    GTEST_SKIP() << "only " << names.size() << " usable .gz files below /usr/share/doc";
  }
  expect_hashes(members, hashes);
  EXPECT_EQ(run({"verify", "v.rlb"}).status, 0);
}

}  // namespace
}  // namespace assay::tools
