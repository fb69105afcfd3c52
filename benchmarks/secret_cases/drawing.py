"""A template becomes a text by drawing its holes: `«M36»` is 36 letters and digits, `«W»` a password of a person.

Owns the holes. Knows nothing of what a template is for. Nothing drawn is a secret of anybody.
"""

import base64
import re
import uuid
from random import Random

__all__ = ["Draw"]

_HOLE = re.compile(r"«([A-Za-z]{1,5})([0-9]{0,4})»")
_LOWER = "abcdefghijklmnopqrstuvwxyz"
_DIGITS = "0123456789"
_ALPHABETS = {
    "M": _LOWER + _LOWER.upper() + _DIGITS,
    "S": _LOWER + _LOWER.upper() + _DIGITS + "-_",
    "B": _LOWER + _LOWER.upper() + _DIGITS + "+/",
    "A": _LOWER + _LOWER.upper(),
    "H": _DIGITS + "abcdef",
    "X": _DIGITS + "ABCDEF",
    "N": _LOWER + _DIGITS,
    "U": _LOWER.upper() + _DIGITS,
    "L": _LOWER,
    "D": _DIGITS,
    "T": _LOWER.upper() + "234567",
    "C": "0123456789ABCDEFGHJKMNPQRSTVWXYZ",
    "F": "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz",
    "Q": "QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L",
}
_SYLLABLES = tuple(
    "ba ko mi ru ta ne sol fen gar wick tor lun pes dra ski mon var del hok rin zu pla".split()  # noqa: SIM905 - a word list
)
_WORDS = tuple(
    "river lantern copper meadow orbit saddle velvet thunder basket cactus harvest pepper glacier timber pillow"  # noqa: SIM905 - a word list
    " rocket marble walnut ribbon anchor".split()
)


class Draw:
    """Chance under a seed: the same seed draws the same texts."""

    def __init__(self, seed: int | str) -> None:
        self.chance = Random(seed)  # noqa: S311 - look-alikes, not secrets

    def fill(self, template: str) -> str:
        """The template with each hole drawn."""
        return _HOLE.sub(lambda hole: self.some(hole[1], int(hole[2] or 0)), template)

    def some(self, name: str, size: int) -> str:
        """One hole's text: an alphabet's letter and a length, or the name of a shape."""
        shape = getattr(self, f"_{name}", None)
        if shape is not None:
            return str(shape(size))
        alphabet = _ALPHABETS[name]
        drawn = "".join(self.chance.choice(alphabet) for _ in range(size))
        if size < 16 or name in "ALD":  # noqa: PLR2004 - a long run of letters without one digit is no fair look-alike
            return drawn
        digits = [letter for letter in alphabet if letter.isdigit()]
        at = self.chance.randrange(4, size)
        return drawn[:at] + self.chance.choice(digits) + drawn[at + 1 :]

    def plain(self) -> str:
        """A made-up word of two or three syllables."""
        return "".join(self.chance.choices(_SYLLABLES, k=self.chance.choice((2, 3))))

    def _W(self, _: int) -> str:  # noqa: N802 - a hole's name
        """A password as people choose one: a word with digits and marks."""
        word = self.plain()
        return self.chance.choice(
            (
                f"{word.title()}{self.chance.randrange(10, 9999)}!",
                f"{word}{self.chance.randrange(10, 9999)}",
                f"{word.title()}_{self.chance.randrange(10, 99)}{self.plain().title()}",
                f"{word[:3]}{self.chance.randrange(10)}{word[3:]}*{self.chance.randrange(10, 99)}",
                f"{self.chance.choice(_WORDS)}-{self.chance.choice(_WORDS)}-{self.chance.randrange(10, 99)}",
                self.some("M", 14),
            )
        )

    def _words(self, count: int) -> str:
        return " ".join(self.chance.choices(_WORDS, k=count))

    def _word(self, _: int) -> str:
        return self.chance.choice(_WORDS)

    def _uuid(self, version: int) -> str:
        bits = uuid.UUID(int=self.chance.getrandbits(128), version=min(version or 4, 5))
        text = str(bits)
        return text[:14] + str(version or 4) + text[15:]

    def _basic(self, _: int) -> str:
        """`user:password` in base64."""
        return base64.b64encode(f"{self.plain()}:{self._W(0)}".encode()).decode()

    def _jwt(self, _: int) -> str:
        head = base64.urlsafe_b64encode(b'{"alg":"HS256","typ":"JWT"}').decode().rstrip("=")
        body = (
            base64.urlsafe_b64encode(f'{{"sub":"{self.some("D", 8)}","iat":1700000000}}'.encode()).decode().rstrip("=")
        )
        return f"{head}.{body}.{self.some('S', 43)}"

    def _bytes(self, size: int) -> str:
        """Random bytes in base64 with padding."""
        return base64.b64encode(self.chance.randbytes(size)).decode()

    def _lines(self, count: int) -> str:
        """Lines of a PEM body."""
        return "\n".join(self.some("B", 64) for _ in range(count))
