#include "fuzz/mutate/mutator.h"

#include <algorithm>
#include <deque>
#include <string>

#include "fuzz/mutate/open_archive.h"
#include "fuzz/mutate/repair.h"
#include "fuzz/mutate/structure.h"
#include "oracles/support.h"
#include "parsers/base/field_text.h"
#include "parsers/formats/catalogue.h"
#include "synth/prng.h"

namespace assay::fuzz {
namespace {

constexpr unsigned kMaxDepth = 3;
constexpr unsigned kInconsistentPercent = 12;
constexpr std::size_t kMaxGrowthBytes = 256;

std::uint64_t edge_value(synth::Prng& prng, std::size_t bytes) {
  static constexpr std::array<std::uint64_t, 12> kEdges{0,      1,      2,      0x7F,       0x80,       0xFF,
                                                        0x7FFF, 0x8000, 0xFFFF, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF};
  const std::uint64_t mask = bytes >= 8 ? ~std::uint64_t{0} : (std::uint64_t{1} << (8 * bytes)) - 1;
  return prng.pick(kEdges) & mask;
}

class Mutator {
 public:
  Mutator(synth::Prng prng, MutateBytes mutate_bytes) : prng_(prng), mutate_bytes_(mutate_bytes) {}

  // Nothing where the input has no structure to speak of.
  std::optional<Buffer> run(const Format& format, Bytes input, unsigned depth) {
    const auto structure = Structure::read(format, input);
    if (!structure) {
      return std::nullopt;
    }
    std::optional<Buffer> result;
    const std::uint64_t kind = prng_.below(10);
    if (kind < 5) {
      result = edit_members(format, input, depth);
    }
    if (!result && kind < 8) {
      result = change_list(format, *structure, input);
    }
    if (!result && (kind & 1U) != 0) {
      result = change_text(format, *structure, input);
    }
    if (!result) {
      result = change_fields(*structure, input);
    }
    if (result && prng_.chance(kInconsistentPercent)) {
      put_out_of_step(format, *result);
    }
    return result;
  }

  // The members of `right` or its records in `left`.
  std::optional<Buffer> cross(const Format& format, Bytes left, Bytes right) {
    auto target = open_archive(format, left);
    const auto source = open_archive(format, right);
    if (target && source && source->container().member_count() != 0 && prng_.chance(70)) {
      return take_member(*target, *source);
    }
    const auto into = Structure::read(format, left);
    const auto from = Structure::read(format, right);
    return into && from ? take_record(*into, *from, left) : std::nullopt;
  }

 private:
  // --- Fields --------------------------------------------------------------------------------------------------------

  std::optional<Buffer> change_fields(const Structure& structure, Bytes input) {
    if (structure.lists().empty()) {
      return std::nullopt;
    }
    Buffer image = copy_of(input);
    for (std::uint64_t count = prng_.between(1, 3); count > 0; --count) {
      const RecordList& list = prng_.pick(structure.lists());
      const FieldInfo& info = free_field(*list.record);
      const FieldSpot spot = list.field(prng_.index(list.size()), info);
      // The view of what was read is of the unchanged input; a field that is hit twice just differs in both ways.
      spot.write(image, new_value(spot, list, info));
    }
    return image;
  }

  // One that does not follow from the rest, where there is one; put_out_of_step() sees to the others.
  const FieldInfo& free_field(const RecordInfo& record) {
    constexpr int kTries = 8;
    for (int attempt = 0; attempt < kTries; ++attempt) {
      const FieldInfo& info = prng_.pick(record.fields);
      if (!info.is_derived()) {
        return info;
      }
    }
    return prng_.pick(record.fields);
  }

  Buffer new_value(const FieldSpot& spot, const RecordList& list, const FieldInfo& info) {
    Buffer value = copy_of(spot.plain);
    if (prng_.chance(25) && list.size() > 1) {
      return copy_of(list.field(prng_.index(list.size()), info).plain);
    }
    const std::size_t width = spot.scalar_bytes();
    if (info.type == FieldType::kF32) {
      static constexpr std::array<std::uint32_t, 7> kFloats{0x00000000, 0x80000000, 0x3F800000, 0xBF800000,
                                                            0x7F800000, 0x7FC00000, 0x7F7FFFFF};
      store_little_endian(prng_.pick(kFloats), MutableBytes(value).subspan(prng_.index(value.size() / 4) * 4, 4));
    } else if (spot.is_integer() && width <= 4) {
      const MutableBytes scalar = MutableBytes(value).subspan(prng_.index(value.size() / width) * width, width);
      change_integer(scalar);
    } else if (!value.empty()) {
      mutate_bytes_(value.data(), value.size(), value.size());
    }
    return value;
  }

