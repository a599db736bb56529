#include "golden/merge.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <functional>
#include <span>

#include "golden/database_files.h"
#include "golden/display.h"

namespace assay::golden {
namespace {

// A database that is read, and the run that is taken from it.
struct Input {
  Store store;
  RunRecord run;

  [[nodiscard]] const std::string& name() const { return store.database().path(); }
  [[nodiscard]] const Shard& shard() const { return run.info.shard; }
};

// An incomplete run is not passed over for an older one, whose corpus may be of another day than that of the others.
Input open_input(const std::filesystem::path& path) {
  Store store = Store::open(path, Store::Mode::kUntouched);
  const std::vector<RunRecord> runs = store.runs();
  const auto latest =
      std::find_if(runs.rbegin(), runs.rend(), [](const RunRecord& run) { return !run.info.shard.is_whole(); });
  if (latest == runs.rend()) {
    throw MergeError(fmt::format("{}: holds no run of a shard; record one with `assay scan --shard i/n`",
                                 display_path(path.native())));
  }
  if (!latest->is_complete()) {
    throw MergeError(
        fmt::format("{}: run {} of shard {} is incomplete, it was cut off or is still being written; scan again",
                    display_path(path.native()), latest->id, latest->info.shard.text()));
  }
  return {std::move(store), *latest};
}

// Where a run could be told from the others though all are shards of one scan, that scan never was.
struct SharedValue {
  const char* name;
  std::string (*of)(const RunRecord&);
};

constexpr std::array kSharedValues{
    SharedValue{"number of shards", [](const RunRecord& run) { return std::to_string(run.info.shard.count); }},
    // The name alone: each machine may keep the folder elsewhere, but its name may say what the files are.
    SharedValue{"name of the corpus folder",
                [](const RunRecord& run) { return std::filesystem::path(run.info.corpus).filename().string(); }},
    SharedValue{"profile", [](const RunRecord& run) { return run.info.profile; }},
    SharedValue{"list of rules", [](const RunRecord& run) { return run.info.rules; }},
    SharedValue{"tool version", [](const RunRecord& run) { return run.info.tool_version; }},
    SharedValue{"number of files in the corpus",
                [](const RunRecord& run) { return std::to_string(run.corpus_files.value_or(0)); }}};

void check_alike(const Input& first, const Input& other) {
  for (const SharedValue& value : kSharedValues) {
    const std::string expected = value.of(first.run);
    const std::string got = value.of(other.run);
    if (got != expected) {
      throw MergeError(fmt::format("{}: the {} of run {} is '{}', that of run {} in {} is '{}'; scan all shards alike",
                                   other.name(), value.name, other.run.id, got, first.run.id, first.name(), expected));
    }
  }
}

void check_same_build(const Input& first, const Input& other) {
  if (first.run.info.scan_key != other.run.info.scan_key) {
    throw MergeError(fmt::format(
        "{}: run {} was not made by the same build with the same options (--overlay, --no-confirm) as run {} "
        "in {}; scan all shards alike, or take other builds too with --any-build",
        other.name(), other.run.id, first.run.id, first.name()));
  }
}

// Requires: shards of one count, sorted.
void check_each_once(std::span<const Input> inputs) {
  const std::uint64_t count = inputs.front().shard().count;
  for (std::size_t place = 1; place < inputs.size(); ++place) {
    const Input& before = inputs[place - 1];
    const Input& input = inputs[place];
    if (input.shard() == before.shard()) {
      throw MergeError(fmt::format("{}: run {} is of shard {}, and so is run {} in {}; give each shard once",
                                   input.name(), input.run.id, input.shard().text(), before.run.id, before.name()));
    }
  }
  for (std::uint64_t index = 0; index < count; ++index) {
    if (index == inputs.size() || inputs[index].shard().index != index) {
      throw MergeError(
          fmt::format("shard {} is missing: it is the latest shard of none of the databases given; record "
                      "each shard in a database of its own and give them all",
                      Shard{index, count}.text()));
    }
  }
}

// The inputs in order of their shards, which make a whole.
std::vector<Input> open_inputs(const MergeRequest& request) {
  std::vector<Input> inputs;
  for (const std::filesystem::path& path : request.inputs) {
    inputs.push_back(open_input(path));
    check_alike(inputs.front(), inputs.back());
    if (!request.any_build) {
      check_same_build(inputs.front(), inputs.back());
    }
  }
  if (inputs.empty()) {
    throw MergeError("no database to merge was given");
  }
  std::ranges::sort(inputs, {}, [](const Input& input) { return input.shard().index; });
  check_each_once(inputs);
  return inputs;
}

void check_output(const MergeRequest& request) {
  for (const std::filesystem::path& input : request.inputs) {
    if (belongs_to_database(request.output, input)) {
      throw MergeError(
          fmt::format("{}: is one of the databases to merge, which stay as they are; give another one to "
                      "write the run into",
                      request.output.string()));
    }
  }
}

// Hands on every file and counts.
MergeSummary read_all(std::span<const Input> inputs, const std::function<void(FileResult&&)>& sink) {
  std::vector<MergedShards::Part> parts;
  for (const Input& input : inputs) {
    parts.push_back({.name = input.name(), .files = input.store.verified_files(input.run)});
  }
  MergedShards files(std::move(parts), inputs.front().run.corpus_files.value_or(0));
  MergeSummary summary;
  while (auto file = files.next()) {
    std::ranges::for_each(file->items, [&](const Item& item) { summary.totals.count(item); });
    ++summary.files;
    sink(*std::move(file));
  }
  return summary;
}

RunInfo info_of_whole(const MergeRequest& request, std::span<const Input> inputs) {
  RunInfo info = inputs.front().run.info;
  info.label = request.label;
  info.shard = {};
  const bool is_one_build =
      std::ranges::all_of(inputs, [&](const Input& input) { return input.run.info.scan_key == info.scan_key; });
  if (!is_one_build) {
    info.scan_key.reset();
  }
  return info;
}

}  // namespace

MergeSummary merge_shards(const MergeRequest& request) {
  const auto started = std::chrono::steady_clock::now();
  check_output(request);
  const std::vector<Input> inputs = open_inputs(request);
  static_cast<void>(read_all(inputs, [](FileResult&&) {}));
  Store store = Store::open(request.output, Store::Mode::kReadWriteCreate);
  RunInfo info = info_of_whole(request, inputs);
  RunWriter writer = store.begin_run(info);
  MergeSummary summary = read_all(inputs, [&](FileResult&& file) { writer.add(std::move(file)); });
  const std::chrono::duration<double> wall_time = std::chrono::steady_clock::now() - started;
  writer.add_metric({"merge", "wall_time", wall_time.count(), "s"});
  writer.add_metric({"merge", "shards", static_cast<double>(inputs.size()), "shards"});
  writer.finish(summary.totals, summary.files);
  summary.run_id = writer.run_id();
  summary.info = std::move(info);
  return summary;
}

}  // namespace assay::golden
