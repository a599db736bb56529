#include "fuzz/graph/harness.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <tuple>
#include <vector>

#include "fuzz/graph/edited_game.h"
#include "fuzz/graph/plain_game.h"
#include "fuzz/harness.h"
#include "oracles/oracles.h"
#include "parsers/base/escape.h"
#include "parsers/resource/reach.h"

namespace assay::fuzz {
namespace {

using resource::Archives;
using resource::Edge;
using resource::FileTree;
using resource::Graph;
using resource::GraphFinding;
using resource::Node;
using resource::NodeKind;

// What lets go of everything at once.
constexpr resource::CacheLimits kNothing{.count = 1, .bytes = 0};
constexpr resource::ArchiveCacheLimits kTinyCaches{kNothing, kNothing, kNothing, kNothing};

// The game in memory, and caches that went through the inputs before: most files are as they were made, so most of what
// an input leads to is parsed already.
class Game {
 public:
  explicit Game(const BaseGame& made_of) : base(made_of) {
    for (const synth::CorpusFile& file : base.files) {
      store.put(file.path, file.bytes);
    }
    made_ = store.files();
  }

  // The caches of one profile.
  Archives& warm(const RuleSet& rules) {
    // Paths that were asked for are remembered for as long as the caches live.
    constexpr std::size_t kMaxUses = 256;
    Slot& slot = slots_[rules == RuleSet::strict() ? 0 : 1];
    if (slot.archives == nullptr || ++slot.uses > kMaxUses) {
      slot = {.archives = std::make_unique<Archives>(tree, ParseContext{.rules = rules})};
      const synth::MemoryStore::Files edited = store.files();
      store.restore(made_);
      require(resource::build_graph(*slot.archives).has_value(), "the game as it is made can be read");
      store.restore(edited);
    }
    return *slot.archives;
  }
  void reset() { store.restore(made_); }
  const synth::MemoryStore::Files& made() const { return made_; }

  const BaseGame& base;
  synth::MemoryStore store;
  FileTree tree{{&store}};