  void change_integer(MutableBytes scalar) {
    std::uint64_t value = 0;
    for (std::size_t index = scalar.size(); index-- > 0;) {
      value = value << 8 | scalar[index];
    }
    switch (prng_.below(4)) {
      case 0: value = edge_value(prng_, scalar.size()); break;
      case 1: value += prng_.between(1, 4); break;
      case 2: value -= prng_.between(1, 4); break;
      default: value ^= std::uint64_t{1} << prng_.below(8 * scalar.size()); break;
    }
    for (std::uint8_t& byte : scalar) {
      byte = static_cast<std::uint8_t>(value & 0xFF);
      value >>= 8;
    }
  }

  // One number that follows from the rest no longer does.
  void put_out_of_step(const Format& format, Buffer& image) {
    const auto structure = Structure::read(format, image);
    const std::vector<FieldSpot> spots = structure ? structure->integers(true) : std::vector<FieldSpot>{};
    if (!spots.empty()) {
      const FieldSpot spot = prng_.pick(spots);
      Buffer value = copy_of(spot.plain);
      change_integer(value);
      spot.write(image, value);
    }
  }

  // --- Texts and lists -----------------------------------------------------------------------------------------------

  std::optional<Buffer> change_text(const Format& format, const Structure& structure, Bytes input) {
    if (structure.texts().empty()) {
      return std::nullopt;
    }
    const TextSpot& spot = prng_.pick(structure.texts());
    return splice(format, structure, input, {spot.offset, spot.raw.size(), 1, 1, new_text(spot, structure)});
  }

  Buffer new_text(const TextSpot& spot, const Structure& structure) {
    if (prng_.chance(20)) {
      return copy_of(prng_.pick(structure.texts()).raw);
    }
    const std::string shown = field_text(*spot.info, spot.raw);
    Buffer text(shown.begin(), shown.end());
    const std::size_t size_bytes = text.size();
    text.resize(size_bytes + 16);
    text.resize(mutate_bytes_(text.data(), size_bytes, text.size()));
    const auto encoded = encode_field_text(*spot.info, as_text(text), spot.raw);
    return encoded ? *encoded : copy_of(spot.raw);
  }

  std::optional<Buffer> change_list(const Format& format, const Structure& structure, Bytes input) {
    if (structure.lists().empty()) {
      return std::nullopt;
    }
    const RecordList& list = prng_.pick(structure.lists());
    const std::size_t index = prng_.index(list.size());
    if (prng_.chance(30) && list.size() > 1) {
      return swapped(list, index, prng_.index(list.size()), input);
    }
    // Only what is stored as it reads can be moved by its bytes.
    if (!list.is_repeated || !is_plain(list, input)) {
      return std::nullopt;
    }
    const std::size_t copies = prng_.chance(40) ? 0 : prng_.between(2, prng_.chance(10) ? 16 : 3);
    if (prng_.chance(50)) {
      const std::vector<Change> changes = changes_of_alike(structure, list, index, copies, input);
      if (changes.size() > 1) {
        return repaired(format, structure, input, changes);
      }
    }
    return splice(format, structure, input, change_of(list, index, copies));
  }

  static bool is_plain(const RecordList& list, Bytes input) {
    return equal_bytes(list.plain, input.subspan(list.offset, list.plain.size()));
  }

  // The record at `index` is there `copies` times.
  static Change change_of(const RecordList& list, std::size_t index, std::size_t copies) {
    const std::size_t record_bytes = list.record->size_bytes;
    const Bytes record = list.plain.subspan(index * record_bytes, record_bytes);
    Buffer records = copy_of(list.plain.first(index * record_bytes));
    for (std::size_t copy = 0; copy < copies; ++copy) {
      records.insert(records.end(), record.begin(), record.end());
    }
    const Bytes rest = list.plain.subspan((index + 1) * record_bytes);
    records.insert(records.end(), rest.begin(), rest.end());
    return {list.offset, list.plain.size(), list.size(), list.size() - 1 + copies, std::move(records)};
  }

