"""Convolution along sentences with a third of the multiplications.

A convolution of width W multiplies each word by W matrices. Here the words are cut into overlapping tiles
(overlap–save) and transformed to the frequency domain, where a tile of 32 positions takes 17 complex products and
yields 33 − W words; a complex product is three real ones (Gauss). For W = 9 that is 51/24 = 2.1 matrix products a word
in place of 9. The Fourier transforms are products with a small constant matrix. Results equal the direct sum up to
float rounding (1e-6).
"""

from __future__ import annotations

import functools
import math

import torch
from torch import Tensor, nn
from torch.nn import functional

from synparse.trees.errors import SettingError

TILE = 32
FREQUENCIES = TILE // 2 + 1


class SentenceConvolution(nn.Module):
    """One output per word from the W words around it (W odd); beyond the ends of a sentence the input is zero."""

    def __init__(self, size: int, width: int) -> None:
        super().__init__()
        if width % 2 == 0 or width > TILE // 2:
            raise SettingError(f"the width of a convolution must be odd and at most {TILE // 2}, not {width}")
        self.width = width
        self.weight = nn.Parameter(torch.empty(width, size, size))
        self.bias = nn.Parameter(torch.empty(size))
        bound = 1 / math.sqrt(width * size)
        nn.init.uniform_(self.weight, -bound, bound)
        nn.init.uniform_(self.bias, -bound, bound)
        self._kept_spectrum: tuple[Tensor, ...] | None = None

    def forward(self, states: Tensor) -> Tensor:
        """states [B, T, D], zero at padding → [B, T, D]: out_t = b + Σ_k W_k state_{t + k − (W − 1)/2}."""
        B, T, D = states.shape
        reach = self.width // 2
        step = TILE - 2 * reach
        # Sentences become one stream with a gap of `reach` zeros between neighbours, so none sees another.
        stream = functional.pad(states, (0, 0, 0, reach)).view(-1, D)
        tiles = -(-len(stream) // step)
        padded = functional.pad(stream, (0, 0, reach, tiles * step + reach - len(stream)))
        cut = padded.unfold(0, TILE, step).permute(2, 0, 1).reshape(TILE, tiles * D)
        forward, inverse = _fourier(states.dtype, states.device)
        real, imaginary = (forward @ cut).view(2, FREQUENCIES, tiles, D)
        weight_real, weight_difference, weight_sum = self._spectrum(forward)
        shared = torch.bmm(real + imaginary, weight_real)
        product_imaginary = shared + torch.bmm(real, weight_difference)
        product_real = shared - torch.bmm(imaginary, weight_sum)
        product = torch.stack([product_real, product_imaginary]).view(2 * FREQUENCIES, tiles * D)
        out = (inverse[:step] @ product).view(step, tiles, D).transpose(0, 1).reshape(tiles * step, D)
        return out[: len(stream)].view(B, T + reach, D)[:, :T] + self.bias

    def _spectrum(self, forward: Tensor) -> tuple[Tensor, ...]:
        """The weights in the frequency domain, as the three factors of Gauss' product, [17, D, D] each."""
        # Kept from batch to batch in parsing only: a fused optimiser changes weights without notice.
        if not torch.is_inference_mode_enabled():
            self._kept_spectrum = None
            return self._transform(forward)
        if self._kept_spectrum is None:
            self._kept_spectrum = self._transform(forward)
        return self._kept_spectrum

    def _transform(self, forward: Tensor) -> tuple[Tensor, ...]:
        W, D, _ = self.weight.shape
        spectrum = (forward[:, :W] @ self.weight.view(W, D * D)).view(2, FREQUENCIES, D, D)
        real, imaginary = spectrum[0], -spectrum[1]  # conjugate: a convolution layer is a correlation
        return real, imaginary - real, real + imaginary


@functools.lru_cache(maxsize=8)
@torch.inference_mode(False)  # computed in parsing, they may be needed in training
def _fourier(dtype: torch.dtype, device: torch.device) -> tuple[Tensor, Tensor]:
    """Real Fourier transform of TILE values as a matrix [2·17, TILE] (cosines, then sines), and its inverse."""
    angle = torch.outer(torch.arange(FREQUENCIES).double(), torch.arange(TILE).double()) * (2 * math.pi / TILE)
    forward = torch.cat([angle.cos(), -angle.sin()])
    # All frequencies but the first and the last stand for a conjugate pair.
    pairs = torch.full((FREQUENCIES, 1), 2.0, dtype=torch.float64)
    pairs[0] = pairs[-1] = 1.0
    inverse = torch.cat([angle.cos() * pairs, -angle.sin() * pairs]).T / TILE
    return forward.to(device, dtype), inverse.to(device, dtype)
