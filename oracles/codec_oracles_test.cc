#include "oracles/codec_oracles.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <string>
#include <vector>

#include "parsers/codecs/deflate/deflate.h"
#include "parsers/codecs/lzhuf/lzhuf.h"
#include "parsers/codecs/lzss/lzss.h"
#include "parsers/codecs/xor_stream/xor_stream.h"

// The codecs of this program are fakes, which take the place of the library's when it is linked. Each test breaks one
// promise of a codec on purpose; an oracle that does not see that is none.
namespace assay::oracles {
namespace {

enum class Fault : std::uint8_t {
  kNone,
  kRefusesOverZeros,
  kRefusesOverOnes,
  kRefusesAsADefect,
  kRefusesBehindTheEnd,
  kRefusesAtAnotherPlaceOverOnes,
  kLeavesTheLastByte,
  kUsesFewerOverOnes,
  kUsesMoreThanThereIs,
  kPacksASpareByte,
  kAcceptsACutStream,
  kPacksIntoAByte,
  kWritesBehindTheOutput,
  kWritesFarBehindTheOutput,
  kForgetsTheState,
  kIsNotItsOwnInverse,
};

struct Plan {
  Fault fault = Fault::kNone;
  // The one that has the fault.
  CodecId codec = CodecId::kLzss;
  // What kPacksIntoAByte unpacks to.
  Buffer plain{};
};

Plan& plan() {
  static Plan the_plan;
  return the_plan;
}

Fault fault_of(CodecId codec) {
  return plan().codec == codec ? plan().fault : Fault::kNone;
}

// A stream is a zero and the bytes as they are.
void encode_fake(CodecId codec, Bytes plain, Buffer& out) {
  out.push_back(0);
  if (fault_of(codec) == Fault::kPacksIntoAByte) {
    return;
  }
  out.insert(out.end(), plain.begin(), plain.end());
  if (fault_of(codec) == Fault::kPacksASpareByte) {
    out.push_back(0);
  }
}

assay::Failure refusal(Code code, std::size_t packed_offset) {
  return stream_failure(code, packed_offset, {}, {});
}

// Gives the bytes used.
Result<std::size_t> decode_faithfully(Fault fault, Bytes packed, MutableBytes output) {
  if (fault == Fault::kPacksIntoAByte && !packed.empty()) {
    std::ranges::copy(plan().plain, output.begin());
    return 1;
  }
  const std::size_t there_bytes = packed.empty() ? 0 : packed.size() - 1;
  const std::size_t copied_bytes = output.size() - (fault == Fault::kLeavesTheLastByte && !output.empty() ? 1 : 0);
  const std::size_t missing_bytes = fault == Fault::kAcceptsACutStream ? 1 : 0;
  if (packed.empty() || there_bytes + missing_bytes < output.size()) {
    return refusal(Code::kTruncatedStream, packed.size());
  }
  std::ranges::copy(packed.subspan(1, std::min(copied_bytes, there_bytes)), output.begin());
  return std::min(packed.size(), 1 + output.size());
}

// `memory` is a byte of what the decoder keeps between calls.
Result<std::size_t> decode_fake(CodecId codec, Bytes packed, MutableBytes output, std::uint8_t memory) {
  const Fault fault = fault_of(codec);
  const bool has_ones = memory == 0xFF;
  const bool is_refused = fault == (has_ones ? Fault::kRefusesOverOnes : Fault::kRefusesOverZeros);
  switch (fault) {
    case Fault::kRefusesAsADefect: return refusal(Code::kInternal, 0);
    case Fault::kRefusesBehindTheEnd: return refusal(Code::kInvalidStream, packed.size() + 1);
    case Fault::kRefusesAtAnotherPlaceOverOnes: return refusal(Code::kInvalidStream, has_ones ? 1 : 0);
    case Fault::kWritesBehindTheOutput: output.data()[output.size()] = 0x5A; break;
    case Fault::kWritesFarBehindTheOutput: output.data()[output.size() + 15] = 0x5A; break;
    default: break;
  }
  ASSAY_TRY_ASSIGN(const std::size_t used_bytes, decode_faithfully(fault, packed, output));
  if (is_refused) {
    return refusal(Code::kInvalidStream, 0);
  }
  switch (fault) {
    case Fault::kUsesFewerOverOnes: return used_bytes - (has_ones ? 1 : 0);
    case Fault::kUsesMoreThanThereIs: return packed.size() + 1;
    default: return used_bytes;
  }
}

template <typename Report>
Result<Report> report_of(const Result<std::size_t>& used_bytes) {
  if (!used_bytes) {
    return std::unexpected(used_bytes.error());
  }
  return Report{.used_bytes = *used_bytes};
}

}  // namespace
}  // namespace assay::oracles

