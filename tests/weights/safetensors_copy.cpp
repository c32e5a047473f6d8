// safetensors_copy FROM TO: reads every file of a folder and writes it again; a line for each, with the sentence of a
// refusal.
#include <stg/base/error.hpp>        // error
#include <stg/data/safetensors.hpp>  // safetensors_file, safetensors_writer

#include <algorithm>   // sort
#include <cstdio>      // printf
#include <filesystem>  // directory_iterator
#include <string>      // string
#include <vector>      // vector

namespace {

/// A tensor by its own type where stg has it and by its bytes otherwise.
void copy_tensor(const stg::safetensors_file& from, const stg::safetensors_entry& t, stg::safetensors_writer& to) {
  using stg::safetensors_type;
  if (t.shape.size() > 5) return to.write(t.name, from, t.name);
  switch (t.type) {
    case safetensors_type::f32:
      return to.write(t.name, from.read<float>(t.name));
    case safetensors_type::f64:
      return to.write(t.name, from.read<double>(t.name));
    case safetensors_type::f16:
      return to.write(t.name, from.read<stg::float16>(t.name));
    case safetensors_type::bf16:
      return to.write(t.name, from.read<stg::bfloat16>(t.name));
    case safetensors_type::i32:
      return to.write(t.name, from.read<std::int32_t>(t.name));
    case safetensors_type::i64:
      return to.write(t.name, from.read<std::int64_t>(t.name));
    case safetensors_type::boolean:
      return to.write(t.name, from.read<bool>(t.name));
    default:
      return to.write(t.name, from, t.name);
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(argv[1])) files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  for (const auto& path : files) {
    std::string said = "copied";
    try {
      const stg::safetensors_file from(path.string());
      stg::safetensors_writer to((argv[2] / path.filename()).string());
      to.write(from.metadata());
      for (const auto& t : from.tensors()) copy_tensor(from, t, to);
      to.put_in_place();
    } catch (const stg::error& refused) {
      said = refused.what();
    }
    std::printf("%s\t%s\n", path.filename().c_str(), said.c_str());
  }
}
