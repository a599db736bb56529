#include "golden/scan/walk.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>

#include "golden/scan/hash.h"
#include "parsers/formats/msh/msh_test_support.h"
#include "parsers/formats/nres/nres.h"
#include "parsers/formats/rsli/rsli.h"

namespace assay::golden {
namespace {

Buffer bytes_of(std::string_view text) {
  return {as_bytes(text).begin(), as_bytes(text).end()};
}

struct Named {
  std::string_view name;
  Buffer payload;
};

Buffer nres_of(const std::vector<Named>& members) {
  std::vector<nres::NewEntry> rows;
  for (const Named& member : members) {
    rows.push_back(
        {.row = {.type_id = 7, .name = FixedString<36>::from_text(as_bytes(member.name))}, .payload = member.payload});
  }
  return *nres::build_canonical(rows);
}

Buffer rsli_of(rsli::Method method, const std::vector<Named>& members) {
  std::vector<Buffer> packed;
  for (const Named& member : members) {
    packed.push_back(rsli::pack(method, member.payload, kDefaultLevel));
  }
  std::vector<rsli::PackedEntry> rows;
  for (std::size_t index = 0; index < members.size(); ++index) {
    rows.push_back({.row = {.name = FixedString<12>::from_text(as_bytes(members[index].name)),
                            .flags = static_cast<std::uint16_t>(method),
                            .unpacked_size = static_cast<std::uint32_t>(members[index].payload.size())},
                    .packed = packed[index]});
  }
  std::uint32_t total = 0;
  for (const Named& member : members) {
    total += static_cast<std::uint32_t>(member.payload.size());
  }
  const auto count = static_cast<std::uint16_t>(members.size());
  return *rsli::build({.entry_count_copy = count, .unpacked_total = total, .xor_seed = 77}, rows);
}

std::vector<Item> walk(Bytes content, std::string_view name = "any.bin", const WalkOptions& options = {}) {
  return FileWalker(options).walk(content, as_bytes(name));
}

Item item_at(const std::vector<Item>& items, std::string_view entry) {
  const auto found = std::ranges::find(items, entry, &Item::entry);
  EXPECT_NE(found, items.end()) << entry;
  return found == items.end() ? items.front() : *found;
}

std::vector<std::string> codes_of(const Item& item) {
  std::vector<std::string> codes;
  for (const ItemFinding& finding : item.findings) {
    codes.push_back(finding.code);
  }
  return codes;
}

// What the file and its direct members hash to, computed one by one.
void expect_hashes(const Buffer& file, const std::vector<Item>& items, const std::vector<Named>& members) {
  Hasher hasher;
  EXPECT_EQ(items.front().sha256, hasher.hash(file));
  EXPECT_EQ(items.front().stored_sha256, items.front().sha256);
  for (const Named& member : members) {
    const Item item = item_at(items, member.name);
    const Bytes stored =
        Bytes(file).subspan(static_cast<std::size_t>(item.offset), static_cast<std::size_t>(item.stored_size));
    EXPECT_EQ(item.stored_sha256, hasher.hash(stored)) << member.name;
    EXPECT_EQ(item.sha256, hasher.hash(member.payload)) << member.name;
  }
}

TEST(WalkHashes, AreThoseOfTheStoredAndOfTheDecodedBytesInSmallFilesAndInLarge) {
  for (const std::size_t size : {10U, 5'000U, 700'000U}) {
    std::vector<Named> members{{"EMPTY", {}}, {"ONE", Buffer(size, 1)}, {"TEXT", bytes_of("some text, some text")}};
    members.push_back({"LAST", Buffer(size + 64, 9)});
    const Buffer nres = nres_of(members);
    expect_hashes(nres, walk(nres), members);
    for (const rsli::Method method :
         {rsli::Method::kStored, rsli::Method::kXor, rsli::Method::kLzss, rsli::Method::kDeflate}) {
      const Buffer rsli = rsli_of(method, members);
      expect_hashes(rsli, walk(rsli), members);
    }
    const Buffer outer = nres_of({{"inner", nres}, {"packed", rsli_of(rsli::Method::kLzss, members)}});
    const auto items = walk(outer);
    Hasher hasher;
    for (const Named& member : members) {
      for (const char* archive : {"inner::", "packed::"}) {
        EXPECT_EQ(item_at(items, archive + std::string(member.name)).sha256, hasher.hash(member.payload)) << archive;
      }
    }
    EXPECT_EQ(walk(nres).front().sha256, hasher.hash(nres));
  }
}

TEST(Walk, ReachesPayloadsThroughEveryLayer) {
  const Buffer leaf = bytes_of("the leaf");
  const Buffer inner = nres_of({{"stream", leaf}});
  const Buffer middle = rsli_of(rsli::Method::kDeflate, {{"NESTED.RES", inner}});
  const Buffer outer = nres_of({{"pack.lib", middle}, {"plain", leaf}});
  const std::vector<Item> items = walk(outer);
  ASSERT_EQ(items.size(), 5U);
  EXPECT_EQ(items[0].format, "nres");
  EXPECT_EQ(items[1].format, "rsli");
  EXPECT_EQ(items[2].entry, "pack.lib::NESTED.RES");
  EXPECT_EQ(items[2].format, "nres");
  EXPECT_EQ(items[3].entry, "pack.lib::NESTED.RES::stream");
  EXPECT_EQ(items[3].sha256, Hasher().hash(leaf));
  EXPECT_EQ(items[4].sha256, items[3].sha256);
  EXPECT_EQ(items[4].verdict, Verdict::kUnknown);
  EXPECT_EQ(items[2].verdict, Verdict::kOk);
}

TEST(Walk, OffsetsAreThoseOfTheFileAndInsideDecodedDataThoseOfTheMember) {
  Buffer damaged = nres_of({{"stream", bytes_of("x")}});
  damaged[4] = 9;  // the version
  const Buffer stored = nres_of({{"first", bytes_of("12345678")}, {"model.msh", damaged}});
  const Item in_stored = item_at(walk(stored), "model.msh");
  ASSERT_EQ(in_stored.findings.size(), 1U);
  EXPECT_EQ(in_stored.findings[0].code, "unsupported_version");
  EXPECT_EQ(in_stored.findings[0].offset, in_stored.offset + 4);
  EXPECT_EQ(in_stored.findings[0].field, "header.version");

  const Item in_packed = item_at(walk(rsli_of(rsli::Method::kLzss, {{"MODEL.MSH", damaged}})), "MODEL.MSH");
  ASSERT_EQ(in_packed.findings.size(), 1U);
  EXPECT_EQ(in_packed.findings[0].offset, in_packed.offset);
}

TEST(Walk, AFailedDecodeFailsTheArchiveAndThatEntryOnly) {
  Buffer image =
      rsli_of(rsli::Method::kDeflate, {{"A", bytes_of("good good good")}, {"B", bytes_of("bad bad bad bad")}});
  image[item_at(walk(image), "B").offset] = 0x07;  // a last block of type 3, which does not exist
  const std::vector<Item> items = walk(image);
  EXPECT_EQ(items[0].verdict, Verdict::kFail);
  EXPECT_TRUE(items[0].findings.empty()) << "the finding is on the entry";
  EXPECT_EQ(items[1].verdict, Verdict::kUnknown);
  EXPECT_EQ(items[2].verdict, Verdict::kFail);
  EXPECT_FALSE(items[2].sha256);
  EXPECT_TRUE(items[2].stored_sha256);
}

TEST(Walk, AnArchiveInsideAnotherFailsForAnyOfItsEntries) {
  for (const char* broken : {"A", "B"}) {
    Buffer inner =
        rsli_of(rsli::Method::kDeflate, {{"A", bytes_of("one one one one")}, {"B", bytes_of("two two two")}});
    inner[item_at(walk(inner), broken).offset] = 0x07;  // a last block of type 3, which does not exist
    const std::vector<Item> items = walk(nres_of({{"pack", inner}}));
    EXPECT_EQ(item_at(items, "pack").verdict, Verdict::kFail) << broken;
    for (const char* entry : {"A", "B"}) {
      EXPECT_EQ(item_at(items, std::string("pack::") + entry).verdict == Verdict::kFail,
                entry == std::string_view(broken))
          << entry;
    }
  }
}

// A model is an archive of streams: the damage of one does not hide the others.
TEST(Walk, LooksIntoTheArchiveThatARefusedModelIs) {
  // The record size of stream 1, in the first row of the directory.
  const std::vector<Item> items = walk(format_testing::with_byte(msh::full_b(), 0x1D8 + 0x10, 37), "a.msh");
  ASSERT_EQ(items.size(), 15U);
  EXPECT_EQ(items[0].format, "msh");
  EXPECT_EQ(items[0].verdict, Verdict::kFail);
  EXPECT_EQ(codes_of(items[0]), std::vector<std::string>{"invalid_stride"});
  for (const Item& stream : std::span(items).subspan(1)) {
    EXPECT_TRUE(stream.sha256) << stream.entry;
  }
}

TEST(Walk, WhatTheDirectorySaysOfAnEntryStandsWithIt) {
  Buffer image = nres_of({{"a", bytes_of("12345678")}, {"b", bytes_of("12345678")}, {"c", bytes_of("12345678")}});
  const std::size_t rows = image.size() - 3 * nres::kEntryRecord.size_bytes;
  // The size of b reaches into the directory; the payload of c begins one byte late.
  store_little_endian<std::uint32_t>(1000, MutableBytes(image).subspan(rows + 64 + 0x0C));
  store_little_endian<std::uint32_t>(33, MutableBytes(image).subspan(rows + 128 + 0x38));
  store_little_endian<std::uint32_t>(7, MutableBytes(image).subspan(rows + 128 + 0x0C));
  const std::vector<Item> items = walk(image);
  EXPECT_TRUE(item_at(items, "a").findings.empty());
  EXPECT_EQ(item_at(items, "a").verdict, Verdict::kUnknown);
  const Item refused = item_at(items, "b");
  ASSERT_EQ(codes_of(refused), std::vector<std::string>{"entry_data_out_of_bounds"});
  EXPECT_EQ(refused.findings[0].severity, Severity::kError);
  EXPECT_EQ(refused.findings[0].field, "entry[1].size");
  EXPECT_EQ(refused.findings[0].offset, rows + 64 + 0x0C);
  EXPECT_EQ(refused.verdict, Verdict::kFail);
  EXPECT_FALSE(refused.stored_sha256);
  const Item odd = item_at(items, "c");
  ASSERT_EQ(codes_of(odd), std::vector<std::string>{"misaligned_payload"});
  EXPECT_EQ(odd.findings[0].severity, Severity::kStrict);
  EXPECT_EQ(odd.verdict, Verdict::kFail);
  EXPECT_EQ(odd.sha256, Hasher().hash(bytes_of("2345678")));
  EXPECT_EQ(codes_of(items[0]), std::vector<std::string>{"non_zero_gap"}) << "the runs that are nobody's now";
  EXPECT_EQ(items[0].verdict, Verdict::kFail);
}

TEST(Walk, HashesWhatIsStoredAndWhatItDecodesTo) {
  const Buffer plain = bytes_of("to be or not to be, to be or not to be");
  for (const auto method : {rsli::Method::kStored, rsli::Method::kXor, rsli::Method::kLzss, rsli::Method::kXorLzss,
                            rsli::Method::kLzhuf, rsli::Method::kXorLzhuf, rsli::Method::kDeflate}) {
    const Buffer image = rsli_of(method, {{"A", bytes_of("x")}, {"B", plain}});
    const Item item = item_at(walk(image), "B");
    const Bytes stored = Bytes(image).subspan(item.offset, item.stored_size);
    EXPECT_EQ(item.stored_sha256, Hasher().hash(stored)) << rsli::method_text(method);
    EXPECT_EQ(item.sha256, Hasher().hash(plain)) << rsli::method_text(method);
    EXPECT_EQ(item.size, plain.size());
    EXPECT_EQ(item.stored_sha256 == item.sha256, method == rsli::Method::kStored);
  }
}

TEST(Walk, DamageInsideAnEntryDoesNotFailTheArchiveAroundIt) {
  Buffer damaged = nres_of({{"stream", bytes_of("x")}});
  damaged[12] ^= 1;
  const std::vector<Item> items = walk(nres_of({{"model.msh", damaged}}));
  EXPECT_EQ(items[0].verdict, Verdict::kOk);
  EXPECT_EQ(items[1].verdict, Verdict::kFail);
}

TEST(Walk, ANameThatTheContentContradictsIsAFinding) {
  const Buffer image = rsli_of(rsli::Method::kStored, {{"A", bytes_of("x")}});
  const std::vector<Item> items = walk(image, "tank.msh");
  EXPECT_EQ(items[0].format, "rsli");
  ASSERT_EQ(codes_of(items[0]), std::vector<std::string>{"format_contradiction"});
  EXPECT_TRUE(items[0].findings[0].message.ends_with("(expected msh, got rsli)")) << items[0].findings[0].message;
  EXPECT_EQ(items[0].verdict, Verdict::kFail);
}

TEST(Walk, NamesEveryUnclaimedRunWithItsHash) {
  Buffer image = nres_of({{"a", bytes_of("12345678")}});
  // An unindexed run in front: the payload moves by 8 and so does what is derived.
  image.insert(image.begin() + 16, {1, 2, 3, 4, 5, 6, 7, 8});
  store_little_endian<std::uint32_t>(static_cast<std::uint32_t>(image.size()), MutableBytes(image).subspan(12));
  store_little_endian<std::uint32_t>(24, MutableBytes(image).subspan(image.size() - 8));
  const Item file = walk(image).front();
  const auto fact = std::ranges::find(file.facts, "unindexed[16]", &Fact::key);
  ASSERT_NE(fact, file.facts.end());
  EXPECT_EQ(fact->value, "8 bytes " + hash_text(Hasher().hash(Buffer{1, 2, 3, 4, 5, 6, 7, 8})));
  EXPECT_EQ(codes_of(file), std::vector<std::string>{"non_zero_gap"});
  EXPECT_EQ(file.verdict, Verdict::kOk);
}

TEST(Walk, StopsAtTheDepthLimit) {
  Buffer image = bytes_of("core");
  for (int depth = 0; depth < 1000; ++depth) {
    image = nres_of({{"in", image}});
  }
  const std::vector<Item> items = walk(image);
  // The file at depth 0 and as many levels as the limit allows, then one item that says why it ends.
  EXPECT_EQ(items.size(), Limits().nesting_depth + 2);
  EXPECT_EQ(codes_of(items.back()), std::vector<std::string>{"nesting_too_deep"});
  EXPECT_EQ(items.back().verdict, Verdict::kFail);
  EXPECT_TRUE(items.back().sha256) << "hashed all the same";
}

// An archive whose rows all point at one payload, so that work could grow with a power of the depth.
Buffer bomb(std::size_t rows, const Buffer& payload) {
  Buffer image = nres_of({{"x", payload}});
  const std::size_t directory = image.size() - nres::kEntryRecord.size_bytes;
  nres::Entry row = nres::kEntryRecord.read(Bytes(image).subspan(directory));
  image.resize(directory + rows * nres::kEntryRecord.size_bytes);
  for (std::size_t index = 0; index < rows; ++index) {
    row.sort_index = static_cast<std::uint32_t>(index);
    nres::kEntryRecord.write(row, MutableBytes(image).subspan(directory + index * nres::kEntryRecord.size_bytes));
  }
  nres::kHeaderRecord.write(
      {.entry_count = static_cast<std::int32_t>(rows), .total_size = static_cast<std::uint32_t>(image.size())}, image);
  return image;
}

TEST(Walk, BoundsTheWorkOnArchivesWhoseMembersOverlap) {
  Buffer image = bytes_of("core");
  for (int depth = 0; depth < 12; ++depth) {
    image = bomb(40, image);
  }
  const auto started = std::chrono::steady_clock::now();
  const std::vector<Item> items = walk(image);
  EXPECT_LT(std::chrono::steady_clock::now() - started, std::chrono::seconds(20));
  EXPECT_LT(items.size(), 2'000'000U);
  const auto is_over_limit = [](const ItemFinding& finding) { return finding.code == "limit_exceeded"; };
  EXPECT_TRUE(std::ranges::any_of(items, [&](const Item& item) {
    return std::ranges::any_of(item.findings, is_over_limit);
  })) << "what was not looked at is said, not dropped";
}

// A few packed bytes may become many.
TEST(Walk, BoundsTheWorkByWhatPayloadsDecodeTo) {
  const Buffer zeros(10'000);
  const Buffer inner = rsli_of(rsli::Method::kDeflate, {{"A", zeros}, {"B", zeros}, {"C", zeros}});
  const Buffer image = nres_of({{"pack", inner}});
  WalkOptions options;
  options.limits.nested_floor_bytes = 3 * zeros.size();
  EXPECT_EQ(codes_of(walk(image, "a.bin", options).back()), std::vector<std::string>{});
  --options.limits.nested_floor_bytes;
  ASSERT_LT(options.limits.nested_expansion * inner.size(), options.limits.nested_floor_bytes);
  const std::vector<Item> items = walk(image, "a.bin", options);
  EXPECT_EQ(codes_of(item_at(items, "pack::B")), std::vector<std::string>{});
  const Item refused = item_at(items, "pack::C");
  ASSERT_EQ(codes_of(refused), std::vector<std::string>{"limit_exceeded"});
  EXPECT_TRUE(refused.findings[0].message.ends_with("(expected at most 9999, got 10000)"))
      << refused.findings[0].message;
  EXPECT_EQ(refused.verdict, Verdict::kFail) << "what was not looked at does not pass";
}

TEST(Walk, GivesTheSameEachTime) {
  const Buffer inner = nres_of({{"s", bytes_of("abc")}, {"s", bytes_of("def")}});
  std::vector<Named> members;
  for (int index = 0; index < 300; ++index) {
    members.push_back({"m", index % 3 == 0 ? inner : bytes_of(std::to_string(index))});
  }
  const Buffer image = nres_of(members);
  FileWalker walker({});
  const std::vector<Item> first = walker.walk(image, as_bytes("a.lib"));
  EXPECT_EQ(walker.walk(image, as_bytes("a.lib")), first);
  EXPECT_EQ(walk(image, "a.lib"), first);
}

TEST(Walk, StopsWhenItIsTold) {
  const std::atomic<bool> stop = true;
  WalkOptions options;
  options.stop = &stop;
  const Buffer image = nres_of({{"a", bytes_of("x")}});
  EXPECT_THROW(static_cast<void>(walk(image, "a", options)), Interrupted);
}

}  // namespace
}  // namespace assay::golden
