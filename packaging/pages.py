"""Writes manual pages, and completion for bash, zsh and fish.

    pages.py SHARE ROOT PROGRAM...

Nothing is written twice. Commands, options and texts are what PROGRAM (isocast, by an emulator or not) says of itself (`isocast COMMAND --help --format json`), pages of
files (section 5) are sections of pages in docs/. SHARE gets man/, bash-completion/, zsh/ and fish/.
"""
import glob
import json
import os
import re
import subprocess
import sys

# Pages of section 5: what the file is, and the sections of docs/ that the page is made of.
FILES = {
    "algorithm": ("what a parallel program does, as formulas or steps",
                  [("specifications", "Algorithm files"), ("specifications", "Programs"), ("specifications", "Formulas")]),
    "machine": ("what a machine costs: node classes and the times of its operations", [("specifications", "Machine files")]),
    "platform": ("a cluster as its data sheet has it", [("platforms", "Platforms: clusters that are not at hand"), ("platforms", "Keys"),
                                                        ("platforms", "Kinds of networks"), ("platforms", "Shapes")]),
    "runs": ("measured runs, a row for each", [("scalability", "Input"), ("forecast", "What RUNS.csv has")]),
    "offers": ("offers of vendors, to choose from", [("offers", "How an offer is written")]),
}
KINDS = "@algorithms|@machines|@platforms|@launchers|@runs|@systems|@schema"
# What a word of the help stands for in completion; a word that is not here, and no file, is not completed.
NAMED = {"ALGORITHM": "algorithms", "MACHINE": "machines", "HERE": "machines", "THERE": "machines", "PLATFORM": "platforms",
         "LAUNCHER": "launchers", "KIND": KINDS, "SYSTEM": "systems", "SYSTEMS": "systems", "FOLDER": "folder"}


def output(program, *arguments):
    return subprocess.run([*program, *arguments], capture_output=True, text=True, check=True, env={**os.environ, "LC_ALL": "C.UTF-8"}).stdout


class Interface:
    """What the program says of itself."""

    def __init__(self, program):
        self.overview = output(program, "--help")
        groups = self.overview.split("\n'isocast help COMMAND'", 1)[0]
        self.summaries = dict(re.findall(r"^  ([a-z][a-z-]*)  +(\S.*)$", groups, re.MULTILINE))
        self.tables = {name: self.table(program, name) for name in self.summaries}
        self.version = output(program, "--version").split()[1]


    @staticmethod
    def table(program, name):
        """A command that hands its words on to a compiler has a help, and no options of its own."""
        text = output(program, name, "--help")
        if "\nOptions:\n" in text:
            return json.loads(output(program, name, "--help", "--format", "json"))
        usage, summary, details = text.split("\n\n", 2)
        return {"arguments": usage.split(name + " ", 1)[1], "summary": summary.replace("\n", " "), "details": details, "options": []}


def kinds_of(option):
    """What the value of an option may be, as completion knows it."""
    if option["value"] is None:
        return []
    words = re.match(r"([a-z]+(?:, [a-z]+)+ or [a-z]+) \(", option["help"])
    if words:
        return ["@" + word for word in re.split(r", | or ", words[1])]
    kind = NAMED.get(option["value"])
    plain = "file" if option["file"] or re.search("FILE|[.]csv", option["value"]) else None
    return (kind or plain).split("|") if kind or plain else []


def positions(arguments):
    """The kinds of each positional argument; the last one holds for all further ones."""
    text = re.sub(r"\[--\w.*?\]|\|--\w+ [A-Z]+|--\w+ [A-Z]+", "", arguments)
    found = []
    for token in text.replace("-- ", "").split():
        word = token.strip("[].")
        parts = [part for part in word.split("|") if part != "KERNEL"]
        kinds = "|".join(NAMED.get(part, "@" + part if part.islower() else "file") for part in parts).split("|")
        found.append((kinds, "..." in token))
    for i in range(len(found) - 2, -1, -1):
        if found[i][1]:  # as many of these, then those
            found[i:] = [(sorted({kind for kinds, _ in found[i:] for kind in kinds}), True)]
    return [kinds for kinds, _ in found]


def brief(text):
    """The first clause of a help, for a menu."""
    clause = re.split(r"[;:(]|, (?!\w+ or )", text)[0].strip()
    return clause if len(clause) <= 70 else clause[:67].rsplit(" ", 1)[0] + "..."


