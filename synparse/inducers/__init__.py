"""Models that find trees in text: one file per paper, readable beside it.

`table` lists them, `protocol` is their interface: ``loss(batch)``, which training minimises, and ``induce(batch)``,
whose scores decoders turn into trees. All but the student find their trees in text; the student learns given ones.
"""
