"""A secret is told in a sentence, in whatever language: `das Passwort lautet …`, `пароль: …`, `login ann / …`.

Owns the words for a password in many languages, what may stand between such a word and its value, and the other things
that people announce: recovery codes, seed phrases, seeds of authenticators, private keys in hex. Standard library only;
every pattern is matched at an anchor and bounded.
"""
# ruff: noqa: E501, RUF001 - patterns and words of many scripts are the data here

import re
from collections.abc import Iterator

from ferrule.referents.expressions import expression
from ferrule.referents.secrets.gates import is_foldable
from ferrule.referents.secrets.innocent import begins_word, is_innocent, is_jumbled

__all__ = ["ASCII_WORDS", "PHRASES", "WIDE_WORDS", "is_chosen", "phrase", "spoken", "told"]

Hit = tuple[str, int, int]

# Words for a password; the English ones are heard elsewhere and come here when nothing else spoke up.
ASCII_WORDS = ("kennwort", "mot de passe", "mdp", "contrasena", "clave", "senha", "wachtwoord", "haslo", "parola", "heslo", "lozinka", "salasana", "adgangskode", "jelszo", "kata sandi", "passord")  # fmt: skip
WIDE_WORDS = (
    "contraseña", "hasło", "пароль", "парола", "лозинка", "パスワード", "暗証番号", "密码", "密碼", "口令", "비밀번호", "비번", "암호", "şifre", "كلمة المرور", "كلمة السر", "पासवर्ड", "lösenord", "jelszó",
    "mật khẩu", "mật mã", "κωδικός", "סיסמה", "סיסמא", "รหัสผ่าน", "گذرواژه", "رمز عبور", "পাসওয়ার্ড", "கடவுச்சொல்", "adgangsord", "parolă", "geslo je",
)  # fmt: skip
PHRASES = (
    "recovery code", "backup code", "recovery key", "seed phrase", "recovery phrase", "secret phrase", "backup phrase", "mnemonic", "seed words", "2fa ", "mfa ", "totp", "otp secret", "otp seed", "authenticator ",
    "private key", "private_key", "privatekey", "private-key", "creds", "zugangsdaten", "login", "log in", "logged in", "anmelden", "identifiants", "credenciales", "use ", ":5432:", ":5433:", ":6432:", ":*:",
)  # fmt: skip

