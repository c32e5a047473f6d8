// The progress line: written with a carriage return and cleared to the end of the line.
#include <common/progress.hpp>  // progress

#include <unistd.h>  // isatty

#include <cmath>       // isnan
#include <cstdio>      // snprintf
#include <filesystem>  // path
#include <iostream>    // cerr

namespace common {
namespace {

constexpr auto interval = std::chrono::milliseconds(50);
constexpr const char* empty_line = "\r\033[K";

}  // namespace

progress::progress(const options& of, int epochs, const std::string& name)
    : progress(of.seeds, epochs, std::cerr, isatty(STDERR_FILENO) == 1) {
  if (of.log.empty()) return;
  log_ = std::make_unique<stg::run_log>((std::filesystem::path(of.log) / name).string(),
                                        stg::run_log_options{.progress = false});
}

progress::progress(int seeds, int epochs, std::ostream& out, bool is_terminal)
    : seeds_(seeds), epochs_(epochs), out_(out), is_terminal_(is_terminal) {}

progress::~progress() {
  clear();
  try {
    if (log_) log_->write_svg("curves.svg");
  } catch (const std::exception& error) {
    std::cerr << error.what() << '\n';
  }
}

void progress::update(int seed, int epoch, double loss, double validation_accuracy) {
  if (log_) {
    const std::string of_seed = "/seed " + std::to_string(seed);
    log_->add_scalar("loss" + of_seed, loss, epoch);
    if (!std::isnan(validation_accuracy)) log_->add_scalar("validation" + of_seed, validation_accuracy, epoch);
  }
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
