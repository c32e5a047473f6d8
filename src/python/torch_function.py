"""A program as a function of PyTorch's autograd."""
import torch
from torch.autograd.function import once_differentiable


class Recorded(torch.autograd.Function):
    @staticmethod
    def forward(ctx, program, graph, names, *tensors):
        ctx.set_materialize_grads(False)
        ctx.names = names
        ctx.save_for_backward(*(t for t in tensors if isinstance(t, torch.Tensor)))  # a change in place is seen
        arrays = {n: t.detach() if isinstance(t, torch.Tensor) else t for n, t in zip(names, tensors)}
        ctx.record = lambda: program.record(graph, **arrays)
        ctx.draws = program.draws
        ctx.tape = ctx.record()
        outputs = ctx.tape.outputs
        several = outputs if isinstance(outputs, tuple) else (outputs,)
        ctx.real = [t.is_floating_point() for t in several]
        ctx.mark_non_differentiable(*(t for t, real in zip(several, ctx.real) if not real))
        return outputs

    @staticmethod
    @once_differentiable
    def backward(ctx, *cotangents):
        ctx.saved_tensors  # raises where one was changed in place
        of_real = [None if c is None else c.contiguous() for c, real in zip(cotangents, ctx.real) if real]
        if all(c is None for c in of_real):
            return (None,) * (3 + len(ctx.names))
        if ctx.tape is None:  # backward(retain_graph=True) before
            if ctx.draws:
                raise RuntimeError("stg: a call that draws random numbers is differentiated once; call the program again")
            ctx.tape = ctx.record()
        tape, ctx.tape = ctx.tape, None
        gradients = tape.backward(*of_real)
        return (None, None, None, *(gradients.get(n) for n in ctx.names))


def call(program, graph, inputs):
    return Recorded.apply(program, graph, tuple(inputs), *inputs.values())
