"""Random numbers that are the same in every target: SplittableRandom's streams, read by counter.

A stream is two numbers, a start and an odd step; number n of it is ``mix(start + n * step)``. Nothing is kept between
draws, so a game can be replayed from any point, and streams with different steps do not run into each other.
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
    """Where the stream of game number `game` begins."""
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
    """A number from 0 to n - 1 out of 64 random bits (the upper 32 of them: uneven by less than n in 4 billion)."""
    return i64(((u64(x) >> u64(32)) * u64(n)) >> u64(32))
