"""Traced rules: run interpreted while tracers report what happens as facts.

A tracer is a generator function with the arguments of the rule it observes. It yields facts; at its
bare ``yield`` the rule itself runs, and that ``yield`` evaluates to the rule's result. Code before
it sees the state before the rule, code after it the state afterwards::

    def paying(s):
        owed, purse = price(s, s.turn, s.omar), s.money[s.turn]
        yield                                                     # pay_owner(s) runs here
        if owed:
            yield Paid(...)

The rules know nothing of this. A fact is reported exactly where its clause is carried out, so
nobody has to infer it by comparing two positions.
"""

from collections.abc import Callable, Generator, Mapping
from types import FunctionType
from typing import Any

from souk.kernel.rule import interpreted_replacements
from souk.kernel.rule_clones import Function, RuleCloner

Trace = Generator[Any, Any, None]
Tracer = Callable[..., Trace]


class TracedRules:
    """A game's rules with tracers, which report to the state's `listener`."""

    def __init__(self, rules: Any, tracers: Mapping[Function, Tracer]) -> None:
        def wrap(clone: FunctionType, rule: Function) -> Function:
            return _traced(clone, tracers[rule]) if rule in tracers else clone

        # Returns the traced clone of a rule.
        self.rule: Function = RuleCloner(wrap, interpreted_replacements(), "").wrapped
        self.play, self.resolve = self.rule(rules.play), self.rule(rules.resolve)


def _traced(rule: Function, tracer: Tracer) -> Function:
    def run(s: Any, *arguments: Any) -> Any:
        facts = tracer(s, *arguments)
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
