"""How people say a password in a sentence, in nineteen languages.

Owns the sentences by language; even ones are for learning, odd ones are held out. `{v}` is the password. Beside them, what
people say about passwords without telling one.
"""
# ruff: noqa: E501, RUF001 - sentences of many scripts, a language a line

__all__ = ["ABOUT", "TOLD"]

TOLD: dict[str, tuple[str, ...]] = {
    "en": ("the password is {v}", "my password is {v}, remember it", "user ann, password {v}", "pw is {v}", "login: ann / {v}", "creds ann:{v}", "log in with ann and password {v}", "password: {v}", "the admin password was changed to {v}", "pass: {v}", "credentials: ann / {v}", "use ann:{v} to log in", "username ann password {v}", "(pw: {v})", "the passphrase is {v}", "the root pw: {v}", "login ann, pw {v}", "log in as ann / {v}", "set the password to {v}", "pwd={v}"),
    "de": ("Passwort ist {v}", "Das Passwort lautet {v}", "Kennwort: {v}", "mein Passwort ist {v}", "Benutzer ann, Passwort {v}", "Passwort: {v}", "das Kennwort lautet: {v}", "Zugangsdaten: ann / {v}"),
    "fr": ("mot de passe : {v}", "le mot de passe est {v}", "mon mot de passe est {v}", "mdp: {v}", "identifiant ann, mot de passe {v}", "mot de passe: {v}"),
    "es": ("la contraseña es {v}", "contraseña: {v}", "mi clave es {v}", "usuario ann, contraseña {v}"),
    "pt": ("a senha é {v}", "senha: {v}", "minha senha é {v}", "usuário ann, senha {v}"),
    "it": ("la password è {v}", "password: {v}", "la mia password è {v}", "la parola d'ordine è {v}"),
    "nl": ("het wachtwoord is {v}", "wachtwoord: {v}", "mijn wachtwoord is {v}", "gebruiker ann, wachtwoord {v}"),
    "pl": ("hasło to {v}", "hasło: {v}", "moje hasło to {v}", "użytkownik ann, hasło {v}"),
    "ru": ("пароль: {v}", "пароль — {v}", "мой пароль {v}", "логин ann, пароль {v}"),
    "uk": ("пароль: {v}", "мій пароль {v}", "пароль — {v}", "логін ann, пароль {v}"),
    "ja": ("パスワードは {v} です", "パスワード：{v}", "パスワードは「{v}」です", "パスワードは{v}です"),
    "zh": ("密码是 {v}", "密码：{v}", "密码是{v}。", "我的密码为 {v}", "口令: {v}", "用户名 ann 密码 {v}"),
    "ko": ("비밀번호는 {v}", "비밀번호: {v}", "비밀번호는 {v} 입니다", "비번은 {v}"),
    "tr": ("şifre {v}", "şifre: {v}", "şifrem {v}", "parola: {v}"),
    "ar": ("كلمة المرور هي {v}", "كلمة المرور: {v}", "كلمة السر هي {v}", "كلمة السر: {v}"),
    "hi": ("पासवर्ड {v} है", "पासवर्ड: {v}", "मेरा पासवर्ड {v} है", "पासवर्ड है {v}"),
    "cs": ("heslo je {v}", "heslo: {v}", "moje heslo je {v}", "uživatel ann, heslo {v}"),
    "sv": ("lösenordet är {v}", "lösenord: {v}", "mitt lösenord är {v}", "användare ann, lösenord {v}"),
    "vi": ("mật khẩu là {v}", "mật khẩu: {v}", "mật khẩu của tôi là {v}", "mật khẩu {v}"),
}  # fmt: skip

ABOUT: tuple[str, ...] = (
    "the password field is empty", "reset your password", "use a password manager", "the password is wrong", "password must be at least 12 characters",
    "The password is hashed with argon2id", "I forgot the password", "add a test for the password reset flow", "passwords are never stored", "a password of 8 letters is too short",
    "Das Passwort ist falsch", "Passwort vergessen?", "das Kennwort ist abgelaufen", "Passwort ändern", "Passwortfeld in Zeile 42", "das Passwort muss 8 Zeichen haben",
    "mot de passe oublié", "le mot de passe est incorrect", "le mot de passe doit contenir 12 caractères", "la contraseña es incorrecta", "restablecer contraseña", "la clave es entender el problema",
    "a senha é obrigatória", "esqueci minha senha", "la password è sbagliata", "hasło jest nieprawidłowe", "zmień hasło", "пароль неверный", "забыли пароль?", "пароль должен содержать 8 символов",
    "パスワードは8文字以上です", "パスワードを忘れた場合", "密码错误", "密码长度至少8位", "忘记密码", "비밀번호를 잊으셨나요", "비밀번호는 8자 이상", "şifre yanlış", "şifremi unuttum", "كلمة المرور غير صحيحة",
    "पासवर्ड गलत है", "heslo je špatné", "lösenordet är fel", "mật khẩu không đúng", "het wachtwoord is onjuist", "the pass rate is 98%", "compass: north", "the login: see docs/login.md", "creds are in the vault",
    "the token is refreshed every 15m", "the API key was rotated yesterday", "secrets are read from the vault at kv/prod/db2", "credentials: see ops/README.md", "login as admin first", "the passphrase prompt appears twice",
    "log in with your account", "password is read from stdin", "the secret is patience", "Password: (hidden)", "the pw column is VARCHAR(255)", "the pin is loose", "user ann, role admin", "use ann/tool2 to log in",
    "login: ann / docs/login2.md", "the user's password123 test case", "recovery codes are shown once", "the seed phrase has 12 words", "backup code path in src/backup.py",
)  # fmt: skip
