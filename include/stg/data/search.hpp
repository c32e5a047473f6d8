// Where data sets are looked for.
#pragma once

#include <stg/base/error.hpp>  // error

#include <string>  // string
#include <vector>  // vector

namespace stg {

/// A data set that is in none of the places looked at.
struct dataset_not_found : error {
  dataset_not_found(const std::string& name, std::vector<std::string> places);
  /// Folders that were looked for, in order; an unset variable is named instead.
  std::vector<std::string> places;
};

/// What a search ended in: `folder` is empty when there is no such data set.
struct search_result {
  std::string folder;
  std::vector<std::string> places;
};

/// Looks for a data set's folder in `root` (when not empty), $STG_DATA_DIR, then the user's cache, $XDG_CACHE_HOME/stg
/// or ~/.cache/stg. Error when the name is empty or holds a path separator or "..".
///
///   auto found = stg::find_dataset("cora");
///   if (found.folder.empty()) for (auto& p : found.places) std::puts(p.c_str());
search_result find_dataset(const std::string& name, const std::string& root = {});

}  // namespace stg
