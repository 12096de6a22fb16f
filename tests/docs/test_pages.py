#!/usr/bin/env python3
"""Checks README.md, CONTRIBUTING.md, CHANGELOG.md and the pages of docs/ as texts.

    test_pages.py ROOT

- A link leads to a file that is there, and to a heading that it has.
- A page that a source or a message names is there.
- docs/README.md has a line of each page.
- No line of prose is wider than WIDTH, but for tables and pictures.
- A row of a table of README.md that has a date is one of docs/accuracy.md, word by word.
"""
import glob
import os
import re
import sys

WIDTH = 120
# Prose and code, as `prose` takes them apart.
SAMPLE = """prose

    code

    code
- prose
    - prose

      prose

          code

  prose

1. prose

       code
prose
```
code
```
# prose

    code
"""
LINK = re.compile(r"\]\(([^)\s]+)\)")
ITEM = re.compile(r" *(?:[-*]|\d+\.) +")


def prose(text):
    """(number, line) of each line outside blocks of code. In an item of a list, code is indented by four more."""
    fenced = code = False
    after_blank = True
    items = []  # columns at which the text of the items begins that the line is in
    for number, line in enumerate(text.splitlines(), 1):
        if line.startswith("```"):
            fenced = not fenced
        if fenced or line.startswith("```") or not line.strip():
            after_blank = True
            continue
        indent = len(line) - len(line.lstrip())
        item = ITEM.match(line)
        while items and indent < items[-1] and (after_blank or item or indent == 0 and line[0] in "#|"):
            items.pop()
        code = indent >= 4 + (items[-1] if items else 0) and (after_blank or code)
        after_blank = False
        if not code:
            if item:
                items.append(item.end())
            yield number, line


def anchor(heading):
    """As GitHub makes it of the text of a heading."""
    text = re.sub(r"\]\([^)]*\)", "", heading).lower()
    return re.sub(r"[^\w\- ]", "", text).replace(" ", "-")


def anchors(text):
    return {anchor(line.lstrip("#").strip()) for _, line in prose(text) if line.startswith("#")}


def check_links(path, texts, root):
    for number, line in prose(texts[path]):
        for link in LINK.findall(line):
            if re.match(r"\w+:", link):
                continue
            name, _, heading = link.partition("#")
            target = os.path.normpath(os.path.join(os.path.dirname(path), name)) if name else path
            if not os.path.exists(os.path.join(root, target)):
                yield "%s:%d: there is no %s" % (path, number, target)
            elif heading and heading not in anchors(texts.get(target, "")):
                yield "%s:%d: %s has no heading #%s" % (path, number, target, heading)


def check_width(path, text):
    for number, line in prose(text):
        if len(line) > WIDTH and not line.startswith(("|", "![")):
            yield "%s:%d: %d columns: at most %d" % (path, number, len(line), WIDTH)


def check_figures(texts):
    """The figures of README.md are those of the page that has all of them."""
    page = texts[os.path.join("docs", "accuracy.md")].splitlines()
    rows = [line for line in texts["README.md"].splitlines() if line.startswith("|") and re.search(r"\d{4}-\d\d-\d\d", line)]
    yield from ("README.md: docs/accuracy.md has no such row: " + row for row in rows if row not in page)
    if not rows:
        yield "README.md has no row of figures"


def check_mentions(root):
    for ending in ("c", "h", "py", "case"):
        for path in glob.glob(os.path.join(root, "[a-z]*", "**", "*." + ending), recursive=True):
            if os.sep + "build" + os.sep in path:
                continue
            with open(path, encoding="utf-8", errors="replace") as file:
                for page in set(re.findall(r"docs/[\w/-]+\.md", file.read())):
                    if not os.path.exists(os.path.join(root, page)):
                        yield "%s names %s, which is not there" % (os.path.relpath(path, root), page)


def check_sample():
    lines = SAMPLE.splitlines()
    found = [line for _, line in prose(SAMPLE)]
    if found != [line for line in lines if "prose" in line]:
        yield "prose of the sample is taken for %s" % found


def main():
    root = sys.argv[1]
    pages = sorted(os.path.relpath(path, root) for path in glob.glob(os.path.join(root, "docs", "**", "*.md"), recursive=True))
    texts = {}
    for path in ["README.md", "CONTRIBUTING.md", "CHANGELOG.md"] + pages:
        with open(os.path.join(root, path), encoding="utf-8") as file:
            texts[path] = file.read()
    problems = [*check_sample(), *(problem for path in texts for problem in check_links(path, texts, root))]
    problems += [problem for path, text in texts.items() for problem in check_width(path, text)]
    problems += check_figures(texts)
    problems += check_mentions(root)
    index = os.path.join("docs", "README.md")
    problems += ["%s has no line of %s" % (index, path) for path in pages
                 if path != index and "](%s)" % os.path.relpath(path, "docs") not in texts[index]]
    print("\n".join(problems + ["%d pages, %d problems" % (len(texts), len(problems))]))
    return 1 if problems or len(pages) < 20 else 0


if __name__ == "__main__":
    sys.exit(main())
