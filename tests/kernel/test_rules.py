"""What every rule keeps to, read off the sources."""

import ast
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[2]
MOST_ARGUMENTS = 9


def kernels() -> Iterator[tuple[str, ast.FunctionDef, str]]:
    """Every function that is compiled: where it is, and what marks it as one: "rule", "verb" or "jit" (for a GPU)."""
    for file in [*ROOT.glob("souk/**/*.py"), *ROOT.glob("bench/**/*.py")]:
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef):
                for mark in node.decorator_list:
                    name = ast.unparse(mark.func if isinstance(mark, ast.Call) else mark).rpartition(".")[2]
                    if name in ("rule", "quickly", "remembered", "verb", "jit"):
                        mark_of = "rule" if name in ("quickly", "remembered") else name
                        yield f"{file.relative_to(ROOT)}:{node.lineno} {node.name}", node, mark_of


def test_no_rule_verb_or_kernel_has_more_than_nine_arguments() -> None:
    found = list(kernels())
    marks = [mark for *_, mark in found]
    assert marks.count("rule") > 400
    assert marks.count("verb") > 20
    assert marks.count("jit") >= 7
    crowded = {place: len(node.args.args) for place, node, _ in found if len(node.args.args) > MOST_ARGUMENTS}
    assert not crowded
    assert not [place for place, node, _ in found if node.args.vararg or node.args.kwonlyargs or node.args.kwarg]
