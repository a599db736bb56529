#include "parsers/codecs/xor_stream/xor_stream.h"

#include <array>
#include <cassert>
#include <cstring>

// State and key stream are linear in the key: what two states give is the XOR of what each gives. So the next 32 bytes
// of key stream are the XOR of one table row for each byte of the state, and likewise the state after them. And from
// the second byte on every key stream repeats after 4681 bytes: the transform of a long piece is made once for a
// period.
namespace assay::xor_stream {
namespace {

constexpr std::size_t kByteValues = 256;
constexpr std::size_t kPeriodBytes = 4681;  // 31 * 151
constexpr std::size_t kRowBytes = 32;
constexpr std::size_t kPeriodRows = (kPeriodBytes + kRowBytes - 1) / kRowBytes;
// A piece shorter than this is done row by row.
constexpr std::size_t kMinPeriodicBytes = 3 * kPeriodBytes;

using Row = std::array<std::uint8_t, kRowBytes>;

constexpr std::uint16_t next_state(std::uint16_t state) {
  const auto low = static_cast<std::uint8_t>(state >> 8 ^ (state & 0xFF) << 1);
  const auto high = static_cast<std::uint8_t>(low ^ state >> 9);
  return static_cast<std::uint16_t>(low | high << 8);
}

// What follows from a state: 32 bytes of key stream and the state after them.
struct Step {
  Row key{};
  std::uint16_t state = 0;
};

consteval Step step_from(std::uint16_t state) {
  Step step;
  for (std::uint8_t& key : step.key) {
    state = next_state(state);
    key = static_cast<std::uint8_t>(state & 0xFF);
  }
  step.state = state;
  return step;
}

// By the value of one byte of the state, the other being zero.
struct Tables {
  alignas(kRowBytes) std::array<Row, kByteValues> key{};
  std::array<std::uint16_t, kByteValues> state{};
};

consteval Tables make_tables(unsigned shift) {
  Tables tables;
  for (std::size_t value = 0; value < kByteValues; ++value) {
    const Step step = step_from(static_cast<std::uint16_t>(value << shift));
    tables.key[value] = step.key;
    tables.state[value] = step.state;
  }
  return tables;
}

constexpr Tables kLow = make_tables(0);
constexpr Tables kHigh = make_tables(8);

// 16 bytes in a vector register: every x86-64 and ARM64 has them, elsewhere the compiler makes two words of it.
using Vector = std::uint64_t __attribute__((vector_size(16)));

Vector load(const std::uint8_t* from) {
  Vector vector;  // NOLINT(cppcoreguidelines-init-variables): filled by the next line.
  std::memcpy(&vector, from, sizeof(vector));
  return vector;
}

void store(std::uint8_t* to, Vector vector) {
  std::memcpy(to, &vector, sizeof(vector));
}

// Writes in ^ left ^ right, or in ^ left. All of `in` is read before anything is written, since `out` may be `in`.
void combine(std::uint8_t* out, const std::uint8_t* in, const std::uint8_t* left) {
  const Vector first = load(in) ^ load(left);
  const Vector second = load(in + sizeof(Vector)) ^ load(left + sizeof(Vector));
  store(out, first);
  store(out + sizeof(Vector), second);
}
void combine(std::uint8_t* out, const std::uint8_t* in, const std::uint8_t* left, const std::uint8_t* right) {
  const Vector first = load(in) ^ load(left) ^ load(right);
  const Vector second = load(in + sizeof(Vector)) ^ load(left + sizeof(Vector)) ^ load(right + sizeof(Vector));
  store(out, first);
  store(out + sizeof(Vector), second);
}

// The table rows whose XOR is the next 32 bytes of key stream.
struct Rows {
  const std::uint8_t* low;
  const std::uint8_t* high;
};

// Moves the state behind those bytes.
Rows next_rows(std::uint16_t& state) {
  const std::size_t low = state & 0xFFU;
  const std::size_t high = state >> 8;
  state = kLow.state[low] ^ kHigh.state[high];
  return {.low = kLow.key[low].data(), .high = kHigh.key[high].data()};
}

void apply_bytes(std::uint16_t& state, Bytes in, MutableBytes out) {
  for (std::size_t index = 0; index < in.size(); ++index) {
    state = next_state(state);
    out[index] = static_cast<std::uint8_t>(in[index] ^ state);
  }
}

void apply_rows(std::uint16_t& state, Bytes in, MutableBytes out) {
  const std::size_t whole_bytes = in.size() / kRowBytes * kRowBytes;
  std::uint16_t local = state;
  for (std::size_t offset = 0; offset < whole_bytes; offset += kRowBytes) {
    const Rows rows = next_rows(local);
    combine(out.data() + offset, in.data() + offset, rows.low, rows.high);
  }
  state = local;
  apply_bytes(state, in.subspan(whole_bytes), out.subspan(whole_bytes));
}

// Transforms whole periods. Requires: in.size() is a multiple of the period; the state repeats after one.
void apply_periods(std::uint16_t state, Bytes in, MutableBytes out) {
  std::array<std::uint8_t, kPeriodRows * kRowBytes> key{};
  for (std::size_t row = 0; row < kPeriodRows; ++row) {
    const Rows rows = next_rows(state);
    combine(key.data() + row * kRowBytes, rows.low, rows.high);
  }
  constexpr std::size_t kWholeBytes = kPeriodBytes / kRowBytes * kRowBytes;
  for (std::size_t period = 0; period < in.size(); period += kPeriodBytes) {
    const std::uint8_t* const from = in.data() + period;
    std::uint8_t* const to = out.data() + period;
    for (std::size_t offset = 0; offset < kWholeBytes; offset += kRowBytes) {
      combine(to + offset, from + offset, key.data() + offset);
    }
    for (std::size_t offset = kWholeBytes; offset < kPeriodBytes; ++offset) {
      to[offset] = from[offset] ^ key[offset];
    }
  }
}

}  // namespace

void Stream::apply(Bytes in, MutableBytes out) {
  assert(in.size() == out.size());
  std::size_t done_bytes = 0;
  if (in.size() >= kMinPeriodicBytes) {
    // The first state of a key may be one that does not come again.
    apply_bytes(state_, in.first(1), out.first(1));
    const std::size_t periodic_bytes = (in.size() - 1) / kPeriodBytes * kPeriodBytes;
    apply_periods(state_, in.subspan(1, periodic_bytes), out.subspan(1, periodic_bytes));
    done_bytes = 1 + periodic_bytes;
  }
  apply_rows(state_, in.subspan(done_bytes), out.subspan(done_bytes));
}

void apply(std::uint16_t key, Bytes in, MutableBytes out) {
  Stream(key).apply(in, out);
}

}  // namespace assay::xor_stream
