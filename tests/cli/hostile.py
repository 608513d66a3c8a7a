#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Names that want to be obeyed, in every kind of file, and what may be left of them in what is written.

    hostile.py make                     scenarios, a study, fabrics and lists in the current folder
    hostile.py edit RESULTS             puts them into every text of a results file, by SQLite
    hostile.py rename RESULTS           into its title, names, units and verdicts alone: what it describes can be run again
    hostile.py check FILE...            by the ending of each; status 1 and a line for what is wrong
"""
import csv
import io
import json
import re
import sqlite3
import sys
import unicodedata
import xml.etree.ElementTree
from html.parser import HTMLParser

ESC, BELL, CSI, OVERRIDE, ISOLATE = "\x1b", "\x07", "\x9b", "\u202e", "\u2066"
# What a person may call something: printable, and meant for an interpreter.
NAMES = [
    "</script><script>alert(1)</script>",
    '"><img src=x onerror="alert(1)">',
    "' onload='alert(1)",
    "]]><svg onload=alert(1)>",
    '"; system("touch pwned") #',
    "'; system('touch pwned'); '",
    "`touch pwned`",
    "$(touch pwned)",
    "| touch pwned",
    "\\input{/etc/passwd}",
    "\\write18{touch pwned} $x^2_3$ & % # ~ {",
    "%s%n%s%n",
    '=HYPERLINK("http://x.invalid","y")',
    "+1+cmd|' /C calc'!A0",
    "-2+3",
    "@SUM(1+1)",
    "＝1+1",
    "a,b;c\td",
    "{/=40 big} @ARG0 \\n",
    "漢字カナ한글 👾",
    "é",
    "https://x.invalid/?<a>",
    "../../pwned",
]
# What only a results file that somebody has edited can hold, or an escape of YAML.
WORSE = [
    f"{ESC}]0;owned{BELL}{ESC}[2J{ESC}[31m",
    f"{CSI}31m",
    f"{OVERRIDE}txt.exe{ISOLATE}",
    "two\nlines\r\nthree\rfour",
    "\u2028separator\u2029",
    "\x7f\x08\x08\x08",
    "long " + "x" * 10000,
    "marks " + "e" + "\u0301" * 500,
]
HOSTILE = NAMES + WORSE


def quoted(text):
    """A double-quoted scalar of YAML."""
    out = ""
    for c in text:
        if c in '"\\':
            out += "\\" + c
        elif is_control(c):
            out += f"\\u{ord(c):04x}"
        else:
            out += c
    return f'"{out}"'


def is_control(c):
    return unicodedata.category(c) in ("Cc", "Zl", "Zp") or c in "\u061c\u200e\u200f\ufeff" or "\u202a" <= c <= "\u202e" or "\u2066" <= c <= "\u2069"


def write(path, text):
    with open(path, "w", encoding="utf-8", newline="") as file:
        file.write(text)


def make_scenarios():
    for i, name in enumerate(HOSTILE):
        write(
            f"title{i}.yaml",
            f"""interweft: 1
title: {quoted(name[:4000])}
topology: {{kind: torus, dims: [3, 3]}}
routing: {{kind: minimal-adaptive}}
traffic: {{all: {{pattern: uniform, length: 4 flits, rho: 0.3}}}}
measure: {{half-width: 50%, limit: {{packets: 500}}}}
vary: {{traffic.all.rho: [0.1, 0.2]}}
""",
        )
    write(
        "study.yaml",
        f"""interweft-study: 1
title: {quoted(NAMES[0] + NAMES[9])}
about: {quoted(NAMES[1] + WORSE[0])}
scenarios:
  one:
    scenario:
      interweft: 1
      topology: {{kind: torus, dims: [3, 3]}}
      routing: {{kind: minimal-adaptive}}
      traffic: {{all: {{pattern: uniform, length: 4 flits, rho: 0.3}}}}
      measure: {{half-width: 50%, limit: {{packets: 500}}}}
vary: {{traffic.all.rho: [0.1, 0.2]}}
figures:
  first: {{title: {quoted(NAMES[4] + NAMES[6])}, of: one, y: mean, caption: {quoted(NAMES[0] + WORSE[2])}}}
tables:
  second: {{title: {quoted(NAMES[2])}, columns: [mean, p99], caption: {quoted(NAMES[3] + WORSE[3])}}}
