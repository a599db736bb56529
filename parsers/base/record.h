#pragma once

#include <array>
#include <cassert>
#include <concepts>
#include <cstdint>
#include <span>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>

#include "parsers/base/bytes.h"
#include "parsers/base/diagnostic.h"
#include "parsers/base/fixed_string.h"

// One description of a fixed record, from which reader, writer, inspection, byte accounting, generic edits, the
// mutators and the pages in docs/formats derive. An offset stands here and nowhere else.
namespace assay {

// How sure we are of a field: the layout is proven on shipped files; inferred from what a consumer does with it; not
// understood.
enum class FieldStatus : std::uint8_t { kLayoutConfirmed, kConsumerInferred, kOpaque };

[[nodiscard]] std::string_view field_status_text(FieldStatus status);

// The last four have no fixed size: a u32 length and that many bytes; the same with a NUL behind the text, unless the
// length is 0; text up to a NUL; a word of a text file.
enum class FieldType : std::uint8_t {
  kU8,
  kI8,
  kU16,
  kI16,
  kU32,
  kI32,
  kF32,
  kText,
  kBytes,
  kString,
  kLabel,
  kCString,
  kWord,
};

[[nodiscard]] std::string_view field_type_text(FieldType type);

// How a number is shown. A tag is four characters in file order when they are printable, else a number.
enum class Display : std::uint8_t { kDecimal, kHex, kTag };

// One field, without its C++ type. All texts have static storage.
struct FieldInfo {
  const char* name = "";
  std::uint32_t offset = 0;
  // 0 where the size is not fixed.
  std::uint32_t size_bytes = 0;
  FieldType type = FieldType::kBytes;
  // Scalars in a row, e.g. 3 for a float vector; the width for kText and kBytes.
  std::uint32_t count = 1;
  FieldStatus status = FieldStatus::kOpaque;
  Display display = Display::kDecimal;
  // Why the field cannot be set by hand; empty when it can.
  const char* derived = "";
  // Whether the field only says where something lies or how it is sorted: when it alone differs, nothing but the place
  // did.
  bool follows_layout = false;
  const char* note = "";

  [[nodiscard]] constexpr bool is_derived() const { return *derived != '\0'; }
};

// One record, without its C++ type. Refers to a Record or TextRecord with static storage.
struct RecordInfo {
  const char* name = "";
  // 0 where it is a single field without fixed size.
  std::uint32_t size_bytes = 0;
  std::span<const FieldInfo> fields;
  // Reads one record into its C++ type and writes it again; null where there is no such type. Both sides are
  // `size_bytes` long.
  void (*rewrite)(Bytes record, MutableBytes out) = nullptr;

  [[nodiscard]] constexpr bool has_fixed_size() const { return size_bytes != 0; }

