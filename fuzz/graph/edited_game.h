#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "fuzz/byte_script.h"
#include "synth/corpus.h"
#include "synth/memory_store.h"
#include "synth/nres_builder.h"

// The synthetic game folder as a script changes it.
namespace assay::fuzz {

// Names that references and renamed things get: whatever the game is made of, and what belongs into no path.
[[nodiscard]] const std::vector<std::string>& name_pool();

// A name of the pool, respelled as the script says, or a name that stands in the script.
[[nodiscard]] std::string scripted_name(ByteScript& script);

// What a script starts from: the whole synthetic game, or the part of it that is sound, which is walked in a third of
// the time.
struct BaseGame {
  std::vector<synth::CorpusFile> files{};
  // The members of each file that is an archive.
  std::vector<std::optional<synth::NresLayout>> archives{};
};
[[nodiscard]] const BaseGame& base_game(bool is_whole);

// Runs the steps of one script over the game and puts what changed into a store that holds the game.
class EditedGame {
 public:
  // `store` holds the files of `base`. All must outlive it.
  EditedGame(const BaseGame& base, ByteScript& script, synth::MemoryStore& store);

  void run();

 private:
  // A file, and what a step made of it: an archive as its members, anything else as its bytes. Most stay as they are.
  struct File {
    std::string path{};
    resource::SharedBytes content{};
    const synth::NresLayout* members = nullptr;
    std::optional<synth::NresLayout> archive{};
    std::optional<Buffer> bytes{};
  };
  // Damage to a whole file, which waits until archives are built: a patch, or nothing for the end of the file.
  struct Damage {
    std::string path{};
    std::size_t offset = 0;
    std::optional<Buffer> patch{};
  };

  void step();
  void drop_file();
  void rename_file();
  void copy_file();
  void swap_files();
  void damage_file();
  void drop_member();
  void rename_member();
  void copy_member();
  void retag_member();
  void swap_payloads();
  void damage_member();
  void write_prototype();
  void write_chain();
  void write_member();
  void write_loose_file();

  [[nodiscard]] Damage scripted_damage(std::size_t size_bytes);
  [[nodiscard]] Buffer scripted_references();
  // A payload that refers to things, and the type tag that goes with it.
  [[nodiscard]] std::pair<std::string_view, Buffer> scripted_payload();
  [[nodiscard]] File& pick_file() { return files_[script_.index(files_.size())]; }
  // The members of an archive, for changing; null where there is no archive left.
  [[nodiscard]] synth::NresLayout* pick_archive();
  [[nodiscard]] synth::NresLayout* registry();
  // A member of some archive; null where there is none.
  [[nodiscard]] synth::NresItem* pick_member();

  void put_all();
  void put(const File& file);

  const BaseGame& base_;
  ByteScript& script_;
  synth::MemoryStore& store_;
  std::vector<File> files_;
  std::vector<Damage> damages_;
};

}  // namespace assay::fuzz
