// What a compiler needs for a file that has nothing to do with stg: the measure of the machine that it runs on.
#include <algorithm>      // sort, transform
#include <map>            // map
#include <regex>          // regex
#include <string>         // string
#include <unordered_map>  // unordered_map
#include <variant>        // variant, visit
#include <vector>         // vector

namespace {

using field = std::variant<int, double, std::string, std::vector<int>, std::vector<double>>;

template <int N> struct table {
  std::map<std::string, field> fields;
  std::unordered_map<std::string, std::vector<field>> history;

  std::size_t update(const std::string& line) {
    static const std::regex pattern("([a-z]+)" + std::to_string(N) + "=([0-9.]+|\\[.*\\])");
    std::smatch match;
    if (!std::regex_search(line, match, pattern)) return 0;
    history[match[1]].push_back(fields[match[1]]);
    fields[match[1]] = match[2].str();
    std::vector<std::pair<std::string, std::size_t>> sizes;
    for (const auto& [name, values] : history) sizes.emplace_back(name, values.size());
    std::sort(sizes.begin(), sizes.end(), [](const auto& a, const auto& b) { return a.second + N < b.second + N; });
    return std::visit([](const auto& value) { return sizeof value; }, fields.begin()->second) + sizes.size();
  }
};

template <int... N> std::size_t update_all(const std::string& line) { return (table<N>().update(line) + ...); }

}  // namespace

std::size_t reference(const std::string& line) { return update_all<0, 1, 2, 3, 4, 5, 6, 7>(line); }