// In the place of the library's.
namespace assay {

using oracles::CodecId;

void lzss::encode(Bytes plain, Level /*level*/, EncodeScratch& /*scratch*/, Buffer& out) {
  oracles::encode_fake(CodecId::kLzss, plain, out);
}

Result<Decoded> lzss::decode(Bytes packed, MutableBytes output, Scratch& scratch) {
  return oracles::report_of<Decoded>(oracles::decode_fake(CodecId::kLzss, packed, output, scratch.window.back()));
}

void lzhuf::encode(Bytes plain, Level /*level*/, EncodeScratch& /*scratch*/, Buffer& out) {
  oracles::encode_fake(CodecId::kLzhuf, plain, out);
}

Result<Decoded> lzhuf::decode(Bytes packed, MutableBytes output, Scratch& scratch) {
  std::uint8_t memory = 0;
  std::memcpy(&memory, static_cast<const void*>(&scratch.tree), sizeof memory);
  return oracles::report_of<Decoded>(oracles::decode_fake(CodecId::kLzhuf, packed, output, memory));
}

struct deflate::Scratch::State {};
deflate::Scratch::Scratch() = default;
deflate::Scratch::~Scratch() = default;
struct deflate::EncodeScratch::State {};
deflate::EncodeScratch::EncodeScratch() = default;
deflate::EncodeScratch::~EncodeScratch() = default;

void deflate::encode(Bytes plain, Level /*level*/, EncodeScratch& /*scratch*/, Buffer& out) {
  oracles::encode_fake(CodecId::kDeflate, plain, out);
}

// The oracle does not fill the memory of this one.
Result<deflate::DeflateDecoded> deflate::decode(Bytes packed, MutableBytes output, const Options& /*options*/,
                                                Scratch& /*scratch*/) {
  return oracles::report_of<DeflateDecoded>(oracles::decode_fake(CodecId::kDeflate, packed, output, 0));
}

void xor_stream::Stream::apply(Bytes in, MutableBytes out) {
  std::uint16_t state = state_;
  for (std::size_t index = 0; index < in.size(); ++index) {
    state = static_cast<std::uint16_t>(state * 5 + 3);
    const auto key = static_cast<std::uint8_t>(state);
    out[index] = static_cast<std::uint8_t>(
        oracles::plan().fault == oracles::Fault::kIsNotItsOwnInverse ? in[index] + (key | 1) : in[index] ^ key);
  }
  state_ = oracles::plan().fault == oracles::Fault::kForgetsTheState ? state_ : state;
}

void xor_stream::apply(std::uint16_t key, Bytes in, MutableBytes out) {
  Stream(key).apply(in, out);
}

}  // namespace assay

namespace assay::oracles {
namespace {

using Lines = std::vector<std::string>;

constexpr std::array kCodecs{CodecId::kLzss, CodecId::kLzhuf, CodecId::kDeflate};
constexpr std::array kNames{"lzss", "lzhuf", "deflate"};

std::string name_of(CodecId codec) {
  return kNames[static_cast<std::size_t>(codec)];
}

Lines details_of(const Failures& failures) {
  Lines details;
  for (const Failure& failure : failures) {
    EXPECT_EQ(failure.oracle, "codec_round_trip");
    details.push_back(failure.detail);
  }
  return details;
}

// More bytes than one packed byte may become.
Buffer ending_in(std::uint8_t last) {
  Buffer plain(100, 'p');
  plain.back() = last;
  return plain;
}

// Every test leaves codecs behind that keep their promises.
class CodecOracles : public testing::Test {
 protected:
  void TearDown() override { plan() = {}; }