""",
    )


def xml_text(name):
    return "".join(f"&#{ord(c)};" if c in "<>&\"'" or ord(c) < 32 else c for c in name)


def make_fabrics():
    """A ring of switches by these names, two hosts each: as GraphML, as ibnetdiscover and as a scenario with its routers by name."""
    nodes = "".join(f'<node id="{xml_text(n)}"><data key="h">2</data></node>\n' for n in NAMES if "\t" not in n)
    names = [n for n in NAMES if "\t" not in n]
    edges = "".join(f'<edge source="{xml_text(names[i - 1])}" target="{xml_text(n)}"/>\n' for i, n in enumerate(names))
    head = '<?xml version="1.0" encoding="UTF-8"?>\n<graphml xmlns="http://graphml.graphdrawing.org/xmlns">\n'
    head += '<key id="h" for="node" attr.name="hosts" attr.type="int"/>\n<graph edgedefault="undirected">\n'
    write("ring.graphml", head + nodes + edges + "</graph>\n</graphml>\n")
    for i, name in enumerate(WORSE):  # refused with a sentence, which shows the name
        node = f'<node id="{xml_text(name)}"/><node id="b"/><edge source="b" target="{xml_text(name)}"/>\n'
        write(f"worse{i}.graphml", head + node + "</graph>\n</graphml>\n")
    plain = [n for n in names if '"' not in n]
    write("ring.net", netdiscover(plain))
    for i, name in enumerate(WORSE):
        write(f"worse{i}.net", netdiscover(["a", name.replace('"', ""), "c"]))
    # OpenSM's tables: to the lid of a switch or of its host the right way round, which can deadlock.
    lids = [i + 1 for i in range(len(plain))] + [i + 500 for i in range(len(plain))]
    tables = ""
    for i, name in enumerate(plain):
        tables += f"Unicast lids [0x0-0x{max(lids):x}] of switch Lid {i + 1} guid 0x{i + 256:016x} ({name}):\n"
        tables += "  Lid  Out   Destination\n       Port     Info \n"
        for k, lid in enumerate(lids):
            port = 1 if k % len(plain) != i else 3 if k >= len(plain) else 0
            kind = "Channel Adapter" if k >= len(plain) else "Switch"
            tables += f"0x{lid:04x} {port:03} : ({kind} portguid 0x{k:016x}: '{plain[k % len(plain)]}')\n"
    write("ring.lft", tables)
    write("booksim.cfg", "topology = torus;\nk = 4;\nn = 2;\ntraffic = \x1b]0;owned\x07;\n")
    write("ring.edges", "".join(f'"{plain[i - 1]}" "{n}"\n' for i, n in enumerate(plain)))
    write(
        "ring.yaml",
        f"""interweft: 1
