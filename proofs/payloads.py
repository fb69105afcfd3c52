"""Definitions that would do something if anything ran them: what they name exists, and would show that it was touched.

Owns the making of hostile definitions from payloads, places and small mutations, under a seed. Knows nothing of what
becomes of them.
"""

import random
from collections.abc import Iterator

__all__ = ["definitions", "payloads"]

_WORDS = (
    "{canary}",
    "file://{canary}",
    "../../../../../..{canary}",
    "http://127.0.0.1:{port}/collect",
    "\\\\\\\\127.0.0.1\\\\share\\\\x",
    "$(touch {canary})",
    "`touch {canary}`",
    "; touch {canary} #",
    "__import__('os').system('touch {canary}')",
    "{{0.__class__.__init__.__globals__}}",
    "%s%n%x",
    "${{jndi:ldap://127.0.0.1:{port}/a}}",
    '$\\"{{System.IO.File.ReadAllText(1)}}',
    "'); ATTACH DATABASE '{canary}' AS x; --",
    "' UNION SELECT load_extension('{canary}') --",
    '\\" OR NEAR(a b) *',
    "!!python/object/apply:os.system ['touch {canary}']",
    "<!ENTITY x SYSTEM 'file://{canary}'>",
    "cos\\nsystem\\n(S'touch {canary}'\\ntR.",
    "\\u001b]8;;http://127.0.0.1:{port}\\u0007",
    "![x](http://127.0.0.1:{port}/i.png)",
    "<script src=http://127.0.0.1:{port}/x.js></script>",
)
_STATEMENTS = (
    'include "{canary}";',
    'reference "{canary}";',
    "import x System.IO.File F;",
    "extern String Host;",
    'function Run() : string {{ return File.ReadAllText("{canary}"); }}',
    'string Run() {{ return Process.Start("touch {canary}"); }}',
    "init {{ Run(); }}",
    '[Lexeme.SingularPlural("a", "b")]',
    "prototype Inner {{ }}",
    'Other.Path = "{canary}";',
    'String X = $"{{System.Environment.MachineName}}";',
    '#include "{canary}"',
)
_SHAPES = (
    'prototype {name} : Document {{ EntityName = @"{name}"; FilePath = @"{text}"; }}',
    'prototype {name} : Document {{ EntityName = @"{text}"; FilePath = @"/quay/{name}.md"; }}',
    'prototype {name} : Document {{ EntityName = @"{name}"; Aliases = "{text}"; FilePath = @"/quay/{name}.md"; }}',
    'prototype {name} : Document {{ EntityName = @"{name}"; FilePath = @"/quay/{name}.md"; Notes = @"{text}"; }}',
    'prototype {name} : Document {{ EntityName = @"{name}"; FilePath = @"/quay/{name}.md"; {statement} }}',
    '{statement} prototype {name} : Document {{ EntityName = @"{name}"; FilePath = @"/quay/{name}.md"; }}',
    'prototype {name} : Document {{ EntityName = @"{name}"; FilePath = @"/quay/{name}.md"; }} {statement}',
    '// {text}\nprototype {name} : Document {{ EntityName = @"{name}"; FilePath = @"/quay/{name}.md"; }}',
    "prototype {name} : {text} {{ }}",
    "{statement}",
    "{text}",
)


def payloads(canary: str, port: int) -> tuple[str, ...]:
    """What stands for values; each names the canary or an address at which somebody listens."""
    return tuple(word.format(canary=canary, port=port) for word in _WORDS)


def definitions(count: int, seed: int, canary: str, port: int) -> Iterator[str]:
    """So many texts: each payload in each place, then those with letters lost, doubled and exchanged."""
    rng = random.Random(seed)
    statements = tuple(text.format(canary=canary, port=port) for text in _STATEMENTS)
    words = payloads(canary, port)
    plain = [(shape, word, statement) for shape in _SHAPES for word in words for statement in statements[:2]]
    plain += [(shape, words[0], statement) for shape in _SHAPES for statement in statements]
    for number in range(count):
        shape, word, statement = plain[number] if number < len(plain) else rng.choice(plain)
        text = shape.format(name=f"Thing{number}", text=word, statement=statement)
        yield text if number < len(plain) else _mutated(rng, text)


def _mutated(rng: random.Random, text: str) -> str:
    letters = list(text)
    for _ in range(rng.randint(0, 4)):
        at = rng.randrange(len(letters))
        match rng.randrange(4):
            case 0:
                del letters[at]
            case 1:
                letters.insert(at, letters[at])
            case 2:
                letters[at] = rng.choice("\"'@$\\{}[]();:#/\n\0\u202e")
            case _:
                letters[at:at] = rng.choice(['include "x";', '$"{x}"', '@"', "*/", "/*", "prototype "])
        if not letters:
            return text
    return "".join(letters)
