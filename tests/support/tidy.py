"""Reads source as text and trees: what the style asks, as questions with lists of answers.

Each check answers with sentences, empty when all is well; a sentence names the way out.
"""

import ast
import re
import subprocess
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from pathlib import Path

LINES_IN_A_FILE = 600  # of one noun; what limits a file is a second noun
LINES_IN_A_CONSOLE_FILE = 250
LINES_IN_A_FUNCTION = 50
IMPORTS_IN_A_CHAIN = 16  # each link is a file that somebody has to open
FILES_IN_A_FOLDER = 24  # about a dozen; more, and a folder inside it wants a name

BANNED_CALLS = {
    "datetime.now": "ask the Clock that was handed to you",
    "datetime.utcnow": "ask the Clock that was handed to you",
    "datetime.today": "ask the Clock that was handed to you",
    "date.today": "ask the Clock that was handed to you",
    "time.time": "ask the Clock that was handed to you",
    "time.monotonic": "ask the Clock that was handed to you",
    "time.sleep": "wait for a fact, or return the next instant from run_once",
    "asyncio.sleep": "wait for a fact, or return the next instant from run_once",
    "pytest.skip": "install what is missing: a silent skip proves nothing",
    "pytest.importorskip": "install what is missing: a silent skip proves nothing",
    "pytest.mark.skip": "install what is missing: a silent skip proves nothing",
    "pytest.mark.skipif": "install what is missing: a silent skip proves nothing",
    "pytest.mark.xfail": "mend it, or leave it out and say so",
}
LAYOUTS = "migrations/versions/"  # a layout is a list, not a story: it may be long
BANNED_MODULES = ("unittest.mock", "mock", "pytest_mock")
READS_THE_SYSTEM_CLOCK = "clarion/base/clock.py"
WAITS_FOR_EVER = "clarion/base/loop.py"

PROOF = re.compile(r"<!-- proof: (tests/[\w/.]+)::(\w+) -->")

OPENS_WITHOUT_A_PROMISE = {
    "docs/README.md": "a list of the others",
    "docs/licences.md": "written by `make docs`",
    "docs/settings.md": "written by `make docs`, and compared with the code",
    "docs/model-card.md": "figures, which `make train` and the scored sets hold",
    "docs/operations.md": "recipes from the first line on",
    "docs/scale.md": "measurements, each beside the program that makes them",
    "docs/telegram.md": "steps to set it up",
    "docs/threats.md": "a table in which each row names its test",
    "docs/troubleshooting.md": "symptoms",
}

PRIVATE = re.compile(
    r"(?<![\w.])/(?:work|root|farm)/"  # homes of machines that build and test
    r"|/opt/(?:pypi|wheels)"
    r"|pypi[.]org/simple"
    r"|files[.]pythonhosted[.]org"
    r"|^\s*(?:--)?(?:extra-)?index-url[ =]+\S*:",
    re.MULTILINE,
)


def shape(name: str, source: str) -> list[str]:
    """Length of the module and its functions, and the sentence it opens with."""
    tree = ast.parse(source)
    found = []
    if name.startswith("clarion/") and not (ast.get_docstring(tree) or "").strip():
        found.append(f"{name}: start with one sentence that says what the module is for")
    if source.count("\n") > LINES_IN_A_FILE and LAYOUTS not in name:
        found.append(f"{name}: find the second noun in it and give that noun a file")
    for function, lines in function_lengths(tree):
        if lines > LINES_IN_A_FUNCTION and LAYOUTS not in name:
            found.append(f"{name}: {function} has {lines} lines; move the straight parts out")
    return found


def function_lengths(tree: ast.Module) -> Iterator[tuple[str, int]]:
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield node.name, (node.end_lineno or node.lineno) - node.lineno + 1


def habits(name: str, source: str) -> list[str]:
    """System time, sleeps, mocks and endless loops."""
    found = []
    for node in ast.walk(ast.parse(source)):
        place = f"{name}:{getattr(node, 'lineno', 0)}"
        if isinstance(node, ast.Import | ast.ImportFrom):
            found += [f"{place}: use a fake from tests/support" for _ in mocks(node)]
        elif isinstance(node, ast.Attribute) and name != READS_THE_SYSTEM_CLOCK:
            called = ast.unparse(node).removeprefix("datetime.datetime").removeprefix("dt.")
            called = f"datetime{called}" if called.startswith(".") else called
            if called in BANNED_CALLS:
                found.append(f"{place}: {called}: {BANNED_CALLS[called]}")
        elif is_endless(node) and name.startswith("clarion/") and name != WAITS_FOR_EVER:
            found.append(f"{place}: endless loop: write a Pass and let Loop run it")
    return found


def is_endless(node: ast.AST) -> bool:
    return isinstance(node, ast.While) and isinstance(node.test, ast.Constant)


def mocks(node: ast.Import | ast.ImportFrom) -> list[str]:
    if isinstance(node, ast.Import):
        names = [alias.name for alias in node.names]
    else:
        names = [f"{node.module}.{alias.name}" for alias in node.names] + [node.module or ""]
    return [name for name in names if name.startswith(BANNED_MODULES)][:1]


