#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "oracles/support.h"
#include "parsers/resource/graph.h"
#include "synth/memory_store.h"

// A game folder looked at without caches, sort maps or a resolver: files and members by going through all of them, and
// what each thing refers to as docs/graph.md says it. The formats' parsers are believed; what stands above them is not.
namespace assay::fuzz {

// Where a reference has to lead. Names are folded, with '/' between the parts of paths.
struct PlainEdge {
  resource::EdgeKind kind = resource::EdgeKind::kCount;
  std::size_t index = 0;
  std::string raw{};
  std::string file{};
  std::string entry{};
  bool exists = false;

  friend bool operator==(const PlainEdge&, const PlainEdge&) = default;
};

// The edge as the graph has it.
[[nodiscard]] PlainEdge plain_of(const resource::Graph& graph, const resource::Edge& edge);

class PlainGame {
 public:
  // What is in `files` as it is in `made` is parsed once for all games; `made` lives as long as the program. `files`
  // must outlive it.
  PlainGame(const synth::MemoryStore::Files& files, const synth::MemoryStore::Files& made, const RuleSet& rules);

  // Whether the file is as it was made.
  [[nodiscard]] bool is_as_made(const std::string& file) const;

  // The file that a path leads to, as it is spelled; kInvalidPath, kMissingFile, kAmbiguousPath.
  [[nodiscard]] Result<std::string> find_file(std::string_view path) const;
  // The archive there, or null.
  [[nodiscard]] const Container* archive_at(std::string_view path);
  // The member of that name, in an archive that can be read; or nothing.
  [[nodiscard]] std::optional<std::size_t> find_member(std::string_view archive, std::string_view name);

  // What a node that exists has to refer to, in order.
  [[nodiscard]] std::vector<PlainEdge> edges_of(const resource::Node& node);

 private:
  // A slot of an entry of the registry, with the names as they are looked up.
  struct Slot {
    std::string archive;
    std::string resource;
  };
  // What a prototype consists of, its parents' references included.
  struct Parts {
    std::vector<Slot> references{};
    std::vector<std::pair<std::size_t, std::string>> parents{};
    std::size_t entries = 0;
    std::size_t slots = 0;
    bool has_failed = false;

    [[nodiscard]] bool is_exhausted() const;
  };
  // The bytes of a node and what a parser is told of them.
  struct Content {
    Bytes bytes{};
    ParseContext context{};
  };

  [[nodiscard]] std::optional<Content> content_of(const resource::Node& node);
  [[nodiscard]] bool has(std::string_view archive, std::string_view name) {
    return find_member(archive, name).has_value();
  }
  // The member of that name, in either spelling where a rule allows that.
  [[nodiscard]] std::optional<std::string> find_either(std::string_view archive, const std::string& name);
  [[nodiscard]] bool has_tag(std::string_view archive, std::string_view name, std::string_view tag);

  [[nodiscard]] PlainEdge to_file(resource::EdgeKind kind, std::size_t index, std::string_view path) const;
  [[nodiscard]] PlainEdge to_entry(resource::EdgeKind kind, std::size_t index, std::string_view archive,
                                   std::string_view name);
  [[nodiscard]] PlainEdge to_prototype(resource::EdgeKind kind, std::size_t index, const std::string& key);
  [[nodiscard]] PlainEdge to_material(std::size_t row, std::string_view name);
  [[nodiscard]] PlainEdge to_picture(resource::EdgeKind kind, std::size_t index, std::string_view archive,
                                     std::string_view name);

  [[nodiscard]] std::vector<PlainEdge> edges_of_game();
  [[nodiscard]] std::vector<PlainEdge> edges_of_mission(const resource::Node& node, const Content& content);
  [[nodiscard]] std::vector<PlainEdge> edges_of_unit(const Content& content);
  [[nodiscard]] std::vector<PlainEdge> edges_of_prototype(const resource::Node& node);
  [[nodiscard]] std::vector<PlainEdge> edges_of_wear(const Content& content);
  [[nodiscard]] std::vector<PlainEdge> edges_of_material(const Content& content);
  [[nodiscard]] std::vector<PlainEdge> edges_of_named(const resource::Node& node, const Content& content);
  void add_named(const resource::Node& node, resource::EdgeKind kind, std::size_t index, Bytes archive, Bytes name,
                 std::vector<PlainEdge>& edges);

  void gather(std::size_t entry, bool is_first, std::vector<std::size_t>& stack, Parts& parts);
  // Which reference names the mesh, and the member that it is.
  [[nodiscard]] std::optional<std::pair<std::size_t, std::string>> mesh_of(const Parts& parts);

  // The parts of a file's path, as they are spelled and folded.
  struct Name {
    std::vector<std::string> parts;
    std::vector<std::string> folded;
  };

  [[nodiscard]] std::shared_ptr<const oracles::Parsed> parsed(const std::string& file) const;

  const synth::MemoryStore::Files& files_;
  const synth::MemoryStore::Files& made_;
  std::vector<Name> names_;
  RuleSet rules_;
  ParseContext context_;
  // Where paths that were asked for lead.
  std::map<std::string, Result<std::string>, std::less<>> places_;
  // By file; null where it is no archive.
  std::map<std::string, std::shared_ptr<const oracles::Parsed>, std::less<>> archives_;
  DecodeScratch scratch_;
};

}  // namespace assay::fuzz
