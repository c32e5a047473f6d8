// What was measured, as one line of JSON for each case: written when the case ends, so that a run that is cut short
// keeps what it has.
#pragma once

#include <cstdint>  // int64_t
#include <fstream>  // ofstream
#include <string>   // string
#include <utility>  // pair
#include <vector>   // vector

namespace device_bench {

/// One way of doing a case. Without samples it was not timed: `error` says why.
struct entry {
  std::string who, variant;     // stg, cusparse, copy; and how
  std::vector<double> samples;  // milliseconds
  std::vector<std::pair<std::string, double>> facts{};
  std::string error{};
};

/// How far an array is from what it is compared with before its time counts.
struct check {
  std::string array;
  double difference, limit;
  bool holds() const { return difference <= limit; }  // not a number holds nowhere
};

struct case_record {
  std::string name;  // KIND:GRAPH:SIZE:PASS, as bench/peers/cases.py spells it
  std::int64_t vertices = 0, edges = 0;
  std::vector<check> checks{};
  std::vector<entry> entries{};
  std::string error{};
};

/// "w disagrees by 3.1e-02", the first check that does not hold; empty when all do.
std::string disagreement(const std::vector<check>& checks);

class report {
 public:
  /// Error when the file cannot be written. An empty path writes nothing.
  explicit report(const std::string& path);
  /// A line about the run as a whole: {"device": {…}}.
  void about(const std::vector<std::pair<std::string, std::string>>& facts);
  void write(const case_record& of);
  /// Whether something disagreed, or a case ended in an error.
  bool has_failures() const { return failures_ > 0; }
  /// "30 cases, 54 arrays compared, 0 cases failed".
  std::string summary() const;

 private:
  void line(const std::string& json);
  std::ofstream to_;
  int cases_ = 0, checks_ = 0, failures_ = 0;
};

}  // namespace device_bench
