"""The candidates of Ordered Memory at one word: its gated recursive cell along the slots, with its own backward pass.

It computes what `synparse.inducers.ordered_memory.composed_by_slot` computes (Shen et al., NeurIPS 2019, equations 6,
7, 12 and 13). Each candidate is composed from the one before, so the slots are a chain; each link multiplies [B, D] by
[D, 4D] and [B, 4D] by [4D, 4D]. What need not wait for the chain (the product with the memory, the gradients of all
weights) is one product over all slots; automatic differentiation would compute it slot by slot.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import torch
from torch import Tensor, nn

_layer_norm = torch.ops.aten.native_layer_norm
_layer_norm_backward = torch.ops.aten.native_layer_norm_backward
_relu_backward = torch.ops.aten.threshold_backward
_sigmoid_backward = torch.ops.aten.sigmoid_backward


def composed_candidates(
    word: Tensor,
    memory: Tensor,
    occupied: Tensor,
    memory_layer: nn.Linear,
    candidate_layer: nn.Linear,
    gates: nn.Linear,
    norm: nn.LayerNorm,
    dropout: nn.Dropout,
) -> Tensor:
    """x̃ [B, D], M of K slots [K, B, D] and π⃗ [K, B] → M̂ [K, B, D] (6, 7, 12, 13):

    M̂ⁱ = x̃ (1 − π⃗ⁱ) + o(Mⁱ, M̂ⁱ⁻¹) π⃗ⁱ,  M̂⁰ = x̃

    where o is the cell of ``memory_layer``, ``candidate_layer`` (without bias), ``gates`` and ``norm``.
    """
    # Not in the chain: one product for all slots.
    projected = memory_layer(memory)
    weights = candidate_layer.weight, gates.weight, gates.bias, norm.weight, norm.bias
    out: Tensor = _Chain.apply(  # type: ignore[no-untyped-call]
        word, memory, projected, occupied, *weights, norm.eps, dropout
    )
    return out


class _Links(NamedTuple):
    """What the backward pass reads of each slot.

    inner [K, B, 4D]: after ReLU and dropout; gates [K, B, 4D]: σ(v), σ(h), σ(c), u; sums [K, B, D]: before the layer
    norm; outputs [K, B, D]: o; means, scales [K, B, 1]: of the layer norm.
    """

    inner: Tensor
    gates: Tensor
    sums: Tensor
    outputs: Tensor
    means: Tensor
    scales: Tensor


class _Chain(torch.autograd.Function):
    @staticmethod
    def forward(
        ctx: Any,
        word: Tensor,
        memory: Tensor,
        projected: Tensor,
        occupied: Tensor,
        candidate_weight: Tensor,
        inner_weight: Tensor,
        gate_bias: Tensor,
        norm_weight: Tensor,
        norm_bias: Tensor,
        epsilon: float,
        dropout: nn.Dropout,
    ) -> Tensor:
        K, B, D = memory.shape
        links = _Links(
            memory.new_empty(K, B, 4 * D),
            memory.new_empty(K, B, 4 * D),
            *(memory.new_empty(K, B, D) for _ in range(2)),
            *(memory.new_empty(K, B, 1) for _ in range(2)),
        )
        candidates = memory.new_empty(K, B, D)
        candidate = word
        for k in range(K):
            raw = torch.addmm(projected[k], candidate, candidate_weight.t())
            links.inner[k] = inner = dropout(raw.relu_())
            gates = torch.addmm(gate_bias, inner, inner_weight.t(), out=links.gates[k])
            gates[:, : 3 * D].sigmoid_()
            total = torch.mul(gates[:, :D], candidate, out=links.sums[k])
            total.addcmul_(gates[:, D : 2 * D], memory[k])
            total.addcmul_(gates[:, 2 * D : 3 * D], gates[:, 3 * D :])
            links.outputs[k], links.means[k], links.scales[k] = _layer_norm(total, [D], norm_weight, norm_bias, epsilon)
            candidate = torch.lerp(word, links.outputs[k], occupied[k, :, None], out=candidates[k])
        ctx.save_for_backward(
            word, memory, occupied, candidate_weight, inner_weight, norm_weight, norm_bias, candidates, *links
        )
        ctx.scale = 1 / (1 - dropout.p) if dropout.training else 1.0
        return candidates

    @staticmethod
    @torch.autograd.function.once_differentiable
    def backward(ctx: Any, d_candidates: Tensor) -> tuple[Tensor | None, ...]:
        word, memory, occupied, candidate_weight, inner_weight, norm_weight, norm_bias, candidates, *kept = (
            ctx.saved_tensors
        )
        links = _Links(*kept)
        K, B, D = memory.shape
        before = torch.cat([word[None], candidates[:-1]])  # M̂ⁱ⁻¹ of each slot
        d_outputs, d_sums = torch.empty_like(memory), torch.empty_like(memory)
        d_raw, d_inner = torch.empty_like(links.gates), torch.empty_like(links.inner)
        d_here = torch.empty_like(memory)  # of each candidate, from above and along the chain
        d_before: Tensor | None = None
        for k in range(K - 1, -1, -1):
            gates = links.gates[k]
            d_candidate = d_here[k]
            if d_before is None:
                d_candidate.copy_(d_candidates[k])
            else:
                torch.add(d_candidates[k], d_before, out=d_candidate)
            torch.mul(d_candidate, occupied[k, :, None], out=d_outputs[k])
            statistics = links.means[k], links.scales[k]
            d_sums[k], *_ = _layer_norm_backward(
                d_outputs[k], links.sums[k], [D], *statistics, norm_weight, norm_bias, [True, False, False]
            )
            d_sum, d_gates = d_sums[k], d_raw[k]
            torch.mul(d_sum, before[k], out=d_gates[:, :D])
            torch.mul(d_sum, memory[k], out=d_gates[:, D : 2 * D])
            torch.mul(d_sum, gates[:, 3 * D :], out=d_gates[:, 2 * D : 3 * D])
            torch.mul(d_sum, gates[:, 2 * D : 3 * D], out=d_gates[:, 3 * D :])
            squashed = d_gates[:, : 3 * D]
            _sigmoid_backward(squashed, gates[:, : 3 * D], grad_input=squashed)
            d_product = d_gates @ inner_weight
            torch.mul(_relu_backward(d_product, links.inner[k], 0), ctx.scale, out=d_inner[k])
            d_before = torch.addcmul(d_inner[k] @ candidate_weight, d_sum, gates[:, :D])
        assert d_before is not None
        _, d_norm_weight, d_norm_bias = _layer_norm_backward(
            d_outputs, links.sums, [D], links.means, links.scales, norm_weight, norm_bias, [False, True, True]
        )
        rows = d_inner.view(K * B, -1), d_raw.view(K * B, -1)
        return (
            d_before + (d_here - d_outputs).sum(0),
            d_sums * links.gates[..., D : 2 * D],
            d_inner,
            (d_here * (links.outputs - word)).sum(2),
            rows[0].t() @ before.view(K * B, D),
            rows[1].t() @ links.inner.view(K * B, -1),
            rows[1].sum(0),
            d_norm_weight,
            d_norm_bias,
            None,
            None,
        )
