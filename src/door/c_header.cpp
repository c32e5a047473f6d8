// What stg_add_c_library writes from the programs of a library: its header, the file of its functions, and the list of
// what it exports.
#include <fstream>      // ofstream
#include <iostream>     // cerr
#include <string>       // string, to_string
#include <string_view>  // string_view
#include <vector>       // vector

#include <stg/base/error.hpp>    // error
#include <stg/c_library.hpp>     // c_library
#include <stg/door/c_calls.hpp>  // write_library

#include "c_types.hpp"  // types

namespace stg::door::c {

namespace {

/// A function of the library: declared in the header, defined in the file of functions, and exported.
struct exported {
  std::string comment, result, name, parameters, body;
};

/// A name of stg's as one of C: letters that C's names have not become _, words of C and of C++ end in one.
std::string c_name(std::string_view name) {
  static constexpr std::string_view words =
      " auto break case char const continue default do double else enum extern float for goto if inline int long "
      "register restrict return short signed sizeof static struct switch typedef union unsigned void volatile while "
      "and bool catch class delete explicit export false friend mutable namespace new not operator or private "
      "protected public template this throw true try typename using virtual xor ";
  std::string found;
  for (const char letter : name) {
    const bool is_digit = letter >= '0' && letter <= '9';
    const bool is_plain = (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z') || is_digit;
    if (is_digit && found.empty()) found = "_";
    found += is_plain ? letter : '_';
  }
  if (words.find(' ' + found + ' ') != std::string_view::npos) found += '_';
  return found;
}
std::string in_capitals(std::string name) {
  for (char& letter : name)
    if (letter >= 'a' && letter <= 'z') letter = static_cast<char>(letter - 'a' + 'A');
  return name;
}
/// A text that ends no comment of C's.
std::string in_comment(std::string_view text) {
  std::string safe;
  for (const char letter : text) {
    if (letter == '/' && !safe.empty() && safe.back() == '*') safe += ' ';
    safe += letter;
  }
  return safe;
}

/// A struct with an array for each value. Errors: two values whose names are one in C.
class array_struct {
 public:
  array_struct(std::string name, std::string_view array) : name_(std::move(name)), array_(array) {}
  void add(const std::string& member, const std::string& what) {
    if (text_.find(' ' + member + ';') != std::string::npos)
      throw stg::error(name_ + " has two members '" + member + "'; give the program's values names that differ in C");
    text_ += "  " + array_ + ' ' + member + "; /* " + in_comment(what) + " */\n";
  }
  bool is_empty() const { return text_.empty(); }
  std::string text() const { return "typedef struct " + name_ + " {\n" + text_ + "} " + name_ + ";\n"; }

 private:
  std::string name_, array_, text_;
};

/// The functions of one program, and the structs that they take.
class written_function {
 public:
  written_function(const std::string& library, int at, const c_library::function& f)
      : library_(library), at_(std::to_string(at)), name_(library + '_' + c_name(f.name)), f_(f) {
    for (const value& v : f.described().inputs)
      if (v.is_sparse)
        throw stg::error("program '" + f.name + "' reads the sparse '" + v.name +
                         "', and C has no door for sparse arrays; declare it as a vertex_feature");
    if (f.loss != nullptr && (f.program != nullptr || f.training != nullptr))
      throw stg::error("'" + f.name + "' is a loss and a program; give each its name");
    write_structs();
    if (f.program != nullptr) add_call();
    if (f.training != nullptr) add_recording();
    if (f.loss != nullptr) add_loss();
    if ((f.training != nullptr || f.loss != nullptr) && f.described().draws)
      functions.push_back({"Of the masks of dropout; calls are numbered from 0 again.", "int", name_ + "_seed",
                           "uint64_t seed", "return c::seed(" + at_ + ", seed);"});
  }

  std::string structs{};
  std::vector<exported> functions{};

 private:
  void write_structs() {
    const signature& of = f_.described();
    array_struct inputs(name_ + "_inputs", "stg_input"), outputs(name_ + "_outputs", "stg_output");
    for (const value& v : of.inputs) inputs.add(c_name(v.name), v.spelled());
    for (std::size_t k = 0; k < of.outputs.size(); ++k) outputs.add(output_name(k), of.outputs[k].spelled());
    structs += "/* " + in_comment(f_.name + (f_.text.empty() ? "" : ": " + f_.text)) + " */\n";
    has_inputs_ = !inputs.is_empty();
    if (has_inputs_) structs += inputs.text();
    structs += outputs.text();
    if (f_.training != nullptr) write_cotangents();
    if (f_.training != nullptr || f_.loss != nullptr) write_gradients();
  }
  void write_cotangents() {
    const signature& of = f_.described();
    array_struct cotangents(name_ + "_cotangents", "stg_input");
    for (std::size_t k = 0; k < of.outputs.size(); ++k)
      if (is_differentiable(of.outputs[k].type)) cotangents.add(output_name(k), of.outputs[k].spelled());
    structs += cotangents.text();
  }
  void write_gradients() {
    const signature& of = f_.training != nullptr ? f_.training->described() : f_.loss->described();
    array_struct gradients(name_ + "_gradients", "stg_output");
    for (const std::string& name : of.gradients) gradients.add(c_name(name), of.input(name)->spelled());
    structs += gradients.text();
  }
  std::string output_name(std::size_t k) const {
    const auto& outputs = f_.described().outputs;
    if (!outputs[k].name.empty()) return c_name(outputs[k].name);
    return outputs.size() == 1 ? "out" : "out" + std::to_string(k);
  }
  std::string parameter(std::string_view of, std::string_view name) const {
    return ", const " + name_ + std::string(of) + " *" + std::string(name);
  }
  std::string graph_and_inputs() const {
    return "const " + library_ + "_graph *graph" + (has_inputs_ ? parameter("_inputs", "inputs") : "");
  }
  std::string given_graph_and_inputs() const {
    return at_ + ", graph, " + (has_inputs_ ? "c::arrays_of<c::input>(inputs).data()" : "nullptr");
  }

  void add_call() {
    functions.push_back({"", "int", name_, graph_and_inputs() + parameter("_outputs", "outputs"),
                         "return c::call(" + given_graph_and_inputs() + ", c::arrays_of<c::output>(outputs).data());"});
  }
  void add_recording() {
    functions.push_back(
        {"Runs the program in training; the tape reads the inputs' memory until it is differentiated. Results whose\n"
         "   data is null, or all where outputs is null, are left out.",
         "int", name_ + "_record",
         graph_and_inputs() + parameter("_outputs", "outputs") + ", " + library_ + "_tape **tape",
         "return c::record(" + given_graph_and_inputs() +
             ", c::arrays_of<c::output>(outputs).data(), reinterpret_cast<void **>(tape));"});
    functions.push_back(
        {"The gradients, once for each tape. A cotangent whose data is null is zero, a gradient whose\n"
         "   data is null is left out.",
         "int", name_ + "_backward",
         library_ + "_tape *tape" + parameter("_cotangents", "cotangents") + parameter("_gradients", "gradients"),
         "return c::backward(tape, c::arrays_of<c::input>(cotangents).data(), "
         "c::arrays_of<c::output>(gradients).data());"});
  }
  void add_loss() {
    functions.push_back(
        {"The loss and its gradients. Results and gradients whose data is null, or all where outputs\n"
         "   is null, are left out.",
         "int", name_,
         graph_and_inputs() + ", double *value" + parameter("_outputs", "outputs") +
             parameter("_gradients", "gradients"),
         "return c::step(" + given_graph_and_inputs() +
             ", value, c::arrays_of<c::output>(outputs).data(), "
             "c::arrays_of<c::output>(gradients).data());"});
  }

  std::string library_, at_, name_;
  const c_library::function& f_;
  bool has_inputs_ = false;
};

/// The functions that make graphs: those that a program of the library is called on.
std::vector<exported> graph_functions(const std::string& name, const c_library& of) {
  bool plain = false, kinds = false, steps = false, tapes = false;
  for (const c_library::function& f : of.functions()) {
    const signature& s = f.described();
    (s.is_over_sets ? kinds : plain) = true;
    steps = steps || s.takes_steps;
    tapes = tapes || f.training != nullptr;
  }
  const std::string graph = name + "_graph *";
  std::vector<exported> all;
  all.push_back(
      {"Why the last call of this thread failed. Functions give 0, or another number where they fail; those\n"
       "   that make a graph give null.",
       "const char *", name + "_error", "void", "return c::error();"});
  if (plain)
    all.push_back({"Edge i goes from vertex src[i] to vertex dst[i]. The lists are read here alone.", graph,
                   name + "_graph_make", "int64_t vertices, int64_t edges, const int64_t *src, const int64_t *dst",
                   "return static_cast<" + graph + ">(c::make_graph(vertices, edges, src, dst));"});
  if (kinds)
    all.push_back(
        {"A graph of several kinds of vertices, for programs over vertex sets.", graph, name + "_graph_of_kinds",
         "const stg_vertex_set *sets, int32_t set_count, const stg_relation *relations, "
         "int32_t relation_count",
         "return static_cast<" + graph + ">(c::make_graph_of_kinds(sets, set_count, relations, relation_count));"});
  if (steps)
    all.push_back({"A graph for each step of a program's scans: edges[t] edges, from src[t] to dst[t].", graph,
                   name + "_graph_of_steps",
                   "int64_t vertices, int32_t steps, const int64_t *edges, const int64_t *const *src, "
                   "const int64_t *const *dst",
                   "return static_cast<" + graph + ">(c::make_graph_of_steps(vertices, steps, edges, src, dst));"});
  all.push_back({"Tapes keep their graph; null is fine.", "void", name + "_graph_free", graph + "graph",
                 "c::free_graph(graph);"});
  if (tapes) all.push_back({"", "void", name + "_tape_free", name + "_tape *tape", "c::free_tape(tape);"});
  return all;
}

/// The declaration of a function, without its semicolon: a line for each parameter where one line is too long.
std::string declaration(const exported& f) {
  const std::string head = f.result + (f.result.back() == '*' ? "" : " ") + f.name + '(';
  if (head.size() + f.parameters.size() < 110) return head + f.parameters + ')';
  std::string lines = head;
  for (const char letter : f.parameters)
    if (letter == ' ' && lines.back() == ',') lines += "\n    ";
    else lines += letter;
  return lines + ')';
}
std::string declared(const std::vector<exported>& functions) {
  std::string text;
  for (const exported& f : functions)
    text += (f.comment.empty() ? "" : "\n/* " + f.comment + " */\n") + declaration(f) + ";\n";
  return text;
}

/// The three files, as texts.
struct written_library {
  std::string header, functions, exports;
};
written_library written(const std::string& name, const c_library& of) {
  std::vector<exported> all = graph_functions(name, of);
  std::string header = declared(all);
  bool has_tapes = false;
  int at = 0;
  for (const c_library::function& f : of.functions()) {
    const written_function one(name, at++, f);
    header += '\n' + one.structs + declared(one.functions);
    all.insert(all.end(), one.functions.begin(), one.functions.end());
    has_tapes = has_tapes || f.training != nullptr;
  }
  const auto opaque = [](const std::string& type) { return "typedef struct " + type + ' ' + type + ";\n"; };
  const std::string guard = in_capitals(name) + "_H";
  written_library w;
  w.header = "/* The programs of the library " + name + ", written by stg when it was built. docs/interop.md of stg " +
             "says how they\n   are called. */\n#ifndef " + guard + "\n#define " + guard +
             "\n\n#include <stdint.h>\n\n#ifdef __cplusplus\nextern \"C\" {\n#endif\n\n" + arrays_text() + '\n' +
             opaque(name + "_graph") + (has_tapes ? opaque(name + "_tape") : "") + header +
             "\n#ifdef __cplusplus\n}\n#endif\n\n#endif\n";
  w.functions = "// The functions of " + name + ".h, written by stg_add_c_library.\n" +
                "#include <stg/door/c_calls.hpp>\n\n#pragma GCC visibility push(default)\n#include \"" + name +
                ".h\"\n#pragma GCC visibility pop\n\nnamespace c = stg::door::c;\n\n";
  w.exports = "{\n  global:\n";
  for (const exported& f : all) {
    w.functions += declaration(f) + " { " + f.body + " }\n";
    w.exports += "    " + f.name + ";\n";
  }
  w.exports += "  local: *;\n};\n";
  return w;
}

void write_file(const std::string& path, const std::string& text) {
  std::ofstream file(path, std::ios::binary);
  file << text;
  if (!file.flush()) throw stg::error(path + " cannot be written");
}

}  // namespace

int write_library(const char* name, const char* folder) {
  try {
    if (std::string_view(stg::detail::c_library_name()) != name)
      throw stg::error("the library " + std::string(name) + " is made of STG_C_LIBRARY(" +
                       stg::detail::c_library_name() + ", …); give both the same name");
    if (c_name(name) != name) throw stg::error("'" + std::string(name) + "' is no name of C; give the library another");
    c_library of;
    stg::detail::fill_c_library(of);
    if (of.functions().empty())
      throw stg::error("the library " + std::string(name) + " has no program; add one, m.program<f>(\"f\")");
    const written_library w = written(name, of);
    const std::string path = std::string(folder) + '/' + name;
    write_file(path + ".h", w.header);
    write_file(path + "_functions.cpp", w.functions);
    write_file(path + ".map", w.exports);
    return 0;
  } catch (const std::exception& wrong) {
    std::cerr << wrong.what() << '\n';
    return 1;
  }
}

}  // namespace stg::door::c
