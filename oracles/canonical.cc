#include <map>
#include <string>

#include "oracles/oracles.h"
#include "oracles/support.h"

namespace assay::oracles {
namespace {

constexpr const char* kName = "canonical";

bool all_derived(const RecordInfo& record) {
  for (const FieldInfo& field : record.fields) {
    if (!field.is_derived()) {
      return false;
    }
  }
  return true;
}

// Names a run: records of different tables may share a path, like the parts of something between whose texts they lie.
std::string key_of(const ByteRun& run) {
  return run.path.to_text() + ' ' + run.record->name;
}

// Compares what does not follow from other fields: the rows and headers of both documents, by path.
Failures compare_records(const Document& original, const Document& repacked) {
  Failures failures;
  std::map<std::string, ByteRun> repacked_records;
  const ByteMap repacked_map = repacked.account();
  for (const ByteRun& run : repacked_map.runs()) {
    if (run.kind == ByteKind::kRecord) {
      repacked_records.emplace(key_of(run), run);
    }
  }
  const ByteMap original_map = original.account();
  for (const ByteRun& run : original_map.runs()) {
    // A record of derived fields alone, like a trailer, may go.
    if (run.kind != ByteKind::kRecord || all_derived(*run.record)) {
      continue;
    }
    const auto found = repacked_records.find(key_of(run));
    if (found == repacked_records.end()) {
      failures.push_back({kName, run.path.to_text() + " is gone"});
      continue;
    }
    for (const FieldInfo& field : run.record->fields) {
      if (!field.is_derived() && !equal_bytes(run.plain.subspan(field.offset, field.size_bytes),
                                              found->second.plain.subspan(field.offset, field.size_bytes))) {
        failures.push_back({kName, run.path.to_text() + "." + field.name + " changed"});
      }
    }
  }
  return failures;
}

Failures compare_members(const Container& original, const Container& repacked) {
  if (original.member_count() != repacked.member_count()) {
    return {{kName, "another number of members: " + std::to_string(repacked.member_count()) + " instead of " +
                        std::to_string(original.member_count())}};
  }
  Failures failures;
  DecodeScratch& scratch = shared_scratch();
  for (std::size_t index = 0; index < original.member_count(); ++index) {
    const auto member = [index] { return "member " + std::to_string(index); };
    if (!equal_bytes(original.member(index).name, repacked.member(index).name)) {
      failures.push_back({kName, member() + " has another name"});
    }
    const Loaded before = load(original, index, scratch, 0);
    const Loaded after = load(repacked, index, scratch, 0);
    if (before.digest.has_value() != after.digest.has_value()) {
      const Diagnostic& error = before.digest ? after.digest.error() : before.digest.error();
      failures.push_back(
          {kName, member() + (before.digest ? " can no longer be read: " : " became readable: ") + describe(error)});
    } else if (before.digest && (*before.digest != *after.digest || before.size_bytes != after.size_bytes)) {
      failures.push_back({kName, member() + " decodes to other bytes"});
    } else if (!before.digest && before.digest.error().code != after.digest.error().code) {
      failures.push_back({kName, member() + " is refused for another reason: " + describe(after.digest.error())});
    }
  }
  return failures;
}

bool has_unreadable_member(const Document& document) {
  const Container* container = document.container();
  for (std::size_t index = 0; container != nullptr && index < container->member_count(); ++index) {
    if (container->member(index).error != nullptr) {
      return true;
    }
  }
  return false;
}

Failures check_repacked(const Format& format, const Document& original, Bytes repacked_bytes,
                        const ParseContext& context) {
  const Parsed repacked = parse(format, repacked_bytes, context);
  if (!repacked.document) {
    return {{kName, "the canonical form is refused: " + describe(repacked.document.error())}};
  }
  const Document& document = **repacked.document;
  Failures failures = round_trip(document, repacked_bytes);
  const auto again = document.canonical();
  if (!again) {
    failures.push_back({kName, "the canonical form has none: " + describe(again.error())});
  } else if (!equal_bytes(*again, repacked_bytes)) {
    failures.push_back({kName, "the canonical form of the canonical form is another one"});
  }
  append(failures, compare_records(original, document));
  if (original.container() != nullptr && document.container() != nullptr) {
    append(failures, compare_members(*original.container(), *document.container()));
  }
  return failures;
}

}  // namespace

Failures canonical(const Format& format, Bytes bytes, const ParseContext& context) {
  const Parsed original = parse(format, bytes, context);
  if (!original.document) {
    return {};
  }
  const Document& document = **original.document;
  const auto repacked = document.canonical();
  if (repacked) {
    return check_repacked(format, document, *repacked, context);
  }
  if (repacked.error().code != Code::kNotEditable || !has_unreadable_member(document)) {
    return {{kName, "refused although every entry can be read: " + describe(repacked.error())}};
  }
  return {};
}

}  // namespace assay::oracles
