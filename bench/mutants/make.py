"""Small changes of C files, one a line of a table, the same ones for the same text.

    make.py SOURCE_DIR FOLDER=COUNT...      # COUNT changes of the files of src/FOLDER, shared out by the lines of each file;
                                            # of one file as em/detail=COUNT
    make.py --apply FILE ID                 # makes the change with this number in FILE

Columns: number, file, line, kind, what is there, what stands there instead. A change is chosen by a hash of its line, so that
other lines of the file do not matter. Left out are the releases of memory, whose loss only sanitizers see.
"""
import glob
import hashlib
import os
import re
import sys

COMPARISONS = {"<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "=="}
OPERATORS = {"+": "-", "-": "+", "*": "/", "/": "*", "&&": "||", "||": "&&"}
DECLARATION = re.compile(r"\s+(?!return\b|else\b)\w+ +\**\w")
STATEMENT = re.compile(r"    +(?!return\b|break;|continue;|goto\b|assert|.*(free|clear|close|unlock|release)\w*\()[a-z_].*;$")


def blank(text):
    """The text with comments and strings made of blanks, of the same length."""
    pattern = r"/\*.*?\*/|//[^\n]*|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])'"
    return re.sub(pattern, lambda found: re.sub(r"[^\n]", " ", found.group()), text, flags=re.S)


def comparisons(line):
    loop = line.lstrip().startswith("for (")
    for found in re.finditer(r"(\w+) (<=?|>=?|==|!=) ", line):
        if loop and found[2] == "<":
            yield "last turn", found.start(), found.group(), found[1] + " + 1 < "
        else:
            yield "comparison", found.start(2), found[2], COMPARISONS[found[2]]


def operators(line):
    for found in re.finditer(r"(?<= )(\+|-|\*|/|&&|\|\|)(?= )", line):
        yield "operator", found.start(), found[1], OPERATORS[found[1]]
    for found in re.finditer(r"(?<= )(\+|-|\*|/)=(?= )", line):
        yield "operator", found.start(), found[1] + "=", OPERATORS[found[1]] + "="


def constants(line):
    if DECLARATION.match(line) and "=" not in line:
        return
    for found in re.finditer(r"(?<![\w.\"])(\d+\.\d*(?:e-?\d+)?|\d+e-?\d+|\d+)(?![\w.])", line):
        whole = found[1].isdigit()
        yield "constant", found.start(), found[1], str(int(found[1]) + 1) if whole else f"(1.5 * {found[1]})"
    for found in re.finditer(r"\b(true|false)\b", line):
        yield "constant", found.start(), found[1], {"true": "false", "false": "true"}[found[1]]


def balanced(text):
    return text.count("(") == text.count(")") and text.count("{") == text.count("}")


def statements(line, before):
    if STATEMENT.match(line) and not DECLARATION.match(line) and balanced(line) and before.rstrip()[-1:] in ";{}):":
        start = len(line) - len(line.lstrip())
        yield "statement", start, line[start:], ";"
    found = re.match(r"\s+(?:} else )?if \((.*)\)( \{)?$", line)
    if found and balanced(found[1]):
        yield "branch", found.start(1), found[1], "0 && (" + found[1] + ")"


def changes_of_file(root, path):
    """Every change of a file, as (order, number, file, line, kind, old, new, column)."""
    text = open(os.path.join(root, path)).read()
    lines, bare = text.split("\n"), blank(text).split("\n")
    count = {}
    for number, line in enumerate(bare):
        if not line.startswith("    ") or lines[number].rstrip().endswith("\\"):
            continue
        found = [*comparisons(line), *operators(line), *constants(line), *statements(line, bare[number - 1])]
        for kind, column, old, new in found:
            old = lines[number][column : column + len(old)]
            key = f"{path} {lines[number]} {column} {kind}"
            count[key] = count.get(key, 0) + 1
            identity = hashlib.sha1(f"{key} {count[key]}".encode()).hexdigest()[:8]
            yield identity, path, number + 1, kind, old, new if kind != "branch" else f"0 && ({old})", column


def chosen_of_file(changes, count):
    """COUNT of the changes by their numbers, at most one a line, the kinds in turn; the smallest number says which is first."""
    queues, lines, result = {}, set(), []
    for change in sorted(changes):
        queues.setdefault(change[3], []).append(change)
    while len(result) < count and any(queues.values()):
        for kind in queues:
            while queues[kind]:
                change = queues[kind].pop(0)
                if change[2] not in lines:
                    lines.add(change[2])
                    result.append(change)
                    break
            if len(result) == count:
                break
    return result


def chosen_of_folder(root, folder, wanted):
    found = glob.glob(f"{root}/src/{folder}/*.c") + glob.glob(f"{root}/src/{folder}.c")
    paths = sorted(os.path.relpath(path, root) for path in found)
    changes = {path: list(changes_of_file(root, path)) for path in paths}
    lines = {path: len({change[2] for change in changes[path]}) for path in paths}
    share, given, result = wanted / max(1, sum(lines.values())), 0, []
    for rank, path in enumerate(paths):
        total = share * sum(lines[before] for before in paths[: rank + 1])
        count = round(total) - given
        given += count
        result += chosen_of_file(changes[path], count)
    return result


def apply(path, identity):
    root = path[: path.rindex("src/")]
    for change in changes_of_file(root, path[len(root) :]):
        if change[0] == identity:
            lines = open(path).read().split("\n")
            line, column, old = lines[change[2] - 1], change[6], change[4]
            lines[change[2] - 1] = line[:column] + change[5] + line[column + len(old) :]
            open(path, "w").write("\n".join(lines))
            return
    sys.exit(f"{path} has no change {identity}")


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    if sys.argv[1] == "--apply":
        apply(sys.argv[2], sys.argv[3])
    else:
        for argument in sys.argv[2:]:
            for change in chosen_of_folder(sys.argv[1], argument.split("=")[0], int(argument.split("=")[1])):
                print(*change[:6], sep="\t")
