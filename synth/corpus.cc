#include "synth/corpus.h"

#include <cerrno>
#include <fstream>
#include <stdexcept>
#include <system_error>

namespace assay::synth {
namespace {

void prepare_folder(const CorpusOptions& options) {
  std::error_code error;
  std::filesystem::create_directories(options.folder, error);
  if (error) {
    throw std::runtime_error("cannot create the folder " + options.folder.string() + ": " + error.message());
  }
  const bool is_empty = std::filesystem::is_empty(options.folder, error);
  if (error) {
    throw std::runtime_error("cannot read the folder " + options.folder.string() + ": " + error.message());
  }
  if (!is_empty && !options.overwrite) {
    throw std::runtime_error("the folder " + options.folder.string() + " is not empty");
  }
}

void write_file(const std::filesystem::path& path, Bytes bytes) {
  std::error_code error;
  std::filesystem::create_directories(path.parent_path(), error);
  errno = 0;
  std::ofstream file(path, std::ios::binary | std::ios::trunc);
  const std::string_view text = as_text(bytes);
  file.write(text.data(), static_cast<std::streamsize>(text.size()));
  file.close();
  if (!file) {
    const std::string reason = errno == 0 ? std::string("unknown error") : std::generic_category().message(errno);
    // Half of a file is no sample of its format.
    std::filesystem::remove(path, error);
    throw std::runtime_error("cannot write " + path.string() + ": " + reason);
  }
}

std::vector<CorpusFile> make_small_corpus(const CorpusOptions& options) {
  switch (options.profile) {
    case CorpusProfile::kContainers: return make_containers_corpus(options.seed);
    case CorpusProfile::kResources: return make_resources_corpus(options.seed);
    case CorpusProfile::kGame: return make_game_corpus(options.seed);
  }
  return {};
}

}  // namespace

CorpusSummary write_corpus(const CorpusOptions& options) {
  prepare_folder(options);
  CorpusSummary summary;
  const auto write = [&](const CorpusFile& file) {
    write_file(options.folder / std::filesystem::path(file.path), file.bytes);
    ++summary.files;
    summary.archive_entries += file.archive_entries;
    summary.bytes += file.bytes.size();
  };
  if (options.entries) {
    if (options.profile == CorpusProfile::kResources) {
      make_mixed_corpus(options.seed, *options.entries, options.size_bytes, write);
    } else {
      make_load_corpus(options.seed, *options.entries, write);
    }
    return summary;
  }
  for (const CorpusFile& file : make_small_corpus(options)) {
    write(file);
  }
  return summary;
}

}  // namespace assay::synth
