#include "fuzz/mutate/repair.h"

#include <algorithm>

namespace assay::fuzz {
namespace {

constexpr std::size_t kMaxCandidates = 12;

// A field that held an old number, at its place in the new image, and the number it may have to hold.
struct Candidate {
  FieldSpot spot;
  std::uint64_t value = 0;
};

bool is_accepted(const Format& format, Bytes image) {
  Findings findings;
  return format.parse(image, mutation_context(), findings).has_value();
}

Buffer with(const Buffer& image, std::span<const Candidate* const> candidates) {
  Buffer changed = image;
  for (const Candidate* candidate : candidates) {
    candidate->spot.write_value(changed, candidate->value);
  }
  return changed;
}

// The sets of candidates that are tried, in their order: one, all, two.
std::vector<std::vector<const Candidate*>> sets_of(std::span<const Candidate> candidates) {
  std::vector<std::vector<const Candidate*>> sets;
  std::vector<const Candidate*> all;
  for (const Candidate& one : candidates) {
    sets.push_back({&one});
    all.push_back(&one);
  }
  sets.push_back(std::move(all));
  for (std::size_t left = 0; left < candidates.size(); ++left) {
    for (std::size_t right = left + 1; right < candidates.size(); ++right) {
      if (candidates[left].spot.offset != candidates[right].spot.offset) {
        sets.push_back({&candidates[left], &candidates[right]});
      }
    }
  }
  return sets;
}

// The first set that the format accepts, or what the first candidate gives.
Buffer try_out(const Format& format, Buffer image, std::span<const Candidate> candidates) {
  if (candidates.empty() || is_accepted(format, image)) {
    return image;
  }
  const auto sets = sets_of(candidates);
  for (const auto& set : sets) {
    Buffer changed = with(image, set);
    if (is_accepted(format, changed)) {
      return changed;
    }
  }
  return with(image, sets.front());
}

// Where what stood at `old_offset` behind some of the changes is now.
std::uint64_t moved(std::uint64_t old_offset, std::span<const Change> changes) {
  std::uint64_t offset = old_offset;
  for (const Change& change : changes) {
    if (change.offset + change.old_bytes <= old_offset) {
      offset = offset - change.old_bytes + change.bytes.size();
    }
  }
  return offset;
}

// What a number of the old state may be in the new one; nothing when it says nothing about what changed.
std::vector<std::uint64_t> new_values(std::uint64_t old_value, std::uint64_t old_total,
                                      std::span<const Change> changes) {
  std::vector<std::uint64_t> values;
  const auto add = [&](std::uint64_t value) {
    if (value != old_value && std::ranges::find(values, value) == values.end()) {
      values.push_back(value);
    }
  };
  for (const Change& change : changes) {
    if (change.old_count != change.new_count && old_value == change.old_count) {
      add(change.new_count);
    }
    if (old_value == change.old_bytes) {
      add(change.bytes.size());
    }
  }
  // Totals, and offsets of what stands behind.
  if (old_value <= old_total) {
    add(moved(old_value, changes));
  }
  return values;
}

bool is_inside(std::size_t offset, std::span<const Change> changes) {
  return std::ranges::any_of(changes, [offset](const Change& change) {
    return offset >= change.offset && offset - change.offset < change.old_bytes;
  });
}

// Fields that follow from the rest come first: they are the likely ones.
std::vector<Candidate> candidates_of(const Structure& structure, std::uint64_t old_total,
                                     std::span<const Change> changes) {
  std::vector<Candidate> candidates;
  for (const bool only_derived : {true, false}) {
    for (FieldSpot spot : structure.integers(only_derived)) {
      if ((!only_derived && spot.info->is_derived()) || is_inside(spot.offset, changes)) {
        continue;
      }
      for (const std::uint64_t value : new_values(spot.value(), old_total, changes)) {
        if (candidates.size() < kMaxCandidates) {
          FieldSpot there = spot;
          there.offset = static_cast<std::size_t>(moved(spot.offset, changes));
          candidates.push_back({there, value});
        }
      }
    }
  }
  return candidates;
}

}  // namespace

Buffer repaired(const Format& format, const Structure& structure, Bytes input, std::span<const Change> changes) {
  Buffer image;
  std::size_t done = 0;
  for (const Change& change : changes) {
    const Bytes kept = input.subspan(done, change.offset - done);
    image.insert(image.end(), kept.begin(), kept.end());
    image.insert(image.end(), change.bytes.begin(), change.bytes.end());
    done = change.offset + change.old_bytes;
  }
  const Bytes rest = input.subspan(done);
  image.insert(image.end(), rest.begin(), rest.end());
  return try_out(format, std::move(image), candidates_of(structure, input.size(), changes));
}

Buffer repaired_row(const Format& format, const Format& archive_format, Buffer image, const Change& change) {
  const auto structure = Structure::read(archive_format, image);
  if (!structure || change.old_count == change.new_count) {
    return image;
  }
  std::vector<Candidate> candidates;
  for (const FieldSpot& spot : structure->integers(false)) {
    if (spot.value() == change.old_count && candidates.size() < kMaxCandidates) {
      candidates.push_back({spot, change.new_count});
    }
  }
  // The spots view the image, so it is copied and not moved.
  return try_out(format, image, candidates);
}

}  // namespace assay::fuzz
