// Reads files of HDF5, for what compares them: hdf5_read FILE prints each dataset as doubles, hdf5_read FILE frame a
// frame.
#include <stg/base/error.hpp>  // error
#include <stg/data/hdf5.hpp>   // read_hdf5_as

#include <cstdio>   // printf
#include <cstring>  // strcmp

namespace {

void print(const stg::tensor<double>& values) {
  for (const double v : values) std::printf(" %a", v);
  std::printf("\n");
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) {
    std::fprintf(stderr, "usage: hdf5_read FILE [frame]\n");
    return 2;
  }
  try {
    if (argc == 3 && std::strcmp(argv[2], "frame") == 0) {
      const stg::hdf5_frame frame = stg::read_hdf5_frame(argv[1]);
      for (const std::string& name : frame.columns) std::printf("%s ", name.c_str());
      std::printf("\n");
      for (const std::int64_t time : frame.times) std::printf("%lld ", static_cast<long long>(time));
      std::printf("\n");
      print(frame.values);
      return 0;
    }
    for (const stg::hdf5_dataset& d : stg::hdf5_datasets(argv[1])) {
      std::printf("%s", d.path.c_str());
      try {
        print(stg::read_hdf5_as<double>(argv[1], d.path));
      } catch (const stg::error& e) {
        std::printf("\t%s\n", e.what());
      }
    }
  } catch (const stg::error& e) {
    std::printf("%s\n", e.what());
    return 1;
  }
}
