#include "parsers/formats/ctld/ctld.h"
#include "parsers/formats/expl/expl.h"
#include "parsers/formats/ndpr/ndpr.h"
#include "parsers/resource/graph_builder.h"

// What prototypes name besides their mesh, as far as it names something itself.
namespace assay::resource {

void GraphBuilder::connect_named(EdgeKind kind, NodeKind expected, std::size_t from, std::size_t index,
                                 const Source& source, Bytes archive, Bytes resource) {
  if (resource.empty()) {
    return;
  }
  const std::string file =
      archive.empty() && source.entry ? source.entry->archive->path().raw() : std::string(as_text(archive));
  connect(kind, from, index, resource, target_of(expected, file, as_text(resource)));
}

void GraphBuilder::expand_damage(std::size_t node, const Source& source) {
  const auto parsed = parse<ndpr::NodeDamages>(node, source, "ndpr");
  if (parsed == nullptr) {
    return;
  }
  const auto& records = parsed->value.records();
  for (std::size_t index = 0; index < records.size(); ++index) {
    const ndpr::NodeDamage record = records[index];
    connect_named(EdgeKind::kDamageExplosion, NodeKind::kExplosion, node, index, source, record.archive_name.text(),
                  record.resource_name.text());
  }
}

void GraphBuilder::expand_explosion(std::size_t node, const Source& source) {
  const auto parsed = parse<expl::Explosion>(node, source, "expl");
  if (parsed == nullptr) {
    return;
  }
  const auto& slots = parsed->value.slots();
  for (std::size_t index = 0; index < slots.size(); ++index) {
    const expl::Slot slot = slots[index];
    connect_named(EdgeKind::kExplosionEffect, NodeKind::kEffect, node, index, source, slot.archive_name.text(),
                  slot.resource_name.text());
  }
}

void GraphBuilder::expand_controller(std::size_t node, const Source& source) {
  const auto parsed = parse<ctld::Controller>(node, source, "ctld");
  if (parsed == nullptr) {
    return;
  }
  const auto& components = parsed->value.components();
  for (std::size_t index = 0; index < components.size(); ++index) {
    const ctld::ComponentHead& head = components[index].head;
    connect_named(EdgeKind::kControllerComponent, NodeKind::kResource, node, index, source, head.archive_name.text(),
                  head.resource_name.text());
  }
  // Actions are numbered through all groups.
  std::size_t index = 0;
  for (const auto& group : parsed->value.groups()) {
    for (std::size_t action = 0; action < group.size(); ++action, ++index) {
      const ctld::Action named = group[action];
      connect_named(EdgeKind::kControllerGroup, NodeKind::kResource, node, index, source, named.archive_name.text(),
                    named.resource_name.text());
    }
  }
}

}  // namespace assay::resource
