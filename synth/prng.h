#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <utility>

// Random numbers that are the same on every machine and with every standard library.
namespace assay::synth {

// A generator of 64-bit numbers (xoshiro256**, its state filled by splitmix64). The distributions are our own, because
// those of the standard library differ from one library to the next. Copyable; equal seeds give equal sequences.
class Prng {
 public:
  explicit Prng(std::uint64_t seed) {
    for (std::uint64_t& word : state_) {
      seed += 0x9E37'79B9'7F4A'7C15U;
      std::uint64_t mixed = seed;
      mixed = (mixed ^ (mixed >> 30)) * 0xBF58'476D'1CE4'E5B9U;
      mixed = (mixed ^ (mixed >> 27)) * 0x94D0'49BB'1331'11EBU;
      word = mixed ^ (mixed >> 31);
    }
  }

  [[nodiscard]] std::uint64_t next() {
    const std::uint64_t result = std::rotl(state_[1] * 5, 7) * 9;
    const std::uint64_t shifted = state_[1] << 17;
    state_[2] ^= state_[0];
    state_[3] ^= state_[1];
    state_[1] ^= state_[2];
    state_[0] ^= state_[3];
    state_[2] ^= shifted;
    state_[3] = std::rotl(state_[3], 45);
    return result;
  }

  // 0 .. limit - 1, each equally likely: what would favour small numbers is drawn again. Requires: limit > 0.
  [[nodiscard]] std::uint64_t below(std::uint64_t limit) {
    const std::uint64_t rejected_below = (0 - limit) % limit;
    std::uint64_t drawn = next();
    while (drawn < rejected_below) {
      drawn = next();
    }
    return drawn % limit;
  }
  // An index into something of `size` elements. Requires: size > 0.
  [[nodiscard]] std::size_t index(std::size_t size) { return static_cast<std::size_t>(below(size)); }
  // low .. high, both included. Requires: low <= high and not the whole range of 64 bits.
  [[nodiscard]] std::uint64_t between(std::uint64_t low, std::uint64_t high) { return low + below(high - low + 1); }
  [[nodiscard]] bool chance(unsigned percent) { return below(100) < percent; }
  [[nodiscard]] std::uint8_t byte() { return static_cast<std::uint8_t>(next() >> 56); }
  [[nodiscard]] std::uint32_t word() { return static_cast<std::uint32_t>(next() >> 32); }

  // One of the elements. Requires: !list.empty().
  template <typename List>
  [[nodiscard]] decltype(auto) pick(const List& list) {
    return list[index(list.size())];
  }

  template <typename List>
  void shuffle(List& list) {
    for (std::size_t left = list.size(); left > 1; --left) {
      std::swap(list[left - 1], list[index(left)]);
    }
  }

  // A generator of its own, so that what one part draws does not move the numbers of the next part.
  [[nodiscard]] Prng fork() { return Prng(next()); }

 private:
  std::array<std::uint64_t, 4> state_{};
};

}  // namespace assay::synth
