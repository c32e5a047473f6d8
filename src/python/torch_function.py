"""A program as a function of PyTorch's autograd."""
import torch


class Once(torch.autograd.Function):
    """Gradients that can not be differentiated, with the sentence that says so when somebody does."""

    @staticmethod
    def forward(ctx, sentence, input, *gradients):
        ctx.sentence = sentence
        return gradients

    @staticmethod
    def backward(ctx, *cotangents):
        raise RuntimeError(ctx.sentence)


class Recorded(torch.autograd.Function):
    @staticmethod
    def forward(ctx, program, graph, names, *tensors):
        ctx.set_materialize_grads(False)
        ctx.program, ctx.graph, ctx.names = program, graph, names
        ctx.numbers = [None if isinstance(t, torch.Tensor) else t for t in tensors]
        ctx.save_for_backward(*(t for t in tensors if isinstance(t, torch.Tensor)))  # a change in place is seen
        arrays = {n: t.detach() if isinstance(t, torch.Tensor) else t for n, t in zip(names, tensors)}
        on = () if graph is None else (graph,)  # of a call with fixed inputs, which has its own
        ctx.record = lambda: program.record(*on, **arrays)
        ctx.tape = ctx.record()
        outputs = ctx.tape.outputs
        several = outputs if isinstance(outputs, tuple) else (outputs,)
        ctx.real = [t.is_floating_point() for t in several]
        ctx.of_real = [(t.shape, t.dtype) for t, real in zip(several, ctx.real) if real]
        ctx.mark_non_differentiable(*(t for t, real in zip(several, ctx.real) if not real))
        return outputs

    @staticmethod
    def backward(ctx, *cotangents):
        saved = list(ctx.saved_tensors)  # raises where one was changed in place
        of_real = [None if c is None else c.contiguous() for c, real in zip(cotangents, ctx.real) if real]
        if all(c is None for c in of_real):
            return (None,) * (3 + len(ctx.names))
        if not torch.is_grad_enabled():
            gradients = differentiated(ctx, of_real)
        elif ctx.program.gradients is not None:  # of backward(create_graph=True)
            gradients = by_program(ctx, saved, of_real)
        else:
            gradients = differentiated(ctx, [None if c is None else c.detach() for c in of_real])
            gradients = with_sentence(ctx, saved + of_real, gradients)
        return (None, None, None, *(gradients.get(n) for n in ctx.names))


def differentiated(ctx, cotangents):
    if ctx.tape is None:  # backward(retain_graph=True) before
        if ctx.program.draws:
            raise RuntimeError("stg: a call that draws random numbers is differentiated once; call the program again")
        ctx.tape = ctx.record()
    tape, ctx.tape = ctx.tape, None
    return tape.backward(*cotangents)


def by_program(ctx, saved, cotangents):
    """The gradients by the program that has them as results, which records this call as any other."""
    backward = ctx.program.gradients
    given = {n: saved.pop(0) if x is None else x for n, x in zip(ctx.names, ctx.numbers)}
    for name, cotangent, (shape, dtype) in zip(backward.cotangents, cotangents, ctx.of_real):
        given[name] = torch.zeros(shape, dtype=dtype) if cotangent is None else cotangent
    results = call(backward, ctx.graph, {n: given[n] for n in backward.inputs})
    return dict(zip(backward.results, results if isinstance(results, tuple) else (results,)))


def with_sentence(ctx, tensors, gradients):
    moved = next((t for t in tensors if t is not None and t.requires_grad), None)
    if moved is None:
        return gradients
    why = ("it draws random numbers" if ctx.program.draws
           else "some of its inputs are fixed; call the function itself" if ctx.graph is None
           else "its results are gradients already" if ctx.program.name.endswith(".gradients")
           else "there is none in float64" if ctx.program.name.endswith(".in_float64")
           else f'add it to the module, m.gradients<program, cotangent, inputs>("{ctx.program.name}")')
    sentence = f"stg: {ctx.program.name} has no second derivative; {why}"
    return dict(zip(gradients, Once.apply(sentence, moved, *gradients.values())))


def call(program, graph, inputs):
    return Recorded.apply(program, graph, tuple(inputs), *inputs.values())