title: {quoted(NAMES[5])}
topology: {{kind: file, path: ring.weftnet}}
routing: {{kind: up-down}}
traffic: {{all: {{pattern: uniform, length: 4 flits, load: 0.02}}}}
router: {{kind: input-queued, vcs: 2, buffer: 16 flits}}
measure: {{half-width: 50%, links: all, limit: {{packets: 500}}}}
""",
    )


def netdiscover(names):
    """A ring in the form of ibnetdiscover; every switch has a host."""
    out = ""
    for i, name in enumerate(names):
        before, behind = (i - 1) % len(names), (i + 1) % len(names)
        out += f'\nvendid=0x0\ndevid=0x0\nsysimgguid=0x{i + 256:x}\nswitchguid=0x{i + 256:x}({i + 256:x})\n'
        out += f'Switch\t3 "S-{i + 256:016x}"\t\t# "{name}" base port 0 lid {i + 1} lmc 0\n'
        out += f'[1]\t"S-{behind + 256:016x}"[2]\t\t# "{names[behind]}" lid {behind + 1} 4xQDR\n'
        out += f'[2]\t"S-{before + 256:016x}"[1]\t\t# "{names[before]}" lid {before + 1} 4xQDR\n'
        out += f'[3]\t"H-{i + 4096:016x}"[1]({i + 8192:x}) \t\t# "host {name}" lid {i + 500} 4xQDR\n'
    for i, name in enumerate(names):
        out += f'\nvendid=0x0\ndevid=0x0\nsysimgguid=0x{i + 4096:x}\ncaguid=0x{i + 4096:x}\n'
        out += f'Ca\t1 "H-{i + 4096:016x}"\t\t# "host {name}"\n'
        out += f'[1]({i + 8192:x}) \t"S-{i + 256:016x}"[3]\t\t# lid {i + 500} lmc 0 "{name}" lid {i + 1} 4xQDR\n'
    return out


def edit(path, all_texts):
    """Every text of a results file is another hostile name; keys stay different, the names of metrics that reports look for stay."""
    broken = b"\xff\xfe\xc0\xaf\xed\xa0\x80 broken"
    labels = [name.encode()[:900].decode(errors="ignore") for name in HOSTILE]  # 1,024 bytes are allowed
    db = sqlite3.connect(path)
    db.execute("UPDATE run SET title = ?", (" ".join(HOSTILE),))
    if all_texts:
        db.execute("UPDATE run SET scenario = ?", ("\n".join(HOSTILE),))
        db.execute("UPDATE point SET settings = ?", ("\n".join(HOSTILE),))
    for (i,) in db.execute("SELECT id FROM point").fetchall():
        name = labels[i % len(labels)]
        db.execute("UPDATE point SET verdict = ? WHERE id = ?", (name, i))
        if all_texts:
            key = f"{HOSTILE[-i % len(HOSTILE)]}={name} traffic.all.rho=0.{i}"
            db.execute("UPDATE point SET key = ? WHERE id = ?", (key, i))
        db.execute("UPDATE metric SET unit = CAST(? AS TEXT), method = ? WHERE point = ?", (broken, name, i))
        for table, texts in (("metric", "name, class, by"), ("series", "name, class"), ("histogram", "name, class")):
            rows = db.execute(f"SELECT DISTINCT name FROM {table} WHERE point = ? ORDER BY name", (i,)).fetchall()
            for k, (was,) in enumerate(rows):
                if table == "metric" and was in ("latency", "offered rho", "accepted") and i % 3:
                    continue
                new = labels[(i + k) % len(labels)] + f" {k}"
                db.execute(f"UPDATE {table} SET name = ?, class = ? WHERE point = ? AND name = ?", (new, name, i, was))
        db.execute("UPDATE links SET name = ? || \"index\" WHERE point = ?", (name, i))
    db.execute("UPDATE provenance SET host = ?, version = ?, build = ?", (WORSE[0], NAMES[0], NAMES[6]))
    db.commit()
    db.close()


class Page(HTMLParser):
    """Scripts, handlers and addresses of a page."""

    def __init__(self):
        super().__init__()
        self.wrong = []

    def handle_starttag(self, tag, attributes):
        for key, value in attributes:
            if key.startswith("on"):
                self.wrong.append(f"<{tag} {key}>")
            if key in ("src", "href") and not re.match(r"data:|#|https://www\.w3\.org|[a-z0-9.-]*$", value or ""):
                self.wrong.append(f"<{tag} {key}={value[:60]}>")
        if tag in ("iframe", "object", "embed", "base", "form"):
            self.wrong.append(f"<{tag}>")


def complaints(path):
    data = open(path, "rb").read()
    ending = path.rsplit(".", 1)[-1]
    if ending in ("png", "pdf"):
        return
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        yield f"not UTF-8: {error}"
        return
    breaks = "\n\t\r" if ending == "csv" or "export-csv" in path else "\n\t" if ending in ("html", "svg") or "ibnetdiscover" in path else "\n"
    for place, c in enumerate(text):
        if is_control(c) and c not in breaks:
            yield f"U+{ord(c):04X} at {place}: {text[max(0, place - 30):place + 10]!r}"
            break
    if ending in ("svg", "graphml"):
        try:
            root = xml.etree.ElementTree.fromstring(text)
        except xml.etree.ElementTree.ParseError as error:
            yield f"not XML: {error}: {text.splitlines()[error.position[0] - 1][:200]!r}"
            return
        for node in root.iter():
            if node.tag.endswith(("}script", "}image", "}foreignObject")):
                yield f"{node.tag} inside"
            yield from (f"{node.tag} {key}" for key in node.attrib if key.startswith("on"))
    if ending == "html":
        page = Page()
        page.feed(text)
        yield from page.wrong
        if "alert(1)</script>" in text:
            yield "a script that a name brought along"
    if ending == "json":
        json.loads(text)
    if ending == "csv":
        rows = list(csv.reader(io.StringIO(text, newline="")))
        for row in rows:
            if len(row) != len(rows[0]):
                yield f"{len(row)} cells instead of {len(rows[0])}: {row[:3]}"
                break
        for cell in (cell for row in rows for cell in row):
            if cell[:1] in tuple("=+-@＝＋－＠\t\r\n") and cell and not re.fullmatch(r"[+-]?[0-9.]+(e[+-]?[0-9]+)?%?|-inf|-", cell):
                yield f"a formula: {cell[:40]!r}"
    if ending == "tex":
        own = {"documentclass", "usepackage", "pgfplotsset", "definecolor", "begin", "end", "addplot", "addlegendentry", "addlegendimage"}
        own |= {"small", "thisrow", "textbackslash", "textasciicircum", "textasciitilde", "textless", "textgreater", "textbar", "rho", "mu", "dots"}
        for command in set(re.findall(r"\\([a-zA-Z]+)", text)) - own:
            yield f"\\{command}"


def main():
    if sys.argv[1:] == ["make"]:
        make_scenarios()
        make_fabrics()
    elif len(sys.argv) == 3 and sys.argv[1] in ("edit", "rename"):
        edit(sys.argv[2], sys.argv[1] == "edit")
    elif len(sys.argv) > 2 and sys.argv[1] == "check":
        wrong = [f"{path}: {what}" for path in sys.argv[2:] for what in complaints(path)]
        print("\n".join(wrong) if wrong else f"{len(sys.argv) - 2} files: names are text in all of them")
        sys.exit(bool(wrong))
    else:
        sys.exit(__doc__)


main()