def module_names(root: Path) -> dict[str, Path]:
    """The modules of the package by their dotted names."""
    found = {}
    for path in (root / "clarion").rglob("*.py"):
        parts = path.relative_to(root).with_suffix("").parts
        found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


def imports_of(source: str, known: Collection[str]) -> set[str]:
    """Our own modules that this one imports when it is imported; not those inside functions."""
    found: set[str] = set()
    waiting: list[ast.AST] = list(ast.parse(source).body)
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.ImportFrom) and node.module in known:
            for alias in node.names:
                inner = f"{node.module}.{alias.name}"
                found.add(inner if inner in known else str(node.module))
        elif not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and not (
            isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"
        ):
            waiting += ast.iter_child_nodes(node)
    return found


def longest_chain(imports: Mapping[str, Collection[str]]) -> list[str]:
    """Modules of which each imports the next, as many as there are."""
    chains: dict[str, list[str]] = {}

    def chain(name: str) -> list[str]:
        if name not in chains:
            chains[name] = []  # a cycle ends here; another check refuses it
            below = [chain(inner) for inner in sorted(imports[name]) if inner != name]
            chains[name] = [name, *max(below, key=len, default=[])]
        return chains[name]

    return max((chain(name) for name in sorted(imports)), key=len)


def long_chains(root: Path) -> list[str]:
    paths = module_names(root)
    imports = {
        name: imports_of(path.read_text(encoding="utf-8"), paths) for name, path in paths.items()
    }
    found = longest_chain(imports)
    if len(found) <= IMPORTS_IN_A_CHAIN:
        return []
    return [
        f"a chain of {len(found)} imports: fold two of these files that are one idea, or let the"
        f" upper one be handed what it needs: {' > '.join(found)}"
    ]


def names_used_twice(sources: Mapping[str, str]) -> list[str]:
    """Class names that stand for two ideas."""
    homes: dict[str, list[str]] = {}
    for name, source in sources.items():
        for node in ast.parse(source).body:
            if isinstance(node, ast.ClassDef):
                homes.setdefault(node.name, []).append(name)
    return [
        f"{name} is a class in {' and in '.join(places)}: say which one in its name"
        for name, places in homes.items()
        if len(places) > 1
    ]


def crowded_folders(names: Iterable[str]) -> list[str]:
    counts = Counter(name.rpartition("/")[0] for name in names if name.startswith("clarion/"))
    return [
        f"{folder} has {count} files: a folder inside it wants a name"
        for folder, count in counts.items()
        if count > FILES_IN_A_FOLDER
    ]


def promises(text: str, heading: str = "| promise |") -> list[str]:
    table = text.partition(heading)[2].partition("\n\n")[0]
    return [row for row in table.splitlines()[2:] if row.startswith("|")]


def unproved_promises(text: str, root: Path) -> list[str]:
    """Rows of the table of promises without a test, and proofs that are gone."""
    rows = promises(text)
    bare = [f"a promise without a test: {row}" for row in rows if not PROOF.search(row)]
    return bare + lost_proofs(text, root)


def lost_proofs(text: str, root: Path) -> list[str]:
    return [
        f"{path}::{test} proves a promise and is gone"
        for path, test in PROOF.findall(text)
        if not (root / path).exists() or f"def {test}(" not in (root / path).read_text("utf-8")
    ]


def unproved_openings(documents: Mapping[str, str], root: Path) -> list[str]:
    """Documents whose first paragraph names no test, unless it promises nothing, and proofs that
    are gone.
    """
    bare = [
        f"{name}: name the test of its first paragraph (<!-- proof: tests/…::test_… -->), or add it"
        " to OPENS_WITHOUT_A_PROMISE with the reason"
        for name, text in documents.items()
        if name not in OPENS_WITHOUT_A_PROMISE and not PROOF.search(text.partition("\n## ")[0])
    ]
    return bare + [line for text in documents.values() for line in lost_proofs(text, root)]


def strayed_names(text: str, root: Path) -> list[str]:
    """Paths that a document names and the tree does not have."""
    named = re.findall(r"`((?:clarion|tests|docs|benchmarks|scripts|requirements)/[\w/.-]*)`", text)
    return sorted({path for path in named if not (root / path).exists()})


def private_words(text: str) -> list[str]:
    """Paths of somebody's machine and addresses of package registries."""
    return sorted({match.group().strip() for match in PRIVATE.finditer(text)})


def tracked_files(root: Path) -> list[Path]:
    listed = subprocess.run(
        ["git", "ls-files", "-z"], cwd=root, capture_output=True, text=True, check=True
    )
    paths = [root / name for name in listed.stdout.split("\0") if name]
    return [path for path in paths if path.is_file()]


def python_files(root: Path) -> list[Path]:
    places = ("clarion", "tests", "benchmarks", "scripts")
    found = (path for place in places for path in (root / place).rglob("*.py"))
    return sorted(path for path in found if not _is_hidden(path.relative_to(root)))


def _is_hidden(path: Path) -> bool:
    """In a folder like `benchmarks/.peers`, which holds what others wrote."""
    return any(part.startswith(".") for part in path.parts)
