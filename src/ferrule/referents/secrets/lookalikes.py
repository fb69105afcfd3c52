"""A word for a secret that is written with a letter of another script is still that word.

Owns the letters that look like ASCII ones, and which words are read so: only those that mix scripts, as no language
does. Every letter stands for one, so positions stay. Standard library only.
"""
# ruff: noqa: RUF001 - letters of other scripts are the data here

from re import Match

from ferrule.referents.expressions import expression

__all__ = ["is_mixed", "unmasked"]

_CYRILLIC = dict(zip("аеорсухѕіјԁԛԝһкмтвнАЕОРСУХЅІЈКМТВН", "aeopcyxsijdqwhkmtbhAEOPCYXSIJKMTBH", strict=True))
_GREEK = dict(zip("αορνκιυΑΒΕΖΗΙΚΜΝΟΡΤΥΧ", "aopvkiuABEZHIKMNOPTYX", strict=True))
_LATIN = dict(zip("ɑɡɪʏ", "agiy", strict=True))
_WIDE = {chr(code + 0xFEE0): chr(code) for code in range(0x21, 0x7F) if chr(code).isalpha()}
_READ = {**_CYRILLIC, **_GREEK, **_LATIN, **_WIDE}
_FOLDED = str.maketrans(_READ)
_LOOKS = "".join(_READ)
_MIXED = expression(f"[A-Za-z][{_LOOKS}]|[{_LOOKS}][A-Za-z]")
_WORD = expression(f"[A-Za-z{_LOOKS}]{{3,64}}")


def is_mixed(words: str) -> bool:
    """Whether a letter stands beside one of another script that looks like an ASCII one."""
    return _MIXED.search(words) is not None


def unmasked(text: str) -> str:
    """The text with its words of mixed scripts in ASCII, letter for letter."""
    return _WORD.sub(_in_ascii, text)


def _in_ascii(word: Match[str]) -> str:
    return word[0].translate(_FOLDED) if _MIXED.search(word[0]) else word[0]