 private:
  struct Slot {
    std::unique_ptr<Archives> archives{};
    std::size_t uses = 0;
  };
  synth::MemoryStore::Files made_;
  std::array<Slot, 2> slots_;
};

Game& game(bool is_whole) {
  static Game whole(base_game(true));
  static Game sound(base_game(false));
  return is_whole ? whole : sound;
}

[[noreturn]] void break_promise(const char* promise, const std::string& at) {
  std::fprintf(stderr, "%s\n", at.c_str());
  require(false, promise);
  std::abort();
}

std::string text_of(const PlainEdge& edge) {
  return std::string(resource::edge_kind(edge.kind).text) + '[' + std::to_string(edge.index) + "] " +
         escape_bytes(as_bytes(edge.raw)) + " -> " + escape_bytes(as_bytes(edge.file + "::" + edge.entry)) +
         (edge.exists ? "" : " (not there)");
}

std::string text_of(const Node& node) {
  return std::string(resource::node_kind_text(node.kind)) + ' ' + escape_bytes(as_bytes(node.file + "::" + node.entry));
}

bool same_finding(const GraphFinding& left, const GraphFinding& right) {
  return left.severity == right.severity && left.code == right.code && left.rule == right.rule &&
         left.applied == right.applied && left.detail == right.detail &&
         left.cause.has_value() == right.cause.has_value() &&
         (!left.cause || oracles::same_diagnostic(*left.cause, *right.cause));
}

bool same_node(const Node& left, const Node& right) {
  return left.kind == right.kind && left.file == right.file && left.entry == right.entry &&
         left.exists == right.exists && left.state == right.state && left.may_lack_mesh == right.may_lack_mesh &&
         left.edges == right.edges && std::ranges::equal(left.findings, right.findings, same_finding);
}

bool same_edge(const Edge& left, const Edge& right) {
  return left.kind == right.kind && left.from == right.from && left.to == right.to && left.index == right.index &&
         left.raw == right.raw && left.origin == right.origin &&
         std::ranges::equal(left.findings, right.findings, same_finding);
}

void require_same(const Result<Graph>& left, const Result<Graph>& right, const char* promise) {
  require(left.has_value() == right.has_value(), promise);
  if (!left) {
    require(oracles::same_diagnostic(left.error(), right.error()), promise);
    return;
  }
  for (std::size_t node = 0; node < std::min(left->nodes.size(), right->nodes.size()); ++node) {
    if (!same_node(left->nodes[node], right->nodes[node])) {
      break_promise(promise, text_of(left->nodes[node]) + " and " + text_of(right->nodes[node]));
    }
  }
  for (std::size_t edge = 0; edge < std::min(left->edges.size(), right->edges.size()); ++edge) {
    if (!same_edge(left->edges[edge], right->edges[edge])) {
      break_promise(promise, text_of(plain_of(*left, left->edges[edge])) + " and " +
                                 text_of(plain_of(*right, right->edges[edge])));
    }
  }
  require(left->nodes.size() == right->nodes.size() && left->edges.size() == right->edges.size(), promise);
}

void check_findings(const std::vector<GraphFinding>& findings, const RuleSet& rules, const auto& at) {
  for (const GraphFinding& finding : findings) {
    if (code_category(finding.code) == Category::kInternal) {
      break_promise("no input gives a defect of our own", at());
    }
    if (finding.applied && !(finding.rule && rules.enabled(*finding.rule))) {
      break_promise("a rule that was applied is enabled", at());
    }
    if ((finding.code == Code::kUnreadableResource) != finding.cause.has_value()) {
      break_promise("what cannot be read says why and where", at());
    }
  }
}

// Which findings an edge has, without their sentences.
std::vector<std::tuple<Code, std::optional<RuleId>, bool>> codes_of(const Edge& edge) {
  std::vector<std::tuple<Code, std::optional<RuleId>, bool>> codes;
  for (const GraphFinding& finding : edge.findings) {
    codes.emplace_back(finding.code, finding.rule, finding.applied);
  }
  return codes;
}

// Every edge once at its node, every node reached, whatever is missing a failure; and what a reference says of its
// target does not depend on the case it is spelled in.
void check_shape(const Graph& graph, const RuleSet& rules) {
  std::vector<bool> is_known(graph.nodes.size());
  is_known[Graph::kGameNode] = true;
  std::size_t edges = 0;
  // A node is found before it is looked into, so its way to the game stands in front of its edges.
  for (std::size_t index = 0; index < graph.nodes.size(); ++index) {
    const Node& node = graph.nodes[index];
    check_findings(node.findings, rules, [&] { return text_of(node); });
    if (!is_known[index]) {
      break_promise("every node is reached from the game", text_of(node));
    }
    for (const std::size_t edge : node.edges) {
      require(edge == edges++ && edge < graph.edges.size() && graph.edges[edge].from == index &&
                  graph.edges[edge].to < graph.nodes.size(),
              "every edge joins the node that has it and one that is there");
      is_known[graph.edges[edge].to] = true;
    }
  }
  require(edges == graph.edges.size(), "every edge is that of a node");
}

void check_edges(const Graph& graph, const RuleSet& rules) {
  using Asked = std::tuple<std::size_t, bool, std::string>;
  std::map<Asked, const Edge*> asked;
  for (const Edge& edge : graph.edges) {
    const auto at = [&] { return text_of(plain_of(graph, edge)); };
    check_findings(edge.findings, rules, at);
    const Node& target = graph.nodes[edge.to];
    if (!target.exists && graph.failure_of(edge) == nullptr) {
      break_promise("an edge to what is not there fails", at());
    }
    if (edge.kind == resource::EdgeKind::kPrototypeParent || edge.kind == resource::EdgeKind::kMeshWear ||
        edge.kind == resource::EdgeKind::kPrototypeMesh) {
      continue;
    }
    const auto [same, is_new] =
        asked.try_emplace(Asked{edge.to, target.kind == NodeKind::kPrototype, resource::folded(edge.raw)}, &edge);
    if (!is_new && codes_of(*same->second) != codes_of(edge)) {
      break_promise("two spellings of one name lead to the same findings", at());
    }
  }
}

void check_nodes(const Graph& graph, PlainGame& plain, const synth::MemoryStore::Files& files) {
  std::set<std::pair<std::string, std::string>> missing;
  for (const Node& node : graph.nodes) {
    if (node.kind == NodeKind::kGame) {
      continue;
    }
    if (node.exists) {
      const bool is_there =
          files.contains(node.file) && (node.entry.empty() || plain.find_member(node.file, node.entry).has_value());
      if (!is_there) {
        break_promise("what is said to exist exists, and is spelled like that", text_of(node));
      }
    } else if (!missing.emplace(resource::folded(node.file), resource::folded(node.entry)).second) {
      break_promise("what is missing is one node", text_of(node));
    }
  }
}

// What the graph has of a node is what a plain search finds. Of what is as it was made, every `step`th node is asked.
void check_plain(const Graph& graph, PlainGame& plain, std::uint64_t first, std::uint64_t step) {
  for (std::size_t at = 0; at < graph.nodes.size(); ++at) {
    const Node& node = graph.nodes[at];
    if ((at + first) % step != 0 && plain.is_as_made(node.file)) {
      continue;
    }
    if (!node.exists) {
      require(node.edges.empty(), "what is not there leads nowhere");
      continue;
    }
    const std::vector<PlainEdge> expected = plain.edges_of(node);
    for (std::size_t index = 0; index < std::max(expected.size(), node.edges.size()); ++index) {
      const auto found =
          index < node.edges.size() ? std::optional(plain_of(graph, graph.edges[node.edges[index]])) : std::nullopt;
      if (index >= expected.size() || !found || *found != expected[index]) {
        break_promise("a reference leads where a plain search leads",
                      text_of(node) + ": " + (found ? text_of(*found) : "nothing") + " instead of " +
                          (index < expected.size() ? text_of(expected[index]) : "nothing"));
      }
    }
  }
}

// A failure is one of the graph, at the end of a way from its mission.
void check_record(const Graph& graph, const resource::FailureRecord& record) {
  std::size_t at = record.mission;
  for (const std::size_t edge : record.chain) {
    require(edge < graph.edges.size() && graph.edges[edge].from == at, "a chain is a way through the graph");
    at = graph.edges[edge].to;
  }
  require(record.root.has_value() == !record.chain.empty(), "what fails below a mission fails below one of its edges");
  require(record.finding.fails(), "a record is that of a failure");
  if (!record.chain.empty()) {
    const Edge& last = graph.edges[record.chain.back()];
    const GraphFinding* failure = graph.failure_of(last);
    require(failure != nullptr && same_finding(*failure, record.finding), "a chain ends at what fails");
    require(resource::edge_kind(last.kind).required == record.required,
            "the kind of the edge decides what is required");
  }
}

void check_marks(const Graph& graph, const std::vector<std::size_t>& missions) {
  std::vector<bool> reached(graph.nodes.size());
  std::vector<std::size_t> waiting = missions;
  while (!waiting.empty()) {
    const std::size_t node = waiting.back();
    waiting.pop_back();
    if (!reached[node]) {
      reached[node] = true;
      for (const std::size_t edge : graph.nodes[node].edges) {
        waiting.push_back(graph.edges[edge].to);
      }
    }
  }
  for (std::size_t node = 0; node < graph.nodes.size(); ++node) {
    require(graph.nodes[node].is_reached == reached[node], "what any edges lead to is reached");
    require(!graph.nodes[node].is_needed || reached[node], "what is needed is reached");
  }
}

// Whether a list holds as many records as were counted, or as many as it may.
void check_list(const Graph& graph, const std::vector<resource::FailureRecord>& list, std::uint64_t count,
                std::size_t max_records) {
  require(list.size() == std::min<std::uint64_t>(count, max_records), "every failure that is counted is listed");
  std::ranges::for_each(list, [&](const resource::FailureRecord& record) { check_record(graph, record); });
}

void check_reach(Graph graph) {
  // Below the number of failures that scripts make, so that lists are cut as well.
  constexpr resource::ReachOptions kOptions{.max_records = 50};
  const std::vector<std::size_t> missions = graph.nodes_of(NodeKind::kMission);
  resource::EdgeTotals sum{};
  Graph alone = graph;
  for (const std::size_t mission : missions) {
    const resource::EdgeTotals totals = resource::reach(alone, std::span(&mission, 1), kOptions).totals;
    for (std::size_t kind = 0; kind < sum.size(); ++kind) {
      sum[kind].requests += totals[kind].requests;
      sum[kind].failed += totals[kind].failed;
    }
  }
  const resource::Reach reach = resource::reach(graph, missions, kOptions);
  require(reach.totals == sum, "a mission asks for the same whatever other missions ask for");
  check_marks(graph, missions);
  check_list(graph, reach.failures, reach.failure_count, kOptions.max_records);
  check_list(graph, reach.notes, reach.note_count, kOptions.max_records);
  const resource::Health health = resource::health_of(graph);
  require(health.missing_references <= health.references, "what is missing was referred to");
}

// What is refused is refused inside the file that holds it.
void require_inside(const Diagnostic& refused, std::size_t size_bytes, const Node& node) {
  const oracles::Failures failures = oracles::diagnostic_is_sane(refused, size_bytes);
  if (!failures.empty()) {
    std::fprintf(stderr, "%s\n", text_of(node).c_str());
  }
  require_none(failures);
}

// Every archive and member of the graph through caches that keep nothing: the bytes of a plain search, and refusals
// inside the file.
void check_contents(const Graph& graph, Archives& archives, PlainGame& plain, const synth::MemoryStore::Files& files) {
  for (const Node& node : graph.nodes) {
    if (!node.exists || node.kind == NodeKind::kGame) {
      continue;
    }
    const std::size_t size_bytes = files.at(node.file).content.bytes.size();
    const auto path = resource::LegacyPath::parse(as_bytes(node.file));
    const auto archive = archives.open(*path);
    require(archive.has_value() == (plain.archive_at(node.file) != nullptr), "archives open alike");
    if (!archive) {
      require_inside(archive.error(), size_bytes, node);
      continue;
    }
    const auto index = (*archive)->container().find(as_bytes(node.entry));
    if (!index) {
      continue;
    }
    const auto payload = archives.load(*archive, *index);
    Findings findings;
    const auto expected = plain.archive_at(node.file)->load(*index, oracles::shared_scratch(), findings);
    require(payload.has_value() == expected.has_value(), "a member loads alike");
    if (!payload) {
      require_inside(payload.error(), size_bytes, node);
      continue;
    }
    require(equal_bytes(payload->bytes(), *expected), "a member has its own payload");
    require(payload->origin.base_offset + (payload->origin.is_decoded ? 0 : payload->bytes().size()) <= size_bytes,
            "a payload comes from inside its file");
  }
}

// The paths of the script, and those of the game spelled by it, lead where a plain search leads.
void check_paths(ByteScript script, const FileTree& tree, const PlainGame& plain) {
  for (int count = 0; count < 16; ++count) {
    const std::string text = scripted_name(script);
    const auto path = resource::LegacyPath::parse(as_bytes(text));
    const auto found = path ? tree.find(*path) : Result<resource::FilePlace>(fail(path.error()));
    const auto expected = plain.find_file(text);
    const bool is_same = found.has_value() == expected.has_value() &&
                         (found ? found->path == *expected : found.error().code == expected.error().code);
    if (!is_same) {
      break_promise("a path leads where a plain search leads", escape_bytes(as_bytes(text)));
    }
  }
}

// Whether a name stands beside another one that answers to the same, or in front of it. Caches do not look for that
// (Archives).
bool has_twins(const synth::MemoryStore::Files& files, const synth::MemoryStore::Files& made) {
  std::set<std::string> parts;
  std::set<std::string> folded;
  for (const auto* names : {&files, &made}) {
    for (const auto& [path, file] : *names) {
      for (std::size_t end = path.find('/'); end != std::string::npos; end = path.find('/', end + 1)) {
        parts.insert(path.substr(0, end + 1));
        folded.insert(resource::folded(path.substr(0, end + 1)));
      }
      parts.insert(path);
      folded.insert(resource::folded(path));
    }
  }
  return parts.size() != folded.size();
}

bool has_new_names(const synth::MemoryStore::Files& files, const synth::MemoryStore::Files& made) {
  return std::ranges::any_of(files, [&](const auto& file) { return !made.contains(file.first); });
}

// One walk over an edited game, and what is asked of it.
class Walk {
 public:
  Walk(Game& game, ByteScript script, std::uint64_t hash)
      : game_(game),
        script_(script),
        hash_(hash),
        rules_((hash & 1U) != 0 ? RuleSet::compatible() : RuleSet::strict()) {}

