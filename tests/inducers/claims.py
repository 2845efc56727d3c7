"""What several inducers claim."""

import torch

from synparse.inducers.batch import Batch


def check_noise_in_training_alone(model, batch):
    """Dropout, say."""
    assert model.loss(batch).total != model.loss(batch).total
    model.eval()
    assert model.loss(batch).total == model.loss(batch).total


def check_state_makes_two_segments_one(model, whole):
    """A segment of eight words is as good as two of four, the second of which goes on from the first."""
    halves = [Batch(whole.words[:, at : at + 4], torch.full((2,), 4), whole.targets[:, at : at + 4]) for at in (0, 4)]
    first = model.loss(halves[0])
    second = model.loss(halves[1]._replace(state=first.state))
    torch.testing.assert_close(first.total + second.total, model.loss(whole).total)
    return second.state


def check_untied_output(model):
    """The output matrix of a model of 9 words, not that of the embedding, gives the logits, and is learned."""
    batch = Batch(torch.randint(4, 9, (2, 3)), torch.tensor([3, 3]), torch.randint(4, 9, (2, 3)))
    logits = model.contextual(batch).states @ model.output_matrix.t() + model.output_bias
    expected = torch.nn.functional.cross_entropy(logits.flatten(0, 1), batch.targets.flatten(), reduction="sum")
    torch.testing.assert_close(model.loss(batch).total, expected)
    torch.testing.assert_close(-model.log_likelihoods(batch)[0].sum(), expected)
    model.train().loss(batch).total.backward()
    assert model.output_matrix.grad.abs().sum() > 0


def states_by_messages(layers, states, weights):
    """The states after layers of attention whose messages have these weights [B, layers, heads, T, T]."""
    for number, layer in enumerate(layers):
        value = layer.query_key_value(layer.attention_norm(states)).chunk(3, -1)[2]
        value = value.unflatten(-1, (layer.attention_heads, -1))
        messages = torch.einsum("bhij,bjhd->bihd", weights[:, number], value).flatten(2)
        states = states + layer.attention_out(messages)
        states = states + layer.feed_forward_out(torch.relu(layer.feed_forward_in(layer.feed_forward_norm(states))))
    return states
