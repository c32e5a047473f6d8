// Looking for the folder of a data set.
#include <stg/data/search.hpp>            // find_dataset
#include <stg/runtime/out_of_memory.hpp>  // no_memory

#include <cstdlib>     // getenv
#include <filesystem>  // is_directory, path
#include <utility>     // move

namespace stg {

namespace {

std::string described(const std::string& name, const std::vector<std::string>& places) {
  std::string text = "data set " + name + " is not found; put it into one of:";
  for (const std::string& place : places) text += "\n  " + place;
  return text;
}

/// A variable's value, empty when unset.
std::string environment(const char* variable) {
  const char* value = std::getenv(variable);
  return value == nullptr ? "" : value;
}

}  // namespace

dataset_not_found::dataset_not_found(const std::string& name, std::vector<std::string> looked_at)
    : error(described(name, looked_at)), places(std::move(looked_at)) {}

search_result find_dataset(const std::string& name, const std::string& root) try {
  if (name.empty() || name.find_first_of("/\\") != std::string::npos || name == "." || name == "..")
    throw error("data set name \"" + name + "\"; give the name of a folder, such as cora");

  search_result result;
  const auto look_in = [&](const std::filesystem::path& folder) {
    const std::filesystem::path place = folder / name;
    result.places.push_back(place.string());
    std::error_code status;
    if (result.folder.empty() && std::filesystem::is_directory(place, status)) result.folder = place.string();
  };

  if (!root.empty()) look_in(root);
  if (const std::string folder = environment("STG_DATA_DIR"); !folder.empty()) look_in(folder);
  else result.places.push_back("$STG_DATA_DIR/" + name + " (unset)");
  const std::string cache = environment("XDG_CACHE_HOME"), home = environment("HOME");
  if (!cache.empty()) look_in(std::filesystem::path(cache) / "stg");
  else if (!home.empty()) look_in(std::filesystem::path(home) / ".cache" / "stg");
  else result.places.push_back("~/.cache/stg/" + name + " (HOME is unset)");
  return result;
} catch (const std::bad_alloc&) {
  detail::no_memory();
}

}  // namespace stg
