"""Counter-based random numbers, identical on every target: the streams of SplittableRandom.

A stream is a start and an odd step; its n-th number is ``mix(start + n * step)``. It has no state,
so a game can be replayed from any point, and streams with different steps do not overlap.
(Steele, Lea and Flood, "Fast splittable pseudorandom number generators", 2014.)
"""

from souk.kernel.rule import i64, rule, u64


@rule
def mix(x):
    """David Stafford's 13th variant of the 64-bit finalizer."""
    x = u64(x)
    x = u64((x ^ (x >> u64(30))) * u64(0xBF58476D1CE4E5B9))
    x = u64((x ^ (x >> u64(27))) * u64(0x94D049BB133111EB))
    return x ^ (x >> u64(31))


@rule
def stream_start(seed, game):
    """The start of the stream of game number `game`."""
    return mix(mix(u64(seed)) + u64(u64(game) * u64(0x9E3779B97F4A7C15)))


@rule
def stream_step(start):
    """The odd step of the stream that begins at `start`."""
    return mix(u64(start) ^ u64(0xD1B54A32D192ED03)) | u64(1)


@rule
def draw(start, step, n):
    """Number n of a stream: 64 random bits."""
    return mix(u64(start) + u64(u64(n) * step))


@rule
def below(x, n):
    """Map 64 random bits to 0..n-1. Uses the upper 32 bits: the bias is below n in 4 billion."""
    return i64(((u64(x) >> u64(32)) * u64(n)) >> u64(32))
