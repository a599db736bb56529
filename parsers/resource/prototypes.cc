#include "parsers/resource/prototypes.h"

#include <algorithm>
#include <set>

#include "parsers/base/ascii.h"
#include "parsers/formats/reference_array/reference_array.h"

namespace assay::resource {
namespace {

constexpr std::string_view kMeshExtension = ".msh";
constexpr std::uint32_t kSunTag = 0x4F4E5553;  // "SUNO" in file order

LegacyPath registry_path() {
  return *LegacyPath::parse(as_bytes(kRegistryFile));
}

bool is_blank(char letter) {
  return std::string_view(" \t\r\n\v\f").find(letter) != std::string_view::npos;
}

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && is_blank(text.front())) {
    text.remove_prefix(1);
  }
  while (!text.empty() && is_blank(text.back())) {
    text.remove_suffix(1);
  }
  return text;
}

// The other spelling of a name: with the mesh extension, or without it.
std::string other_spelling(std::string_view name) {
  return extension_of(name) == "msh" ? std::string(stem_of(name)) : std::string(name) + std::string(kMeshExtension);
}

}  // namespace

std::string extension_of(std::string_view name) {
  const std::size_t dot = name.rfind('.');
  return dot == std::string_view::npos ? std::string() : folded(name.substr(dot + 1));
}

std::string_view stem_of(std::string_view name) {
  return name.substr(0, std::min(name.rfind('.'), name.size()));
}

std::string_view prototype_state_text(PrototypeState state) {
  switch (state) {
    case PrototypeState::kMesh: return "mesh";
    case PrototypeState::kNonGeometric: return "non_geometric";
    case PrototypeState::kNotFound: return "not_found";
    case PrototypeState::kBrokenReference: return "broken_reference";
    case PrototypeState::kMissingParent: return "missing_parent";
    case PrototypeState::kCycle: return "cycle";
    case PrototypeState::kTooDeep: return "too_deep";
    case PrototypeState::kUnreadable: return "unreadable";
  }
  return "unreadable";
}

bool Prototype::may_lack_mesh() const {
  return type_tag == kSunTag;
}

Result<FoundEntry> find_entry(Archives& archives, std::string_view archive, std::string_view entry) {
  ASSAY_TRY_ASSIGN(const LegacyPath path, LegacyPath::parse(as_bytes(archive)));
  ASSAY_TRY_ASSIGN(ArchiveHandle handle, archives.open(path));
  const auto index = handle->container().find(as_bytes(entry));
  if (!index) {
    return fail({.code = Code::kMissingEntry, .field = "entry"});
  }
  return FoundEntry{.archive = std::move(handle), .index = *index};
}

// One key being resolved.
class Prototypes::Resolution {
 public:
  Resolution(Archives& archives, std::string_view key) : archives_(archives) { result_.key = key; }

  Prototype run() {
    const LegacyPath path = registry_path();
    auto registry = archives_.open(path);
    depend_on(path);
    if (!registry) {
      const bool is_missing = registry.error().code == Code::kMissingFile;
      stop(is_missing ? PrototypeState::kNotFound : PrototypeState::kUnreadable, registry.error());
      return std::move(result_);
    }
    registry_ = *std::move(registry);
    const auto index = find_key(result_.key);
    if (!index) {
      stop(PrototypeState::kNotFound, {.code = Code::kUnresolvedPrototype, .field = "key"});
      return std::move(result_);
    }
    result_.key = key_of(*index);
    result_.type_tag = registry_->container().member(*index).type_id;
    collect(*index);
    if (!has_failed_) {
      choose_mesh();
    }
    return std::move(result_);
  }

  std::vector<Dependency> take_dependencies() { return std::move(depends_on_); }

 private:
  std::string key_of(std::size_t index) const {
    return std::string(as_text(registry_->container().member(index).name));
  }

  void stop(PrototypeState state, const Diagnostic& diagnostic) {
    result_.state = state;
    result_.diagnostic = diagnostic;
  }