  void run() {
    const auto& files = game_.store.files();
    const bool is_warm = !has_new_names(files, game_.made()) || !has_twins(files, game_.made());
    Archives cold(game_.tree, {.rules = rules_});
    const auto graph = resource::build_graph(is_warm ? game_.warm(rules_) : cold);
    if (turn(0, 16)) {
      require_same(graph, walk({}), "a walk depends on nothing that was read before");
    }
    if (turn(1, 32)) {
      require_same(graph, walk(kTinyCaches), "caches that keep nothing change nothing");
    }
    if (!graph) {
      check_refusal(graph.error());
      return;
    }
    check_shape(*graph, rules_);
    check_edges(*graph, rules_);
    PlainGame plain(files, game_.made(), rules_);
    check_asked(*graph, plain);
  }

 private:
  // Whether it is the turn of a dear question, which gets one of `share` inputs.
  bool turn(std::uint64_t which, std::uint64_t share) const {
    return asks_everything() || (hash_ >> 8) % share == which;
  }

  Result<Graph> walk(const resource::ArchiveCacheLimits& limits) const {
    Archives archives(game_.tree, {.rules = rules_}, limits);
    const std::size_t before = game_.store.reads();
    auto graph = resource::build_graph(archives);
    // Each file once, perhaps once more as an archive; caches that keep nothing read again.
    const bool keeps = limits.archives.count > 1;
    require(!keeps || game_.store.reads() - before <= 2 * game_.store.files().size(), "each file is read once");
    return graph;
  }

