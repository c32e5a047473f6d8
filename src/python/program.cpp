// Functions of a module.
#include "program.hpp"

#include "graphs.hpp"          // graph_of
#include "sparse.hpp"          // sparse_features
#include "torch_function.hpp"  // torch_function

#include <stg/base/error.hpp>       // error
#include <stg/door/edge_order.hpp>  // in_id_order, in_list_order
#include <stg/door/float64.hpp>     // in_float64

#include <nanobind/stl/string.h>  // casters
#include <nanobind/stl/vector.h>  // casters

#include <span>     // span
#include <utility>  // move
#include <variant>  // visit

namespace stg::python {

namespace {

nb::object as_arrays(std::vector<any_tensor> results, const door::called_with& on, const door::signature& of,
                     library to) {
  const auto one = [&](std::size_t k) {
    return as_array(door::in_list_order(std::move(results[k]), on, of.outputs[k]), to);
  };
  if (results.size() == 1) return one(0);
  nb::object all = nb::steal(PyTuple_New(static_cast<Py_ssize_t>(results.size())));
  for (std::size_t k = 0; k < results.size(); ++k)
    PyTuple_SET_ITEM(all.ptr(), static_cast<Py_ssize_t>(k), one(k).release().ptr());
  return all;
}

nb::list names_of(const std::vector<door::value>& values) {
  nb::list all;
  for (const door::value& v : values) all.append(v.name);
  return all;
}

/// A call of the program, of its training where there is no program, or a step of the loss. recorded(): by PyTorch.
template <class Inputs, class Recorded>
nb::object called(callable& of, const door::called_with& on, const nb::kwargs& given, const Inputs& inputs,
                  const Recorded& recorded) {
  if (of.loss != nullptr) return of.step(on, *inputs(of.loss->described()));
  if (of.training != nullptr && wants_gradients(given)) return recorded();
  if (of.program != nullptr) return of.run(on, *inputs(of.program->described()));
  return of.record(on, inputs(of.training->described()), nb::object(), given).outputs();
}

/// The tensors that `out` names: an array, or a tuple of them.
std::vector<any_tensor> outputs_in(nb::handle out, const door::signature& of) {
  std::vector<any_tensor> all;
  for (const door::value& v : of.outputs)
    if (v.where == "edge") throw error("values of edges are given back in a new array; call the program without out");
  if (of.outputs.size() == 1 && !nb::isinstance<nb::tuple>(out)) {
    all.push_back(written(out, of.outputs[0].type, "out"));
    return all;
  }
  if (!nb::isinstance<nb::tuple>(out) || nb::len(out) != of.outputs.size())
    throw error("out takes a tuple with an array for each of the " + std::to_string(of.outputs.size()) + " results");
  for (std::size_t k = 0; k < of.outputs.size(); ++k)
    all.push_back(written(out[k], of.outputs[k].type, "out[" + std::to_string(k) + ']'));
  return all;
}

}  // namespace

call_inputs::call_inputs(const door::signature& of, const door::called_with& on, const nb::dict& given,
                         const call_inputs* fixed) {
  if (fixed != nullptr) {
    inputs_ = fixed->inputs_;
    library_ = fixed->library_;
  }
  if (of.is_over_sets != (on.kinds != nullptr))
    door::detail::not_called_on(on, of.is_over_sets);  // before values of edges are looked at
  seen_.reserve(given.size());
  for (const auto& [key, array] : given) {
    const char* const name = PyUnicode_AsUTF8(key.ptr());
    const door::value* const v = of.input(name);
    if (v == nullptr) throw error("the program has no input '" + std::string(name) + "'; give those that it reads");
    const std::string spelled = "input '" + v->name + "'";
    if (v->is_sparse) {
      if (!nb::isinstance<sparse_features>(array))
        throw error(spelled + " is sparse and takes a Sparse, made once: Sparse.from_scipy(matrix)");
      seen_.emplace_back();
      continue;
    }
    seen_.push_back(seen(array, v->type, spelled));
    if (seen_.back().array.is_valid() && library_ == library::other) library_ = library_of(array);
    if (v->where == "edge") seen_.back().tensor = door::in_id_order(seen_.back().tensor, on, *v);
  }
  for (std::size_t i = 0; const auto& [key, array] : given) {
    const char* const name = PyUnicode_AsUTF8(key.ptr());
    const seen_array& found = seen_[i++];
    if (nb::isinstance<sparse_features>(array))
      std::visit([&](const auto& t) { inputs_.emplace_back(name, t); }, nb::inst_ptr<sparse_features>(array)->entries);
    else inputs_.emplace_back(name, found.tensor);
  }
}

nb::object callable::run(const door::called_with& on, const call_inputs& in) const {
  std::vector<any_tensor> results;
  {
    const nb::gil_scoped_release others_run;
    results = (*program)(on, in.all());
  }
  return as_arrays(std::move(results), on, program->described(), in.arrays_of());
}

nb::object callable::step(const door::called_with& on, const call_inputs& in) {
  door::loss::result now;
  {
    const nb::gil_scoped_release others_run;
    const std::lock_guard held(*one_at_a_time);
    now = (*loss)(on, in.all());
    for (door::named_tensor& g : now.gradients)  // which the next step overwrites
      g.second = std::visit([](const auto& t) -> any_tensor { return t.clone(); }, g.second);
  }
  nb::dict all;
  for (door::named_tensor& g : now.gradients)
    all[g.first.c_str()] =
        as_array(door::in_list_order(std::move(g.second), on, *loss->described().input(g.first)), in.arrays_of());
  return nb::make_tuple(now.value, all);
}

tape callable::record(const door::called_with& on, std::shared_ptr<const call_inputs> in, nb::object graph,
                      nb::object arrays) {
  tape t{nullptr, std::move(in), on, std::move(graph), std::move(arrays), training->described()};
  const nb::gil_scoped_release others_run;
  const std::lock_guard held(*one_at_a_time);
  t.recorded = training->record(on, t.inputs->all());
  return t;
}

void callable::seed(std::uint64_t s) {
  const std::lock_guard held(*one_at_a_time);
  if (training != nullptr) training->seed(s);
  if (loss != nullptr) loss->seed(s);
}

const door::described_program* binders::any() const {
  if (program != nullptr) return program.get();
  if (training != nullptr) return training.get();
  return loss.get();
}

std::vector<std::string> binders::fixed(const std::string& name) const {
  std::vector<std::string> all;
  const auto take = [&](const auto& binder) {
    if (binder == nullptr) return;
    if (!all.empty() && all != binder->fixed())
      throw error(name + " fixes other inputs in its program than in its training or loss; fix the same in all");
    all = binder->fixed();
  };
  take(program), take(training), take(loss);
  return all;
}

callable binders::of_one_binding() const {
  callable made;
  if (program != nullptr) made.program = program->of_one_binding();
  if (training != nullptr) made.training = training->of_one_binding();
  if (loss != nullptr) made.loss = loss->of_one_binding();
  return made;
}

const door::signature& function::described() const {
  if (of.program != nullptr) return of.program->described();
  if (of.training != nullptr) return of.training->described();
  return of.loss != nullptr ? of.loss->described() : with_fixed.any()->described();
}

std::string function::help() const { return (text.empty() ? "" : text + "\n\n") + described().spelled(); }

std::string function::stub() const {
  std::string parameters;
  for (const door::value& v : described().inputs) parameters += ", " + v.name + ": Array";
  return "class _" + name_ + "(Function):\n    def __call__(self, graph: AnyGraph, *" + parameters + ") -> Any: ...\n" +
         name_ + ": _" + name_ + "\n";
}

nb::object function::call(nb::handle graph, const nb::kwargs& inputs) {
  if (of.program == nullptr && of.training == nullptr && of.loss == nullptr)
    throw error(name_ + " is a program with fixed inputs alone; bind them first, fixed, or add program to the module");
  const door::called_with on = graph_of(graph);
  return called(
      of, on, inputs, [&](const door::signature& s) { return std::make_shared<const call_inputs>(s, on, inputs); },
      [&] { return torch_function(nb::find(*this), graph, inputs); });
}

nb::object function::into(nb::handle out, nb::handle graph, const nb::kwargs& inputs) {
  if (of.program == nullptr) throw error(name_ + " is a program for training; into belongs to one that is not");
  const door::called_with on = graph_of(graph);
  const call_inputs in(of.program->described(), on, inputs);
  std::vector<any_tensor> results = outputs_in(out, of.program->described());
  {
    const nb::gil_scoped_release others_run;
    of.program->into(results, on, in.all());
  }
  return nb::borrow(out);
}

bound_call function::bound(nb::handle graph, nb::handle out, const nb::kwargs& inputs) {
  if (of.program == nullptr) throw error(name_ + " is a program for training; bound belongs to one that is not");
  const door::called_with on = graph_of(graph);
  return {of.program,
          on,
          std::make_shared<call_inputs>(of.program->described(), on, inputs),
          std::make_shared<std::vector<any_tensor>>(outputs_in(out, of.program->described())),
          nb::borrow(graph),
          nb::borrow(inputs),
          nb::borrow(out)};
}

nb::object bound_call::operator()() {
  {
    const nb::gil_scoped_release others_run;
    program->into(*results, on, inputs->all());
  }
  return out;
}

fixed_call function::fixed(nb::handle graph, const nb::kwargs& inputs) {
  if (with_fixed.any() == nullptr)
    throw error(name_ + " has no fixed inputs; name them in the module, m.fixed<program, x>(\"" + name_ + "\")");
  std::string wanted;
  bool are_all = true;
  const std::vector<std::string> names = with_fixed.fixed(name_);
  for (const std::string& name : names) {
    wanted += (wanted.empty() ? "" : ", ") + name;
    are_all = are_all && inputs.contains(name.c_str());
  }
  if (!are_all || inputs.size() != names.size())
    throw error("fixed takes the inputs that the module fixes, " + wanted + "; the others are given in calls");
  const door::called_with on = graph_of(graph);
  return {name_,
          with_fixed.of_one_binding(),
          on,
          std::make_shared<call_inputs>(with_fixed.any()->described(), on, inputs),
          nb::borrow(graph),
          nb::borrow(inputs)};
}

const door::signature& fixed_call::described() const {
  if (of.program != nullptr) return of.program->described();
  return of.training != nullptr ? of.training->described() : of.loss->described();
}

nb::object fixed_call::operator()(const nb::kwargs& inputs) {
  return called(
      of, on, inputs,
      [&](const door::signature& s) { return std::make_shared<const call_inputs>(s, on, inputs, fixed.get()); },
      [&] { return torch_function(nb::find(*this), nb::none(), inputs); });
}

tape fixed_call::record(const nb::kwargs& inputs) {
  if (of.training == nullptr)
    throw error(name + " has no training with fixed inputs; add it to the module, m.training<program>(\"" + name +
                "\", stg::fixed<x>())");
  // All that is bound lives as long as the tape: in a pair with what this call brings.
  return of.record(on, std::make_shared<const call_inputs>(of.training->described(), on, inputs, fixed.get()), graph,
                   nb::make_tuple(inputs, arrays));
}

function& function::in_float64() {
  if (float64 != nullptr) return *float64;
  if (of.program == nullptr && of.training == nullptr)
    throw error(name_ + " is a loss, or has fixed inputs alone; in_float64 belongs to programs and their training");
  auto made = std::make_shared<function>(name_ + ".in_float64");
  made->text = text;
  if (of.program != nullptr) made->of.program = door::in_float64(*of.program);
  if (of.training != nullptr) made->of.training = door::in_float64(*of.training);
  float64 = std::move(made);
  return *float64;
}

void function::check_whole() const {
  if (of.program == nullptr && of.training == nullptr && of.loss == nullptr && with_fixed.any() == nullptr)
    throw error(name_ + " has gradients and no training; add it to the module, m.training<program, x>(\"" + name_ +
                "\")");
  static_cast<void>(with_fixed.fixed(name_));  // for its error
}

tape function::record(nb::handle graph, const nb::kwargs& inputs) {
  if (of.training == nullptr)
    throw error(name_ + " has no training; add it to the module, m.training<program>(\"" + name_ + "\")");
  const door::called_with on = graph_of(graph);
  return of.record(on, std::make_shared<const call_inputs>(of.training->described(), on, inputs), nb::borrow(graph),
                   nb::borrow(inputs));
}

nb::object tape::outputs() { return as_arrays(recorded->outputs(), on, signature, inputs->arrays_of()); }

nb::dict tape::backward(const nb::args& cotangents) {
  std::vector<any_tensor> given;
  std::vector<const any_tensor*> places;
  std::vector<seen_array> seen_ones;
  given.reserve(cotangents.size());
  std::vector<const door::value*> real;
  for (const door::value& v : signature.outputs)
    if (is_differentiable(v.type)) real.push_back(&v);
  for (std::size_t k = 0; k < cotangents.size() && k < real.size(); ++k) {
    if (cotangents[k].is_none()) {
      places.push_back(nullptr);
      continue;
    }
    seen_ones.push_back(seen(cotangents[k], real[k]->type, "the cotangent of output " + std::to_string(k)));
    given.push_back(real[k]->where == "edge" ? door::in_id_order(seen_ones.back().tensor, on, *real[k])
                                             : std::move(seen_ones.back().tensor));
    places.push_back(&given.back());
  }
  if (cotangents.size() != real.size())
    throw error("backward takes a cotangent, or None, for each of the " + std::to_string(real.size()) +
                " results that are real, not " + std::to_string(cotangents.size()));
  std::vector<door::named_tensor> gradients;
  {
    const nb::gil_scoped_release others_run;
    gradients = recorded->backward(places);
  }
  nb::dict all;
  for (door::named_tensor& g : gradients)
    all[g.first.c_str()] =
        as_array(door::in_list_order(std::move(g.second), on, *signature.input(g.first)), inputs->arrays_of());
  return all;
}

void add_functions(nb::module_& m) {
  nb::class_<tape>(m, "Tape", "A recorded call, to be differentiated once.")
      .def_prop_ro("outputs", &tape::outputs)
      .def("backward", &tape::backward, nb::arg("cotangents"),
           "Gradients by the names of inputs, for a cotangent, or None, of each real result.");
  nb::class_<bound_call>(m, "BoundCall", "A call whose arrays are known, made into the same memory again and again.")
      .def("__call__", &bound_call::operator());
  nb::class_<fixed_call>(m, "FixedCall", "A call some of whose inputs are bound, and what depends on them alone kept.")
      .def("__call__", &fixed_call::operator(), nb::arg("inputs"))
      .def("record", &fixed_call::record, nb::arg("inputs"),
           "Runs the program in training; backward of what it gives back has the gradients.")
      .def(
          "seed", [](fixed_call& f, std::uint64_t s) { f.of.seed(s); }, nb::arg("seed"),
          "Of the masks of dropout, which are this call's own; they are numbered from 0 again.")
      .def_prop_ro("gradients", [](const fixed_call&) { return nb::none(); })
      .def_prop_ro("name", [](const fixed_call& f) { return f.name + ".fixed"; })
      .def_prop_ro("draws", [](const fixed_call& f) { return f.described().draws; });
  nb::class_<function>(m, "Function", "A compiled program.")
      .def("__call__", &function::call, nb::arg("graph"), nb::arg("inputs"))
      .def("into", &function::into, nb::arg("out"), nb::arg("graph"), nb::arg("inputs"),
           "The same into existing arrays, which it gives back.")
      .def("bound", &function::bound, nb::arg("graph"), nb::arg("out"), nb::arg("inputs"),
           "The call of these arrays as an object that is called without arguments.")
      .def("fixed", &function::fixed, nb::arg("graph"), nb::arg("inputs"),
           "The call with these inputs bound once, as an object that is called with the others by name.")
      .def("record", &function::record, nb::arg("graph"), nb::arg("inputs"),
           "Runs the program in training; backward of what it gives back has the gradients.")
      .def("seed", &function::seed, nb::arg("seed"), "Of the masks of dropout; calls are numbered from 0 again.")
      .def_prop_ro(
          "gradients", [](const function& f) { return f.gradients.get(); }, nb::rv_policy::reference_internal,
          "The gradients as a function of the inputs and the cotangents; None without m.gradients.")
      .def_prop_ro("in_float64", &function::in_float64, nb::rv_policy::reference_internal,
                   "The same function in float64: planned when it is first asked for, and run as a draft.")
      .def_ro("cotangents", &function::cotangents,
              "Of gradients: the inputs that stand for the cotangent of each real result.")
      .def_prop_ro("inputs", [](const function& f) { return names_of(f.described().inputs); })
      .def_prop_ro("results", [](const function& f) { return names_of(f.described().outputs); })
      .def_prop_ro("name", &function::name)
      .def_prop_ro("draws", [](const function& f) { return f.described().draws; })
      .def_prop_ro("__doc__", &function::help)
      .def("__repr__", [](const function& f) { return "<program " + f.name() + '\n' + f.help() + '>'; });
}

}  // namespace stg::python