  static Lines said_of_round_trip(Fault fault, CodecId codec, const Buffer& plain) {
    plan() = {.fault = fault, .codec = codec, .plain = plain};
    return details_of(codec_round_trip(codec, Level(4), plain));
  }
  static Lines said_of_decoding(Fault fault, CodecId codec, const Buffer& packed, std::size_t size_bytes) {
    plan() = {.fault = fault, .codec = codec, .plain = Buffer(size_bytes)};
    return details_of(decoding_is_pure(codec, packed, size_bytes));
  }
};

TEST_F(CodecOracles, SoundCodecsHaveNoFailures) {
  for (const Buffer& plain : {Buffer{}, Buffer{7}, ending_in(0x00), ending_in(0xFF)}) {
    const Failures failures = codec_round_trip(plain);
    EXPECT_TRUE(failures.empty()) << plain.size() << '\n' << to_text(failures);
  }
  for (const CodecId codec : kCodecs) {
    EXPECT_EQ(said_of_decoding(Fault::kNone, codec, Buffer(6), 5), Lines{}) << "accepted";
    EXPECT_EQ(said_of_decoding(Fault::kNone, codec, Buffer(6), 6), Lines{}) << "refused at its end";
    EXPECT_EQ(said_of_decoding(Fault::kNone, codec, {}, 6), Lines{}) << "nothing to decode";
  }
}

TEST_F(CodecOracles, RoundTripSeesWhatIsWrongWithAStream) {
  const struct {
    Fault fault;
    std::uint8_t last_byte;
    Lines said;
  } rows[] = {
      {Fault::kRefusesOverZeros, 'x', {" refuses its own stream"}},
      {Fault::kRefusesOverOnes, 'x', {" refuses its own stream"}},
      {Fault::kLeavesTheLastByte, 0xFF, {" decodes to other bytes"}},
      {Fault::kLeavesTheLastByte, 0x00, {" decodes to other bytes"}},
      {Fault::kUsesFewerOverOnes, 'x', {" wrote bytes that it does not need"}},
      {Fault::kPacksASpareByte,
       'x',
       {" wrote bytes that it does not need", " wrote bytes that it does not need",
        " accepts its stream without the last byte"}},
      {Fault::kAcceptsACutStream, 'x', {" accepts its stream without the last byte"}},
      {Fault::kPacksIntoAByte, 'x', {" grows more than its bound says"}},
      {Fault::kWritesBehindTheOutput, 'x', {" refuses its own stream", " refuses its own stream"}},
      {Fault::kWritesFarBehindTheOutput, 'x', {" refuses its own stream", " refuses its own stream"}},
  };
  for (const auto& row : rows) {
    for (const CodecId codec : {CodecId::kLzss, CodecId::kLzhuf}) {
      Lines expected;
      for (const std::string& line : row.said) {
        expected.push_back(name_of(codec) + " at level 4" + line);
      }
      EXPECT_EQ(said_of_round_trip(row.fault, codec, ending_in(row.last_byte)), expected)
          << static_cast<int>(row.fault);
    }
  }
}

TEST_F(CodecOracles, RoundTripAsksEveryCodecAtEveryLevel) {
  for (const CodecId codec : kCodecs) {
    plan() = {.fault = Fault::kAcceptsACutStream, .codec = codec};
    Lines expected;
    for (unsigned level = 0; level <= Level::kHighest; ++level) {
      expected.push_back(name_of(codec) + " at level " + std::to_string(level) +
                         " accepts its stream without the last byte");
    }
    EXPECT_EQ(details_of(codec_round_trip(ending_in('x'))), expected);
  }
}

TEST_F(CodecOracles, DecodingIsPureSeesWhatDependsOnMemoryOrPassesBounds) {
  const struct {
    Fault fault;
    std::size_t packed_bytes;
    std::size_t size_bytes;
    const char* said;
  } rows[] = {
      {Fault::kRefusesOverZeros, 6, 5, " accepts or refuses by what the memory held"},
      {Fault::kRefusesOverOnes, 6, 5, " accepts or refuses by what the memory held"},
      {Fault::kRefusesAsADefect, 6, 5, " refuses unsoundly"},
      {Fault::kRefusesBehindTheEnd, 6, 5, " refuses unsoundly"},
      {Fault::kRefusesAtAnotherPlaceOverOnes, 6, 5, " refuses unsoundly"},
      {Fault::kWritesBehindTheOutput, 6, 5, " refuses unsoundly"},
      {Fault::kWritesFarBehindTheOutput, 6, 5, " refuses unsoundly"},
      {Fault::kLeavesTheLastByte, 6, 5, " decodes by what the memory held"},
      {Fault::kUsesFewerOverOnes, 6, 5, " decodes by what the memory held"},
      {Fault::kUsesMoreThanThereIs, 6, 5, " passes its bounds"},
      {Fault::kPacksIntoAByte, 1, 100, " passes its bounds"},
  };
  for (const auto& row : rows) {
    for (const CodecId codec : {CodecId::kLzss, CodecId::kLzhuf}) {
      EXPECT_EQ(said_of_decoding(row.fault, codec, Buffer(row.packed_bytes, 'p'), row.size_bytes),
                Lines{name_of(codec) + row.said})
          << static_cast<int>(row.fault);
    }
  }
}

TEST_F(CodecOracles, TransformIsAskedWithEveryKey) {
  const auto each_key = [](const std::string& said) {
    Lines lines;
    for (const char* key : {"0", "1", "128", "4660", "65535"}) {
      lines.push_back(said + key);
    }
    return lines;
  };
  plan().fault = Fault::kForgetsTheState;
  EXPECT_EQ(details_of(codec_round_trip(ending_in('x'))), each_key("xor in two pieces gives other bytes, key "));
  plan().fault = Fault::kIsNotItsOwnInverse;
  EXPECT_EQ(details_of(codec_round_trip(ending_in('x'))), each_key("xor is not its own inverse, key "));
}

}  // namespace
}  // namespace assay::oracles