  // One count often counts several lists, whose records belong together by their index; some have one more, to close a
  // ring or to say where the last one ends.
  std::vector<Change> changes_of_alike(const Structure& structure, const RecordList& list, std::size_t index,
                                       std::size_t copies, Bytes input) {
    const std::size_t largest = list.size() + (prng_.chance(30) ? 1 : 0);
    const std::size_t smallest = std::max<std::size_t>(1, list.size() - (prng_.chance(30) ? 1 : 0));
    std::vector<Change> changes;
    for (const RecordList& other : structure.lists()) {
      if (other.is_repeated && other.size() >= smallest && other.size() <= largest && is_plain(other, input)) {
        changes.push_back(change_of(other, std::min(index, other.size() - 1), copies));
      }
    }
    std::ranges::sort(changes, {}, &Change::offset);
    return changes;
  }

  static Buffer swapped(const RecordList& list, std::size_t left, std::size_t right, Bytes input) {
    Buffer image = copy_of(input);
    for (const FieldInfo& info : list.record->fields) {
      const FieldSpot one = list.field(left, info);
      const FieldSpot other = list.field(right, info);
      if (left != right) {
        one.write(image, other.plain);
        other.write(image, one.plain);
      }
    }
    return image;
  }

  // Puts other bytes in the place of a list or text and brings the rest into step: through the archive's editor when
  // the place lies inside a stored member, else by trying.
  std::optional<Buffer> splice(const Format& format, const Structure& structure, Bytes input, const Change& change) {
    if (const Container* container = structure.document().container()) {
      for (std::size_t index = 0; index < container->member_count(); ++index) {
        const Member member = container->member(index);
        const bool holds = member.error == nullptr && member.method == "stored" && change.offset >= member.offset &&
                           change.offset + change.old_bytes <= member.offset + member.packed_size;
        if (holds) {
          return splice_member(format, input, index, member, change);
        }
      }
    }
    return repaired(format, structure, input, {&change, 1});
  }

  static std::optional<Buffer> splice_member(const Format& format, Bytes input, std::size_t index, const Member& member,
                                             const Change& change) {
    auto archive = open_archive(format, input);
    if (!archive || index >= archive->editor->entry_count()) {
      return std::nullopt;
    }
    const Bytes stored =
        input.subspan(static_cast<std::size_t>(member.offset), static_cast<std::size_t>(member.packed_size));
    const auto local = static_cast<std::size_t>(change.offset - member.offset);
    Buffer payload = copy_of(stored.first(local));
    payload.insert(payload.end(), change.bytes.begin(), change.bytes.end());
    const Bytes rest = stored.subspan(local + change.old_bytes);
    payload.insert(payload.end(), rest.begin(), rest.end());
    if (!archive->editor->replace(index, payload)) {
      return std::nullopt;
    }
    auto built = archive->editor->build();
    return built ? std::optional(repaired_row(format, *editing_format(format), std::move(*built), change))
                 : std::nullopt;
  }

  // --- Members -------------------------------------------------------------------------------------------------------

  std::optional<Buffer> edit_members(const Format& format, Bytes input, unsigned depth) {
    auto archive = open_archive(format, input);
    if (!archive) {
      return std::nullopt;
    }
    for (std::uint64_t count = prng_.between(1, 2); count > 0; --count) {
      edit_one(*archive, depth);
    }
    if (prng_.chance(50)) {
      archive->editor->sync_header();
    }
    auto built = archive->editor->build();
    return built ? std::optional(std::move(*built)) : std::nullopt;
  }

