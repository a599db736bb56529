#include <map>

#include <fmt/format.h>

#include "golden/scan/corpus.h"
#include "parsers/base/escape.h"
#include "parsers/resource/address.h"
#include "parsers/resource/edit_script.h"
#include "tools/console.h"
#include "tools/files.h"
#include "tools/reading.h"
#include "tools/verbs/verbs.h"

namespace assay::tools {
namespace {

struct EditOptions {
  std::string file;
  std::string output;
  std::vector<std::string> replace;
  std::vector<std::string> rename;
  std::vector<std::string> add;
  std::vector<std::string> remove;
  std::vector<std::string> set;
  std::string method = "stored";
  ReadingOptions reading;
  bool sync_header = false;
  bool dry_run = false;
  bool json = false;
  // The edit options in the order of the command line.
  std::vector<const CLI::Option*> order;
  std::map<const CLI::Option*, EditStep::Kind> kinds;
};

Buffer raw_name(const std::string& text) {
  auto bytes = unescape_bytes(text);
  if (!bytes) {
    throw CannotWork(fmt::format("'{}': a backslash in a name starts \\\\ or \\xNN", text));
  }
  return std::move(*bytes);
}

Assignment assignment_of(const std::string& option, const std::string& text, const char* shape) {
  auto assignment = parse_assignment(text);
  if (!assignment) {
    throw CannotWork(fmt::format("--{} '{}': expected {}", option, text, shape));
  }
  return std::move(*assignment);
}

EditStep step_of(EditStep::Kind kind, const std::string& text, const std::string& method) {
  EditStep step{.kind = kind, .target = {}};
  switch (kind) {
    case EditStep::Kind::kReplace: {
      const Assignment parts = assignment_of("replace", text, "ENTRY=PATH");
      step.target = split_address(parts.left);
      step.payload = copy_of(read_file(parts.right).bytes());
      break;
    }
    case EditStep::Kind::kRename: {
      const Assignment parts = assignment_of("rename", text, "ENTRY=NAME");
      step.target = split_address(parts.left);
      step.name = as_text(raw_name(parts.right));
      break;
    }
    case EditStep::Kind::kAdd: {
      const Assignment parts = assignment_of("add", text, "[ENTRY::]NAME=PATH");
      step.target = split_address(parts.left);
      step.name = as_text(raw_name(step.target.back()));
      step.target.pop_back();
      step.payload = copy_of(read_file(parts.right).bytes());
      step.method = method;
      break;
    }
    case EditStep::Kind::kRemove: step.target = split_address(text); break;
    case EditStep::Kind::kSet: {
      auto expression = parse_set_expression(text);
      if (!expression) {
        throw CannotWork(fmt::format("--set '{}': expected [ENTRY[::ENTRY]...]@FIELD=VALUE", text));
      }
      step.target = std::move(expression->target);
      step.name = std::move(expression->field);
      step.value = std::move(expression->value);
      break;
    }
  }
  return step;
}

const std::vector<std::string>& values_of(const EditOptions& options, EditStep::Kind kind) {
  switch (kind) {
    case EditStep::Kind::kReplace: return options.replace;
    case EditStep::Kind::kRename: return options.rename;
    case EditStep::Kind::kAdd: return options.add;
    case EditStep::Kind::kRemove: return options.remove;
    default: return options.set;
  }
}

// The edits as written, in the order of the command line.
std::vector<std::pair<EditStep, std::string>> collect_steps(const EditOptions& options) {
  std::map<EditStep::Kind, std::size_t> used;
  std::vector<std::pair<EditStep, std::string>> steps;
  for (const CLI::Option* option : options.order) {
    const auto found = options.kinds.find(option);
    if (found != options.kinds.end()) {
      const std::string& text = values_of(options, found->second)[used[found->second]++];
      steps.emplace_back(step_of(found->second, text, options.method), option->get_name() + " '" + text + "'");
    }
  }
  return steps;
}

// Changes closer than this read as one; a payload that is packed anew would otherwise fill pages.
constexpr std::size_t kJoinedForReaders = 8;
constexpr std::size_t kJoinedExactly = 1;

// The byte ranges in which two files differ; what is behind the shorter one is one range. Changes with less than
// `joined_bytes` equal bytes between them are one range.
std::vector<std::pair<std::size_t, std::size_t>> changed_ranges(Bytes before, Bytes after, std::size_t joined_bytes) {
  std::vector<std::pair<std::size_t, std::size_t>> ranges;
  const std::size_t longer = std::max(before.size(), after.size());
  for (std::size_t at = 0; at < longer; ++at) {
    if (at < before.size() && at < after.size() && before[at] == after[at]) {
      continue;
    }
    if (!ranges.empty() && at - ranges.back().second < joined_bytes) {
      ranges.back().second = at + 1;
    } else {
      ranges.emplace_back(at, at + 1);
    }
  }
  return ranges;
}

void show_changes_json(const EditOptions& options, Bytes before, Bytes after) {
  Json list = Json::array();
  for (const auto& [start, end] : changed_ranges(before, after, kJoinedExactly)) {
    list.push_back({{"offset", start}, {"size", end - start}});
  }
  print_json({{"path", golden::display_path(options.file)},
              {"size_before", before.size()},
              {"size_after", after.size()},
              {"changed", list}});
}

// The first bytes of a range, as far as the file has it.
std::string range_text(Bytes bytes, std::size_t start, std::size_t end) {
  constexpr std::size_t kShownBytes = 8;
  const std::size_t stop = std::min({end, bytes.size(), start + kShownBytes});
  if (start >= stop) {
    return "nothing";
  }
  return to_hex(bytes.subspan(start, stop - start)) + (stop < end ? "..." : "");
}

void show_changes_text(const EditOptions& options, Bytes before, Bytes after) {
  print(fmt::format("{}: {} now, {} after\n", golden::display_path(options.file), counted(before.size(), "byte"),
                    counted(after.size(), "byte")));
  const auto ranges = changed_ranges(before, after, kJoinedForReaders);
  for (const auto& [start, end] : ranges) {
    print(fmt::format("  {}  {} -> {}\n", hex_range(start, end - start), range_text(before, start, end),
                      range_text(after, start, end)));
  }
  if (ranges.empty()) {
    print("  nothing would change\n");
  }
}

// Refusals of what the user asked for; where the archive itself is at fault it is a finding.
bool is_users_mistake(Code code, const EditStep* step) {
  switch (code) {
    case Code::kNoSuchEntry:
    case Code::kNoSuchField:
    case Code::kDerivedField:
    case Code::kInvalidValue:
    case Code::kNameTooLong:
    case Code::kNameContainsNul:
    case Code::kNotAContainer: return true;
    // --method names a method that this archive does not have.
    case Code::kUnsupportedMethod: return step != nullptr && step->kind == EditStep::Kind::kAdd;
    default: return false;
  }
}

// What is wrong with a request; a place in the file would say nothing about it.
std::string mistake_text(const std::string& file, const Diagnostic& why) {
  const std::string shown = golden::display_path(file);
  if (why.code == Code::kDerivedField) {
    return fmt::format("{}: field {} cannot be set: {}", shown, why.field.to_text(), why.got.to_text());
  }
  if (why.code == Code::kNoSuchEntry) {
    return fmt::format("{}: no entry answers to that address, `assay ls` lists them", shown);
  }
  if (why.code == Code::kNoSuchField) {
    return fmt::format("{}: no such field can be set, `assay inspect` lists them", shown);
  }
  return fmt::format("{}: field {}: {}", shown, why.field.to_text(), why.message());
}

[[noreturn]] void refuse(const std::string& file, const Diagnostic& why, const EditStep* step,
                         const std::string& text) {
  const std::string where = step == nullptr ? std::string() : text + ": ";
  if (is_users_mistake(why.code, step)) {
    throw CannotWork(where + mistake_text(file, why));
  }
  throw ReadingRefused(where + diagnostic_text(file, "", why), why);
}

ExitStatus run_edit(const EditOptions& options) {
  const auto steps = collect_steps(options);
  if (steps.empty()) {
    throw CannotWork("edit: nothing to do; give --replace, --rename, --add, --remove or --set");
  }
  std::vector<EditStep> list;
  for (const auto& [step, text] : steps) {
    list.push_back(step);
  }
  const golden::WalkOptions walk = options.reading.walk_options();
  const golden::FileBytes file = read_resource(options.file, walk.limits);
  const Bytes before = file.bytes();
  const std::string path = std::filesystem::absolute(options.file).lexically_normal().native();
  const ParseContext context{.limits = walk.limits,
                             .rules = walk.rules,
                             .origin = {},
                             .hints = ItemHints::of_file(as_bytes(path)),
                             .apply_overlay = walk.apply_overlay,
                             .confirm_deflate = walk.confirm_deflate};
  std::size_t failed_step = 0;
  const auto edited = apply_edits(before, context, list, options.sync_header, failed_step);
  if (!edited) {
    const bool is_of_step = failed_step < list.size();
    refuse(options.file, edited.error(), is_of_step ? &list[failed_step] : nullptr,
           is_of_step ? steps[failed_step].second : std::string());
  }
  for (const std::string& note : edited->notes) {
    message("note: " + note);
  }
  if (options.dry_run) {
    options.json ? show_changes_json(options, before, edited->bytes)
                 : show_changes_text(options, before, edited->bytes);
  } else {
    replace_file(options.output.empty() ? options.file : options.output, edited->bytes);
  }
  return ExitStatus::kFine;
}

struct RepackOptions {
  std::string archive;
  std::string output;
  ReadingOptions reading;
};

ExitStatus run_repack(const RepackOptions& options) {
  const OpenedItem item(options.archive, options.reading);
  static_cast<void>(item.container());
  const auto packed = item.document()->canonical();
  if (!packed) {
    throw ReadingRefused(diagnostic_text(options.archive, "", packed.error()), packed.error());
  }
  replace_file(options.output, *packed);
  message(fmt::format("{}: {} from {}", options.output, counted(packed->size(), "byte"), item.bytes().size()));
  return ExitStatus::kFine;
}

}  // namespace

void add_edit(CLI::App& app, ChosenVerb& chosen) {
  auto options = std::make_shared<EditOptions>();
  CLI::App* verb = app.add_subcommand("edit", "change an archive, or fields of any item, without losing anything else");
  verb->footer(
      "Edits are applied in the order they are written, through any depth of archives (A::B). What is derived "
      "follows:\n"
      "sizes, offsets, counts, sort map, padding, and the transform of payloads whose key changes. Everything else "
      "stays\n"
      "byte for byte. FIELD is a path as `inspect` prints it; in entry[KEY] the key is an index or a name. In ENTRY "
      "and\n"
      "NAME write \\\\ for a backslash and \\xNN for any other byte, such as \\x3d for '=', \\x40 for '@', \\x3a\\x3a "
      "for '::'.\n"
      "Without -o the file itself is replaced, through a temporary file and a rename. The list of --dry-run joins "
      "changes\n"
      "less than 8 bytes apart, the one with --json does not.\n"
      "  assay edit sprites.lib --replace LOGO.TEX=logo.tex\n"
      "  assay edit static.rlb --set '@entry[2].attr1=7' --dry-run\n"
      "  assay edit bases.rlb --set 'r_h_01.msh@node[3].parent_or_link=0'\n"
      "  assay edit static.rlb --rename 'model.msh::#0=Stream' -o new.rlb");
  verb->add_option("FILE", options->file, "the file to edit")->required();
  verb->add_option("-o,--output", options->output, "write the result there instead")->type_name("OUT");
  const auto add = [&](const char* flag, std::vector<std::string>& values, const char* shape, const char* text,
                       EditStep::Kind kind) {
    CLI::Option* option =
        verb->add_option(flag, values, text)->type_name(shape)->allow_extra_args(false)->expected(1)->take_all();
    options->kinds.emplace(option, kind);
  };
  add("--replace", options->replace, "ENTRY=PATH", "take the payload from a file; may be repeated, like all of these",
      EditStep::Kind::kReplace);
  add("--rename", options->rename, "ENTRY=NAME", "give an entry another name", EditStep::Kind::kRename);
  add("--add", options->add, "NAME=PATH", "append an entry; [ENTRY::]NAME for one inside", EditStep::Kind::kAdd);
  add("--remove", options->remove, "ENTRY", "drop an entry", EditStep::Kind::kRemove);
  add("--set", options->set, "@FIELD=VALUE", "set a field: [ENTRY[::ENTRY]...]@FIELD=VALUE", EditStep::Kind::kSet);
  verb->add_option("--method", options->method, "how --add packs into an RsLi archive")
      ->check(CLI::IsMember({"stored", "xor", "lzss", "xor+lzss", "lzhuf", "xor+lzhuf", "deflate"}))
      ->capture_default_str();
  verb->add_flag("--sync-header", options->sync_header,
                 "update header fields that repeat facts, where they were in step");
  CLI::Option* dry_run =
      verb->add_flag("--dry-run", options->dry_run, "write nothing, list the byte ranges that would change");
  verb->add_flag("--json", options->json, "with --dry-run: as one JSON object, each range exactly")->needs(dry_run);
  add_reading_options(*verb, options->reading, "compatible");
  verb->callback([&chosen, options, verb] {
    const auto order = verb->parse_order();
    options->order.assign(order.begin(), order.end());
    chosen = [options] { return run_edit(*options); };
  });
}

void add_repack(CLI::App& app, ChosenVerb& chosen) {
  auto options = std::make_shared<RepackOptions>();
  CLI::App* verb =
      app.add_subcommand("repack", "write an archive in its canonical form; drops what belongs to no entry");
  verb->footer(
      "Payloads in directory order, maps and padding derived anew; gaps, unindexed regions and the AO trailer are "
      "dropped. Packed\n"
      "bytes are kept, never packed anew. docs/formats has the rules.\n  assay repack Textures.lib -o small.lib");
  verb->add_option("ARCHIVE", options->archive, "an archive, or FILE::ENTRY for one inside it")->required();
  verb->add_option("-o,--output", options->output, "the file to write")->required()->type_name("OUT");
  add_reading_options(*verb, options->reading, "compatible");
  choose(*verb, chosen, options, run_repack);
}

}  // namespace assay::tools