  // The field of that name, or null.
  [[nodiscard]] const FieldInfo* find(std::string_view field_name) const;
};

// Where a field of a record stands in an item, for diagnostics: local offset and path.
struct FieldPlace {
  std::uint64_t offset = 0;
  FieldPath path{};
};

namespace record_detail {

template <typename T>
struct ScalarType;
template <>
struct ScalarType<std::uint8_t> {
  static constexpr FieldType kType = FieldType::kU8;
};
template <>
struct ScalarType<std::int8_t> {
  static constexpr FieldType kType = FieldType::kI8;
};
template <>
struct ScalarType<std::uint16_t> {
  static constexpr FieldType kType = FieldType::kU16;
};
template <>
struct ScalarType<std::int16_t> {
  static constexpr FieldType kType = FieldType::kI16;
};
template <>
struct ScalarType<std::uint32_t> {
  static constexpr FieldType kType = FieldType::kU32;
};
template <>
struct ScalarType<std::int32_t> {
  static constexpr FieldType kType = FieldType::kI32;
};
template <>
struct ScalarType<float> {
  static constexpr FieldType kType = FieldType::kF32;
};

// How a member type lies in the file.
template <typename T>
struct Layout {
  static constexpr FieldType kType = ScalarType<T>::kType;
  static constexpr std::uint32_t kCount = 1;
  static constexpr std::uint32_t kSize = sizeof(T);
  static constexpr T load(Bytes bytes) { return load_little_endian<T>(bytes); }
  static constexpr void store(const T& value, MutableBytes bytes) { store_little_endian(value, bytes); }
};

template <typename T, std::size_t Count>
struct Layout<std::array<T, Count>> {
  // A byte array is opaque bytes, any other array a row of numbers.
  static constexpr FieldType kType = std::same_as<T, std::uint8_t> ? FieldType::kBytes : ScalarType<T>::kType;
  static constexpr std::uint32_t kCount = Count;
  static constexpr std::uint32_t kSize = sizeof(T) * Count;
  static constexpr std::array<T, Count> load(Bytes bytes) {
    std::array<T, Count> values{};
    for (std::size_t index = 0; index < Count; ++index) {
      values[index] = load_little_endian<T>(bytes.subspan(index * sizeof(T)));
    }
    return values;
  }
  static constexpr void store(const std::array<T, Count>& values, MutableBytes bytes) {
    for (std::size_t index = 0; index < Count; ++index) {
      store_little_endian(values[index], bytes.subspan(index * sizeof(T)));
    }
  }
};

template <std::size_t Width>
struct Layout<FixedString<Width>> {
  static constexpr FieldType kType = FieldType::kText;
  static constexpr std::uint32_t kCount = Width;
  static constexpr std::uint32_t kSize = Width;
  static constexpr FixedString<Width> load(Bytes bytes) {
    return {Layout<std::array<std::uint8_t, Width>>::load(bytes)};
  }
  static constexpr void store(const FixedString<Width>& value, MutableBytes bytes) {
    Layout<std::array<std::uint8_t, Width>>::store(value.raw, bytes);
  }
};

// Not constexpr on purpose: reaching it while a record is described stops the compilation with this name.
void fields_do_not_tile_the_record();

}  // namespace record_detail

template <typename Struct, typename Member>
struct Field {
  FieldInfo info;
  Member Struct::* member;

  [[nodiscard]] consteval Field shown_as(Display display) const {
    Field copy = *this;
    copy.info.display = display;
    return copy;
  }
  [[nodiscard]] consteval Field derived(const char* reason) const {
    Field copy = *this;
    copy.info.derived = reason;
    return copy;
  }
  // A derived field that says where something lies or how it is sorted.
  [[nodiscard]] consteval Field following_layout(const char* reason) const {
    Field copy = derived(reason);
    copy.info.follows_layout = true;
    return copy;
  }
  [[nodiscard]] consteval Field noted(const char* text) const {
    Field copy = *this;
    copy.info.note = text;
    return copy;
  }
};

// Describes one field: its offset from the start of the record, its name, the member that holds it, and its status.
template <typename Struct, typename Member>
[[nodiscard]] consteval Field<Struct, Member> field(std::uint32_t offset, const char* name, Member Struct::* member,
                                                    FieldStatus status) {
  using Layout = record_detail::Layout<Member>;
  return {{.name = name,
           .offset = offset,
           .size_bytes = Layout::kSize,
           .type = Layout::kType,
           .count = Layout::kCount,
           .status = status},
          member};
}

// A described record. Make one with record(), as an inline constexpr object.
template <typename Struct, typename... Members>
struct Record {
  using Value = Struct;

  const char* name;
  std::uint32_t size_bytes;
  std::tuple<Members Struct::*...> members;
  std::array<FieldInfo, sizeof...(Members)> infos;

  // Reads the record from the front of `bytes`. Requires: bytes.size() >= size_bytes.
  [[nodiscard]] constexpr Struct read(Bytes bytes) const {
    Struct value{};
    for_each_member([&](auto member, const FieldInfo& info) {
      using Member = std::remove_cvref_t<decltype(value.*member)>;
      value.*member = record_detail::Layout<Member>::load(bytes.subspan(info.offset, info.size_bytes));
    });
    return value;
  }

