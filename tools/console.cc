#include "tools/console.h"

#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>

#include <fmt/format.h>

#include "golden/display.h"
#include "tools/exit_status.h"

namespace assay::tools {
namespace {

ColorMode g_color_mode = ColorMode::kAuto;
std::atomic<bool> g_stop = false;
static_assert(std::atomic<bool>::is_always_lock_free, "set from a signal handler");

bool shows_color() {
  if (g_color_mode != ColorMode::kAuto) {
    return g_color_mode == ColorMode::kAlways;
  }
  return ::isatty(STDOUT_FILENO) != 0 && std::getenv("NO_COLOR") == nullptr;
}

void write_all(const void* data, std::size_t size) {
  if (size != 0 && std::fwrite(data, 1, size, stdout) != size) {
    throw CannotWork("standard output cannot be written");
  }
}

std::string in_color(std::string_view text, int color) {
  return shows_color() ? fmt::format("\x1b[{}m{}\x1b[0m", color, text) : std::string(text);
}

extern "C" void handle_stop_signal(int signal_number) {
  g_stop.store(true);
  std::signal(signal_number, SIG_DFL);
}

// A message that cannot be written is lost; it ends no work and changes no result.
void write_message(const std::string& text) {
  std::fwrite(text.data(), 1, text.size(), stderr);
  std::fflush(stderr);
}

constexpr int kGreen = 32;
constexpr int kYellow = 33;
constexpr int kRed = 31;
constexpr int kCyan = 36;

}  // namespace

void set_color_mode(ColorMode mode) {
  g_color_mode = mode;
}

void print(std::string_view text) {
  write_all(text.data(), text.size());
}

void print_shown(std::string_view text) {
  print(golden::display_message(text));
}

void print_bytes(Bytes bytes) {
  write_all(bytes.data(), bytes.size());
}

void print_json(const Json& object) {
  print(object.dump(-1, ' ', false, Json::error_handler_t::replace));
  print("\n");
}

void flush_output() {
  if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0) {
    throw CannotWork("standard output cannot be written");
  }
}

void message(std::string_view text) {
  progress({});
  std::fflush(stdout);
  write_message("assay: " + golden::display_message(text) + '\n');
}

void progress(std::string_view text) {
  static bool is_shown = false;
  if (::isatty(STDERR_FILENO) == 0 || (text.empty() && !is_shown)) {
    return;
  }
  is_shown = !text.empty();
  write_message("\r\x1b[K" + std::string(text));
}

std::string colored(Verdict verdict) {
  switch (verdict) {
    case Verdict::kOk: return in_color("ok", kGreen);
    case Verdict::kQuirk: return in_color("quirk", kYellow);
    case Verdict::kFail: return in_color("fail", kRed);
    case Verdict::kUnknown: return in_color("unknown", kCyan);
  }
  return {};
}

std::string colored(Severity severity) {
  switch (severity) {
    case Severity::kNote: return in_color("note", kCyan);
    case Severity::kStrict: return in_color("strict", kYellow);
    case Severity::kError: return in_color("error", kRed);
  }
  return {};
}

std::string counted(std::uint64_t count, std::string_view singular, std::string_view plural) {
  const std::string many = plural.empty() ? std::string(singular) + 's' : std::string(plural);
  return fmt::format("{} {}", count, count == 1 ? std::string(singular) : many);
}

std::string hex_offset(std::uint64_t offset) {
  return fmt::format("0x{:X}", offset);
}

std::string hex_range(std::uint64_t offset, std::uint64_t size) {
  return fmt::format("[0x{:X},0x{:X})", offset, offset + size);
}

const std::atomic<bool>& stop_on_signal() {
  std::signal(SIGINT, handle_stop_signal);
  std::signal(SIGTERM, handle_stop_signal);
  return g_stop;
}

}  // namespace assay::tools
