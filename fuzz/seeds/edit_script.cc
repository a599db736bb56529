#include <set>

#include "fuzz/seeds/seed_functions.h"
#include "oracles/support.h"
#include "parsers/base/field_text.h"
#include "parsers/resource/address.h"
#include "synth/seeds/seeds.h"

namespace assay::fuzz {

namespace {

// Sets one field of each record table to what it is, and does each other edit to the first member.
std::string script_for(const Document& document, std::uint64_t size_bytes) {
  std::string script;
  ByteMap map = document.account();
  if (!map.close(size_bytes)) {
    return script;
  }
  std::set<const FieldInfo*> named;
  for (const ByteRun& run : map.runs()) {
    if (run.kind != ByteKind::kRecord) {
      continue;
    }
    visit_fields(run, [&](const FieldView& field) {
      constexpr std::size_t kMaxFields = 12;
      if (named.size() < kMaxFields && !field.info->is_derived() && named.insert(field.info).second) {
        script += "s@" + field.path.to_text() + '=' + field_text(*field.info, field.raw) + '\n';
      }
    });
  }
  if (const Container* container = document.container(); container != nullptr && container->member_count() != 0) {
    const std::string first = member_addresses(*container).front();
    script += "p" + first + "=payload\nn" + first + "=OTHER\naADDED=more\ndADDED\n";
  }
  return script;
}

}  // namespace

// One script for each seed of each format.
std::vector<TargetSeed> edit_script_seeds(std::string_view /*target*/) {
  std::vector<TargetSeed> seeds;
  std::size_t number = 0;
  for (const auto& [format, base] : synth::all_seeds()) {
    ParseContext context;
    context.rules = RuleSet::compatible();
    context.hints = base.hints();
    const auto parsed = oracles::parse(*format, base.bytes, context);
    const std::string script =
        parsed.document ? script_for(**parsed.document, base.bytes.size()) : std::string("s@header.count=1\n");
    Buffer bytes{static_cast<std::uint8_t>(number & 0xFF), static_cast<std::uint8_t>(number >> 8), 1};
    const Bytes text = as_bytes(script);
    bytes.insert(bytes.end(), text.begin(), text.end());
    seeds.push_back({std::string(format->id) + std::to_string(number), std::move(bytes)});
    ++number;
  }
  return seeds;
}

}  // namespace assay::fuzz