  void edit_one(OpenArchive& archive, unsigned depth) {
    Editor& editor = *archive.editor;
    const std::size_t count = editor.entry_count();
    const std::uint64_t kind = count == 0 ? 4 : prng_.below(10);
    const std::size_t index = count == 0 ? 0 : prng_.index(count);
    // What an editor refuses stays as it was, which is as good a mutant as any.
    switch (kind) {
      case 0:
      case 1:
      case 2: return replace(editor, index, depth);
      case 3: return static_cast<void>(editor.rename(index, keep(new_name(editor, index))));
      case 4:
      case 5: return add(editor, count);
      case 6: return static_cast<void>(editor.remove(index));
      case 7: return set_header_field(archive);
      default: return set_row_field(archive, index);
    }
  }

  Bytes keep(Buffer bytes) { return kept_.emplace_back(std::move(bytes)); }

  Buffer mutated_bytes(Bytes bytes) {
    Buffer buffer = copy_of(bytes);
    buffer.resize(bytes.size() + prng_.between(1, kMaxGrowthBytes));
    buffer.resize(mutate_bytes_(buffer.data(), bytes.size(), buffer.size()));
    return buffer;
  }

  Buffer payload_of(const Editor& editor, std::size_t index) {
    const auto payload = editor.payload(index, oracles::shared_scratch());
    return payload ? copy_of(*payload) : Buffer{};
  }

  void replace(Editor& editor, std::size_t index, unsigned depth) {
    const Buffer before = payload_of(editor, index);
    const Format* inner = identify(before, editor.entry_hints(index)).format;
    std::optional<Buffer> changed;
    if (inner != nullptr && depth < kMaxDepth) {
      changed = run(*inner, before, depth + 1);
    }
    static_cast<void>(editor.replace(index, keep(changed ? std::move(*changed) : mutated_bytes(before))));
  }

  Buffer new_name(const Editor& editor, std::size_t index) {
    Buffer name = copy_of(editor.entry_name(prng_.chance(40) ? prng_.index(editor.entry_count()) : index));
    if (prng_.chance(50)) {
      for (std::uint8_t& byte : name) {
        byte = prng_.chance(30) && (byte | 0x20) >= 'a' && (byte | 0x20) <= 'z' ? byte ^ 0x20 : byte;
      }
      return name;
    }
    name = mutated_bytes(name);
    std::erase(name, std::uint8_t{0});
    name.resize(std::min<std::size_t>(name.size(), prng_.chance(80) ? 12 : 35));
    return name;
  }

  void add(Editor& editor, std::size_t count) {
    static constexpr std::array<std::string_view, 7> kMethods{"stored", "xor",       "lzss",   "xor+lzss",
                                                              "lzhuf",  "xor+lzhuf", "deflate"};
    Buffer name = count == 0 ? Buffer{'N'} : new_name(editor, prng_.index(count));
    Buffer payload = count == 0 ? Buffer{1, 2, 3} : payload_of(editor, prng_.index(count));
    const Bytes kept_name = keep(std::move(name));
    const Bytes kept_payload = keep(std::move(payload));
    if (!editor.add(kept_name, kept_payload, {prng_.pick(kMethods)})) {
      static_cast<void>(editor.add(kept_name, kept_payload, {}));
    }
  }

  void set_row_field(OpenArchive& archive, std::size_t index) {
    if (index >= archive.container().member_count()) {
      return;
    }
    const Member member = archive.container().member(index);
    if (member.row_record == nullptr) {
      return;
    }
    const FieldInfo& info = prng_.pick(member.row_record->fields);
    const RecordList row{member.row_record, 0, member.row};
    const Buffer value = new_value(row.field(0, info), row, info);
    static_cast<void>(archive.editor->set_field(index, info.name, field_text(info, value)));
  }

  // Keys, flags and repeated counts stand in the header; the editor writes the table anew for them.
  void set_header_field(OpenArchive& archive) {
    const ByteMap map = (*archive.parsed.document)->account();
    for (const ByteRun& run : map.runs()) {
      if (run.kind == ByteKind::kRecord && run.path == FieldPath("header") && run.record->has_fixed_size()) {
        const RecordList header{run.record, 0, run.plain};
        const FieldInfo& info = prng_.pick(run.record->fields);
        const Buffer value = new_value(header.field(0, info), header, info);
        static_cast<void>(archive.editor->set_field(std::nullopt, info.name, field_text(info, value)));
        return;
      }
    }
  }

  // --- Crossing ------------------------------------------------------------------------------------------------------

