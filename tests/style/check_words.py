"""Words that need a reason: where the field has another word, or plain English has a shorter one, that one is used.

    check_words.py ROOT          every tracked line of text, code and names of files
    check_words.py --self-test   each word is found, and what looks like it is not
"""
import os
import re
import subprocess
import sys

# The word, and what to write in its place.
WORDS = {
    r"(?:un)?tell(?:s|ing)?|(?:un)?told": "report (a command), state (a file), show (a number), determine, distinguish",
    r"reckon(?:s|ed|ing)?": "compute, calculate",
    r"h(?:a|u)ng(?:s|ing)? on": "depend on",
    r"anew": "again",
    r"for ever": "forever",
    r"mend(?:s|ed|ing)?": "correct, repair",
    r"hitherto|thereof|whereof|nought|henceforth": "so far, of it, of which, zero, from now on",
    r"utili[sz]e[sd]?": "use",
    r"in order to": "to",
    r"(?:obviously|simply|of course|needless to say)": "nothing: what is obvious need not be said",
}
# Where a word is meant: a part of the path, the words around it, and the reason.
MEANT = [
    ("tests/style/check_words.py", ".*", "the list itself"),
    ("", r"\bf(?:ile)?\.tell\(\)", "Python's position in a file"),
    ("CONTRIBUTING.md", "`tell`s", "the rule itself"),
    ("LICENSE", ".*", "the licence is not ours to word"),
]
# A word is a word of prose or a part of an identifier.
def pattern_of(words):
    return re.compile(r"(?<![A-Za-z])(?:%s)(?![A-Za-z])" % words.replace(" ", r"\s+"), re.IGNORECASE)


PATTERNS = [(pattern_of(word), instead) for word, instead in WORDS.items()]
ANY = pattern_of("|".join(WORDS))
SKIPPED = ("tests/fuzz/", "tests/data/", "bench/data/")


def found(path, text):
    lines = enumerate(text.splitlines(), 1) if ANY.search(text) else ()
    for number, line in lines:
        for pattern, instead in PATTERNS:
            for match in pattern.finditer(line):
                if not any(path.startswith(part) and re.search(context, line) for part, context, _ in MEANT):
                    yield number, match[0], instead


def self_test():
    samples = ["it tells why", "cli_tell_line(", "was untold", "ReCkons", "hangs on p", "made anew", "for ever", "to mend it", "in order to",
               "of course"]
    for sample in samples:
        if not list(found("x.c", sample)):
            sys.exit(f"not found: {sample}")
    for sample in ["ftell(file)", "intelligence", "satellite", "forever", "amend", "tended", "file.tell()", "change on"]:
        if list(found("x.c", sample)):
            sys.exit(f"found, and no word of the list: {sample}")


def main():
    if sys.argv[1] == "--self-test":
        return self_test()
    root = sys.argv[1]
    listed = subprocess.run(["git", "-C", root, "ls-files", "-z"], capture_output=True, check=False)
    if listed.returncode != 0:
        print("no git checkout: nothing is looked at")
        return None
    problems = 0
    for path in listed.stdout.decode().split("\0"):
        full = os.path.join(root, path)
        if not path or path.startswith(SKIPPED) or os.path.islink(full) or not os.path.isfile(full):
            continue
        try:
            with open(full, encoding="utf-8") as file:
                text = file.read()
        except UnicodeDecodeError:
            continue
        for number, word, instead in [*found(path, text), *found(path, os.path.basename(path))]:
            print(f"{path}:{number}: '{word}': write {instead}")
            problems += 1
    return sys.exit(f"{problems} words; a word that is meant stands in MEANT of tests/style/check_words.py with its reason") if problems else None


if __name__ == "__main__":
    main()
