"""JSON and TOML as people and programs write it: every layout that is still sound."""

import json

from hypothesis import strategies as st

SPACES = st.sampled_from(["", " ", "\n", "\r\n", "\t", "  ", "\n    ", " \n\t", "\r\n  "])
NAMES = st.sampled_from(["hooks", "Stop", "mcpServers", "model", "permissions", "", "ä", 'q"uote', "a\\b", "\u2028"])
SCALARS = st.one_of(
    st.none().map(json.dumps),
    st.booleans().map(json.dumps),
    st.integers(-(10**20), 10**20).map(str),
    st.sampled_from(["1e400", "-0", "1.50", "0.1E-2", '"\\u00e9\\ud800"', '"/\\/"', '"}"', '"[,"', '"\\\\"', '"\\""']),
    st.text(max_size=8).map(json.dumps),
    st.text(st.characters(codec="utf-8", exclude_categories=["Cc"]), max_size=8).map(
        lambda text: json.dumps(text, ensure_ascii=False)
    ),
)


@st.composite
def _lists(draw: st.DrawFn, inner: st.SearchStrategy[str]) -> str:
    items = draw(st.lists(inner, max_size=3))
    space = [draw(SPACES) for _ in range(2 * len(items) + 1)]
    body = ",".join(f"{space[2 * at]}{item}{space[2 * at + 1]}" for at, item in enumerate(items))
    return f"[{body or space[-1]}]"


@st.composite
def _objects(draw: st.DrawFn, inner: st.SearchStrategy[str]) -> str:
    names = draw(st.lists(NAMES, max_size=3, unique=True))
    parts = []
    for name in names:
        space = [draw(SPACES) for _ in range(4)]
        parts.append(f"{space[0]}{json.dumps(name)}{space[1]}:{space[2]}{draw(inner)}{space[3]}")
    return f"{{{','.join(parts) or draw(SPACES)}}}"


VALUES = st.recursive(SCALARS, lambda inner: st.one_of(_lists(inner), _objects(inner)), max_leaves=12)


@st.composite
def json_objects(draw: st.DrawFn) -> str:
    """An object in any sound layout, with or without a byte order mark, white space and a last newline."""
    return draw(st.sampled_from(["", "\ufeff"])) + draw(SPACES) + draw(_objects(VALUES)) + draw(SPACES)


@st.composite
def settings_files(draw: st.DrawFn) -> str:
    """As `json_objects`, with hooks and servers of others in the places where ours go, as far as they are sound."""
    handler = '{"type": "command", "command": "say done"}'
    group = draw(
        st.sampled_from([f'{{"hooks": [{handler}]}}', f'{{"matcher":"*","hooks":[{handler},{handler}]}}', "{}"])
    )
    stop = draw(st.sampled_from(["[]", "[ ]", f"[{group}]", f"[\n  {group},\n  {group}\n]", f"[ {group} ]"]))
    hooks = draw(
        st.sampled_from(["{}", "{ \n }", f'{{"Stop":{stop}}}', f'{{\n\t"PreToolUse": [],\n\t"Stop": {stop}\n}}'])
    )
    server = draw(st.sampled_from(["{}", '{"other":{"command":"x"}}', '{\r\n  "other": {}\r\n}']))
    members = draw(
        st.permutations([f'"hooks":{draw(SPACES)}{hooks}', f'"mcpServers" : {server}', f'"x": {draw(VALUES)}'])
    )
    kept = members[: draw(st.integers(0, 3))]
    space = draw(SPACES)
    body = ",".join(f"{space}{member}" for member in kept) + draw(SPACES)
    return draw(st.sampled_from(["", "\ufeff"])) + f"{{{body}}}{draw(SPACES)}"


TOML_LINES = st.lists(
    st.sampled_from(
        [
            '# a remark with [brackets] and "quotes',
            "",
            'text = "a # no remark"',
            "literal = 'C:\\x'",
            'many = """\n[mcp_servers.ferrule]\ncommand = "no"\n"" # \\" \n"""',
            "raw = '''\n[table]\n'' '''",
            "list = [ # remark ]\n  1, [2,\n 3], { a = ']' }\n]",
            "dotted.name = 1",
            "when = 1979-05-27 07:32:00Z",
        ]
    ),
    unique=True,
    max_size=6,
)
TOML_TABLES = st.lists(
    st.sampled_from(
        [
            "[features]\nhooks = true",
            "[ mcp_servers . 'other' ] # theirs\ncommand = \"x\"\n",
            '[mcp_servers."a.b".env]\nKEY = "v"',
            "[[projects]]\npath = '/w'\n\n[[projects]]\npath = '/v'",
            '[hooks.state."/w/hooks.json:stop:0:0"]\ntrusted_hash = "sha256:00"',
        ]
    ),
    unique=True,
    max_size=5,
)


@st.composite
def toml_files(draw: st.DrawFn) -> str:
    """A sound TOML text in any layout."""
    newline = draw(st.sampled_from(["\n", "\r\n"]))
    body = "\n".join([*draw(TOML_LINES), *draw(TOML_TABLES)]) + draw(
        st.sampled_from(["", "\n", "\n\n", "\n# end", " "])
    )
    return draw(st.sampled_from(["", "\ufeff"])) + body.replace("\n", newline)
