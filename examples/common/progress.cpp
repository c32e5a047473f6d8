// The progress line: written with a carriage return and cleared to the end of the line.
#include <common/progress.hpp>  // progress

#include <unistd.h>  // isatty

#include <cmath>     // isnan
#include <cstdio>    // snprintf
#include <iostream>  // cerr

namespace common {
namespace {

constexpr auto interval = std::chrono::milliseconds(50);
constexpr const char* empty_line = "\r\033[K";

}  // namespace

progress::progress(int seeds, int epochs) : progress(seeds, epochs, std::cerr, isatty(STDERR_FILENO) == 1) {}

progress::progress(int seeds, int epochs, std::ostream& out, bool is_terminal)
    : seeds_(seeds), epochs_(epochs), out_(out), is_terminal_(is_terminal) {}

progress::~progress() { clear(); }

void progress::update(int seed, int epoch, double loss, double validation_accuracy) {
  if (!is_terminal_) return;
  const auto now = std::chrono::steady_clock::now();
  if (visible_ && now - last_ < interval && epoch + 1 < epochs_) return;
  char line[160];
  int length = std::snprintf(line, sizeof line, "seed %d/%d  epoch %d/%d  loss %.4f", seed + 1, seeds_, epoch + 1,
                             epochs_, loss);
  if (!std::isnan(validation_accuracy) && length > 0 && length < static_cast<int>(sizeof line))
    std::snprintf(line + length, sizeof line - length, "  validation %.3f", validation_accuracy);
  out_ << empty_line << line << std::flush;
  visible_ = true;
  last_ = now;
}

void progress::clear() {
  if (!visible_) return;
  out_ << empty_line << std::flush;
  visible_ = false;
}

}  // namespace common
