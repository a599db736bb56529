#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "parsers/resource/archives.h"

// Prototypes: what the keys of objects.rlb stand for (docs/graph.md, "Prototypes").
namespace assay::resource {

inline constexpr std::string_view kRegistryFile = "objects.rlb";
// Levels of inheritance count from 0, so 33 entries in a chain are fine.
inline constexpr std::size_t kMaxInheritanceDepth = 32;
// Entries that one resolution may look into, and slots of them; without it, entries that name a parent twice would cost
// 2^32. Every prototype of a folder may cost as much, and each of its references is an edge of the graph.
inline constexpr std::size_t kMaxInheritedEntries = 1'024;
inline constexpr std::size_t kMaxInheritedSlots = 8'192;

// A rule that a resolution met: applied where it is enabled, else refused.
struct RuleUse {
  RuleId rule = RuleId::kCount;
  bool applied = false;
  // What it is about, e.g. "r_h_01 reference[2]".
  std::string subject{};

  friend bool operator==(const RuleUse&, const RuleUse&) = default;
};

// One reference of the effective list, and which slot of which entry it comes from. Names are as they are looked up.
struct EffectiveReference {
  std::string archive;
  std::string resource;
  std::string origin_key;
  std::size_t origin_index = 0;

  friend bool operator==(const EffectiveReference&, const EffectiveReference&) = default;
};

// Slot `index` of `child` names `parent`.
struct ParentLink {
  std::string child;
  std::size_t index = 0;
  std::string parent;
  // Whether the parent is there.
  bool found = true;

  friend bool operator==(const ParentLink&, const ParentLink&) = default;
};

// A mesh that was looked for in vain, and why.
struct TriedMesh {
  std::string archive;
  std::string resource;
  Code why = Code::kMissingEntry;

  friend bool operator==(const TriedMesh&, const TriedMesh&) = default;
};

struct MeshTarget {
  std::string archive;
  // As the archive spells it, and its row.
  std::string entry;
  std::size_t index = 0;
  // The effective reference that names it, or by whose `.bas` it was found.
  std::size_t reference = 0;
};

enum class PrototypeState : std::uint8_t {
  kMesh,
  // No reference names a mesh.
  kNonGeometric,
  kNotFound,
  // Meshes are named, none exists.
  kBrokenReference,
  kMissingParent,
  kCycle,
  kTooDeep,
  // The registry or an entry on the way cannot be read.
  kUnreadable,
};

[[nodiscard]] std::string_view prototype_state_text(PrototypeState state);

struct Prototype {
  // As the registry spells it; as it was asked for where it is not found.
  std::string key;
  std::optional<std::uint32_t> type_tag{};
  PrototypeState state = PrototypeState::kNotFound;
  // In stored order, with those of a parent where the parent stands; where inheritance failed, what there is.
  std::vector<EffectiveReference> references{};
  std::vector<ParentLink> parents{};
  std::optional<MeshTarget> mesh{};
  std::vector<TriedMesh> tried{};
  std::vector<RuleUse> rules{};
  // Where inheritance failed: the keys from this prototype to the one at fault.
  std::vector<std::string> trail{};
  // Why there is no mesh; for states other than kMesh and kNonGeometric.
  Diagnostic diagnostic{};

  [[nodiscard]] bool has_failed() const {
    return state != PrototypeState::kMesh && state != PrototypeState::kNonGeometric;
  }
  // Whether the class of the object needs no mesh (docs/formats/decisions.md, 19).
  [[nodiscard]] bool may_lack_mesh() const;
};

// The extension of a resource name, lower case without the dot: the text behind the last dot, or nothing.
[[nodiscard]] std::string extension_of(std::string_view name);
// `name` without its last extension.
[[nodiscard]] std::string_view stem_of(std::string_view name);

// An entry that an archive has, or why not: what opening the archive refuses, or kMissingEntry.
struct FoundEntry {
  ArchiveHandle archive;
  std::size_t index = 0;

  [[nodiscard]] Member member() const { return archive->container().member(index); }
};
[[nodiscard]] Result<FoundEntry> find_entry(Archives& archives, std::string_view archive, std::string_view entry);

// Resolves keys. Results are kept until a file that they depend on changes. Refers to `archives`, which must outlive
// it.
class Prototypes {
 public:
  explicit Prototypes(Archives& archives) : archives_(archives) {}

  // Never null. Cost: O(references + inheritance), a fingerprint for each archive when the result is known.
  [[nodiscard]] std::shared_ptr<const Prototype> resolve(std::string_view key);

  // The keys of the registry in directory order. Errors: those of Archives::open().
  [[nodiscard]] Result<std::vector<std::string>> keys();

 private:
  // A file that a result depends on, and what it was then; nothing: it was not there.
  using Dependency = std::pair<LegacyPath, std::optional<Fingerprint>>;
  struct Known {
    std::shared_ptr<const Prototype> prototype;
    std::vector<Dependency> depends_on;
  };

  class Resolution;

  [[nodiscard]] bool is_current(const Known& known);

  Archives& archives_;
  std::map<std::string, Known> known_;
};

}  // namespace assay::resource
