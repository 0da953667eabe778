"""The fenced blocks of a page, and the commands in them.

- `sh` holds commands that the test runs.
- `console` holds commands, each after "$ ", with the output below. The test runs them and compares the shape of the output.
- `python` holds a program that the test runs.
- `text` holds commands that the test does not run, such as builds, installations, or commands for the reader's own server.
"""

import re
from dataclasses import dataclass

languages = {"sh", "console", "python", "text", "js", "mermaid", "swift", "yaml", "http", "json", "dart", "kotlin", "csharp", "php", "py"}


@dataclass
class Block:
    language: str
    lines: list[str]


@dataclass
class Command:
    text: str
    # The expected output; None if the page shows no output.
    output: str | None = None


def blocks(page):
    found = re.findall(r"^```(\w*)\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    return [Block(language, content.splitlines()) for language, content in found]


def is_complete(text):
    """Whether a text is a complete shell command: its quotes are closed, and no continuation line follows."""
    return text.count("'") % 2 == 0 and not text.endswith("\\")


def shell_commands(lines):
    """The commands of a `sh` block. Comment lines are included, because a comment may be a directive."""
    commands, text = [], ""
    for line in lines:
        text = f"{text}\n{line}" if text else line
        if text and (text.startswith("#") or is_complete(text)):
            commands.append(Command(text))
            text = ""
    if text:
        raise ValueError(f"the command does not end: {text}")
    return commands


def console_commands(lines):
    """The commands of a `console` block with their outputs."""
    commands, text = [], None
    for line in lines:
        if text is not None:
            text += "\n" + line
        elif line.startswith("$ "):
            text = line[2:]
        elif line.startswith("#"):
            commands.append(Command(line))
        elif line:
            last = commands[-1]
            last.output = line if last.output is None else f"{last.output}\n{line}"
        if text is not None and is_complete(text):
            commands.append(Command(text))
            text = None
    return commands


# "…" stands for any text. Ids, times and numbers differ from run to run.
parts = re.compile(r'(?P<any>…)|(?P<id>"objectId":"\w+")|(?P<time>\d{4}-\d\d-\d\dT[\d:.]+Z)|(?P<number>\b\d+\b)')


def shape(output):
    """A pattern for all outputs of the same shape."""
    pattern, end = "", 0
    kinds = {
        "any": r".*",
        "id": r'"objectId":"[A-Za-z0-9]{10}"',
        "time": r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z",
        "number": r"\d+",
    }
    for match in parts.finditer(output):
        pattern += re.escape(output[end : match.start()]) + kinds[match.lastgroup]
        end = match.end()
    return re.compile(pattern + re.escape(output[end:]), re.DOTALL)
