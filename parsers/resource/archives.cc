#include "parsers/resource/archives.h"

#include <functional>

#include "parsers/formats/nres/nres.h"
#include "parsers/formats/rsli/rsli.h"

namespace assay::resource {
namespace {

// Everything cached of a file has its key in front, and this, which no path may hold, behind it.
constexpr char kKeyEnd = '\0';

std::string version_key(const std::string& key, const Fingerprint& fingerprint) {
  std::string text = key + kKeyEnd;
  for (const std::uint64_t word : fingerprint) {
    text += std::to_string(word) + '.';
  }
  return text;
}

// The magic decides, whatever a model or a research tree in such an archive means beyond it.
const Format* archive_format(Bytes content) {
  for (const Format* format : {&nres::format(), &rsli::format()}) {
    if (format->has_magic(content)) {
      return format;
    }
  }
  return nullptr;
}

std::optional<Fingerprint> fingerprint_or_nothing(const FileTree& tree, const Result<FilePlace>& place) {
  return place ? tree.fingerprint(*place) : std::nullopt;
}

bool lies_inside(Bytes part, Bytes whole) {
  const std::less<> before;
  return part.empty() || (!before(part.data(), whole.data()) && before(part.data(), whole.data() + whole.size()));
}

}  // namespace

Result<void> Archive::read_directory(ParseContext context) {
  const Format* format = archive_format(bytes());
  if (format == nullptr) {
    return fail({.code = Code::kNotAContainer, .field = "file"});
  }
  context.hints = ItemHints::of_file(as_bytes(place_.path));
  Findings findings;
  ASSAY_TRY_ASSIGN(document_, format->parse(bytes(), context, findings));
  return {};
}

Archives::Archives(const FileTree& tree, const ParseContext& context, const ArchiveCacheLimits& limits)
    : tree_(tree),
      context_(context),
      files_(limits.archives),
      directories_(limits.directories),
      payloads_(limits.payloads),
      objects_(limits.objects) {}

void Archives::forget(const std::string& key) {
  const std::string prefix = key + kKeyEnd;
  files_.erase_prefix(prefix);
  directories_.erase_prefix(prefix);
  payloads_.erase_prefix(prefix);
  objects_.erase_prefix(prefix);
}

void Archives::drop(const LegacyPath& path) {
  forget(path.key());
}

Result<FilePlace> Archives::locate(const LegacyPath& path) {
  Known& known = known_[path.key()];
  const auto current = known.fingerprint ? tree_.fingerprint(known.place) : std::nullopt;
  if (current && current == known.fingerprint) {
    return known.place;
  }
  if (known.fingerprint) {
    ++replaced_count_;
    forget(path.key());
    known = {};
  }
  ASSAY_TRY_ASSIGN(known.place, tree_.find(path));
  known.fingerprint = tree_.fingerprint(known.place);
  if (!known.fingerprint) {
    return fail({.code = Code::kMissingFile, .field = "path"});
  }
  return known.place;
}

std::optional<Fingerprint> Archives::current_fingerprint(const LegacyPath& path) {
  return fingerprint_or_nothing(tree_, locate(path));
}

Result<ArchiveHandle> Archives::open(const LegacyPath& path) {
  ASSAY_TRY_ASSIGN(const FilePlace place, locate(path));
  Known& known = known_[path.key()];
  const std::string key = version_key(path.key(), *known.fingerprint);
  if (auto cached = directories_.get(key)) {
    return cached;
  }
  ArchiveHandle archive = known.live.lock();
  if (archive == nullptr) {
    ASSAY_TRY_ASSIGN(archive, open_anew(path, place));
    known.live = archive;
  }
  directories_.put(key, archive, archive->bytes().size());
  return archive;
}

Result<SharedBytes> Archives::read_archive(const LegacyPath& path, const FilePlace& place) {
  const std::string key = version_key(path.key(), *known_[path.key()].fingerprint);
  if (auto cached = files_.get(key)) {
    return *cached;
  }
  ASSAY_TRY_ASSIGN(SharedBytes bytes, tree_.read(place));
  files_.put(key, std::make_shared<const SharedBytes>(bytes), bytes.bytes.size());
  return bytes;
}

Result<ArchiveHandle> Archives::open_anew(const LegacyPath& path, const FilePlace& place) {
  ASSAY_TRY_ASSIGN(SharedBytes bytes, read_archive(path, place));
  auto archive = std::make_shared<Archive>(path, place, *known_[path.key()].fingerprint, std::move(bytes));
  ASSAY_TRY(archive->read_directory(context_));
  return archive;
}

Result<Payload> Archives::load(const ArchiveHandle& archive, std::size_t index) {
  const Member member = archive->container().member(index);
  Payload payload{.archive = archive, .index = index};
  payload.identity = version_key(archive->path().key(), archive->fingerprint()) + std::to_string(index);
  payload.origin = Origin{.base_offset = member.offset, .is_decoded = member.method != "stored"};
  const auto cached = payload.origin.is_decoded ? payloads_.get(payload.identity) : nullptr;
  if (cached != nullptr) {
    payload.content = *cached;
    return payload;
  }
  Findings findings;
  ASSAY_TRY_ASSIGN(const Bytes bytes, archive->container().load(index, scratch_, findings));
  if (lies_inside(bytes, archive->bytes())) {
    payload.content = {.owner = archive, .bytes = bytes};
    return payload;
  }
  payload.content = SharedBytes::of(copy_of(bytes));
  payloads_.put(payload.identity, std::make_shared<const SharedBytes>(payload.content), bytes.size());
  return payload;
}

Result<Payload> Archives::load_file(const LegacyPath& path) {
  ASSAY_TRY_ASSIGN(const FilePlace place, locate(path));
  Payload payload{.identity = version_key(path.key(), *known_[path.key()].fingerprint)};
  ASSAY_TRY_ASSIGN(payload.content, tree_.read(place));
  return payload;
}

ItemHints Archives::hints_of(const Payload& payload) {
  return payload.archive == nullptr ? ItemHints{.is_file = true}
                                    : payload.archive->container().member(payload.index).hints();
}

std::size_t Archives::owner_count(const LegacyPath& path) const {
  const auto known = known_.find(path.key());
  if (known == known_.end() || known->second.live.expired()) {
    return 0;
  }
  const auto holders = static_cast<std::size_t>(known->second.live.use_count());
  const bool is_cached =
      known->second.fingerprint && directories_.holds(version_key(path.key(), *known->second.fingerprint));
  return is_cached ? holders - 1 : holders;
}

}  // namespace assay::resource
