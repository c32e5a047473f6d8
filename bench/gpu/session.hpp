// What the cases of a run share: graphs, where results go, and ways of doing the same work measured in turn.
#pragma once

#include "report.hpp"  // report, entry

#include <stg/runtime/graph.hpp>  // graph

#include <functional>  // function
#include <string>      // string
#include <vector>      // vector

namespace device_bench {

/// A graph on the host, and where programs run.
struct subject {
  std::string name;
  stg::graph graph, there;
};

/// Power laws of 0.2 M / 2.3 M, 1 M / 20 M and 50 k / 50 M vertices / edges, both directions and the loops counted: the
/// first two half R-MAT, half uniform, the last R-MAT alone; in a check on the host all of them small.
const std::vector<std::string>& graph_names();
/// One of them, made anew: a minute for the largest, mostly of one core.
stg::graph make_graph(const std::string& name);

/// A way of doing a case, ready to be called: work on the device's own stream that `run` does not wait for.
struct way {
  std::string who, variant;
  std::function<void()> run;
  std::vector<std::pair<std::string, double>> facts{};
};

struct session {
  report& to;
  std::string exchange;           // folder for the peers' inputs and results; empty: none
  std::vector<std::string> only;  // beginnings of the names of cases that are wanted; empty: all
  int rounds = 9;

  bool wants(const std::string& name) const;
  /// Whether a case on this graph may be wanted.
  bool wants_graph(const std::string& name) const;

  /// Milliseconds of every way, as entries: after a call that is not counted, `rounds` samples of each in turn, by
  /// events of the device. A sample repeats calls until it takes about 2 ms, at most 50 times, and holds what the host
  /// does between them. On the host nothing is timed.
  std::vector<entry> in_turn(const std::vector<way>& ways) const;

  /// Runs a case unless it is not wanted, and writes what came of it; what it throws is the case's error.
  void run(const std::string& name, const subject& on, const std::function<void(case_record&)>& body) const;
};

/// Moves what is left to do on the device to the past; nothing on the host.
void synchronize();

}  // namespace device_bench