  // The folder as a whole is refused for its registry alone.
  void check_refusal(const Diagnostic& refused) const {
    const PlainGame plain(game_.store.files(), game_.made(), rules_);
    const auto registry = plain.find_file(resource::kRegistryFile);
    if (!registry) {
      require(refused.code == registry.error().code, "a registry that is not there is the reason");
      return;
    }
    require_none(oracles::diagnostic_is_sane(refused, game_.store.files().at(*registry).content.bytes.size()));
  }

  void check_asked(const Graph& graph, PlainGame& plain) const {
    const auto& files = game_.store.files();
    check_plain(graph, plain, hash_ >> 16, asks_everything() ? 1 : 4);
    if (turn(2, 32)) {
      check_nodes(graph, plain, files);
      Archives tiny(game_.tree, {.rules = rules_}, kTinyCaches);
      check_contents(graph, tiny, plain, files);
    }
    if (turn(0, 8)) {
      check_paths(script_, game_.tree, plain);
    }
    if (turn(1, 2)) {
      check_reach(graph);
    }
  }

  Game& game_;
  ByteScript script_;
  std::uint64_t hash_;
  RuleSet rules_;
};

}  // namespace

int run_graph(const std::uint8_t* data, std::size_t size) {
  constexpr std::size_t kMaxScriptBytes = 2048;
  if (size <= kMaxScriptBytes) {
    const Bytes bytes(data, size);
    ByteScript script(bytes);
    Game& base = game(script.byte() % 16 == 1);
    base.reset();
    EditedGame(base.base, script, base.store).run();
    Walk(base, ByteScript(bytes), hash_of(bytes)).run();
  }
  return 0;
}

}  // namespace assay::fuzz
