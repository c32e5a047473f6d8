// Cases by name, and their inputs.
#include "work.hpp"  // work, inputs, case_name

#include "../../graphs.hpp"  // named

#include <stg/base/error.hpp>          // error
#include <stg/data/npy.hpp>            // write_npy
#include <stg/runtime/initialize.hpp>  // normal

#include <algorithm>   // find
#include <filesystem>  // exists, create_directories
#include <map>         // map

namespace peers {
namespace {

/// Made once per process: several cases run on one graph.
const stg::graph& graph_of(const std::string& name) {
  static std::map<std::string, stg::graph> made;
  if (const auto at = made.find(name); at != made.end()) return at->second;
  auto g = graphs::named(name);
  if (!g) throw stg::error("graph '" + name + "' is not there; set STG_DATA_DIR");
  return made.emplace(name, std::move(*g)).first->second;
}

bool is_temporal(const case_name& which) { return which.kind == "tgcn" || which.kind == "gconv_gru"; }
bool has_kinds(const case_name& which) { return which.kind == "rgcn" || which.kind == "gin"; }
bool is_sampled(const case_name& which) { return which.kind == "sampling" || which.kind == "sage"; }

}  // namespace

case_name parse_case(const std::string& spelled) {
  std::vector<std::string> parts(1);
  for (char c : spelled)
    if (c == ':') parts.emplace_back();
    else parts.back() += c;
  if (parts.size() != 4) throw stg::error("case '" + spelled + "' is not KIND:GRAPH:SIZE:PASS");
  return {parts[0], parts[1], parts[2], parts[3]};
}

stg::tensor<float> inputs::normal(const std::string& name, const stg::dimensions& shape, std::uint64_t seed) const {
  auto t = stg::tensor<float>::for_overwrite(shape);
  stg::normal(t, 0, 1, seed);
  keep(name, t);
  return t;
}

template <class T> void inputs::keep(const std::string& name, const stg::tensor<T>& t) const {
  const std::string path = folder + "/" + name + ".npy";
  if (!std::filesystem::exists(path)) stg::write_npy(path, t);
}
template void inputs::keep(const std::string&, const stg::tensor<float>&) const;
template void inputs::keep(const std::string&, const stg::tensor<std::int32_t>&) const;
template void inputs::keep(const std::string&, const stg::tensor<bool>&) const;

std::vector<std::string> variants(const case_name& which) {
  if (is_temporal(which))
    return which.graph.starts_with("changing") ? std::vector<std::string>{"stg", "changes"}
                                               : std::vector<std::string>{"stg"};
  if (has_kinds(which) || which.kind == "sage") return {"stg"};
  if (which.kind == "sampling") return {"stg", "called"};
  if (which.kind == "sum" && which.size == "100") return {"stg", "96", "112"};
  if (which.kind == "sum" && which.pass == "forward") return {"stg", "floor"};
  if (which.pass == "epoch") return {"stg", which.graph == "cora" ? "sparse" : "fixed"};
  return {"stg"};
}

std::unique_ptr<work> make(const case_name& which, const std::string& variant, const std::string& folder) {
  std::filesystem::create_directories(folder);
  if (is_temporal(which)) return make_temporal(which, {{}, folder}, variant);
  if (has_kinds(which)) return make_kinds(which, {{}, folder});
  const inputs in{graph_of(which.graph), folder};
  in.graph.prepare();  // as DGL's formats are made
  const stg::edge_list edges = in.graph.edge_list();
  in.keep("src", stg::tensor<std::int32_t>::from({in.graph.edges()}, std::span<const std::int32_t>(edges.src)));
  in.keep("dst", stg::tensor<std::int32_t>::from({in.graph.edges()}, std::span<const std::int32_t>(edges.dst)));
  std::unique_ptr<work> made;
  if (variant == "floor") return make_floor(which, in);
  const auto known = variants(which);
  if (std::find(known.begin(), known.end(), variant) == known.end())
    throw stg::error("stg has no variant '" + variant + "' of " + which.kind);
  if (is_sampled(which)) made = make_sampled(which, in, variant);
  if (which.kind == "sum")
    made = make_sum(variant == "stg" ? which : case_name{which.kind, which.graph, variant, which.pass}, in);
  if (which.kind == "attention") made = make_attention(which, in);
  if (which.kind == "gcn") made = make_gcn(which, in, variant);
  if (which.kind == "gat") made = make_gat(which, in, variant);
  if (!made) throw stg::error("stg has no case " + which.kind + ":" + which.graph + ":" + which.size);
  return made;
}

}  // namespace peers
