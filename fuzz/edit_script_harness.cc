#include "fuzz/edit_script_harness.h"

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "fuzz/byte_script.h"
#include "fuzz/harness.h"
#include "oracles/support.h"
#include "parsers/resource/address.h"
#include "parsers/resource/edit_script.h"
#include "synth/seeds/seeds.h"

namespace assay::fuzz {
namespace {

using Kind = EditStep::Kind;

const std::vector<synth::FormatSeed>& bases() {
  static const auto kBases = synth::all_seeds();
  return kBases;
}

// `ADDRESS=REST`, of which the last step of the address is a name where something is added.
std::optional<EditStep> assigned(Kind kind, std::string_view text) {
  const auto assignment = parse_assignment(text);
  if (!assignment) {
    return std::nullopt;
  }
  EditStep step{.kind = kind, .target = split_address(assignment->left)};
  if (kind == Kind::kRename) {
    step.name = assignment->right;
    return step;
  }
  step.payload = copy_of(as_bytes(assignment->right));
  if (kind == Kind::kAdd && !step.target.empty()) {
    step.name = step.target.back();
    step.target.pop_back();
  }
  return step;
}

std::optional<EditStep> step_of(std::string_view line) {
  if (line.empty()) {
    return std::nullopt;
  }
  const std::string_view rest = line.substr(1);
  switch (line.front()) {
    case 's': {
      const auto expression = parse_set_expression(rest);
      return expression ? std::optional(EditStep{.kind = Kind::kSet,
                                                 .target = expression->target,
                                                 .name = expression->field,
                                                 .value = expression->value})
                        : std::nullopt;
    }
    case 'n': return assigned(Kind::kRename, rest);
    case 'p': return assigned(Kind::kReplace, rest);
    case 'a': return assigned(Kind::kAdd, rest);
    case 'd': return EditStep{.kind = Kind::kRemove, .target = split_address(rest)};
    default: return std::nullopt;
  }
}

std::vector<EditStep> steps_of(std::string_view text) {
  constexpr std::size_t kMaxSteps = 16;
  std::vector<EditStep> steps;
  while (!text.empty() && steps.size() < kMaxSteps) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    if (auto step = step_of(text.substr(0, end))) {
      steps.push_back(std::move(*step));
    }
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return steps;
}

struct Edited {
  Result<EditedArchive> result;
  std::size_t failed_step = 0;
};

Edited edit(Bytes image, const ParseContext& context, const std::vector<EditStep>& steps, bool sync_header) {
  std::size_t failed_step = 0;
  auto result = apply_edits(image, context, steps, sync_header, failed_step);
  return {std::move(result), failed_step};
}

void check(const synth::Seed& base, const std::vector<EditStep>& steps, bool sync_header) {
  ParseContext context;
  context.rules = RuleSet::compatible();
  context.hints = base.hints();
  context.limits.unpacked_bytes = kMaxInputBytes;
  const Edited once = edit(base.bytes, context, steps, sync_header);
  const Edited twice = edit(base.bytes, context, steps, sync_header);
  require(once.result.has_value() == twice.result.has_value() && once.failed_step == twice.failed_step,
          "the same edits end the same way");
  if (!once.result) {
    require(code_category(once.result.error().code) != Category::kInternal, "edits are refused for a reason");
    require(once.failed_step <= steps.size(), "edits are refused at a step that exists");
    return;
  }
  const Buffer& bytes = once.result->bytes;
  require(bytes == twice.result->bytes, "the same edits give the same bytes");
  require(!steps.empty() || sync_header || equal_bytes(bytes, base.bytes), "no edit changes nothing");
  if (std::ranges::all_of(steps, [](const EditStep& step) { return step.kind == Kind::kSet; })) {
    const Edited again = edit(bytes, context, steps, sync_header);
    require(!again.result || again.result->bytes == bytes, "setting fields again changes nothing more");
  }
}

}  // namespace

int run_edit_script(const std::uint8_t* data, std::size_t size) {
  constexpr std::size_t kMaxScriptBytes = 2048;
  constexpr std::size_t kMaxBaseBytes = 8192;
  if (size <= kMaxScriptBytes) {
    ByteScript script(Bytes(data, size));
    const synth::Seed& base = bases()[script.index(bases().size())].seed;
    const bool sync_header = script.byte() % 4 == 0;
    if (base.bytes.size() <= kMaxBaseBytes) {
      check(base, steps_of(as_text(script.take(size))), sync_header);
    }
  }
  return 0;
}

}  // namespace assay::fuzz