  std::optional<Buffer> take_member(OpenArchive& target, const OpenArchive& source) {
    const std::size_t from = prng_.index(source.container().member_count());
    Findings findings;
    const auto payload = source.container().load(from, oracles::shared_scratch(), findings);
    if (!payload) {
      return std::nullopt;
    }
    const Member member = source.container().member(from);
    const Bytes kept_payload = keep(copy_of(*payload));
    Editor& editor = *target.editor;
    if (prng_.chance(50) && editor.entry_count() != 0) {
      static_cast<void>(editor.replace(prng_.index(editor.entry_count()), kept_payload));
    } else {
      static_cast<void>(editor.add(member.name, kept_payload, {member.method}));
    }
    auto built = editor.build();
    return built ? std::optional(std::move(*built)) : std::nullopt;
  }

  std::optional<Buffer> take_record(const Structure& into, const Structure& from, Bytes left) {
    if (into.lists().empty()) {
      return std::nullopt;
    }
    const RecordList& target = prng_.pick(into.lists());
    for (const RecordList& source : from.lists()) {
      if (source.record != target.record) {
        continue;
      }
      Buffer image = copy_of(left);
      const std::size_t to_index = prng_.index(target.size());
      const std::size_t from_index = prng_.index(source.size());
      const bool takes_all = prng_.chance(50);
      for (const FieldInfo& info : target.record->fields) {
        // What follows from the rest of `left` stays.
        if (!info.is_derived() && (takes_all || prng_.chance(30))) {
          target.field(to_index, info).write(image, source.field(from_index, info).plain);
        }
      }
      return image;
    }
    return std::nullopt;
  }

  synth::Prng prng_;
  MutateBytes mutate_bytes_;
  // Views that editors hold until they build.
  std::deque<Buffer> kept_;
};

}  // namespace

std::size_t mutate_bytes_simply(std::uint8_t* data, std::size_t size, std::size_t max_size) {
  synth::Prng prng(oracles::digest_of({data, size}) + max_size);
  const MutableBytes room(data, max_size);
  if (size == 0 || (prng.chance(30) && size < max_size)) {
    const std::size_t at = prng.index(size + 1);
    std::copy_backward(room.begin() + static_cast<std::ptrdiff_t>(at), room.begin() + static_cast<std::ptrdiff_t>(size),
                       room.begin() + static_cast<std::ptrdiff_t>(std::min(size + 1, max_size)));
    if (max_size != 0) {
      data[std::min(at, max_size - 1)] = prng.byte();
    }
    return std::min(size + 1, max_size);
  }
  const std::size_t at = prng.index(size);
  switch (prng.below(3)) {
    case 0: data[at] = static_cast<std::uint8_t>(data[at] ^ 1U << prng.below(8)); return size;
    case 1: data[at] = data[prng.index(size)]; return size;
    default: data[at] = prng.byte(); return size;
  }
}

Buffer mutate(const Format& format, Bytes input, std::size_t max_bytes, std::uint64_t seed, MutateBytes mutate_bytes) {
  const synth::Prng prng(seed);
  auto changed = Mutator(prng, mutate_bytes).run(format, input, 0);
  if (changed && changed->size() <= max_bytes && !equal_bytes(*changed, input)) {
    return std::move(*changed);
  }
  Buffer image = copy_of(input.first(std::min(input.size(), max_bytes)));
  const std::size_t size_bytes = image.size();
  image.resize(max_bytes);
  image.resize(mutate_bytes(image.data(), size_bytes, max_bytes));
  return image;
}

Buffer cross(const Format& format, Bytes left, Bytes right, std::size_t max_bytes, std::uint64_t seed) {
  synth::Prng prng(seed);
  auto mixed = Mutator(prng.fork(), mutate_bytes_simply).cross(format, left, right);
  if (mixed && mixed->size() <= max_bytes) {
    return std::move(*mixed);
  }
  Buffer image = copy_of(left.first(prng.index(left.size() + 1)));
  const Bytes end = right.subspan(prng.index(right.size() + 1));
  image.insert(image.end(), end.begin(), end.end());
  image.resize(std::min(image.size(), max_bytes));
  return image;
}

}  // namespace assay::fuzz