_OPEN = r"(?:\*{1,2}|\\{0,4}[\"'`]|[“”„‟«‹「『（(]){0,2}"
_VALUE = rf"{_OPEN}(?P<b>[!-&(-;=?-\[\]-_a-~]{{3,200}})"
_LINK = (
    r"(?:[ \t]{0,2}(?:[:=：]|->|→|⇒|—|–|-(?=[ \t])|は|が|是|为|為|：|는|은|가|이|が)[:：]?[ \t]{0,2}"
    r"|[ \t]{1,2}(?:(?:now|jetzt|also|is|was|ist|war|lautet|est|es|era|é|era|è|e|to|je|jest|är|er|on|là|la|del?|của tôi là|هي|هو|है|ہے|είναι|este|olur|będzie|будет|changed to|set to|reset to|into)[ \t]?:?[ \t]{1,2}){1,3})"
)
_WORD_END = r"[^\W\d_]{0,6}"
_LINKED = expression(rf"{_WORD_END}(?: d['’]ordine)?(?:\*{{1,2}}|[\"'`]){{0,2}}{_LINK}{_VALUE}", re.IGNORECASE)
_FOLLOWED = expression(rf"{_WORD_END}[ \t]{{1,2}}{_VALUE}", re.IGNORECASE)
_USER_LEAD = expression(
    r"(?:user(?:name|id)?|login|log in (?:as|with)|account|e-?mail|benutzer(?:name)?|nutzer|identifiant|utilisateur|usuario|usuário|utente|gebruiker|użytkownik|логин|логін|пользователь|uživatel|användare|用户名|用户|账号|ユーザー|id)"
    r"[ \t:=]{1,3}[^\s,;]{1,60}[,;]?[ \t]{1,2}(?:(?:and|und|et|y|e|en|i|и|a|och|with|mit|the|das|le|la|el|il|hasło|/)[ \t]{1,2}){0,2}\Z",
    re.IGNORECASE,
)
_USER_WORD = expression(
    "user|log(?: )?in|account|mail|nutzer|identifiant|utilisateur|usuario|usuário|utente|gebruiker|użytkownik|логин|логін|пользователь|uživatel|användare|用户|账号|ユーザー|id"
)
_SIZE = expression(r"[0-9]{1,3}[-+]?(?:[a-z]{0,20}|[A-Z]{1,4})")
_KNOWN = expression(
    r"(?:sha|md|base|utf|argon|bcrypt|scrypt|pbkdf|oauth|openid|http|rfc|iso|level|rev|step|test|field|page|line|part|version|python|node|v)[-_]?[0-9].{0,12}|[\w.-]{1,80}\.[a-z]{1,4}(?:[:#].{0,20})?|\S{0,60}\(.{0,60}",
    re.IGNORECASE,
)
_TRAILING = ".,;:!?)]}*\"'`|"
_SHORTEST = 6
_PAIR_LINK = r"[^\S\n]{0,2}[:=]?[^\S\n]{0,2}(?:as[ \t]|with[ \t]|mit[ \t]|are[ \t]|is[ \t]|sind[ \t])?"
_USER = r"\*{0,2}\\{0,4}[\"'`]?(?P<user>[A-Za-z][\w.@+-]{1,60})[\"'`]?"
_PAIR = expression(
    rf"(?:s|data)?{_PAIR_LINK}{_USER}(?:[ \t]{{1,3}}/[ \t]{{1,3}}|:(?!/))[\"'`]?(?P<b>[!-~]{{3,100}})", re.IGNORECASE
)
_USE_PAIR = expression(
    rf"{_USER}:(?P<b>[!-~]{{3,100}}?)[ \t](?:to|for)[ \t](?:log|sign|auth|access|connect)", re.IGNORECASE
)
_IS = r"s?\*{0,2}\\{0,4}[\"'`]?(?:[ \t]{0,3}(?:[:=]|->|is|are|was)[ \t]{0,3}(?:\\{1,4}n|\r?\n)?|[ \t]{1,2})"
_CODES = expression(
    rf"{_IS}(?:[-*+>#\t ]{{0,10}}[\"'`]?(?P<b>(?:[A-Za-z0-9]{{4,6}}[- ]){{1,5}}[A-Za-z0-9]{{4,6}}|[A-Za-z0-9]{{8,12}}(?=[\s\"'`.,|)<\\&]|\Z)))"
    r"(?P<more>(?:(?:\\{1,4}n|[\s,;]){1,3}[-*+>#\t ]{0,10}(?:[A-Za-z0-9]{4,6}[- ]){1,3}[A-Za-z0-9]{4,6}){0,20})"
)
_SEED = expression(
    rf"(?:[ _](?:phrase|words|seed))?{_IS}{_OPEN}(?P<b>(?:[a-z]{{3,8}}[ ,\n]{{1,2}}){{11,24}}[a-z]{{3,8}})",
    re.IGNORECASE,
)
_TOTP = expression(
    rf"(?:totp |2fa |mfa |otp )?(?:secret|seed|key|setup key|app|code){_IS}{_OPEN}(?P<b>(?:[A-Z2-7]{{4}} ?){{4,16}}|(?:[a-z2-7]{{4}} ?){{4,16}})(?![A-Za-z0-9])"
)
_KEY_HEX = expression(rf"(?:[ _-]hex)?{_IS}{_OPEN}(?P<b>(?:0x)?[0-9a-fA-F]{{64}})(?![0-9a-fA-F])")
_HEX_BEFORE = expression(r"(?<![0-9A-Za-z])(?P<b>(?:0x)?[0-9a-fA-F]{64})[\"'`]?[ \t]{1,3}\(?(?:the )?\Z")
_PGPASS_HOST = expression(r"(?<![\w./*-])(?:[\w.-]{1,100}|\*)\Z")
_PGPASS = expression(
    r":(?:[0-9]{4,5}|\*):[\w*.-]{1,60}:[\w*.-]{1,60}:(?P<b>[^\s:\"'`\\<>|]{3,200})(?=[\s\"'`\\<|)]|\.?\Z)"
)