# Manual pages

def roff(text):
    """Text as roff shows it: nothing in it is a request."""
    text = text.replace("\\", "\\e").replace("-", "\\-").replace("'", "\\(aq").replace("`", "\\(ga").replace("^", "\\(ha").replace("~", "\\(ti")
    return re.sub(r"^\.", r"\\&.", text, flags=re.MULTILINE)


def marked(text):
    """Markdown inside a paragraph: bold, italics, code and links."""
    text = re.sub(r"!?\[([^\]]*)\]\([^)]*\)", r"\1", text.replace("\\|", "|"))
    parts = re.split(r"(`[^`]+`|\*\*[^*]+\*\*)", text)
    made = [f"\\fB{roff(part.strip('`*'))}\\fR" if part[:1] in ("`", "*") and len(part) > 2 else roff(part) for part in parts if part]
    return re.sub(r"^(['.])", r"\\&\1", "".join(made))


def code(lines):
    return ["", ".RS 4", ".nf", *(roff(line) or "\\&" for line in lines), ".fi", ".RE"]


def table_rows(lines):
    rows = [[cell.strip() for cell in re.split(r"(?<!\\)\|", line.strip().strip("|"))] for line in lines]
    heads, out = rows[0], []
    for row in rows[2:]:
        rest = [f"{head}: {cell}" if i > 0 and head else cell for i, (head, cell) in enumerate(zip(heads[1:], row[1:])) if cell]
        out += [".TP", marked(row[0]) or "\\&", marked("; ".join(rest)) or "\\&"]
    return out


def from_markdown(text):
    """Paragraphs, lists, tables, code and lower headings of Markdown as roff."""
    out, lines, i = [], text.splitlines(), 0

    def run_of(test):
        nonlocal i
        first = i
        while i < len(lines) and test(lines[i]):
            i += 1
        return lines[first:i]

    while i < len(lines):
        line = lines[i]
        if line.startswith("#"):
            out += [".SS " + marked(line.lstrip("# "))]
            i += 1
        elif line.startswith("```"):
            i += 1
            out += code(run_of(lambda each: not each.startswith("```"))) + [".PP"]
            i += 1
        elif line.startswith("    "):
            block = run_of(lambda each: each.startswith("    ") or not each.strip())
            while block and not block[-1].strip():
                block.pop()
            out += code([each[4:] for each in block]) + [".PP"]
        elif line.startswith("|"):
            out += table_rows(run_of(lambda each: each.startswith("|"))) + [".PP"]
        elif not line.strip() or line.startswith("!["):
            out += [".PP"] if not line.strip() and out and not out[-1].startswith((".PP", ".S")) else []
            i += 1
        else:
            item = re.match(r"(-|\d+\.) +", line)
            i += 1
            words = [line[item.end():] if item else line]
            words += run_of(lambda each: each.strip() and not re.match(r"(-|\d+\.) |[#|]|```", each))
            out += [f".IP {roff(item[1]) if item[1] != '-' else chr(92) + '(bu'} 4"] if item else []
            out += [marked(" ".join(each.strip() for each in words))]
    spaced = (".PP", ".SS", ".SH", "")  # what begins a paragraph by itself
    return [line for line, after in zip(out, out[1:] + [""]) if line != ".PP" or not after.startswith(spaced) and after]


def page(name, section, version, what, body):
    return "\n".join([f'.TH "{name.upper()}" "{section}" "" "isocast {version}" "isocast"', ".SH NAME", f"{roff(name)} \\- {roff(what)}",
                      *body, ""])


def examples(text):
    """Paragraphs as paragraphs, lines that start with a blank as they are."""
    out, block = [], []
    for line in text.split("\n") + [""]:
        if line.startswith(" "):
            block.append(line[2:])
            continue
        out += code(block) if block else []
        block = []
        out += [".PP", roff(line)] if line else []
    return out


