"""The recurrent layer of the ON-LSTM, a whole sequence at a time, with its own backward pass.

It computes what `synparse.inducers.on_lstm.on_lstm_layer` computes, which is the paper equation by equation. Automatic
differentiation through that loop over words adds to every weight's gradient at every word. Here the backward loop keeps
the gradient of the gates only, and each weight's gradient is one matrix product over the sequence; buffers are
allocated once and written in place.

Columns of the gates, for D neurons in n = D/C chunks: f, i, o, ĉ (D each), then the master gates f̃, ĩ (n each). Neuron
k belongs to chunk k mod n, so the D neurons, viewed as [C, n], have one master gate per column.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import torch
from torch import Tensor

from synparse.inducers.uncompiled import uncompiled

_sigmoid_backward = torch.ops.aten.sigmoid_backward
_tanh_backward = torch.ops.aten.tanh_backward


class LayerOutput(NamedTuple):
    """hidden [T, B, D]; the last hidden and cell state [B, D]; forget [T, B, n]: the master forget gate f̃, without
    gradient."""

    hidden: Tensor
    last_hidden: Tensor
    last_cell: Tensor
    forget: Tensor


@uncompiled  # its loop would be compiled anew for every length
def ordered_neurons(inputs: Tensor, hidden: Tensor, cell: Tensor, recurrent: Tensor) -> LayerOutput:
    """Run one ON-LSTM layer over T words of B sentences (Shen et al., ICLR 2019, section 4).

    inputs [T, B, 4D + 2n]: W x + b, columns as above; hidden and cell [B, D]: the states before the first word;
    recurrent [4D + 2n, D]: U. All outputs but ``forget`` are differentiable in all arguments.
    """
    arguments = inputs.to(recurrent.dtype), hidden, cell, recurrent
    # A recurrence adds up what it rounds, so mixed precision stops here.
    with torch.autocast(inputs.device.type, enabled=False):
        if torch.is_grad_enabled() and any(tensor.requires_grad for tensor in arguments):
            return LayerOutput(*_Sequence.apply(*arguments))  # type: ignore[no-untyped-call]
        return _run(*arguments, None)


class _Tape(NamedTuple):
    """What the backward pass reads of each word.

    gates [T, B, 4D]: f, i, o, ĉ; fractions [T, B, 2, n]: the softmax inside each cumax; masters [T, B, 2, n]: f̃, ĩ;
    cells [T + 1, B, D]; tanh_cells [T, B, D]; mixed [T, B, 2, D]: f̂, î.
    """

    gates: Tensor
    fractions: Tensor
    masters: Tensor
    cells: Tensor
    tanh_cells: Tensor
    mixed: Tensor

    @staticmethod
    def empty(T: int, B: int, D: int, n: int, like: Tensor) -> _Tape:
        shapes = (T, B, 4 * D), (T, B, 2, n), (T, B, 2, n), (T + 1, B, D), (T, B, D), (T, B, 2, D)
        return _Tape(*(like.new_empty(shape) for shape in shapes))


def _run(inputs: Tensor, hidden: Tensor, cell: Tensor, recurrent: Tensor, tape: _Tape | None) -> LayerOutput:
    T, B, G = inputs.shape
    D = hidden.shape[1]
    n = (G - 4 * D) // 2
    states, forget = inputs.new_empty(T, B, D), inputs.new_empty(T, B, n)
    keep = tape or _Tape.empty(1, B, D, n, inputs)  # without a tape, all words use the same buffers
    keep.cells[0] = cell
    previous, state = keep.cells[0], hidden
    for t in range(T):
        at = t if tape else 0
        raw = torch.addmm(inputs[t], state, recurrent.t())
        gates, masters = keep.gates[at], keep.masters[at]
        torch.sigmoid(raw[:, : 3 * D], out=gates[:, : 3 * D])
        candidate = torch.tanh(raw[:, 3 * D : 4 * D], out=gates[:, 3 * D :])
        fractions = torch.softmax(raw[:, 4 * D :].view(B, 2, n), 2, out=keep.fractions[at])
        torch.cumsum(fractions, 2, out=masters)  # cumax
        torch.sub(1.0, masters[:, 1], out=masters[:, 1])
        overlap = masters.prod(1, keepdim=True)  # ω = f̃ ∘ ĩ
        # f̂ = f ∘ ω + (f̃ − ω) and î = i ∘ ω + (ĩ − ω), both at once
        one_alone = (masters - overlap)[:, :, None]
        mixed = keep.mixed[at]
        torch.addcmul(one_alone, gates[:, : 2 * D].view(B, 2, -1, n), overlap[:, :, None], out=mixed.view(B, 2, -1, n))
        previous = torch.mul(mixed[:, 0], previous, out=keep.cells[at + 1])
        previous.addcmul_(mixed[:, 1], candidate)
        tanh_cell = torch.tanh(previous, out=keep.tanh_cells[at])
        state = torch.mul(gates[:, 2 * D : 3 * D], tanh_cell, out=states[t])
        forget[t] = masters[:, 0]
    return LayerOutput(states, state.clone(), previous.clone(), forget)


class _Sequence(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, inputs: Tensor, hidden: Tensor, cell: Tensor, recurrent: Tensor) -> tuple[Tensor, ...]:
        T, B, G = inputs.shape
        D = hidden.shape[1]
        tape = _Tape.empty(T, B, D, (G - 4 * D) // 2, inputs)
        out = _run(inputs, hidden, cell, recurrent, tape)
        ctx.save_for_backward(hidden, recurrent, out.hidden, *tape)
        ctx.mark_non_differentiable(out.forget)
        return tuple(out)

    @staticmethod
    @torch.autograd.function.once_differentiable
    def backward(ctx: Any, *gradients: Tensor) -> tuple[Tensor, ...]:
        hidden, recurrent, states, *kept = ctx.saved_tensors
        tape = _Tape(*kept)
        T, B, D = states.shape
        n = tape.fractions.shape[3]
        d_states, d_hidden, d_cell, _ = gradients
        d_hidden, d_cell = d_hidden.clone(), d_cell.clone()
        d_raw = states.new_empty(T, B, 4 * D + 2 * n)  # of the gates before their non-linearity: of ``inputs``
        scratch, pair, weighted = states.new_empty(B, D), states.new_empty(B, 2, D), states.new_empty(B, 2, D)
        for t in range(T - 1, -1, -1):
            gates, masters, mixed, tanh_cell = tape.gates[t], tape.masters[t], tape.mixed[t], tape.tanh_cells[t]
            keep_and_write, output, candidate = gates[:, : 2 * D], gates[:, 2 * D : 3 * D], gates[:, 3 * D :]
            d_gates = d_raw[t]
            # h_t = o ∘ tanh(c_t)
            d_hidden += d_states[t]
            torch.mul(d_hidden, tanh_cell, out=scratch)
            _sigmoid_backward(scratch, output, grad_input=d_gates[:, 2 * D : 3 * D])
            torch.mul(d_hidden, output, out=scratch)
            d_cell += _tanh_backward(scratch, tanh_cell, grad_input=scratch)
            # c_t = f̂ ∘ c_{t−1} + î ∘ ĉ
            torch.mul(d_cell, tape.cells[t], out=pair[:, 0])
            torch.mul(d_cell, candidate, out=pair[:, 1])
            torch.mul(d_cell, mixed[:, 1], out=scratch)
            _tanh_backward(scratch, candidate, grad_input=d_gates[:, 3 * D : 4 * D])
            d_cell *= mixed[:, 0]
            # f̂ = f ∘ ω + (f̃ − ω) and î = i ∘ ω + (ĩ − ω); ``pair`` is their gradient
            overlap = masters.prod(1, keepdim=True)
            torch.mul(pair, keep_and_write.view(B, 2, D), out=weighted)
            d_masters = pair.view(B, 2, -1, n).sum(2)
            d_overlap = (weighted.view(B, 2, -1, n).sum(2) - d_masters).sum(1, keepdim=True)
            d_masters.addcmul_(d_overlap, masters.flip(1))
            pair.view(B, 2, -1, n).mul_(overlap[:, :, None])
            _sigmoid_backward(pair.view(B, 2 * D), keep_and_write, grad_input=d_gates[:, : 2 * D])
            # f̃ = cumsum(softmax), ĩ = 1 − cumsum(softmax)
            d_masters[:, 1].neg_()
            d_fractions = d_masters.flip(2).cumsum(2).flip(2)
            d_fractions -= (d_fractions * tape.fractions[t]).sum(2, keepdim=True)
            torch.mul(d_fractions, tape.fractions[t], out=d_gates[:, 4 * D :].view(B, 2, n))
            d_hidden = d_gates @ recurrent
        before = torch.cat([hidden[None], states[:-1]])
        return d_raw, d_hidden, d_cell, d_raw.view(T * B, -1).t() @ before.view(T * B, D)
