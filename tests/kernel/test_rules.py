"""Static checks of all rules."""

import ast
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[2]
MOST_ARGUMENTS = 9


def kernels() -> Iterator[tuple[str, ast.FunctionDef, str]]:
    """All compiled functions: location, node, and mark: "rule", "game_op" or "jit" (GPU)."""
    for file in [*ROOT.glob("souk/**/*.py"), *ROOT.glob("bench/**/*.py")]:
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef):
                for mark in node.decorator_list:
                    name = ast.unparse(
                        mark.func if isinstance(mark, ast.Call) else mark
                    ).rpartition(".")[2]
                    if name in ("rule", "interpreted_by", "memoized", "game_op", "jit"):
                        mark_of = "rule" if name in ("interpreted_by", "memoized") else name
                        yield f"{file.relative_to(ROOT)}:{node.lineno} {node.name}", node, mark_of


def test_no_rule_game_op_or_kernel_has_more_than_nine_arguments() -> None:
    functions = list(kernels())
    marks = [mark for *_, mark in functions]
    assert marks.count("rule") > 400
    assert marks.count("game_op") > 20
    assert marks.count("jit") >= 7
    crowded = {
        place: len(node.args.args)
        for place, node, _ in functions
        if len(node.args.args) > MOST_ARGUMENTS
    }
    assert not crowded
    assert not [
        place
        for place, node, _ in functions
        if node.args.vararg or node.args.kwonlyargs or node.args.kwarg
    ]
