#pragma once

#include <openssl/evp.h>

#include <array>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "parsers/base/bytes.h"
#include "parsers/codecs/codec.h"

// What the tests of the codecs and of their peers share: vectors in hexadecimal, test data, digests, shared streams.
namespace assay::codec_testing {

// The bytes of a text like "07 41 42"; blanks are free.
inline Buffer hex(std::string_view text) {
  Buffer bytes;
  std::string digits;
  for (const char character : text) {
    if (character == ' ') {
      continue;
    }
    digits += character;
    if (digits.size() == 2) {
      bytes.push_back(static_cast<std::uint8_t>(std::stoul(digits, nullptr, 16)));
      digits.clear();
    }
  }
  return bytes;
}

inline Buffer text_bytes(std::string_view text) {
  const Bytes view = as_bytes(text);
  return {view.begin(), view.end()};
}

// A fixed pseudo-random sequence, the same on every machine (xorshift, 64 bits).
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed * 0x9E37'79B9'7F4A'7C15U + 1) {}

  std::uint64_t next() {
    state_ ^= state_ << 13;
    state_ ^= state_ >> 7;
    state_ ^= state_ << 17;
    return state_ >> 11;
  }
  std::size_t below(std::size_t limit) { return static_cast<std::size_t>(next() % limit); }
  std::uint8_t byte() { return static_cast<std::uint8_t>(next() & 0xFF); }

 private:
  std::uint64_t state_;
};

// Kinds of test data, each with its own trap for an encoder.
enum class Kind : std::uint8_t {
  kNoise,       // nothing matches
  kWords,       // short matches at any distance
  kSpaces,      // long matches that reach into the preset window
  kRuns,        // matches that overlap themselves
  kFarCopies,   // the same 4096 bytes over and over: only the farthest distance matches
  kRecords,     // matches with small changes, like vertices
  kFewSymbols,  // many rebuilds of the adaptive tree, few matches
  kCount
};

inline Buffer make_data(Kind kind, std::size_t size, std::uint64_t seed) {
  static constexpr std::array<std::string_view, 8> kWords = {"mesh ", "iron ",    "assay ", "NRes",
                                                             "    ",  "material", "\r\n",   "texture "};
  Random random(seed);
  Buffer data;
  while (data.size() < size) {
    switch (kind) {
      case Kind::kWords: {
        const Bytes word = as_bytes(kWords.at(random.below(kWords.size())));
        data.insert(data.end(), word.begin(), word.end());
        break;
      }
      case Kind::kSpaces:
        data.insert(data.end(), random.below(300), 0x20);
        data.push_back(random.byte());
        break;
      case Kind::kRuns: data.insert(data.end(), 1 + random.below(100), random.byte()); break;
      case Kind::kFarCopies: data.push_back(data.size() < 4096 ? random.byte() : data[data.size() - 4096]); break;
      case Kind::kRecords:
        for (std::size_t field = 0; field < 16; ++field) {
          data.push_back(static_cast<std::uint8_t>(field % 4 == 0 ? random.below(8) : field * 17));
        }
        break;
      case Kind::kFewSymbols: data.push_back(static_cast<std::uint8_t>(random.below(64))); break;
      case Kind::kNoise:
      case Kind::kCount: data.push_back(random.byte()); break;
    }
  }
  data.resize(size);
  return data;
}

struct Sample {
  std::string name;
  Buffer bytes;
};

// Data of every kind in sizes from nothing to several windows.
inline std::vector<Sample> samples() {
  std::vector<Sample> all;
  for (unsigned kind = 0; kind < static_cast<unsigned>(Kind::kCount); ++kind) {
    for (const std::size_t size : {0U,   1U,    2U,    3U,    4U,    17U,   18U,   19U,   59U,    60U,   61U,
                                   255U, 4077U, 4078U, 4095U, 4096U, 4097U, 5000U, 8193U, 20000U, 70000U}) {
      all.push_back({.name = "kind " + std::to_string(kind) + ", " + std::to_string(size) + " bytes",
                     .bytes = make_data(static_cast<Kind>(kind), size, size + kind)});
    }
  }
  all.push_back({.name = "only spaces", .bytes = Buffer(9000, 0x20)});
  all.push_back({.name = "only zeros", .bytes = Buffer(70000, 0x00)});
  return all;
}

// The data of the rebuild vector of docs/formats/codecs.md, B9: 70,000 bytes below 64.
inline Buffer rebuild_vector_plain() {
  Buffer plain;
  std::uint32_t x = 12345;
  for (int index = 0; index < 70000; ++index) {
    x = (x * 1103515245U + 12345U) & 0x7FFF'FFFFU;
    plain.push_back(static_cast<std::uint8_t>(x >> 16 & 0x3F));
  }
  return plain;
}

