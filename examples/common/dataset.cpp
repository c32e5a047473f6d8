// The choice of a data set: by name, or Cora with the built-in karate club to fall back on.
#include <common/dataset.hpp>  // load_dataset

#include <stg/base/error.hpp>   // error
#include <stg/data/karate.hpp>  // karate_club

#include <algorithm>  // any_of
#include <iostream>   // cerr

namespace common {
namespace {

bool any(const stg::tensor<bool>& mask) {
  return std::any_of(mask.begin(), mask.end(), [](bool chosen) { return chosen; });
}

/// The club's two factions, with the side of their heads alone known: the instructor (0) and the officer (33).
stg::node_classification karate_factions() {
  stg::node_classification club = stg::karate_club(stg::karate_labels::factions);
  for (int v = 0; v < club.train.size(); ++v) {
    club.train(v) = v == 0 || v == club.train.size() - 1;
    club.test(v) = !club.train(v);
  }
  return club;
}

stg::node_classification checked(stg::node_classification data) {
  const auto require = [&](bool holds, const char* what) {
    if (!holds)
      throw stg::error("data set " + data.name + " has no " + what + "; take one that has, such as cora or citeseer");
  };
  require(data.features.size() > 0, "features");
  require(any(data.train), "training vertices");
  require(any(data.test), "test vertices");
  return data;
}

}  // namespace

stg::node_classification load_dataset(const std::string& name, std::ostream& note) {
  if (name == "karate_club") return karate_factions();
  if (name != "auto") return checked(stg::load_node_classification(name));
  const stg::search_result found = stg::find_dataset("cora");
  if (!found.folder.empty()) return checked(stg::read_node_classification(found.folder, "cora"));
  note << "cora is not found, training on the built-in karate club instead; looked in\n";
  for (const std::string& place : found.places) note << "  " << place << '\n';
  return karate_factions();
}

stg::node_classification load_dataset(const std::string& name) { return load_dataset(name, std::cerr); }

}  // namespace common
