#pragma once

#include "parsers/formats/msh/msh.h"

// The checks of what a model's streams say, once they are read (docs/formats/msh.md, M3).
namespace assay::msh {

// Where diagnostics go, and how they find their place.
class Reporter {
 public:
  Reporter(const Origin& origin, Findings& findings) : origin_(origin), findings_(findings) {}

  [[nodiscard]] Diagnostic at(Code code, const FieldPlace& place, Datum expected = {}, Datum got = {}) const {
    return {code, origin_.at(place.offset), place.path, expected, got, place.offset};
  }
  // A field of record `index` of a stream.
  template <const auto& Table, typename Member>
  [[nodiscard]] Diagnostic at(Code code, const Records<Table>& records, std::size_t index, Member member,
                              Datum expected = {}, Datum got = {}) const {
    return at(code, Table.place(member, records.offset_of(index), FieldPath(Table.name, index)), expected, got);
  }
  // A field of the directory row of stream `type`. Requires: the model has it.
  template <typename Member>
  [[nodiscard]] Diagnostic at_row(Code code, const Model& model, StreamType type, Member nres::Entry::* member,
                                  Datum expected, Datum got) const {
    return at_entry(code, model.archive(), *model.entry_of(type), member, expected, got);
  }
  template <typename Member>
  [[nodiscard]] Diagnostic at_entry(Code code, const nres::Archive& archive, std::size_t entry,
                                    Member nres::Entry::* member, Datum expected, Datum got) const {
    const std::uint64_t row_offset = archive.directory_offset() + entry * nres::kEntryRecord.size_bytes;
    return at(code, nres::kEntryRecord.place(member, row_offset, FieldPath("entry", entry)), expected, got);
  }

  void note(const Diagnostic& diagnostic) const { findings_.note(diagnostic); }
  void strict(const Diagnostic& diagnostic) const { findings_.strict(diagnostic); }
  // An error stops the parse; anything milder is recorded.
  [[nodiscard]] Result<void> report(Severity severity, const Diagnostic& diagnostic) const {
    if (severity == Severity::kError) {
      return fail(diagnostic);
    }
    findings_.add({.severity = severity, .diagnostic = diagnostic});
    return {};
  }

 private:
  const Origin& origin_;
  Findings& findings_;
};

// Rows 13 to 15 of the table: as many normals, coordinates and so on as there are vertices, and names as nodes.
[[nodiscard]] Result<void> check_counts(const Model& model, const Reporter& reporter);
// Slot numbers, then parents and what nodes say of animation.
[[nodiscard]] Result<void> check_nodes(const Model& model, const Reporter& reporter);
// Ranges and bounds.
[[nodiscard]] Result<void> check_slots(const Model& model, const Reporter& reporter);
// Ranges and vertices, then how batches lie over indices and vertices. Cost: O(indices + batches log indices).
[[nodiscard]] Result<void> check_batches(const Model& model, const Reporter& reporter);
void check_positions(const Model& model, const Reporter& reporter);
void check_triangles(const Model& model, const Reporter& reporter);
[[nodiscard]] Result<void> check_keys(const Model& model, const Reporter& reporter);
void check_hall(const Model& model, const Reporter& reporter);
// Vertices that are drawn under two poses. Requires: everything above found no error.
void check_shared_vertices(const Model& model, const Reporter& reporter);

// Whether each batch starts where the one before it ends and the last ends with the indices, so that a walk over all
// batches is one over the indices. Cost: O(batches).
[[nodiscard]] bool batches_tile_indices(const Streams& streams);

}  // namespace assay::msh