def command_page(interface, name):
    table = interface.tables[name]
    body = [".SH SYNOPSIS", f"\\fBisocast {roff(name)}\\fR {roff(table['arguments'])}{' [OPTIONS]' if table['options'] else ''}", ".SH DESCRIPTION", roff(table["summary"])]
    notes, _, shown = (table["details"] or "").partition("Examples:\n")
    body += examples(notes.rstrip("\n")) + ([".SH OPTIONS"] if table["options"] else [])
    for option in table["options"]:
        names = [f"\\fB{roff(text)}\\fR" for text in ("-" + option["letter"] if option["letter"] else "", option["name"]) if text]
        body += [".TP", ", ".join(names) + (f" \\fI{roff(option['value'])}\\fR" if option["value"] else ""), roff(option["help"])]
    body += [".SH EXAMPLES", *examples(shown)] if shown else []
    body += [".SH SEE ALSO", see_also(interface, "isocast-" + name)]
    return page("isocast-" + name, 1, interface.version, interface.summaries[name], body)


def see_also(interface, own):
    pages = [("isocast", 1)] + [("isocast-" + name, 1) for name in interface.tables] + [("isocast-" + name, 5) for name in FILES]
    return ",\n".join(f"\\fB{roff(name)}\\fR({section})" for name, section in pages if name != own)


def overview_page(interface):
    usage, what, *groups = interface.overview.split("\n\n")
    body = [".SH SYNOPSIS", roff(usage.replace("Usage: ", "")), ".SH DESCRIPTION", roff(what)]
    for group in groups:
        heading, _, rows = group.partition(":\n")
        found = re.findall(r"^  (\S+)  +(.*)$", rows, re.MULTILINE)
        if heading == "Exit status":
            body += [".SH EXIT STATUS"]
        elif heading == "Where to begin":
            body += [".SH EXAMPLES", *code(line[2:] for line in rows.splitlines())]
            continue
        elif rows:
            body += [".SS " + roff(heading)]
        else:
            body += [".PP", roff(group)]
        for name, text in found:
            body += [".TP", f"\\fB{roff(name)}\\fR", roff(text)]
    body += [".SH ENVIRONMENT", ".TP", "\\fBISOCAST_SPECS\\fR", "the folder in which names of specifications are looked for, in place of the "
             "installed one", ".SH SEE ALSO", see_also(interface, "isocast")]
    return page("isocast", 1, interface.version, "predicts how a parallel program scales", body)


def section(root, document, heading):
    """The text under a heading, up to the next one that is no lower."""
    [path] = glob.glob(os.path.join(root, "docs", "**", document + ".md"), recursive=True)
    with open(path, encoding="utf-8") as file:
        text = file.read()
    found = re.search(rf"^(#+) {re.escape(heading)}\n(.*?)(?=^#{{1,2}} |\Z)", text, re.MULTILINE | re.DOTALL)
    if found is None:
        sys.exit(f"{path} has no section '{heading}'")
    deeper = len(found[1])
    return re.split(rf"^#{{1,{deeper}}} ", found[2], flags=re.MULTILINE)[0]


def file_page(interface, root, name):
    what, sections = FILES[name]
    body = []
    for document, heading in sections:
        body += [".SH " + roff(heading.upper()), *from_markdown(section(root, document, heading))]
    return page("isocast-" + name, 5, interface.version, what, body + [".SH SEE ALSO", see_also(interface, "isocast-" + name)])


# Completion

