// The line on a terminal: what it says, and when it is written anew.
#include "progress_line.hpp"  // progress_line

#include <algorithm>  // find_if, min
#include <cmath>      // floor, isfinite
#include <cstdio>     // fflush, fwrite

#include <sys/ioctl.h>  // ioctl
#include <unistd.h>     // isatty

#include <stg/base/utf8.hpp>  // first_letters

#include "scalar_lines.hpp"  // number_text

namespace stg::detail {

namespace {

constexpr auto pause = std::chrono::milliseconds(100);
constexpr std::size_t most_values = 6;

/// Letters that fit the terminal's line.
std::size_t width_of_terminal() {
  winsize size{};
  const bool is_known = ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 1;
  return is_known ? size.ws_col - 1u : 79u;
}

}  // namespace

std::string duration_text(double seconds) {
  if (!std::isfinite(seconds) || seconds > 1e9) return "?";
  const auto all = static_cast<std::int64_t>(seconds + 0.5);
  const auto two = [](std::int64_t n) { return (n < 10 ? "0" : "") + std::to_string(n); };
  if (all < 3600) return std::to_string(all / 60) + ':' + two(all % 60);
  return std::to_string(all / 3600) + ':' + two(all / 60 % 60) + ':' + two(all % 60);
}

progress_line::progress_line(bool is_wanted, std::int64_t steps)
    : is_shown_(is_wanted && isatty(STDERR_FILENO) == 1), steps_(steps) {}

progress_line::~progress_line() {
  if (!is_drawn_) return;
  draw(last_step_);
  std::fputc('\n', stderr);
}

void progress_line::show(std::string_view name, double value, std::int64_t step) {
  if (!is_shown_) return;
  const auto now = clock::now();
  if (last_step_ < 0) begun_ = now, first_step_ = step;
  last_step_ = step;
  const auto known =
      std::find_if(last_values_.begin(), last_values_.end(), [&](const auto& v) { return v.first == name; });
  if (known != last_values_.end()) known->second = value;
  else if (last_values_.size() < most_values) last_values_.emplace_back(name, value);
  if (is_drawn_ && now - drawn_ < pause) return;
  drawn_ = now;
  draw(step);
}

std::string progress_line::text(std::int64_t step) const {
  const std::int64_t done = step + 1;
  std::string line = "step " + std::to_string(step);
  if (steps_ > 0)
    line = std::to_string(done) + '/' + std::to_string(steps_) + "  " +
           number_text(std::floor(100 * std::min(1.0, static_cast<double>(done) / static_cast<double>(steps_)))) + '%';
  const double took = std::chrono::duration<double>(clock::now() - begun_).count();
  const auto gone = static_cast<double>(step - first_step_);
  if (gone > 0 && took > 0) {
    line += "  " + number_text(gone / took, 3) + " steps/s";
    if (steps_ > done) line += "  " + duration_text(static_cast<double>(steps_ - done) * took / gone) + " left";
  }
  for (const auto& [name, value] : last_values_) line += "  " + name + ' ' + number_text(value, 4);
  return line;
}

void progress_line::draw(std::int64_t step) {
  const std::string line = "\r" + std::string(utf8::first_letters(text(step), width_of_terminal())) + "\033[K";
  std::fwrite(line.data(), 1, line.size(), stderr);
  std::fflush(stderr);
  is_drawn_ = true;
}

}  // namespace stg::detail