  // Inheritance fails at the entries on the stack and, where there is one, a key behind them. The first failure counts;
  // what else the entries name is collected nevertheless.
  void fail_inheritance(PrototypeState state, const Diagnostic& diagnostic, std::optional<std::string> last = {}) {
    if (has_failed_) {
      return;
    }
    has_failed_ = true;
    for (const std::size_t index : stack_) {
      result_.trail.push_back(key_of(index));
    }
    if (last) {
      result_.trail.push_back(*std::move(last));
    }
    stop(state, diagnostic);
  }

  // Whether the rule is enabled; records that it was met.
  bool use(RuleId rule, std::string subject) {
    const bool applied = archives_.context().rules.enabled(rule);
    if (used_.emplace(rule, subject).second) {
      result_.rules.push_back({.rule = rule, .applied = applied, .subject = std::move(subject)});
    }
    return applied;
  }

  void depend_on(const LegacyPath& path) {
    if (files_.insert(path.key()).second) {
      depends_on_.emplace_back(path, archives_.current_fingerprint(path));
    }
  }

  std::optional<std::size_t> find_either(const Container& container, const std::string& name) {
    if (const auto index = container.find(as_bytes(name))) {
      return index;
    }
    const auto other = container.find(as_bytes(other_spelling(name)));
    return other && use(RuleId::kRegistryKeySuffix, name) ? other : std::nullopt;
  }
  std::optional<std::size_t> find_key(const std::string& key) { return find_either(registry_->container(), key); }

  // A name of a slot as it is looked up.
  std::string name_of(Bytes stored, const std::string& subject) {
    const std::string_view text = as_text(stored);
    const bool has_blanks = trimmed(text).size() != text.size();
    return std::string(has_blanks && use(RuleId::kRegistryNameTrim, subject) ? trimmed(text) : text);
  }

  // Appends the references of an entry and, where its slots name parents, theirs.
  void collect(std::size_t index) {
    if (stack_.size() > kMaxInheritanceDepth) {
      return fail_inheritance(PrototypeState::kTooDeep, {.code = Code::kInheritanceTooDeep, .field = "parent"},
                              key_of(index));
    }
    if (std::ranges::find(stack_, index) != stack_.end()) {
      return fail_inheritance(PrototypeState::kCycle, {.code = Code::kInheritanceCycle, .field = "parent"},
                              key_of(index));
    }
    stack_.push_back(index);
    if (++entries_ <= kMaxInheritedEntries) {
      collect_slots(index);
    } else {
      fail_inheritance(PrototypeState::kTooDeep, {.code = Code::kLimitExceeded, .field = "parent"});
    }
    stack_.pop_back();
  }

  bool is_exhausted() const { return entries_ > kMaxInheritedEntries || slots_ > kMaxInheritedSlots; }

  void collect_slots(std::size_t entry) {
    const auto payload = archives_.load(registry_, entry);
    if (!payload) {
      return fail_inheritance(PrototypeState::kUnreadable, payload.error());
    }
    const auto array = archives_.parse<reference_array::ReferenceArray>(*payload, "reference_array");
    if (!array) {
      return fail_inheritance(PrototypeState::kUnreadable, array.error());
    }
    const auto& slots = (*array)->value.references();
    for (std::size_t slot = 0; slot < slots.size() && !is_exhausted(); ++slot) {
      if (++slots_ > kMaxInheritedSlots) {
        return fail_inheritance(PrototypeState::kTooDeep, {.code = Code::kLimitExceeded, .field = "reference"});
      }
      collect_slot(entry, slot, slots[slot]);
    }
  }

