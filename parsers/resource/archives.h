#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>

#include "parsers/formats/decode_scratch.h"
#include "parsers/formats/format.h"
#include "parsers/resource/lru_cache.h"
#include "parsers/resource/path.h"

// Archives, their payloads and what is parsed from them, each read once and shared (docs/graph.md, "Caches").
namespace assay::resource {

// An archive that is open: its bytes and its directory. Immutable; lives as long as somebody holds it, whatever the
// caches do.
class Archive {
 public:
  Archive(LegacyPath path, FilePlace place, Fingerprint fingerprint, SharedBytes bytes)
      : path_(std::move(path)), place_(std::move(place)), fingerprint_(fingerprint), bytes_(std::move(bytes)) {}

  // Reads the directory. Called once, before the archive is handed out. Errors: kNotAContainer, and what the parser
  // refuses.
  [[nodiscard]] Result<void> read_directory(ParseContext context);

  // The path that it was first asked for by.
  [[nodiscard]] const LegacyPath& path() const { return path_; }
  [[nodiscard]] const FilePlace& place() const { return place_; }
  [[nodiscard]] const Fingerprint& fingerprint() const { return fingerprint_; }
  [[nodiscard]] Bytes bytes() const { return bytes_.bytes; }
  [[nodiscard]] const Container& container() const { return *document_->container(); }

 private:
  LegacyPath path_;
  FilePlace place_;
  Fingerprint fingerprint_;
  SharedBytes bytes_;
  std::unique_ptr<const Document> document_;
};

using ArchiveHandle = std::shared_ptr<const Archive>;

// The decoded bytes of an entry or of a file of its own, and what they belong to. A stored payload is a view into its
// archive, which `owner` keeps alive; only what is decoded has memory of its own (docs/formats/decisions.md, 22).
struct Payload {
  SharedBytes content{};
  // Null for a file of its own.
  ArchiveHandle archive{};
  std::size_t index = 0;
  // Names the content among all contents of all versions of all files.
  std::string identity{};
  Origin origin{};

  [[nodiscard]] Bytes bytes() const { return content.bytes; }
};

// A parsed payload together with what it refers to.
template <typename T>
struct Parsed {
  Payload payload;
  T value;
  Findings findings;
};

struct ArchiveCacheLimits {
  // Defaults as docs/graph.md says; those of directories and objects are our own.
  CacheLimits archives{.count = 32, .bytes = std::uint64_t{256} << 20};
  CacheLimits directories{.count = 32, .bytes = std::uint64_t{256} << 20};
  CacheLimits payloads{.count = 64, .bytes = std::uint64_t{64} << 20};
  CacheLimits objects{.count = 4096, .bytes = std::uint64_t{64} << 20};
};

// Opens archives and hands out what is in them, through four caches that do not depend on one another: bytes of open
// archives, directories, decoded payloads, parsed objects.
//
// Handles are shared by the normalised path: whoever asks for an archive that somebody still holds gets that one, also
// when the caches have let go of it. A file that was replaced (its fingerprint differs) is opened anew, and what was
// cached of the old one is dropped; those who hold the old one keep it. A name that comes to answer to the same path -
// its twin in another case, a file in an earlier root - is noticed once the file that is known changes: looking at the
// folders for each reference would cost more than everything else. One thread at a time.
class Archives {
 public:
  // The tree and `context.hints` must outlive this. Limits and rules of `context` hold for every parse.
  Archives(const FileTree& tree, const ParseContext& context, const ArchiveCacheLimits& limits = {});

  // Errors: kMissingFile, kAmbiguousPath, what the store and the parser refuse, kNotAContainer for what is neither NRes
  // nor RsLi. Cost: the fingerprint; the first time a look at the folders and O(archive).
  [[nodiscard]] Result<ArchiveHandle> open(const LegacyPath& path);

  // The decoded payload of an entry. Errors: the entry's own, and what its decoder refuses. Requires: index <
  // archive->container().member_count().
  [[nodiscard]] Result<Payload> load(const ArchiveHandle& archive, std::size_t index);
  // A file of its own. Not cached: each is read once, and what is parsed from it is cached as an object.
  [[nodiscard]] Result<Payload> load_file(const LegacyPath& path);

  // The payload as a T of a format, parsed once. Errors: what T::parse refuses.
  template <typename T>
  [[nodiscard]] Result<std::shared_ptr<const Parsed<T>>> parse(const Payload& payload, std::string_view format_id) {
    const std::string key = payload.identity + '|' + std::string(format_id);
    if (auto cached = objects_.get(key)) {
      return std::static_pointer_cast<const Parsed<T>>(cached);
    }
    ParseContext context = context_;
    context.origin = payload.origin;
    context.hints = hints_of(payload);
    Findings findings;
    ASSAY_TRY_ASSIGN(T value, T::parse(payload.bytes(), context, findings));
    auto parsed = std::make_shared<const Parsed<T>>(payload, std::move(value), std::move(findings));
    objects_.put(key, parsed, payload.bytes().size());
    return parsed;
  }

  // What the file is now; nothing where none answers to the path. What is resolved can remember this and compare.
  [[nodiscard]] std::optional<Fingerprint> current_fingerprint(const LegacyPath& path);

  // Lets go of an archive and everything cached of it.
  void drop(const LegacyPath& path);
  // How many hold an archive, parsed objects and their cache included, the cache of directories not; 0 when it is not
  // open.
  [[nodiscard]] std::size_t owner_count(const LegacyPath& path) const;
  // How often a replaced file was noticed.
  [[nodiscard]] std::uint64_t replaced_count() const { return replaced_count_; }

  [[nodiscard]] const CacheCounters& archive_counters() const { return files_.counters(); }
  [[nodiscard]] const CacheCounters& directory_counters() const { return directories_.counters(); }
  [[nodiscard]] const CacheCounters& payload_counters() const { return payloads_.counters(); }
  [[nodiscard]] const CacheCounters& object_counters() const { return objects_.counters(); }

  [[nodiscard]] const ParseContext& context() const { return context_; }
  [[nodiscard]] const FileTree& tree() const { return tree_; }

 private:
  // Where a path led, and what was there.
  struct Known {
    FilePlace place;
    std::optional<Fingerprint> fingerprint{};
    std::weak_ptr<const Archive> live{};
  };

  // Where a path leads now; notices replaced files.
  [[nodiscard]] Result<FilePlace> locate(const LegacyPath& path);
  [[nodiscard]] Result<SharedBytes> read_archive(const LegacyPath& path, const FilePlace& place);
  [[nodiscard]] Result<ArchiveHandle> open_anew(const LegacyPath& path, const FilePlace& place);
  [[nodiscard]] static ItemHints hints_of(const Payload& payload);
  void forget(const std::string& key);

  const FileTree& tree_;
  ParseContext context_;
  std::map<std::string, Known> known_;
  LruCache<std::shared_ptr<const SharedBytes>> files_;
  LruCache<ArchiveHandle> directories_;
  LruCache<std::shared_ptr<const SharedBytes>> payloads_;
  LruCache<std::shared_ptr<const void>> objects_;
  DecodeScratch scratch_;
  std::uint64_t replaced_count_ = 0;
};

}  // namespace assay::resource