inline std::string sha256(Bytes bytes) {
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
  unsigned digest_bytes = 0;
  EVP_Digest(bytes.data(), bytes.size(), digest.data(), &digest_bytes, EVP_sha256(), nullptr);
  static constexpr std::string_view kDigits = "0123456789abcdef";
  std::string text;
  for (unsigned index = 0; index < digest_bytes; ++index) {
    text += kDigits[digest.at(index) >> 4];
    text += kDigits[digest.at(index) & 15U];
  }
  return text;
}

// A stream that an old archiver packed; see the README of the shared test data.
struct SharedStream {
  const char* file;
  bool is_lzss;
  std::size_t size;
  const char* sha256;
};
inline constexpr const char* kGplSha256 = "8177f97513213526df2cf6184d8ff986c675afb514d4e68a404010521b880643";
inline constexpr const char* kZerosSha256 = "de2f256064a0af797747c2b97505dc0b9f3df0de4f489eac731c23ae9ca9cc31";
inline constexpr std::array<SharedStream, 6> kSharedStreams = {{
    {"lharc-1.13-dos.lh1", false, 18092, kGplSha256},
    {"maclha-2.24-mac.lh1", false, 18304, "08b05120143644fa5c5d0d9824d0408f2ca57aaec364080a4888542e82ed9528"},
    {"lha-2.12-amiga.lh1", false, 18092, kGplSha256},
    {"zeros-64k.lh1", false, 65536, kZerosSha256},
    {"larc-3.33-dos.lz5", true, 18092, kGplSha256},
    {"zeros-64k.lz5", true, 65536, kZerosSha256},
}};

// The packed bytes of a shared stream, or nothing where the shared test data is absent.
inline std::optional<Buffer> read_shared_stream(const SharedStream& stream) {
  const char* shared = std::getenv("ASSAY_SHARED");
  const char* source = std::getenv("ASSAY_SOURCE_DIR");
  const std::filesystem::path folder = shared != nullptr
                                           ? std::filesystem::path(shared)
                                           : std::filesystem::path(source == nullptr ? "." : source) / "../shared";
  std::ifstream file(folder / "vectors/streams" / stream.file, std::ios::binary);
  if (!file) {
    return std::nullopt;
  }
  return Buffer(std::istreambuf_iterator<char>(file), {});
}

// A hand-made stream and what it decodes to.
struct Vector {
  const char* shows;
  Buffer packed;
  std::size_t used_bytes;
  Buffer plain;
};

inline Buffer spaces(std::size_t count) {
  return Buffer(count, 0x20);
}

inline Buffer joined(Buffer first, const Buffer& second) {
  first.insert(first.end(), second.begin(), second.end());
  return first;
}

// docs/formats/codecs.md, B8.
inline std::vector<Vector> lzss_vectors() {
  return {
      {"literals", hex("07 41 42 43"), 4, text_bytes("ABC")},
      {"preset ring", hex("00 00 00"), 3, spaces(3)},
      {"read index wraps", hex("00 FF F1"), 3, spaces(4)},
      {"overlap", hex("03 61 62 EE F1"), 5, text_bytes("ababab")},
      {"stop inside a reference", hex("03 61 62 EE F1"), 5, text_bytes("abab")},
      {"longest run, write index wraps", hex("01 78 EE FF"), 4, Buffer(19, 'x')},
      {"reference across the seam", hex("FF 41 42 43 44 45 46 47 48 FF 49 4A 4B 4C 4D 4E 4F 50 0F 51 52 53 54 FE F1"),
       25, text_bytes("ABCDEFGHIJKLMNOPQRSTQRST")},
  };
}

// docs/formats/codecs.md, B9.
inline std::vector<Vector> lzhuf_vectors() {
  return {
      {"literal with code 00000000", hex("00"), 1, text_bytes("t")},
      {"literals, 27 bits", hex("E6 F3 B9 E0"), 4, text_bytes("ABC")},
      {"the tree adapts, 31 bits", hex("E6 E2 E1 C4"), 4, text_bytes("AAAA")},
      {"position 0 reads the preset, 17 bits", hex("8C 00 00"), 3, spaces(3)},
      {"longest match, position 63", hex("C5 1F 80"), 3, spaces(60)},
      {"position 1000", hex("E6 C7 4F 40"), 4, joined(text_bytes("A"), spaces(5))},
      {"position 4095", hex("E6 F3 A3 3F FF"), 5, joined(text_bytes("AB"), spaces(3))},
      {"overlap, 25 bits", hex("04 04 00 00"), 4, Buffer(61, 'x')},
      {"the shifted position form", hex("FA 7C 7F 18 7F BD 64 78 14"), 9, text_bytes("hello hello ")},
  };
}

}  // namespace assay::codec_testing
