// Parameters on disk: a folder of arrays that NumPy reads, too.
#include <stg/data/checkpoint.hpp>  // save_parameters, load_parameters
#include <stg/stg.hpp>              // the language

#include <cstdio>      // printf
#include <filesystem>  // temp_directory_path

inline constexpr auto x = stg::vertex_feature<"x", 2>;
inline constexpr auto W = stg::parameter<"W", 2, 3>;
inline constexpr auto b = stg::parameter<"b", 3>;
inline constexpr auto model = [](auto v) { return linear(v(x), W, b); };

int main() {
  const auto folder = (std::filesystem::temp_directory_path() / "stg_saved_parameters").string();
  auto params = stg::parameters<model>();
  stg::initialize(params, 1);
  stg::save_parameters(params, folder);  // W.npy and b.npy
  auto other = stg::parameters<model>();
  stg::load_parameters(other, folder);
  std::printf("the same number: %s\n", other[W](1, 2) == params[W](1, 2) ? "yes" : "no");
}

// last line: the same number: yes