BASH = r"""# bash completion for isocast; packaging/pages.py makes it of the tables of options
declare -A _isocast_options=(%(options)s)
declare -A _isocast_values=(%(values)s)
declare -A _isocast_positions=(%(positions)s)

# Adds a candidate. Names come from files of strangers, so nothing in them reaches the shell as code.
_isocast_add() { # START NAME
    [[ $2 == "${cur#"$1"}"* ]] || return
    [[ $2 =~ ^[][A-Za-z0-9_.:=/+-]+$ ]] && COMPREPLY+=("$1$2") || COMPREPLY+=("$1$(printf %%q "$2")")
}

_isocast() {
    local isocast=$1 start= cur= before= glue= kind word i
    local -a words=() plain=()
    for ((i = 0; i <= COMP_CWORD; i++)); do # bash parts words at : and =
        word=${COMP_WORDS[i]}
        if [ -n "$glue" ] || { ((i > 1)) && [[ $word == [:=]* ]]; }; then words[-1]+=$word; else words+=("$word"); fi
        [[ $word == *[:=] ]] && glue=1 || glue=
    done
    cur=${words[-1]}
    COMPREPLY=()
    local command=${words[1]-}
    if ((${#words[@]} < 3)) || [ "$command" = help ]; then
        ((${#words[@]} < 3)) && _isocast_add "" help
        for word in "${!_isocast_options[@]}"; do _isocast_add "" "$word"; done
        return
    fi
    for word in "${words[@]:2:${#words[@]}-3}"; do
        if [ -n "$before" ]; then
            before=
        elif [[ $word == -* ]]; then
            [ -n "${_isocast_values["$command $word"]+has}" ] && before=$word
        else
            plain+=("${word//[\'\"\\]/}")
        fi
    done
    [[ $cur == --*=* ]] && before=${cur%%%%=*} && cur=${cur#*=}
    local -a positions=(${_isocast_positions["$command"]-})
    local kinds=${positions[${#plain[@]} < ${#positions[@]} ? ${#plain[@]} : ${#positions[@]} - 1]-}
    [ -n "$before" ] && kinds=${_isocast_values["$command $before"]-}
    if [ -z "$before" ] && [[ $cur == -* ]]; then
        for word in ${_isocast_options["$command"]-}; do _isocast_add "" "$word"; done
        return
    fi
    for kind in ${kinds//|/ }; do
        case $kind in
        @*) _isocast_add "" "${kind#@}" ;;
        systems)
            [[ $cur == *[,+]* ]] && start=${cur%%"${cur##*[,+]}"}
            for word in "${words[@]:2:${#words[@]}-3}"; do
                word=${word//[\'\"\\]/}
                [[ $word == *.yaml || $word != -* && $word != *[./,=]* ]] || continue
                while IFS=, read -r i word _; do
                    [ "$i" = class ] && word+=:
                    _isocast_add "$start" "$word"
                done < <("$isocast" list systems --format csv -- "$word" 2>/dev/null | tail -n +2)
            done
            [[ ${COMPREPLY[*]} == *: ]] && compopt -o nospace 2>/dev/null
            ;;
        file | folder) ;;
        *) while IFS=, read -r _ word _; do _isocast_add "" "$word"; done < <("$isocast" list "$kind" --format csv 2>/dev/null | tail -n +2) ;;
        esac
        case $kind in
        folder) mapfile -t -O ${#COMPREPLY[@]} COMPREPLY < <(compgen -d -- "$cur") ;;
        file | algorithms | machines | platforms) mapfile -t -O ${#COMPREPLY[@]} COMPREPLY < <(compgen -f -- "$cur") ;;
        esac
        [[ $kind == f* ]] && compopt -o filenames 2>/dev/null
    done
    # What stands before the last colon is on the line already.
    [[ $cur == *:* && $COMP_WORDBREAKS == *:* ]] && COMPREPLY=("${COMPREPLY[@]#"${cur%%"${cur##*:}"}"}")
    return 0
}
complete -o default -F _isocast isocast
"""


def quoted(text):
    return "'" + text.replace("'", "'\\''") + "'"


def names_of(option):
    return [text for text in (option["name"], "-" + option["letter"] if option["letter"] else None) if text]


def bash(interface):
    def pairs(of):
        return "".join(f"\n    [{key}]={quoted(value)}" for key, value in of.items()) + "\n"

    tables = interface.tables
    values = {f'"{name} {text}"': "|".join(kinds_of(option)) for name, table in tables.items() for option in table["options"]
              if option["value"] for text in names_of(option)}
    return BASH % {"options": pairs({name: " ".join(text for option in table["options"] for text in names_of(option))
                                     for name, table in tables.items()}),
                   "values": pairs(values),
                   "positions": pairs({name: " ".join(map("|".join, positions(table["arguments"]))) for name, table in tables.items()})}


ZSH = r"""#compdef isocast
# packaging/pages.py makes it of the tables of options

_isocast_of() { # KIND...
    local kind word ret=1
    local -a rows found
    for kind in $@; do
        case $kind in
        @*) compadd -- ${kind#@} && ret=0 ;;
        file) _files && ret=0 ;;
        folder) _files -/ && ret=0 ;;
        systems)
            compset -P '*[,+]'
            for word in ${(Q)words[2,CURRENT-1]}; do
                [[ $word == *.yaml || ( $word != -* && $word != *[./,=]* ) ]] || continue
                rows=(${(f)"$(isocast list systems --format csv -- $word 2>/dev/null)"})
                found=(${${(M)rows:#system,*}#system,})
                found=(${found%%%%,*})
                compadd -a found && ret=0
                found=(${${(M)rows:#class,*}#class,})
                found=(${^found%%%%,*}:)
                compadd -S '' -a found && ret=0
            done ;;
        *)
            rows=(${(f)"$(isocast list $kind --format csv 2>/dev/null)"})
            found=(${rows[2,-1]#*,})
            found=(${found%%%%,*})
            compadd -a found && ret=0
            [[ $kind == launchers ]] || { _files && ret=0 } ;;
        esac
    done
    return ret
}

_isocast() {
    local -a commands
    commands=(%(commands)s)
    if ((CURRENT == 2)) || [[ $words[2] == help ]]; then
        _describe command commands
        return
    fi
    local command=$words[2]
    shift words
    ((CURRENT--))
    case $command in
%(cases)s    esac
}

_isocast "$@"
"""