def is_chosen(value: str) -> bool:
    """Whether a word in a sentence looks chosen as a password: letters with digits or marks among them, no term, no file."""
    if len(value) < _SHORTEST:
        return False
    odd = not value.isalpha() and any(letter.isdigit() or letter in "!@#$%^&*+~=" for letter in value)
    odd = odd and any(letter.isalpha() for letter in value) and value.count("/") < 2 and "://" not in value  # noqa: PLR2004 - a path has two
    if not (odd or is_jumbled(value)):
        return False
    return not (is_innocent(value) or _SIZE.fullmatch(value) or _KNOWN.fullmatch(value))


def spoken(text: str, at: int, anchor: str) -> Iterator[Hit]:
    """The password that a sentence tells after a word for it."""
    if anchor[0].isascii() and not begins_word(text, at):
        return
    found = told(text, at, at + len(anchor), silent=True)
    if found:
        yield found


def told(text: str, at: int, end: int, *, silent: bool) -> Hit | None:
    """A chosen value after the word for a password that stands from `at` to `end`.

    With nothing between them but a space only in a language whose word is no word of code (`silent`), or after a user.
    """
    match = _LINKED.match(text, end)
    if match and not silent and text[end : match.start("b")] == "=":
        return None
    if match is None or not _is_said(match["b"]):
        match = _FOLLOWED.match(text, end)
        if match is None or not _is_said(match["b"]):
            return None
        if not silent and not _follows_user(text, at):
            return None
    value = _trimmed(match["b"])
    return ("password", match.start("b"), match.start("b") + len(value))


def _follows_user(text: str, at: int) -> bool:
    """Whether a user is named just before: `login ann, password …`."""
    lead = text[max(0, at - 100) : at]
    named = _USER_WORD.search(lead.lower()) is not None or not is_foldable(lead)
    return named and _USER_LEAD.search(text, max(0, at - 100), at) is not None


def _is_said(value: str) -> bool:
    return is_chosen(_trimmed(value))


def _trimmed(value: str) -> str:
    return value.partition(";")[0].rstrip(_TRAILING) or value


def phrase(text: str, at: int, anchor: str) -> Iterator[Hit]:
    """What else people announce: codes, seeds, phrases, keys in hex, a user and what belongs to it."""
    end = at + len(anchor)
    if anchor in {"recovery code", "backup code", "recovery key"}:
        yield from _codes(text, end)
    elif anchor in _SEEDS:
        yield from _matched(_SEED, "seed-phrase", text, end)
    elif anchor in _TOTPS:
        yield from _matched(_TOTP, "totp-secret", text, end)
    elif anchor.startswith("private"):
        yield from _matched(_KEY_HEX, "private-key", text, end)
        before = _HEX_BEFORE.search(text, max(0, at - 80), at)
        if before:
            yield ("private-key", before.start("b"), before.end("b"))
    elif anchor.startswith(":"):
        yield from _pgpass(text, at)
    else:
        yield from _pairs(text, end, anchor)


_SEEDS = frozenset({"seed phrase", "recovery phrase", "secret phrase", "backup phrase", "mnemonic", "seed words"})
_TOTPS = {"2fa ": 0, "mfa ": 0, "totp": 1, "otp secret": 7, "otp seed": 5, "authenticator ": 0}


def _matched(pattern: re.Pattern[str], kind: str, text: str, at: int) -> Iterator[Hit]:
    match = pattern.match(text, at)
    if match:
        yield (kind, match.start("b"), match.end("b"))


def _codes(text: str, at: int) -> Iterator[Hit]:
    match = _CODES.match(text, at)
    if match and any(letter.isdigit() for letter in match["b"]):
        yield ("recovery-code", match.start("b"), match.end("more"))


def _pgpass(text: str, at: int) -> Iterator[Hit]:
    host = _PGPASS_HOST.search(text, max(0, at - 110), at)
    match = _PGPASS.match(text, at) if host else None
    if match and not is_innocent(match["b"]):
        yield ("password", match.start("b"), match.end("b"))


def _pairs(text: str, at: int, anchor: str) -> Iterator[Hit]:
    match = (_USE_PAIR if anchor == "use " else _PAIR).match(text, at)
    if match is None:
        return
    value = _trimmed(match["b"])
    if is_chosen(value) and "/" not in value:
        yield ("password", match.start("b"), match.start("b") + len(value))