  // Writes the record to the front of `bytes`; read() then write() gives the same bytes, whatever they are.
  // Requires: bytes.size() >= size_bytes.
  constexpr void write(const Struct& value, MutableBytes bytes) const {
    for_each_member([&](auto member, const FieldInfo& info) {
      using Member = std::remove_cvref_t<decltype(value.*member)>;
      record_detail::Layout<Member>::store(value.*member, bytes.subspan(info.offset, info.size_bytes));
    });
  }

  // The description of the field that `wanted` holds.
  template <typename Member>
  [[nodiscard]] constexpr const FieldInfo& info_of(Member Struct::* wanted) const {
    const FieldInfo* found = nullptr;
    for_each_member([&](auto member, const FieldInfo& info) {
      if constexpr (std::same_as<decltype(member), Member Struct::*>) {
        if (member == wanted) {
          found = &info;
        }
      }
    });
    assert(found != nullptr);
    return *found;
  }

  // Where that field stands when the record starts at `record_offset` and is called `path`.
  template <typename Member>
  [[nodiscard]] FieldPlace place(Member Struct::* wanted, std::uint64_t record_offset, const FieldPath& path) const {
    const FieldInfo& info = info_of(wanted);
    return {record_offset + info.offset, path.then(info.name)};
  }

 private:
  template <typename Visit>
  constexpr void for_each_member(Visit visit) const {
    [&]<std::size_t... Index>(std::index_sequence<Index...>) {
      (visit(std::get<Index>(members), infos[Index]), ...);
    }(std::index_sequence_for<Members...>{});
  }
};

// Describes a record of `size_bytes`. The fields must tile it in order: a byte unclaimed or claimed twice does not
// compile.
template <typename Struct, typename... Members>
[[nodiscard]] consteval Record<Struct, Members...> record(const char* name, std::uint32_t size_bytes,
                                                          Field<Struct, Members>... fields) {
  std::uint32_t end = 0;
  for (const FieldInfo& info : {fields.info...}) {
    if (info.offset != end) {
      record_detail::fields_do_not_tile_the_record();
    }
    end += info.size_bytes;
  }
  if (end != size_bytes) {
    record_detail::fields_do_not_tile_the_record();
  }
  return {name, size_bytes, {fields.member...}, {fields.info...}};
}

// A single field of no fixed size, which makes up a record of its own. Make one with text_record(), as an inline
// constexpr object.
struct TextRecord {
  const char* name;
  std::array<FieldInfo, 1> infos;

  [[nodiscard]] consteval TextRecord derived(const char* reason) const {
    TextRecord copy = *this;
    copy.infos[0].derived = reason;
    return copy;
  }
  [[nodiscard]] consteval TextRecord noted(const char* text) const {
    TextRecord copy = *this;
    copy.infos[0].note = text;
    return copy;
  }
};

// Requires: `type` is one without fixed size.
[[nodiscard]] consteval TextRecord text_record(const char* name, const char* field_name, FieldType type,
                                               FieldStatus status) {
  return {name, {{{.name = field_name, .type = type, .count = 0, .status = status}}}};
}

namespace record_detail {

template <const auto& Table>
void rewrite(Bytes record, MutableBytes out) {
  Table.write(Table.read(record), out);
}

template <const auto& Table>
consteval RecordInfo describe() {
  if constexpr (std::same_as<std::remove_cvref_t<decltype(Table)>, TextRecord>) {
    return {Table.name, 0, Table.infos, nullptr};
  } else {
    return {Table.name, Table.size_bytes, Table.infos, &rewrite<Table>};
  }
}

}  // namespace record_detail

// The description of a record table without C++ types: `kInfoOf<kEntryRecord>`. It has an address of its own.
template <const auto& Table>
inline constexpr RecordInfo kInfoOf = record_detail::describe<Table>();

}  // namespace assay
