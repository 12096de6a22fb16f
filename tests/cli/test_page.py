"""Results as pages of HTML: whole, escaped, without a network, and with the numbers of the JSON.

    test_page.py ISOCAST ROOT [--browser]

With node the script of the page is checked, too; --browser opens the pages in a headless Chromium, and fails on a word
on its console or a picture that is not there.
"""
import hashlib
import html.parser
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

SIZE_MAX = 500_000
VOID = {"meta", "link", "br", "input"}
SECTIONS = ["answer", "sure", "change", "tested", "pictures", "tables", "assumptions", "again", "words"]
TAGS = VOID | set("html head title style body header h1 main section h2 p ul li div noscript table thead tbody tr th td "
                  "small dl dt dd pre code button script label output select option figure span".split())
OFFERS = ["offers-algorithm.yaml", "offers-slow.yaml", "offers-fast.yaml"]
LINES = [["predict", "gaussian-elimination-published", "sunwulf", "--efficiency", "0.3", "--to", "C2,C4,C8"],
         ["predict", *OFFERS[:2], "--efficiency", "0.8", "--to", "4x2,4x5"],
         ["predict", "gaussian-elimination-published", "sunwulf", "--efficiency", "0.9", "--to", "C2,C4"],  # one is out of reach
         ["predict", "gaussian-elimination-published", "sunwulf", "--efficiency", "0.1,0.3", "--to", "C2,C4"],
         ["explain", "gaussian-elimination-published", "sunwulf", "--at", "N=1000", "--to", "C2,C8"],
         ["compare", "fft-binary-exchange-textbook", "fft-2d-transpose-textbook", "textbook", "--to", "16"],
         ["validate", "gaussian-elimination-published", "sunwulf", "ge-runs.csv"],
         ["forecast", "forecast-runs.csv", "--to", "p=128..1024*2"],
         ["offers", *OFFERS, "--budget", "21kEUR", "--at", "N=5000"],
         ["scalability", "ge-runs.csv", "--work", "gaussian-elimination", "--efficiency", "0.3"],
         ["offers", "suite.yaml", "--budget", "500kEUR", "--accept", "1,2"],
         ["list"]]
HOSTILE = """</script><img src=x onerror=alert(1)><!--"'&lt;"""


class Page(html.parser.HTMLParser):
    """What stands in a page; `problems` has what is not well-formed."""

    def __init__(self, text):
        super().__init__()
        self.open, self.problems, self.tags, self.ids, self.links = [], [], [], [], []
        self.values, self.texts, self.cells = [], {}, []
        self.feed(text)
        if self.open:
            self.problems.append(f"never closed: {self.open}")

    def handle_starttag(self, tag, attributes):
        found = dict(attributes)
        self.tags.append(tag)
        self.ids += [found["id"]] if "id" in found else []
        self.links += [v for k, v in attributes if k in ("src", "href", "action", "data") and v is not None]
        self.problems += [f"an attribute {k}" for k in found if k.startswith("on")]
        self.values += [float(found["data-v"])] if "data-v" in found else []
        if tag not in VOID:
            self.open.append((tag, found.get("id", "")))

    def handle_endtag(self, tag):
        if not self.open or self.open.pop()[0] != tag:
            self.problems.append(f"</{tag}> closes another element")

    def handle_data(self, data):
        if self.open:
            key = self.open[-1]
            self.texts[key] = self.texts.get(key, "") + data
            if key[0] == "td":
                self.cells.append(data)


def numbers_of(value, out):
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        out.add(float(value))
    for inner in value.values() if isinstance(value, dict) else value if isinstance(value, list) else []:
        numbers_of(inner, out)
    return out


