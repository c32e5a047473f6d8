// Lines of JSON, and words on the terminal.
#include "report.hpp"

#include <stg/base/error.hpp>  // error

#include <cmath>   // isfinite
#include <cstdio>  // printf, snprintf

namespace device_bench {

namespace {

std::string quoted(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) {
    char escaped[8];
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (static_cast<unsigned char>(c) < 0x20) {
      std::snprintf(escaped, sizeof escaped, "\\u%04x", static_cast<unsigned>(c));
      out += escaped;
    } else {
      out += c;
    }
  }
  return out + '"';
}
/// JSON has no infinity: null stands for what is no number.
std::string number(double x) {
  char text[32];
  std::snprintf(text, sizeof text, "%.9g", x);
  return std::isfinite(x) ? text : "null";
}
std::string whole(std::int64_t n) { return std::to_string(n); }

template <class List, class Text> std::string joined(const List& list, const Text& text) {
  std::string out;
  for (const auto& item : list) out += (out.empty() ? "" : ", ") + text(item);
  return out;
}

std::string json(const check& c) {
  return "{\"array\": " + quoted(c.array) + ", \"difference\": " + number(c.difference) +
         ", \"limit\": " + number(c.limit) + "}";
}
std::string json(const entry& e) {
  std::string out = "{\"who\": " + quoted(e.who) + ", \"variant\": " + quoted(e.variant);
  if (!e.samples.empty()) out += ", \"samples\": [" + joined(e.samples, number) + "]";
  for (const auto& [name, value] : e.facts) out += ", " + quoted(name) + ": " + number(value);
  if (!e.error.empty()) out += ", \"error\": " + quoted(e.error);
  return out + "}";
}

}  // namespace

std::string disagreement(const std::vector<check>& checks) {
  for (const check& c : checks) {
    if (c.holds()) continue;
    char text[32];
    std::snprintf(text, sizeof text, "%.1e", c.difference);
    return "'" + c.array + "' disagrees by " + text;
  }
  return {};
}

report::report(const std::string& path) {
  if (path.empty()) return;
  to_.open(path);
  if (!to_) throw stg::error("bench_gpu: " + path + " cannot be written");
}

void report::line(const std::string& json) {
  if (to_.is_open()) to_ << json << std::endl;
}

void report::about(const std::vector<std::pair<std::string, std::string>>& facts) {
  line("{\"about\": {" + joined(facts, [](const auto& f) { return quoted(f.first) + ": " + quoted(f.second); }) + "}}");
}

void report::write(const case_record& of) {
  std::string out =
      "{\"case\": " + quoted(of.name) + ", \"vertices\": " + whole(of.vertices) + ", \"edges\": " + whole(of.edges);
  out += ", \"checks\": [" + joined(of.checks, [](const check& c) { return json(c); }) + "]";
  out += ", \"entries\": [" + joined(of.entries, [](const entry& e) { return json(e); }) + "]";
  if (!of.error.empty()) out += ", \"error\": " + quoted(of.error);
  line(out + "}");

  std::printf("%s\n", of.name.c_str());
  for (const check& c : of.checks)
    std::printf("  %-40s apart by %.1e %s\n", c.array.c_str(), c.difference, c.holds() ? "" : "DISAGREES");
  for (const entry& e : of.entries)
    if (!e.error.empty()) std::printf("  %s %s: NOT TIMED: %s\n", e.who.c_str(), e.variant.c_str(), e.error.c_str());
  if (!of.error.empty()) std::printf("  FAILED: %s\n", of.error.c_str());
  std::fflush(stdout);
  bool failed = !of.error.empty();
  for (const check& c : of.checks) failed = failed || !c.holds();
  ++cases_;
  checks_ += static_cast<int>(of.checks.size());
  failures_ += failed;
}

std::string report::summary() const {
  return std::to_string(cases_) + " cases, " + std::to_string(checks_) + " arrays compared, " +
         std::to_string(failures_) + " cases failed";
}

}  // namespace device_bench
