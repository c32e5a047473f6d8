// Zachary's karate club, the data set that is always there.
#pragma once

#include <stg/data/dataset.hpp>  // node_classification

namespace stg {

/// What the classes of the karate club are.
enum class karate_labels {
  communities,  ///< four communities found by modularity, as in PyG's KarateClub (Kipf and Welling 2017)
  factions      ///< who followed the instructor (0) and who the officer (1), as in NetworkX
};

/// Zachary 1977: 34 vertices, 78 friendships stored in both directions (156 edges ordered by source, then destination),
/// the identity as features (34, 34). Training mask: the first vertex of each class, as PyG does; test: all others;
/// val: none.
///
///   auto club = stg::karate_club();     // club.classes == 4
node_classification karate_club(karate_labels labels = karate_labels::communities);

}  // namespace stg