def run(program, line, folder, form):
    done = subprocess.run([program, *line, "--quiet", "--format", form], cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode in (0, 1, 4), (line, done.stderr)
    return done.stdout


def without_command(document):
    return json.loads(re.sub(r'"command": "(\\.|[^"\\])*"', '"command": ""', json.dumps(document)))


def check(program, line, folder):
    text = run(program, line, folder, "html")
    page = Page(text)
    said = " ".join(line)
    assert not page.problems, (said, page.problems)
    assert len(text.encode()) < SIZE_MAX, (said, len(text))
    assert set(page.tags) <= TAGS, (said, set(page.tags) - TAGS)
    assert set(page.links) == {"data:,"}, (said, page.links)
    assert len(page.ids) == len(set(page.ids)), said
    if line[0] != "list":
        assert [i for i in page.ids if i in SECTIONS] == SECTIONS, (said, page.ids)
        due = json.loads(run(program, line, folder, "json"))
        inside = json.loads(page.texts["script", "result"])
        assert without_command(inside) == without_command(due), said
        moves = line[0] in ("predict", "offers")
        assert ("what-if" in page.ids) == moves, said
        assert ("what-if-board" in page.ids) == (moves and "0.1,0.3" not in line), said  # one question at a time
        strange = set(page.values) - numbers_of(due, {1.0} if line[0] == "explain" else set())  # T is the whole of T
        assert page.values and not strange, (said, strange)
    if line[0] == "offers":  # files that a file of offers names are inputs, too
        named = {input["file"]: input["sha256"] for input in due["provenance"]["inputs"]}
        assert len(named) == len(due["provenance"]["inputs"]) and set(named) == set(due_files(line)), (said, named)
        for name, digest in named.items():
            with open(os.path.join(folder, name), "rb") as file:
                assert hashlib.sha256(file.read()).hexdigest() == digest and digest in page.cells, (said, name)
    return text, page


def due_files(line):
    return OFFERS if line[1] == OFFERS[0] else ["suite.yaml", "heat.yaml", "particles.yaml", "ethernet.yaml", "infiniband.yaml", "mixed.yaml"]


def check_hostile(program, folder):
    """Names from files stay texts, wherever they come to stand."""
    with open(os.path.join(folder, OFFERS[1]), encoding="utf-8") as file:
        machine = file.read()
    with open(os.path.join(folder, OFFERS[0]), encoding="utf-8") as file:
        algorithm = file.read()
    quoted = json.dumps(HOSTILE)
    for key, old in (("title", algorithm), ("source", machine)):
        assert re.search(r"^\w", old), key
    with open(os.path.join(folder, "hostile.yaml"), "w", encoding="utf-8") as file:
        file.write(re.sub(r"^title:.*\n", "", algorithm, flags=re.M) + f"\ntitle: {quoted}\n")
    with open(os.path.join(folder, "hostile-machine.yaml"), "w", encoding="utf-8") as file:
        file.write(re.sub(r"^source:.*\n", "", machine, flags=re.M) + f"\nsource: {quoted}\n")
    with open(os.path.join(folder, "forecast-runs.csv"), encoding="utf-8") as file:
        runs = file.read()
    name = HOSTILE.replace("/", "") + ".csv"
    with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
        file.write(runs)
    for line in (["predict", "hostile.yaml", "hostile-machine.yaml", "--at", "N=5000", "--to", "4x2,4x5"],
                 ["forecast", name, "--to", "p=128,256"]):
        text, page = check(program, line, folder)
        shown = HOSTILE if line[0] == "predict" else name
        assert text.count("onerror") == text.count("&gt;&lt;img src=x onerror") + text.count(r"\u003cimg src=x onerror"), line
        assert any(shown in t for t in page.texts.values()), line
        assert page.tags.count("script") in (2, 4), line


def check_browser(texts, folder):
    for line, text in texts:
        path = os.path.join(folder, "page.html")
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        done = subprocess.run(["chromium", "--headless", "--no-sandbox", "--disable-gpu", f"--user-data-dir={folder}/chromium",
                               "--enable-logging=stderr", "--virtual-time-budget=3000", "--dump-dom", "file://" + path],
                              capture_output=True, text=True, timeout=300, check=False)
        assert "CONSOLE" not in done.stderr, (line, done.stderr)
        assert line[0] in ("list",) or "<svg" in done.stdout, line
        assert re.search(r'<th [^>]*><button type="button">', done.stdout), line


def main():
    program, root = os.path.abspath(sys.argv[1]), sys.argv[2]
    with tempfile.TemporaryDirectory() as folder:
        work = os.path.join(folder, "work")
        shutil.copytree(os.path.join(root, "tests/cli/files"), work)
        shutil.copytree(os.path.join(root, "docs/examples/offers"), work, dirs_exist_ok=True)
        texts = [(line, check(program, line, work)[0]) for line in LINES]
        check_hostile(program, work)
        if shutil.which("node"):
            script = os.path.join(folder, "page.js")
            for inside in re.findall(r"<script>(.*?)</script>", texts[0][1], re.S):
                with open(script, "w", encoding="utf-8") as file:
                    file.write(inside)
                subprocess.run(["node", "--check", script], check=True)
        else:
            print("node is not installed: the scripts of the page are not checked")
        if "--browser" in sys.argv:
            check_browser(texts, folder)
    print(f"{len(LINES)} pages hold")


main()
