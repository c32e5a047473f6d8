// stg draw: a model's program as a drawing.
#include <stg/call/program_page.hpp>  // write_page
#include <stg/call/report.hpp>        // write_whole_file
#include <stg/examine/picture.hpp>    // to_dot, to_svg, groups_by_unit
#include <stg/ir/text.hpp>            // to_file_text

#include "answer.hpp"      // print
#include "model_call.hpp"  // is_model
#include "tool.hpp"        // add_command

namespace stg::command_line {

namespace {

struct draw_options {
  std::string model{}, path{}, to{};
  bool by_unit = false, planned = false;
};

void draw(const draw_options& asked) {
  std::string format = asked.to;
  if (format.empty() && asked.path.ends_with(".svg")) format = "svg";
  if (format.empty() && asked.path.ends_with(".html")) format = "html";
  if (format.empty() && (asked.path.empty() || asked.path.ends_with(".dot") || asked.path.ends_with(".gv")))
    format = "dot";
  if (format.empty() && asked.path.ends_with(".stg")) format = "text";
  if (format.empty())
    throw wrong_usage("the end of " + asked.path + " says no drawing; give .svg, .dot, .html or .stg, or write --to");
  if (format == "html" && asked.path.empty()) throw wrong_usage("a page is a file; write --output NAME.html");
  const stored_model model = read_stored_model(asked.model);
  if (format == "html") return write_page(asked.path, model.program);
  const ir::program p = asked.planned ? runnable(model.program).planned() : model.program;
  const examine::grouping groups = asked.by_unit ? examine::groups_by_unit(p) : examine::grouping();
  const std::string drawn = format == "svg"   ? examine::to_svg(p, groups)
                            : format == "dot" ? examine::to_dot(p, groups)
                                              : ir::to_file_text(p);
  if (asked.path.empty()) return print(drawn);
  detail::write_whole_file(asked.path, drawn);
}

}  // namespace

void add_draw(tool& to) {
  add_command<draw_options>(
      to, "draw", "a model's program as SVG, as a Graphviz graph, as a page or as text", "stg draw gcn -o gcn.svg",
      [](CLI::App& command, draw_options& o) {
        command.add_option("model", o.model, "folder of stg::save_model, or file of a program, NAME.stg")
            ->required()
            ->type_name(a_model);
        command
            .add_option("-o,--output", o.path,
                        "file NAME.svg, NAME.dot, NAME.html or NAME.stg; without it the text is printed")
            ->type_name(a_path);
        command.add_option("--to", o.to, "what is drawn, where the name does not say it")
            ->check(CLI::IsMember(std::vector<std::string>{"svg", "dot", "html", "text"}));
        command.add_flag("--units", o.by_unit, "a frame around what runs as one unit");
        command.add_flag("--planned", o.planned, "the program that runs, after the passes of a call");
      },
      draw);
}

}  // namespace stg::command_line