  void collect_slot(std::size_t entry, std::size_t slot, const reference_array::Reference& stored) {
    const std::string key = key_of(entry);
    const std::string subject = key + " reference[" + std::to_string(slot) + ']';
    const std::string archive = name_of(stored.archive_name.text(), subject);
    const std::string resource = name_of(stored.resource_name.text(), subject);
    if (archive.empty() || resource.empty()) {
      return;
    }
    if (folded(archive) != kRegistryFile) {
      result_.references.push_back({archive, resource, key, slot});
      return;
    }
    const auto parent = find_key(resource);
    result_.parents.push_back({key, slot, parent ? key_of(*parent) : resource, parent.has_value()});
    if (parent) {
      collect(*parent);
    } else {
      fail_inheritance(PrototypeState::kMissingParent, {.code = Code::kMissingParent, .field = "parent"}, resource);
    }
  }

  // The first mesh that is named and exists.
  void choose_mesh() {
    bool names_mesh = false;
    for (std::size_t index = 0; index < result_.references.size() && !result_.mesh; ++index) {
      if (extension_of(result_.references[index].resource) == "msh") {
        names_mesh = true;
        try_mesh(index, result_.references[index].resource);
      }
    }
    if (!names_mesh) {
      choose_mesh_of_base();
      result_.tried.clear();
    }
    if (result_.mesh) {
      result_.state = PrototypeState::kMesh;
    } else if (names_mesh) {
      stop(PrototypeState::kBrokenReference, {.code = Code::kBrokenReference, .field = "reference"});
    } else {
      stop(PrototypeState::kNonGeometric, {.code = Code::kNonGeometric, .field = "reference"});
    }
  }

  void choose_mesh_of_base() {
    for (std::size_t index = 0; index < result_.references.size(); ++index) {
      const EffectiveReference& reference = result_.references[index];
      if (extension_of(reference.resource) != "bas") {
        continue;
      }
      try_mesh(index, std::string(stem_of(reference.resource)) + std::string(kMeshExtension));
      if (!result_.mesh) {
        continue;
      }
      if (!use(RuleId::kBasStemMesh, reference.resource)) {
        result_.mesh.reset();
      }
      return;
    }
  }

  void try_mesh(std::size_t reference, const std::string& name) {
    const std::string& archive = result_.references[reference].archive;
    const auto path = LegacyPath::parse(as_bytes(archive));
    if (!path) {
      result_.tried.push_back({archive, name, path.error().code});
      return;
    }
    const auto handle = archives_.open(*path);
    depend_on(*path);
    if (!handle) {
      result_.tried.push_back({archive, name, handle.error().code});
      return;
    }
    const auto index = find_either((*handle)->container(), name);
    if (!index) {
      result_.tried.push_back({archive, name, Code::kMissingEntry});
      return;
    }
    result_.mesh = {.archive = archive,
                    .entry = std::string(as_text((*handle)->container().member(*index).name)),
                    .index = *index,
                    .reference = reference};
  }

  Archives& archives_;
  ArchiveHandle registry_;
  Prototype result_;
  std::vector<std::size_t> stack_;
  std::size_t entries_ = 0;
  std::size_t slots_ = 0;
  // What `rules` and `depends_on_` hold already.
  std::set<std::pair<RuleId, std::string>> used_;
  std::set<std::string> files_;
  bool has_failed_ = false;
  std::vector<Dependency> depends_on_;
};

bool Prototypes::is_current(const Known& known) {
  return std::ranges::all_of(known.depends_on, [&](const Dependency& dependency) {
    return archives_.current_fingerprint(dependency.first) == dependency.second;
  });
}

std::shared_ptr<const Prototype> Prototypes::resolve(std::string_view key) {
  Known& known = known_[folded(key)];
  if (known.prototype == nullptr || !is_current(known)) {
    Resolution resolution(archives_, key);
    known.prototype = std::make_shared<const Prototype>(resolution.run());
    known.depends_on = resolution.take_dependencies();
  }
  return known.prototype;
}

Result<std::vector<std::string>> Prototypes::keys() {
  ASSAY_TRY_ASSIGN(const ArchiveHandle registry, archives_.open(registry_path()));
  std::vector<std::string> keys;
  for (std::size_t index = 0; index < registry->container().member_count(); ++index) {
    keys.emplace_back(as_text(registry->container().member(index).name));
  }
  return keys;
}

}  // namespace assay::resource
