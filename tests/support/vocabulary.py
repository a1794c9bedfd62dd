"""Finds what the code declares and documents must list: error codes, and events with fields."""

import ast
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Declared:
    name: str
    bases: tuple[str, ...]
    values: dict[str, str]
    """Class attributes that are plain text, such as `code`."""
    fields: tuple[str, ...]


def declared_classes(root: Path) -> dict[str, Declared]:
    found = {}
    for path in sorted((root / "clarion").rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ClassDef):
                found[node.name] = declared(node)
    return found


def declared(node: ast.ClassDef) -> Declared:
    values: dict[str, str] = {}
    fields: list[str] = []
    for line in node.body:
        if isinstance(line, ast.Assign) and isinstance(line.targets[0], ast.Name):
            name, value = line.targets[0].id, line.value
        elif isinstance(line, ast.AnnAssign) and isinstance(line.target, ast.Name):
            name, value = line.target.id, line.value or ast.Constant(None)
            if "ClassVar" not in ast.unparse(line.annotation):
                fields.append(name)
        else:
            continue
        if isinstance(value, ast.Constant) and isinstance(value.value, str):
            values[name] = value.value
    bases = tuple(ast.unparse(base).rsplit(".", 1)[-1] for base in node.bases)
    return Declared(node.name, bases, values, tuple(fields))


def children_of(base: str, classes: dict[str, Declared]) -> list[Declared]:
    """All kinds below `base`, however deep, in the order of their names."""

    def descends(one: Declared) -> bool:
        return base in one.bases or any(
            descends(classes[parent]) for parent in one.bases if parent in classes
        )

    return [classes[name] for name in sorted(classes) if descends(classes[name])]


def error_codes(root: Path) -> set[str]:
    classes = declared_classes(root)
    kinds = [classes["ClarionError"], *children_of("ClarionError", classes)]
    return {
        kind.values[key] for kind in kinds for key in ("code", "error_code") if key in kind.values
    }


def event_fields(root: Path) -> dict[str, tuple[str, ...]]:
    """Every event kind with its own fields, those of its parents included."""
    classes = declared_classes(root)

    def fields(kind: Declared) -> tuple[str, ...]:
        parents = [classes[base] for base in kind.bases if base in classes and base != "Event"]
        return tuple(name for parent in parents for name in fields(parent)) + kind.fields

    return {
        kind.values["kind"]: fields(kind)
        for kind in children_of("Event", classes)
        if "kind" in kind.values
    }
