// Graphs by name, and rounds.
#include "session.hpp"

#include "../graphs.hpp"  // make
#include "on.hpp"         // place, on_device

#include <stg/base/error.hpp>           // error
#include <stg/runtime/cuda/stream.hpp>  // stream, timer

#include <algorithm>  // clamp
#include <cstdio>     // printf

namespace device_bench {

namespace {

struct named_recipe {
  std::string name;
  graphs::recipe recipe;
};

/// Edges are both directions of `edges` and a loop per vertex. In a check on the host, a hundredth of the vertices.
std::vector<named_recipe> recipes() {
  std::vector<named_recipe> all = {
      {"rmat_200k",
       {.vertices = 200'000, .edges = 1'050'000, .uniform = 525'000, .quarter = {.57, .19, .19, .05}, .seed = 11}},
      {"rmat_1m",
       {.vertices = 1'000'000, .edges = 9'500'000, .uniform = 4'750'000, .quarter = {.57, .19, .19, .05}, .seed = 12}},
      {"rmat_50k", {.vertices = 50'000, .edges = 24'975'000, .uniform = 0, .quarter = {.5, .2, .2, .1}, .seed = 13}}};
  if (!on_device)
    for (named_recipe& r : all) {
      r.recipe.vertices /= 100;
      r.recipe.edges /= 1000;
      r.recipe.uniform /= 1000;
    }
  return all;
}

}  // namespace

const std::vector<std::string>& graph_names() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> n;
    for (const named_recipe& r : recipes()) n.push_back(r.name);
    return n;
  }();
  return names;
}

stg::graph make_graph(const std::string& name) {
  for (const named_recipe& r : recipes())
    if (r.name == name) return graphs::make(r.recipe);
  throw stg::error("bench_gpu: there is no graph '" + name + "'");
}

bool session::wants(const std::string& name) const {
  if (only.empty()) return true;
  return std::any_of(only.begin(), only.end(), [&](const std::string& o) { return name.starts_with(o); });
}

bool session::wants_graph(const std::string& name) const {
  if (only.empty()) return true;
  return std::any_of(only.begin(), only.end(), [&](const std::string& o) {
    const std::size_t colon = o.find(':');
    if (colon == std::string::npos) return o != "gcn";
    return name.starts_with(o.substr(colon + 1, name.size()));
  });
}

#if defined(STG_BENCH_ON_HOST)
void synchronize() {}
std::vector<entry> session::in_turn(const std::vector<way>& ways) const {
  std::vector<entry> entries;
  for (const way& w : ways) {
    w.run();
    entries.push_back({w.who, w.variant, {}, w.facts});
  }
  return entries;
}
#else
namespace {
const stg::gpu::purpose why{"bench_gpu"};
}

void synchronize() { stg::gpu::device::open(place.device(), why)->synchronize(why); }

std::vector<entry> session::in_turn(const std::vector<way>& ways) const {
  stg::gpu::stream on(stg::gpu::device::open(place.device(), why));
  stg::gpu::timer timer(on, why);
  const auto milliseconds = [&](const way& w, int calls) {
    timer.start();
    for (int k = 0; k < calls; ++k) w.run();
    timer.stop();
    return timer.milliseconds() / calls;
  };
  std::vector<entry> entries;
  std::vector<int> calls;
  for (const way& w : ways) {
    w.run();  // kernels are loaded and memory is reserved by the first call
    calls.push_back(std::clamp(static_cast<int>(2 / std::max(milliseconds(w, 1), 0.01)), 1, 50));
    entries.push_back({w.who, w.variant, {}, w.facts});
  }
  for (int round = 0; round < rounds; ++round)
    for (std::size_t i = 0; i < ways.size(); ++i) entries[i].samples.push_back(milliseconds(ways[i], calls[i]));
  return entries;
}
#endif

void session::run(const std::string& name, const subject& on, const std::function<void(case_record&)>& body) const {
  if (!wants(name)) return;
  case_record record{name, on.graph.vertices(), on.graph.edges()};
  try {
    body(record);
    synchronize();  // what a kernel did wrong is this case's
  } catch (const std::exception& e) {
    record.error = e.what();
  }
  to.write(record);
}

}  // namespace device_bench