def zsh(interface):
    commands = "".join(f"\n        {quoted(name + ':' + text)}" for name, text in interface.summaries.items())
    cases = []
    for name, table in interface.tables.items():
        words = []
        for option in table["options"]:
            value = f":{option['value']}:" + (" _isocast_of " + " ".join(kinds_of(option)) if kinds_of(option) else " ")
            text = "[" + brief(option["help"]).replace("[", "(").replace("]", ")") + "]" + (value if option["value"] else "")
            words += [quoted("*" + each + text) for each in names_of(option)]
        places = positions(table["arguments"])
        words += [quoted(f"{i + 1 if i + 1 < len(places) else '*'}:word: _isocast_of {' '.join(kinds)}")
                  for i, kinds in enumerate(places)]
        cases.append(f"    {name})\n        _arguments -S " + " \\\n            ".join(words) + " ;;\n")
    return ZSH % {"commands": commands + "\n    ", "cases": "".join(cases)}


FISH = r"""# fish completion for isocast; packaging/pages.py makes it of the tables of options
function __isocast_is
    set -l words (commandline -opc)
    test (count $words) -ge 2; and test "$words[2]" = $argv[1]
end
function __isocast_names
    for kind in $argv
        isocast list $kind --format csv 2>/dev/null | tail -n +2 | string split -f2 ,
    end
end
function __isocast_systems
    set -l start (string match -r '.*[,+]' -- (commandline -ct))
    for word in (commandline -opc)[3..]
        if string match -qr '\.yaml$|^[^-./,=][^./,=]*$' -- $word
            isocast list systems --format csv -- $word 2>/dev/null | string replace -rf '^system,([^,]*),.*|^class,([^,]*),.*' "$start"'$1$2'
        end
    end
end
complete -c isocast -f
"""


def fish(interface):
    def values(kinds):
        """-a for what kinds give, and whether files are among it."""
        calls = [kind[1:] if kind[0] == "@" else "(__isocast_systems)" if kind == "systems" else f"(__isocast_names {kind})"
                 for kind in kinds if kind not in ("file", "folder")]
        files = any(kind in ("file", "folder", "algorithms", "machines", "platforms") for kind in kinds)
        return (f" -a {quoted(' '.join(calls))}" if calls else "") + (" -F" if files else " -f")

    lines = [f"complete -c isocast -n __fish_use_subcommand -a {name} -d {quoted(text)}" for name, text in interface.summaries.items()]
    for name, table in interface.tables.items():
        for option in table["options"]:
            letter = f" -s {option['letter']}" if option["letter"] else ""
            lines.append(f"complete -c isocast -n '__isocast_is {name}'{letter} -l {option['name'][2:]} -d {quoted(brief(option['help']))}" +
                         (" -r" + values(kinds_of(option)) if option["value"] else ""))
        places = sorted({kind for kinds in positions(table["arguments"]) for kind in kinds})
        lines += [f"complete -c isocast -n '__isocast_is {name}'" + values(places)] if places else []
    return FISH + "\n".join(lines) + "\n"


def main():
    share, root, *program = sys.argv[1:]
    interface = Interface(program)
    made = {"man/man1/isocast.1": overview_page(interface), "bash-completion/completions/isocast": bash(interface),
            "zsh/_isocast": zsh(interface), "fish/vendor_completions.d/isocast.fish": fish(interface)}
    made.update({f"man/man1/isocast-{name}.1": command_page(interface, name) for name in interface.tables})
    made.update({f"man/man5/isocast-{name}.5": file_page(interface, root, name) for name in FILES})
    for path, text in made.items():
        path = os.path.join(share, path)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)


if __name__ == "__main__":
    main()
