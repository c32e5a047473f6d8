// What the cases of a run share: graphs, where results go, and ways of doing the same work measured in turn.
#pragma once

#include "report.hpp"  // report, entry

#include <stg/runtime/graph.hpp>  // graph

#include <functional>  // function
#include <stdexcept>   // runtime_error
#include <string>      // string
#include <vector>      // vector

namespace device_bench {

/// A graph on the host, and where programs run.
struct subject {
  std::string name;
  stg::graph graph, there;
};

/// A way of doing a case, ready to be called: work on the device's own stream that `run` does not wait for.
struct way {
  std::string who, variant;
  std::function<void()> run;
  std::vector<std::pair<std::string, double>> facts{};
};

struct device_is_lost : std::runtime_error {
  using std::runtime_error::runtime_error;
};

struct session {
  report& to;
  std::string exchange;              // folder for the peers' inputs and results; empty: none
  std::vector<std::string> only;     // beginnings of the names of cases that are wanted; empty: all
  std::vector<std::string> without;  // cases that are not
  int rounds = 9;

  bool wants(const std::string& name) const;
  /// Whether a case whose name begins so may be wanted.
  bool may_want(const std::string& beginning) const;

  /// Milliseconds of every way, as entries: after a call that is not counted, `rounds` samples of each in turn, by
  /// events of the device. A sample repeats calls until it takes about 2 ms, at most 50 times, and holds what the host
  /// does between them. On the host nothing is timed.
  std::vector<entry> in_turn(const std::vector<way>& ways) const;

  /// Runs a case unless it is not wanted, and writes what came of it; what it throws is the case's error. Throws
  /// device_is_lost where a kernel has done what CUDA forgives nobody: no later call of the process would succeed.
  void run(const std::string& name, const subject& on, const std::function<void(case_record&)>& body) const;

  /// Prepares cases and runs them: what preparing throws, such as for want of memory, is the error of a case of that
  /// name, and others go on. Throws as run does.
  void attempt(const std::string& name, const stg::graph& on, const std::function<void()>& cases) const;
};

/// Moves what is left to do on the device to the past; nothing on the host.
void synchronize();

}  // namespace device_bench
