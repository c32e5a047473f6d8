// The data set an example trains on.
#pragma once

#include <stg/data/dataset.hpp>  // node_classification

#include <iosfwd>  // ostream
#include <string>  // string

namespace common {

/// The data set of this name, ready for node classification. `auto` is Cora; where Cora is in none of the places that
/// stg::find_dataset looks in, `note` gets these places and Zachary's karate club is taken, which is built in (as
/// `karate_club`): who sides with whom after the split, from the sides of the two heads. Errors: those of
/// stg::load_node_classification, and stg::error for a data set without features, training vertices or test vertices.
///
///   auto data = common::load_dataset("auto", std::cerr);
stg::node_classification load_dataset(const std::string& name, std::ostream& note);
/// The same with its notes on stderr.
stg::node_classification load_dataset(const std::string& name);

}  // namespace common
