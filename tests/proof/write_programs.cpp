// Writes random programs as C++ tests.
// Every other one is called plainly and the rest in training, which halves what a compiler has to do for one.
// usage: write_programs FOLDER SEED FILES PROGRAMS_IN_EACH
#include "program_text.hpp"     // lambda_of
#include "random_programs.hpp"  // small_program

#include <cstdlib>   // strtoull
#include <fstream>   // ofstream
#include <iostream>  // cerr
#include <string>    // string

using namespace stg;
using namespace stg::test;

int main(int count, char** arguments) {
  if (count != 5) {
    std::cerr << "usage: write_programs FOLDER SEED FILES PROGRAMS_IN_EACH\n";
    return 2;
  }
  const auto number = [&](int k) { return std::strtoull(arguments[k], nullptr, 10); };
  const std::uint64_t first = number(2), files = number(3), each = number(4);
  for (std::uint64_t f = 0; f < files; ++f) {
    const std::string path = std::string(arguments[1]) + "/programs_" + std::to_string(f) + ".cpp";
    std::ofstream to(path);
    to << "// Random programs, written by write_programs.\n#include \"compiled_check.hpp\"\n";
    for (std::uint64_t k = 0; k < each; ++k) {
      const std::uint64_t seed = first * 100000 + f * each + k;
      const ir::program p = small_program(seed).program;
      bool trains = false;
      for (const ir::input& in : p.inputs) trains = trains || in.trainable;
      const std::string number = std::to_string(seed), name = "program_" + number;
      to << "\nnamespace " << name << " {\n\n"
         << lambda_of(p) << "\n}  // namespace " << name << "\n\nTEST(compiled_programs, seed_" << number
         << ") { stg::test::check_compiled<" << name << "::program, " << (trains && seed % 2 == 0 ? "true" : "false")
         << ">(" << number << "); }\n";
    }
    if (!to.flush()) {
      std::cerr << "write_programs: cannot write " << path << '\n';
      return 1;
    }
  }
}
