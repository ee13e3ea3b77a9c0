"""Rules with witnesses: played interpreted while somebody looks on and says what happens.

A witness is a generator function with the arguments of the rule it looks at. What it yields are facts; at its bare ``yield`` the rule itself
runs, and that ``yield`` gives back what the rule returned. So what stands before it sees the state as it was, what follows sees the state as it is::

    def paying(s):
        owed, purse = price(s, s.turn, s.omar), s.money[s.turn]
        yield                                                     # pay_owner(s) runs here
        if owed:
            yield Paid(...)

The rules know nothing of it, and a fact is told where the clause it is about is carried out: nobody has to guess from two positions what lay
between them.
"""

from collections.abc import Callable, Generator, Mapping
from types import FunctionType
from typing import Any

from souk.kernel.rule import quick_rules
from souk.kernel.twins import Function, Twins

Witnessing = Generator[Any, Any, None]
Witness = Callable[..., Witnessing]


class Watched:
    """The rules of a game with witnesses. What they say goes to the state's `listener`."""

    def __init__(self, rules: Any, witnesses: Mapping[Function, Witness]) -> None:
        def make(twin: FunctionType, rule: Function) -> Function:
            return _looked_at(twin, witnesses[rule]) if rule in witnesses else twin

        self.rule: Function = Twins(make, quick_rules(), "").made  # the twin of a rule
        self.play, self.resolve = self.rule(rules.play), self.rule(rules.resolve)


def _looked_at(rule: Function, witness: Witness) -> Function:
    def run(s: Any, *arguments: Any) -> Any:
        facts = witness(s, *arguments)
        for fact in facts:
            if fact is None:
                break
            s.listener(fact)
        result = rule(s, *arguments)
        try:
            s.listener(facts.send(result))
        except StopIteration:
            return result
        for fact in facts:
            s.listener(fact)
        return result

    return run
