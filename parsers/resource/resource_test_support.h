#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "parsers/base/byte_writer.h"
#include "parsers/formats/reference_array/reference_array.h"
#include "parsers/resource/path.h"
#include "synth/nres_builder.h"

// Small archives for the tests of this folder.
namespace assay::resource {

[[nodiscard]] inline LegacyPath path_of(std::string_view text) {
  return *LegacyPath::parse(as_bytes(text));
}

[[nodiscard]] inline Buffer bytes_of(std::string_view text) {
  const Bytes view = as_bytes(text);
  return {view.begin(), view.end()};
}

struct TestMember {
  std::string name;
  Buffer payload{};
  std::string tag{"DATA"};
};

[[nodiscard]] inline Buffer nres_of(const std::vector<TestMember>& members) {
  synth::NresLayout layout;
  for (const TestMember& member : members) {
    layout.items.push_back({.row = {.type_id = synth::type_tag(member.tag), .name = synth::nres_name(member.name)},
                            .payload = member.payload});
  }
  return synth::build_nres(layout);
}

// Archive and resource.
using TestReference = std::pair<std::string, std::string>;

[[nodiscard]] inline Buffer references_of(const std::vector<TestReference>& references) {
  ByteWriter writer;
  for (const auto& [archive, resource] : references) {
    reference_array::kReferenceRecord.write({.archive_name = FixedString<32>::from_text(as_bytes(archive)),
                                             .resource_name = FixedString<32>::from_text(as_bytes(resource))},
                                            writer.grow(reference_array::kReferenceRecord.size_bytes));
  }
  return std::move(writer).take();
}

struct TestPrototype {
  std::string key;
  std::vector<TestReference> references{};
  std::string tag{"STAT"};
};

[[nodiscard]] inline Buffer registry_of(const std::vector<TestPrototype>& prototypes) {
  std::vector<TestMember> members;
  for (const TestPrototype& prototype : prototypes) {
    members.push_back({prototype.key, references_of(prototype.references), prototype.tag});
  }
  return nres_of(members);
}

}  // namespace assay::resource
