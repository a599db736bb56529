#include "tools/reading.h"

#include <CLI/CLI.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <span>

#include "golden/scan/corpus.h"
#include "parsers/base/escape.h"
#include "parsers/resource/address.h"
#include "tools/exit_status.h"
#include "tools/files.h"
#include "tools/items.h"

namespace assay::tools {
namespace {

std::vector<std::string> rule_names() {
  std::vector<std::string> names;
  for (const Rule& rule : all_rules()) {
    names.emplace_back(rule.name);
  }
  return names;
}

// The first `count` steps of an address.
std::string address_to(const std::vector<std::string>& steps, std::size_t count) {
  return fmt::format("{}", fmt::join(steps.begin(), steps.begin() + static_cast<std::ptrdiff_t>(count), "::"));
}

}  // namespace

RuleSet ReadingOptions::rules() const {
  RuleSet rules = profile == "strict" ? RuleSet::strict() : RuleSet::compatible();
  for (const std::string& name : enabled_rules) {
    rules.enable(*find_rule(name));
  }
  for (const std::string& name : disabled_rules) {
    rules.enable(*find_rule(name), false);
  }
  return rules;
}

std::string ReadingOptions::rules_text() const {
  std::vector<std::string_view> names;
  for (const Rule& rule : all_rules()) {
    if (rules().enabled(rule.id)) {
      names.push_back(rule.name);
    }
  }
  return fmt::format("{}", fmt::join(names, ","));
}

golden::WalkOptions ReadingOptions::walk_options() const {
  golden::WalkOptions walk;
  walk.rules = rules();
  walk.apply_overlay = overlay == "on";
  walk.confirm_deflate = !no_confirm;
  return walk;
}

void add_reading_options(CLI::App& app, ReadingOptions& options, const std::string& default_profile) {
  options.profile = default_profile;
  app.add_option("--profile", options.profile,
                 "which rules are enabled: strict (none) or compatible (all but opt-in ones)")
      ->check(CLI::IsMember({"strict", "compatible"}))
      ->capture_default_str();
  app.add_option("--rule", options.enabled_rules,
                 "enable this rule on top of the profile; may be repeated (see: assay rules)")
      ->check(CLI::IsMember(rule_names()))
      ->type_name("ID")
      ->allow_extra_args(false);
  app.add_option("--no-rule", options.disabled_rules, "disable this rule of the profile; may be repeated")
      ->check(CLI::IsMember(rule_names()))
      ->type_name("ID")
      ->allow_extra_args(false);
  app.add_option("--overlay", options.overlay, "whether an RsLi archive may end in an AO trailer: on or off")
      ->check(CLI::IsMember({"on", "off"}))
      ->capture_default_str();
  app.add_flag("--no-confirm", options.no_confirm, "do not let zlib confirm what libdeflate decodes; faster");
}

std::pair<std::string, std::vector<std::string>> split_file_address(const std::string& address) {
  std::error_code error;
  const std::vector<std::string> steps = split_address(address);
  if (steps.size() == 1 || std::filesystem::is_regular_file(address, error)) {
    return {address, {}};
  }
  std::string file = steps.front();
  for (std::size_t count = 1; count < steps.size(); ++count) {
    if (std::filesystem::is_regular_file(file, error)) {
      return {file, {steps.begin() + static_cast<std::ptrdiff_t>(count), steps.end()}};
    }
    file += "::" + steps[count];
  }
  return {steps.front(), {steps.begin() + 1, steps.end()}};
}

std::string diagnostic_text(const Diagnostic& diagnostic) {
  std::string text = fmt::format("{} at offset {}", code_text(diagnostic.code), hex_offset(diagnostic.offset));
  if (!diagnostic.field.empty()) {
    text += ", field " + diagnostic.field.to_text();
  }
  return text + ": " + diagnostic.message();
}

Json diagnostic_json(const std::optional<Diagnostic>& diagnostic) {
  if (!diagnostic) {
    return {};
  }
  return {{"code", code_text(diagnostic->code)},
          {"offset", diagnostic->offset},
          {"field", diagnostic->field.to_text()},
          {"message", diagnostic->message()}};
}

std::string diagnostic_text(const std::string& file, const std::string& entry, const Diagnostic& diagnostic) {
  std::string text = golden::display_path(file);
  if (!entry.empty()) {
    text += ": entry " + entry;
  }
  return text + ": " + diagnostic_text(diagnostic);
}

std::string no_entry_text(const std::string& file, std::string_view entry, std::size_t entry_count) {
  return fmt::format("{}: no entry '{}'; it has {}, `assay ls` lists them", file, golden::display_path(entry),
                     counted(entry_count, "entry", "entries"));
}

golden::FileBytes read_resource(const std::string& file, const Limits& limits) {
  try {
    return read_file(file, limits.input_bytes);
  } catch (const TooLarge& refused) {
    const Diagnostic why{.code = Code::kLimitExceeded,
                         .field = "file",
                         .expected = Datum::at_most(limits.input_bytes),
                         .got = Datum::number(refused.size_bytes)};
    throw ReadingRefused(diagnostic_text(file, "", why), why);
  }
}

std::optional<Diagnostic> first_failure(const Findings& findings) {
  const auto list = findings.list();
  const auto found =
      std::ranges::find_if(list, [](const Finding& one) { return verdict_of(std::span(&one, 1)) == Verdict::kFail; });
  return found == list.end() ? std::nullopt : std::optional(found->diagnostic);
}

ExitStatus tell_doubts(const OpenedItem& item) {
  for (const std::string& doubt : item.doubts()) {
    message(doubt);
  }
  return item.doubts().empty() ? ExitStatus::kFine : ExitStatus::kFindings;
}

OpenedItem::OpenedItem(const std::string& address, const ReadingOptions& options, Depth depth) {
  std::tie(file_, steps_) = split_file_address(address);
  const golden::WalkOptions walk = options.walk_options();
  file_bytes_ = read_resource(file_, walk.limits);
  file_path_ = std::filesystem::absolute(file_).lexically_normal().native();
  bytes_ = file_bytes_.bytes();
  hints_ = ItemHints::of_file(as_bytes(file_path_));
  context_ = {.limits = walk.limits,
              .rules = walk.rules,
              .origin = {},
              .hints = {},
              .apply_overlay = walk.apply_overlay,
              .confirm_deflate = walk.confirm_deflate};
  for (const std::string& step : steps_) {
    look(Refused::kIsItsBase);
    step_into(step);
  }
  if (depth == Depth::kParsed) {
    look(Refused::kThrows);
  }
}

ParseContext OpenedItem::context() const {
  ParseContext context = context_;
  context.origin = origin_;
  context.hints = hints_;
  return context;
}

const Container& OpenedItem::container() const {
  const Container* container = document_ == nullptr ? nullptr : document_->container();
  if (container == nullptr) {
    throw CannotWork(fmt::format("{}: not an archive, its format is {}", shown_address(),
                                 format_ == nullptr ? "unknown" : format_->id));
  }
  return *container;
}

std::string OpenedItem::shown_address() const {
  return item_address(golden::display_path(file_), address_to(steps_, steps_done_));
}

void OpenedItem::look(Refused refused) {
  findings_ = {};
  format_ = identify(bytes_, hints_).format;
  document_ = nullptr;
  if (format_ == nullptr) {
    return;
  }
  ParseContext here = context_;
  here.origin = origin_;
  here.hints = hints_;
  auto document = format_->parse(bytes_, here, findings_);
  const Format* base = find_format(format_->refines);
  if (!document && refused == Refused::kIsItsBase && base != nullptr && base->has_magic(bytes_)) {
    findings_ = {};
    format_ = base;
    document = base->parse(bytes_, here, findings_);
  }
  if (!document) {
    throw ReadingRefused(diagnostic_text(file_, address_to(steps_, steps_done_), document.error()), document.error());
  }
  documents_.push_back(std::move(*document));
  document_ = documents_.back().get();
}

void OpenedItem::step_into(const std::string& step) {
  const Container& archive = container();
  const auto index = find_member(archive, step);
  if (!index) {
    throw CannotWork(no_entry_text(shown_address(), step, archive.member_count()));
  }
  const Member member = archive.member(*index);
  scratches_.emplace_back();
  Findings load_findings;
  const auto payload = archive.load(*index, scratches_.back(), load_findings);
  if (!payload) {
    throw ReadingRefused(diagnostic_text(file_, address_to(steps_, steps_done_ + 1), payload.error()), payload.error());
  }
  if (const auto error = first_failure(load_findings)) {
    doubts_.push_back(diagnostic_text(file_, address_to(steps_, steps_done_ + 1), *error));
  }
  const auto stored = slice(bytes_, member.offset, member.packed_size);
  const bool is_view = stored && payload->data() == stored->data() && payload->size() == stored->size();
  origin_ = is_view ? origin_.stored_part(member.offset) : origin_.decoded_part(member.offset);
  bytes_ = *payload;
  ++steps_done_;
  hints_ = member.hints();
}

}  // namespace assay::tools
