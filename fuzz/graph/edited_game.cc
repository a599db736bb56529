#include "fuzz/graph/edited_game.h"

#include <algorithm>
#include <array>
#include <deque>
#include <set>
#include <string_view>

#include "parsers/base/ascii.h"
#include "parsers/formats/nres/nres.h"
#include "parsers/resource/prototypes.h"
#include "synth/game_parts.h"

namespace assay::fuzz {
namespace {

constexpr std::size_t kMaxSteps = 24;
constexpr std::size_t kMaxFiles = 96;
constexpr std::size_t kMaxMembers = 128;

constexpr std::string_view kTags[] = {"MESH", "WEAR", "MAT0", "Texm", "EXPL", "CTLD",
                                      "NDPR", "BASE", "FXID", "CTPT", "SUNO", "STAT"};
// Files that hold references and are no archives.
constexpr std::string_view kLoose[] = {"MISSIONS/Single.01/data.tma", "MISSIONS/Single.02/data.tma",
                                       "UNITS/UNITS/HERO/hero.dat",   "UNITS/BUILDS/fort.dat",
                                       "DATA/MAPS/Map_1/Land1.wea",   "MISSIONS/Single.01/sky.wea"};

// The members of an archive as they can be written again; nothing for what is no archive, and for a landscape, whose
// members are its own.
std::optional<synth::NresLayout> layout_of(const synth::CorpusFile& file) {
  if (file.path.find('/') != std::string::npos || !nres::format().has_magic(file.bytes)) {
    return std::nullopt;
  }
  Findings findings;
  const auto archive = nres::Archive::parse(file.bytes, {}, findings);
  synth::NresLayout layout;
  for (std::size_t index = 0; archive && index < archive->member_count(); ++index) {
    const Member member = archive->member(index);
    const auto [attr1, attr2, attr3] = *member.attributes;
    const Bytes payload = Bytes(file.bytes).subspan(member.offset, member.size);
    layout.items.push_back({.row = {.type_id = *member.type_id,
                                    .attr1 = attr1,
                                    .attr2 = attr2,
                                    .attr3 = attr3,
                                    .name = synth::nres_name(as_text(member.name))},
                            .payload = copy_of(payload)});
  }
  return layout;
}

BaseGame whole_game() {
  BaseGame base{.files = synth::make_game_corpus(1)};
  std::ranges::transform(base.files, std::back_inserter(base.archives), layout_of);
  return base;
}

// The first mission and a few keys.
BaseGame sound_game() {
  constexpr std::string_view kKeys[] = {"r_h_01", "s_tree_04", "fr_base", "fr_l_01", "x_spare"};
  BaseGame base;
  for (synth::CorpusFile& file : synth::make_game_corpus(1)) {
    if (file.path.find("Single.02") != std::string::npos || file.path.find("/x_") != std::string::npos) {
      continue;
    }
    auto archive = layout_of(file);
    if (archive && file.path == resource::kRegistryFile) {
      std::erase_if(archive->items, [&](const synth::NresItem& item) {
        return std::ranges::find(kKeys, as_text(item.row.name.text())) == std::end(kKeys);
      });
      file.bytes = synth::build_nres(*archive);
    }
    base.files.push_back(std::move(file));
    base.archives.push_back(std::move(archive));
  }
  return base;
}

void add_member_names(const synth::NresLayout& layout, std::vector<std::string>& names) {
  for (const synth::NresItem& item : layout.items) {
    const std::string name(as_text(item.row.name.text()));
    if (std::ranges::find(names, name) == names.end()) {
      names.push_back(name);
    }
  }
}

std::string upper(std::string text) {
  std::ranges::transform(text, text.begin(),
                         [](char letter) { return static_cast<char>(ascii_upper(static_cast<std::uint8_t>(letter))); });
  return text;
}

std::string with_separators(std::string text, char separator) {
  std::ranges::replace_if(text, [](char letter) { return letter == '/' || letter == '\\'; }, separator);
  return text;
}

// Other spellings of a name: of those that lead to the same thing, and of those that lead elsewhere or nowhere.
std::string respelled(std::string name, std::uint8_t how) {
  switch (how % 12) {
    case 1: return upper(std::move(name));
    case 2: return resource::folded(name);
    case 3: return name + ".msh";
    case 4: return std::string(resource::stem_of(name));
    case 5: return ' ' + name + "\t";
    case 6: return with_separators(std::move(name), '/');
    case 7: return with_separators(std::move(name), '\\');
    case 8: return name + '\xC0';
    case 9: return name + '.';
    case 10: return "./" + name;
    case 11: return name + '\n' + name;
    default: return name;
  }
}

// Whether a disk could hold a file of that path.
bool is_file_path(std::string_view path) {
  if (path.empty() || path.find('\0') != std::string_view::npos) {
    return false;
  }
  for (std::size_t start = 0; start <= path.size();) {
    const std::size_t end = std::min(path.find('/', start), path.size());
    const std::string_view part = path.substr(start, end - start);
    if (part.empty() || part == "." || part == "..") {
      return false;
    }
    start = end + 1;
  }
  return true;
}

synth::NresName fitting_name(std::string_view name) {
  return synth::nres_name(name.substr(0, std::min({name.size(), name.find('\0'), nres::kMaxNameBytes})));
}

void damage_bytes(Buffer& bytes, std::size_t offset, const std::optional<Buffer>& patch) {
  const std::size_t start = std::min(offset, bytes.size());
  if (patch) {
    std::copy_n(patch->begin(), std::min(patch->size(), bytes.size() - start),
                bytes.begin() + static_cast<std::ptrdiff_t>(start));
  } else {
    bytes.resize(start);
  }
}

std::string chain_key(std::size_t link) {
  return "x_link_" + std::to_string(link);
}

}  // namespace

const std::vector<std::string>& name_pool() {
  static const std::vector<std::string> kPool = [] {
    std::vector<std::string> names{"", "..", "nowhere.rlb", "x_unknown", "DEFAULT", "a/b", "\\x", "C:x", "x_cycle_a"};
    const BaseGame& base = base_game(true);
    for (std::size_t index = 0; index < base.files.size(); ++index) {
      names.push_back(base.files[index].path);
      if (base.archives[index]) {
        add_member_names(*base.archives[index], names);
      }
    }
    return names;
  }();
  return kPool;
}

std::string scripted_name(ByteScript& script) {
  const std::uint8_t how = script.byte();
  constexpr std::uint8_t kLiteral = 0xF0;
  if (how >= kLiteral) {
    return std::string(as_text(script.take(how - kLiteral)));
  }
  return respelled(name_pool()[script.index(name_pool().size())], how);
}

const BaseGame& base_game(bool is_whole) {
  static const BaseGame kWhole = whole_game();
  static const BaseGame kSound = sound_game();
  return is_whole ? kWhole : kSound;
}

EditedGame::EditedGame(const BaseGame& base, ByteScript& script, synth::MemoryStore& store)
    : base_(base), script_(script), store_(store) {
  files_.reserve(kMaxFiles);
  for (std::size_t index = 0; index < base.files.size(); ++index) {
    const auto& archive = base.archives[index];
    files_.push_back({.path = base.files[index].path,
                      .content = store.files().at(base.files[index].path).content,
                      .members = archive ? &*archive : nullptr});
  }
}

void EditedGame::run() {
  for (std::size_t done = 0; done < kMaxSteps && !script_.at_end() && !files_.empty(); ++done) {
    step();
  }
  put_all();
}

void EditedGame::step() {
  static constexpr std::array kSteps{
      &EditedGame::drop_file,    &EditedGame::rename_file,   &EditedGame::copy_file,       &EditedGame::swap_files,
      &EditedGame::damage_file,  &EditedGame::drop_member,   &EditedGame::rename_member,   &EditedGame::copy_member,
      &EditedGame::retag_member, &EditedGame::swap_payloads, &EditedGame::damage_member,   &EditedGame::write_prototype,
      &EditedGame::write_chain,  &EditedGame::write_member,  &EditedGame::write_loose_file};
  (this->*kSteps[script_.byte() % kSteps.size()])();
}

void EditedGame::drop_file() {
  files_.erase(files_.begin() + static_cast<std::ptrdiff_t>(script_.index(files_.size())));
}

void EditedGame::rename_file() {
  File& file = pick_file();
  // The name of another thing, or this one spelled otherwise.
  std::string path = script_.byte() % 2 == 0 ? scripted_name(script_) : respelled(file.path, script_.byte());
  if (is_file_path(path)) {
    file.path = std::move(path);
  }
}

void EditedGame::copy_file() {
  File copy = pick_file();
  copy.path = script_.byte() % 2 == 0 ? scripted_name(script_) : respelled(copy.path, script_.byte());
  if (is_file_path(copy.path) && files_.size() < kMaxFiles) {
    files_.push_back(std::move(copy));
  }
}

void EditedGame::swap_files() {
  File& left = pick_file();
  File& right = pick_file();
  std::swap(left, right);
  std::swap(left.path, right.path);
}

EditedGame::Damage EditedGame::scripted_damage(std::size_t size_bytes) {
  Damage damage{.offset = script_.index(size_bytes + 1)};
  if (const std::uint8_t count = script_.byte() % 17; count != 0) {
    const Bytes patch = script_.take(count);
    damage.patch = copy_of(patch);
  }
  return damage;
}

void EditedGame::damage_file() {
  const File& file = pick_file();
  Damage damage = scripted_damage(file.content.bytes.size());
  damage.path = file.path;
  damages_.push_back(std::move(damage));
}

synth::NresLayout* EditedGame::pick_archive() {
  std::vector<File*> archives;
  for (File& file : files_) {
    if (file.members != nullptr) {
      archives.push_back(&file);
    }
  }
  if (archives.empty()) {
    return nullptr;
  }
  File& file = *archives[script_.index(archives.size())];
  return &(file.archive ? *file.archive : file.archive.emplace(*file.members));
}

synth::NresLayout* EditedGame::registry() {
  const auto file = std::ranges::find(files_, resource::kRegistryFile, &File::path);
  if (file == files_.end() || file->members == nullptr) {
    return nullptr;
  }
  return &(file->archive ? *file->archive : file->archive.emplace(*file->members));
}

synth::NresItem* EditedGame::pick_member() {
  synth::NresLayout* archive = pick_archive();
  return archive == nullptr || archive->items.empty() ? nullptr : &archive->items[script_.index(archive->items.size())];
}

void EditedGame::drop_member() {
  if (synth::NresLayout* archive = pick_archive(); archive != nullptr && !archive->items.empty()) {
    archive->items.erase(archive->items.begin() + static_cast<std::ptrdiff_t>(script_.index(archive->items.size())));
  }
}

void EditedGame::rename_member() {
  if (synth::NresItem* member = pick_member()) {
    member->row.name = fitting_name(scripted_name(script_));
  }
}

// A second member of the archive, under a name of its own or the same.
void EditedGame::copy_member() {
  synth::NresLayout* archive = pick_archive();
  if (archive == nullptr || archive->items.empty() || archive->items.size() >= kMaxMembers) {
    return;
  }
  synth::NresItem copy = archive->items[script_.index(archive->items.size())];
  if (script_.byte() % 2 == 0) {
    copy.row.name = fitting_name(scripted_name(script_));
  }
  archive->items.push_back(std::move(copy));
}

void EditedGame::retag_member() {
  if (synth::NresItem* member = pick_member()) {
    member->row.type_id = synth::type_tag(kTags[script_.index(std::size(kTags))]);
    member->row.attr2 = script_.byte() % 8;
  }
}

void EditedGame::swap_payloads() {
  synth::NresItem* left = pick_member();
  synth::NresItem* right = pick_member();
  if (left != nullptr && right != nullptr) {
    std::swap(left->payload, right->payload);
  }
}

void EditedGame::damage_member() {
  if (synth::NresItem* member = pick_member()) {
    const Damage damage = scripted_damage(member->payload.size());
    damage_bytes(member->payload, damage.offset, damage.patch);
  }
}

Buffer EditedGame::scripted_references() {
  std::deque<std::string> names;
  std::vector<synth::GameReference> references;
  for (std::size_t count = script_.byte() % 8; count != 0; --count) {
    const std::string& archive =
        names.emplace_back(script_.byte() % 2 == 0 ? std::string(resource::kRegistryFile) : scripted_name(script_));
    references.push_back({archive, names.emplace_back(scripted_name(script_))});
  }
  return synth::make_reference_array(references);
}

void EditedGame::write_prototype() {
  synth::NresLayout* archive = registry();
  if (archive == nullptr || archive->items.empty()) {
    return;
  }
  synth::NresItem& prototype = archive->items[script_.index(archive->items.size())];
  prototype.payload = scripted_references();
}

// Prototypes that each name the next one, some of them twice; the last one may lead back to the first.
void EditedGame::write_chain() {
  constexpr std::size_t kMaxLinks = 40;
  constexpr std::size_t kMaxDoubledLinks = 13;
  synth::NresLayout* archive = registry();
  std::size_t links = script_.byte();
  const std::uint8_t shape = script_.byte();
  // Each link that names the next one twice doubles what those before it consist of. What reaches the limits takes a
  // hundred times as long as other scripts, so few do.
  const bool is_doubled = (shape & 6U) == 6;
  const bool is_long = (shape & 0xF0U) == 0xF0U;
  links %= is_doubled ? (is_long ? kMaxDoubledLinks : 6) : (is_long ? kMaxLinks : 8);
  if (archive == nullptr || links == 0 || archive->items.size() + links > kMaxMembers) {
    return;
  }
  const std::size_t copies = is_doubled ? 2 : 1;
  for (std::size_t link = 0; link < links; ++link) {
    const bool is_last = link + 1 == links;
    const std::string next = is_last && shape % 2 == 0 ? "r_h_01" : chain_key(is_last ? 0 : link + 1);
    const std::vector<synth::GameReference> references(copies, {resource::kRegistryFile, next});
    archive->items.push_back({.row = {.type_id = synth::type_tag("FORT"), .name = synth::nres_name(chain_key(link))},
                              .payload = synth::make_reference_array(references)});
  }
}

std::pair<std::string_view, Buffer> EditedGame::scripted_payload() {
  const std::uint8_t kind = script_.byte() % 7;
  std::deque<std::string> names;
  std::vector<std::string_view> list;
  std::vector<synth::GameReference> references;
  for (std::size_t count = script_.byte() % 6; count != 0; --count) {
    const std::string& first = names.emplace_back(scripted_name(script_));
    const std::string& second = kind >= 2 ? names.emplace_back(scripted_name(script_)) : first;
    list.push_back(first);
    references.push_back({first, second});
  }
  const synth::GameReference none{};
  const synth::GameReference& front = references.empty() ? none : references.front();
  const synth::GameReference& back = references.empty() ? none : references.back();
  switch (kind) {
    case 0: return {"WEAR", synth::make_wear(list)};
    case 1: return {"MAT0", synth::make_material(list)};
    case 2: return {"NDPR", synth::make_damage_table(references)};
    case 3: return {"EXPL", synth::make_explosion(front)};
    case 4: return {"CTLD", synth::make_controller(front, back)};
    case 5: return {"WEAR", synth::make_wear(list, {front.resource, back.resource})};
    default: return {"STAT", synth::make_reference_array(references)};
  }
}

void EditedGame::write_member() {
  synth::NresItem* member = pick_member();
  if (member == nullptr) {
    return;
  }
  auto [tag, payload] = scripted_payload();
  member->payload = std::move(payload);
  if (script_.byte() % 2 == 0) {
    member->row.type_id = synth::type_tag(tag);
  }
}

void EditedGame::write_loose_file() {
  const std::size_t kind = script_.index(std::size(kLoose));
  const auto file = std::ranges::find(files_, kLoose[kind], &File::path);
  std::vector<std::string> names;
  for (std::size_t count = script_.byte() % 8; count != 0; --count) {
    names.push_back(scripted_name(script_));
  }
  if (file == files_.end()) {
    return;
  }
  const std::vector<std::string_view> views(names.begin(), names.end());
  if (kind < 2) {
    file->bytes = synth::make_mission({.land_path = scripted_name(script_),
                                       .script_base = scripted_name(script_),
                                       .tree_path = scripted_name(script_),
                                       .objects = names});
  } else {
    file->bytes = kind < 4 ? synth::make_unit(0x80000002, views) : synth::make_wear(views);
  }
}

void EditedGame::put(const File& file) {
  const bool is_damaged = std::ranges::find(damages_, file.path, &Damage::path) != damages_.end();
  if (!file.archive && !file.bytes && !is_damaged) {
    const auto known = store_.files().find(file.path);
    if (known == store_.files().end() || known->second.content.owner != file.content.owner) {
      store_.put_shared(file.path, file.content);
    }
    return;
  }
  Buffer bytes;
  if (file.archive) {
    bytes = synth::build_nres(*file.archive);
  } else if (file.bytes) {
    bytes = *file.bytes;
  } else {
    bytes.assign(file.content.bytes.begin(), file.content.bytes.end());
  }
  for (const Damage& damage : damages_) {
    if (damage.path == file.path) {
      damage_bytes(bytes, damage.offset, damage.patch);
    }
  }
  store_.put(file.path, std::move(bytes));
}

void EditedGame::put_all() {
  std::set<std::string_view> kept;
  for (const File& file : files_) {
    kept.insert(file.path);
  }
  for (const synth::CorpusFile& file : base_.files) {
    if (!kept.contains(file.path)) {
      store_.remove(file.path);
    }
  }
  std::ranges::for_each(files_, [&](const File& file) { put(file); });
}

}  // namespace assay::fuzz
