"""The few words that carry meaning for a judgement, as data.

Owns the cue patterns: example, run this, offer, question, naming. English first, with the commonest words of some other
languages; a turn in a language without cues is judged by actions and mentions alone. Every pattern is linear.
"""
# ruff: noqa: E501, RUF001 - patterns of several scripts are the data here

import re

from ferrule.referents.expressions import expression

__all__ = [
    "ABOUT_PLACE",
    "ABOUT_TESTS",
    "AFTER_COLON",
    "AGAIN",
    "AGAIN_AFTER",
    "ANNOUNCES",
    "ASKS_FOR_COMMANDS",
    "ASKS_WHICH",
    "BARE",
    "CALLED_HOST",
    "CALLED_SECRET",
    "ENTERED",
    "EXAMPLE",
    "FOLDER_AFTER",
    "FOLDER_BEFORE",
    "GUESS",
    "HANDED_IN",
    "HANDED_IN_AFTER",
    "INSPECTION",
    "INTRODUCED",
    "KEEP",
    "LABEL",
    "LINE_REFERENCE",
    "NAMING",
    "NEXT",
    "OFFER",
    "PLACED",
    "PLAN",
    "QUESTION",
    "REACHED",
    "ROUTINE",
    "SETUP",
    "SIMILAR",
    "SUPERSEDED",
    "TAKEN_FROM",
    "TO_BE_MADE",
    "UNRELATED",
    "WORK_ON",
    "WORK_ON_AFTER",
]


def _any(*alternatives: str, before: str = r"\b", after: str = r"\b") -> re.Pattern[str]:
    return expression(f"{before}(?:{'|'.join(alternatives)}){after}", re.IGNORECASE)


_OPENING = r"[\s:,`'\"(\[*$]{0,12}$"

# Directly before a handle: what follows is an illustration, not the thing itself.
EXAMPLE = _any(
    *(r"\be\.?g\.?,?", r"\bfor (?:example|instance)", r"\bsuch as", r"\blike", r"\bexample(?: output)?:?"),
    *(r"\bz\. ?B\.", r"\bpar exemple", r"\bpor ejemplo", r"\bnapr\.", "例えば", "例如"),
    before="",
    after=_OPENING,
)
# Directly before a handle: somebody else's thing is named for comparison.
SIMILAR = _any(
    *(r"similar(?: setup)? (?:to|as)", "as in", "compared? (?:to|with)", "inspired by", "ähnlich wie"),
    after=_OPENING,
)
GUESS = _any(
    *("maybe", "perhaps", "might be", "probably", "i guess", "possibly", "vielleicht", "peut-être", "quizás"),
    after=r"\b[^.!?\n]{0,40}$",
)
# Before a command in the outcome: the announced next step.
ANNOUNCES = _any(
    r"\b(?:re-?run|run|execute|use|try|paste|invoke|start it with|then|next)\b[^.!?\n]{0,60}",
    r"\b(?:run|rerun|execute)[^.!?]{0,80}:\s{0,8}(?:```[\w-]{0,12}\s{0,3})?",
    r"\b(?:führe|lancez?|ejecuta)\b[^.!?\n]{0,60}",
    "実行",
    before="",
    after=_OPENING,
)
# A block of code that a sentence leads up to: "Then publish it with:", in any language.
INTRODUCED = expression(
    r"[^\s`][^\n]{0,200}[:\uff1a][*_ \t]{0,4}\n{1,3}[ \t]{0,8}(?:```|~~~)[\w+-]{0,16}[ \t]{0,4}\n[ \t$>]{0,10}$"
)
# The user wants to be told what to run.
_DO = (
    "(?:run|start|launch|deploy|publish|install|release|test|try|reset|migrate|connect|set up|build|preview|execute|call"
    "|invoke|lint|seed)"
)
ASKS_FOR_COMMANDS = _any(
    *(
        r"(?:give|show|tell|prep(?:are)?|write|send)\b[^.!?\n]{0,40}\b(?:commands?|steps|instructions)",
        "(?:what|which) commands?",
        r"(?:what(?:'s| is| was)|remind me(?: of)?|repeat) the (?:[\w-]{1,20} ){0,2}command",
    ),
    rf"how (?:do|can|could|should|would|does) (?:i|we|you|one)(?: even| actually| best| properly)? {_DO}",
    *(rf"how to {_DO}", "what (?:do|should) i run"),
    *(
        "welche[nrs]? befehle?",
        "wie (?:lasse|starte|führe|installiere|deploye|baue|rufe|teste) (?:ich|wir)",
        "wie (?:lässt|startet|führt|installiert|baut) man",
        "(?:welcher|wie (?:war|lautet|hieß|heißt)(?: noch)?(?: mal| gleich)? der) befehl",
    ),
    *(
        "quelles? commandes?",
        "comment (?:lancer|démarrer|installer|exécuter)",
        "comment (?:je|on|nous|tu) (?:lance|démarre|installe|exécute|teste)",
        r"(?:redonnes?|rappelles?|donnes?|remets?|renvoies?)[\w -]{0,12} (?:la|les|une) commandes?",
    ),
    *("qué comandos?", "cómo (?:ejecuto|inicio|instalo|despliego|corro|lanzo|arranco)", "cuál (?:es|era) el comando"),
    *("quais? comandos?", "qual (?:é|era) o comando", "como (?:rodo|executo|inicio)"),
    *("как (?:запустить|запускать|установить|собрать)", r"какая команда", "jak uruchomić", "jakie polecenie"),
)
LABEL = _any(
    *(
        "commands?",
        "cmd",
        "befehl",
        "commande",
        "comandos?",
        r"команд\w",
        "polecenie",
        "komut",
        "コマンド",
        "命令",
        "명령",
    ),
    after=r"[\s:\uff1a*_`'\"(\[$-]{1,10}$",
)
# The answer leads up to it: "When you are ready: `…`", in any language.
AFTER_COLON = expression(r"\w[^\n]{0,60}[:\uff1a][ \t]{0,3}\n{0,2}[ \t]{0,4}[`*]{1,3}$")
NEXT = _any(
    "next(?: steps?)?", "nächster schritt", "prochaine étape", "siguiente paso", after=r"\s?[:\uff1a-][^.!?\n]{0,60}$"
)
AGAIN = _any(
    "re-?run",
    "run(?: it)? again",
    "try again",
    "retry",
    "erneut",
    "relance[zr]?",
    "de nuevo",
    after=r"\b[^.!?\n]{0,30}$",
)
# Directly behind a command in the outcome.
AGAIN_AFTER = expression(
    r"^[`'\"*)]{0,3}[ ,]{0,2}(?:(?:once )?again\b|one more time\b|erneut\b|noch ?(?:ein)?mal\b|de nouveau\b|à nouveau\b|de nuevo\b"
    r"|otra vez\b|novamente\b|de novo\b|di nuovo\b|снова\b|ещ[её] раз\b|opnieuw\b|ponownie\b|tekrar\b|を?再実行|を?もう一度|再(?:运行|试))",
    re.IGNORECASE,
)
_ARTICLE = r"(?: (?:the|our|my|this|den|die|das|la|le|les|el|los|o|a|os|as))?"
_WORK_NOUN = (
    r"(?:(?:PR|MR|pull request|merge request|issue|ticket|task|bug|story|epic|bead|card|todo|aufgabe|vorgang|tâche|tarea"
    r"|tarefa|задач\w{1,3})s?[\s:#`'\"]{0,4})?"
)
# Directly before a task, ticket or pull request: the user orders work on it.
WORK_ON = _any(
    *(
        r"work(?:ing)? (?:on|through)",
        r"continu(?:e|ing)(?: with| on| working on)?",
        r"start(?:ing)?(?: on| with| work on)?",
    ),
    *(
        "implement(?:ing)?",
        "pick up",
        "resume",
        "finish",
        "tackle",
        "take(?: on| over)?",
        "address",
        "fix",
        "solve",
        "resolve",
    ),
    *(
        "close",
        "complete",
        "do",
        "handle",
        "land",
        "merge",
        "review",
        "ship",
        "rebase",
        "proceed with",
        "move on to",
        "go ahead with",
    ),
    *("next(?: is| up)?:?", "look (?:at|into)", "update"),
    *(r"arbeite?(?: weiter)? an", r"(?:mach|weiter)(?: weiter)? mit", "setze?", "beginne? mit", "erledige", "prüfe"),
    *(r"continu(?:ons|ez)(?: avec| sur)?", r"travaill\w{1,4} sur", "implémente[rz]?", "corrige[rz]?", "termine[rz]?"),
    *(
        "continúa con",
        "sigue con",
        "trabaja en",
        "implementa",
        "arregla",
        "revisa",
        "termina",
        "continua com",
        "trabalhe em",
    ),
    *(r"работа\w{1,4} над", r"продолж\w{1,5}", "сделай", "закрой"),
    after=_ARTICLE + r"[\s:,`'\"(\[*#]{0,6}" + _WORK_NOUN + "$",
)
WORK_ON_AFTER = expression(
    r"^[`'\"]{0,3} ?(?:を|に)?(?:進め|着手|対応|実装|再開|続け|やって|修正)|^[`'\"]{0,3} (?:umsetzen|erledigen|bearbeiten|abschließen|fertig)",
    re.IGNORECASE,
)
OFFER = _any(
    *("want me to", "would you like", "shall i", "should i", "let me know", "if you(?:'d| would)? (?:want|like)"),
    *("i can (?:also|now)", "say the word", r"proceed\?", r"go ahead\?", "your call", "which (?:direction|option)"),
    *("soll ich", "möchtest du", "voulez-vous", "quieres que"),
    after="",
)
QUESTION = _any(
    *("why", "how", "what", "when", "where", "which", "who", "is", "are", "does", "do", "did", "can we", "could we"),
    *("should", "would", "will", "was", "were", "has", "have"),
    *("warum", "wie", "wo", "pourquoi", "comment", "qué", "cómo", "por qué"),
    before=r"^\W{0,4}(?:so |and |but |ok(?:ay)?,? |hm+,? |also )?",
)
PLAN = _any("(?:implement|execute|carry out) (?:the|this) (?:following )?plan")
ABOUT_TESTS = expression(
    r"\b(?:tests?|testing|coverage|specs?|unit tests?|testen?|prueba|tests unitaires)\b|\b(?-i:Test[A-Z]|test_)",
    re.IGNORECASE,
)
# The user asks to keep something in mind.
KEEP = _any(
    *(
        "remember (?:this|that|it|these|them)",
        "please remember",
        "keep (?:this |that |it )?in mind",
        "for (?:future|later) reference",
        "from now on",
        "going forward",
    ),
    *("merk dir", "souviens-toi", "recuerda", "lembre-se", "ricorda", "запомни", "zapamiętaj"),
    *("ab (?:jetzt|sofort)", "künftig", "in zukunft", "à partir de maintenant", "désormais", "dorénavant"),
    *(
        "a partir de (?:ahora|agora)",
        "de ahora en adelante",
        "de agora em diante",
        "d'ora in (?:poi|avanti)",
        "od teraz",
    ),
    *("vanaf nu", "теперь всегда", "с этого момента", "отныне", "bundan sonra", "अब से", "من الآن"),
    *("以后都?用", "今后", "从现在起", "今後は", "これからは", "앞으로"),
    before=r"(?<![A-Za-z])",
    after=r"(?![A-Za-z])",
)
# Naming and correcting by the user (R16): the name is the group.
NAMING = expression(
    r"\b(?:call it|call this|name it|named|rename(?: it)? to|let'?s call it|nenne es|appelle-le|llámalo)\s{1,3}"
    r"[`'\"“]?([A-Za-z][\w-]{1,40})(?![\w-]|[./\\]\w)",
    re.IGNORECASE,
)
# Around a handle: the outcome says that it is not about that thing.
UNRELATED = _any(
    *("unrelated", "pre-?existing", "merely", "already (?:present|there)", "not (?:part|touched)", "skipp(?:ed|ing)"),
    *("left (?:untouched|alone|as[- ]is)", "did(?: not|n't) touch", "was left", "unchanged"),
)
# Around a secret or setting: it has to be set up, or is.
SETUP = _any(
    *("add", r"set(?:ting)?(?: up)?", r"configur\w{0,3}", r"creat\w{0,3}", r"requir\w{0,3}", r"need\w{0,2}", "must"),
    *("export", "stored? (?:as|in)", r"hinterleg\w{0,3}"),
)
# Directly before a secret's name: it is there, and it is where the value comes from.
TAKEN_FROM = _any(
    r"(?:read|reads|take|takes|use|uses|load|loads|comes?|get|gets)\b[^.!?\n]{0,40}\b"
    r"(?:secret|environment variable|env(?: var(?:iable)?)?|variable|vault)",
    r"(?:secret|environment variable|env var(?:iable)?) (?:is|are) (?:already )?(?:set|configured|called|named)",
    after=r"[\s`'\"(:]{1,4}$",
)
_FOLDER = (
    r"(?:director(?:y|ies)|folders?|dirs?|repos?|repository|clone|checkout|work ?trees?|project|workspace|codebase|monorepo"
    r"|ordner|verzeichnis|projekt|dossier|répertoire|dépôt|projet|carpeta|directorio|repositorio|proyecto|pasta|diretório"
    r"|repositório|projeto|папк\w{1,2}|каталог\w{0,2}|проект\w{0,2}|репозитори\w{1,2})"
)
# Right beside a folder's bare name: the user calls it a folder, repository or clone.
FOLDER_BEFORE = expression(
    rf"\b{_FOLDER}[\s:`'\"(*]{{1,4}}(?:(?:called|named|is|at|in|under|namens|nommée?|llamad[oa]) )?[`'\"*]{{0,2}}$",
    re.IGNORECASE,
)
FOLDER_AFTER = expression(
    rf"^[`'\"/*)]{{0,3}}(?:[ -](?:local |main |git )?{_FOLDER}\b| ?(?:目录|文件夹|仓库|项目|フォルダ|ディレクトリ|リポジトリ|プロジェクト)"
    r"|[^.!?\n]{0,30}\b(?:cloned|checked out|lokal|localement|clonad[oa])\b)",
    re.IGNORECASE,
)
# Directly before a path: the user says that this is where the work lies.
PLACED = expression(
    r"(?:\b(?:path|root|dir|directory|folder|repo|repository|project|workspace|cwd|checkout|clone|codebase|pfad|verzeichnis|ruta|chemin)"
    r"[`'\"*]{0,3} ?(?:[:=]|is(?: at| in)?|(?:is )?located (?:at|in)|lives? (?:at|in)|liegt (?:in|unter)|está en|se trouve dans)[`'\"* ]{0,4}"
    r"|\b(?:i (?:have|keep|put) (?:it|them) (?:in|at|under)|l[ao]s? tengo en|tenho (?:ela|ele)? ?em|je l'ai dans|ich habe (?:es|sie|ihn) (?:in|unter)"
    r"|staat in|ligt in|находится в|лежит в|leży w|si trova in)[`'\"* ]{1,4}|(?:位于|放在|在)[`'\"* ]{0,4}"
    r"|<(?:uploaded_files|repository|repo|working_dir(?:ectory)?|cwd|workspace|project_root)>\s{0,4})$",
    re.IGNORECASE,
)
# Directly before a host or address: the user says that something is there to be reached.
REACHED = expression(
    r"(?:\b(?:nc|ncat|netcat|telnet|ssh|scp|rsync|mosh|ping|curl)(?: -{1,2}[\w-]{1,12}(?: \S{1,40})?){0,3} (?:[\w.-]{1,40}@)?"
    r"|\b(?:ssh(?:ing)? (?:in)?to|connect(?:ed|ing)?(?: to| at)?|listen(?:s|ing)?(?: on| at)?|running(?: on| at)?|runs (?:on|at)|reachable (?:at|on|under)"
    r"|hosted (?:at|on)|deployed (?:at|to)|available (?:at|on|under)|lives (?:at|on)|log ?in(?: to)?|läuft (?:auf|unter)"
    r"|erreichbar unter|tourne sur|corre en|disponible en|server is(?: at)?|host is)[\s:`'\"*]{1,4}(?:https?://)?)$",
    re.IGNORECASE,
)
# The user wants some of many singled out.
ASKS_WHICH = _any(
    *(
        "which",
        r"what (?:are|is|should|do)",
        r"any(?:thing)? of (?:them|these|those)",
        "triage",
        r"prioriti[sz]e",
        "rank",
        "stale",
    ),
    *(
        "blocks?",
        "blockers?",
        "what'?s (?:next|open|left)",
        "welche[nrs]?",
        "was (?:blockiert|ist offen)",
        "quel(?:le)?s?",
    ),
    *("cuáles?", "qué (?:issues|tickets|tareas)", "quais", "qual", "quali", "какие", "które", "hangi"),
    r"哪些|哪个|どの|どれ|어떤",
    before=r"(?<![A-Za-z])",
    after=r"(?![A-Za-z])",
)
# Directly before a name: it is that of a secret or a variable.
# Directly before a host: what it is, and that it is this one.
CALLED_HOST = expression(
    r"(?:(?:server|host|machine|box|vm|node|rechner|maschine|machine|serveur|poste|servidor|máquina|serwer|сервер\w{0,2}|машин\w)"
    r"(?:s|n)?(?:,? (?:it|that|this)?(?:'s| is| are)?(?: now| new)?| ist(?: neu| jetzt)?| heißt| est| s'appelle| es| é| se llama"
    r"| называется| called| named)?|服务器(?:是)?|サーバーは?)[\s:\uff1a,=\u2014`'\"(*-]{1,4}$",
    re.IGNORECASE,
)
# Directly before a variable: a value is put there, or comes from there.
HANDED_IN = expression(
    r"\b(?:put|pass(?:ed)?|store[ds]?|keep|kept|save[ds]?|set|provided?|hand(?:ed)?|give|lies|leg|lege|liegt|steht|speicher\w{0,2}|übergib"
    r"|übergeben|mets|mettez|passe[rz]?|stocke[rz]?|pon|guarda|pasa|coloque|guarde|passa|metti|положи|передай)\b[^.!?\n]{0,40}"
    r"\b(?:in|into|as|via|through|under|by|als|unter|über|dans|sous|par|en|como|por|via|come|nella|в|через)"
    r"(?: (?:the|an?|die|der|la|le|el|o|a))?(?: env(?:ironment)?(?: var(?:iable)?)?| variable| secret)?[\s`'\"(:*]{1,4}$",
    re.IGNORECASE,
)
HANDED_IN_AFTER = expression(r"^[`'\"*)]{0,3}\s?(?:で渡|に入れ|に設定|に保存|から(?:読|取)|で設定)")
CALLED_SECRET = expression(
    r"(?:\b(?:secret|секрет\w{0,3}|secreto|segredo|segreto|geheimnis|sekret|env(?:ironment)? (?:var(?:iable)?)|variable|variável"
    r"|переменн\w{1,3}|zmienn\w{1,2}|umgebungsvariable)|シークレット|環境変数|密钥|环境变量)[\s`'\"(:*]{1,4}$",
    re.IGNORECASE,
)
# Directly before a name: something else has taken its place.
SUPERSEDED = expression(
    r"(?:\b(?:old|former|previous|legacy|deprecated|instead of|rather than|no longer|don'?t (?:use|touch)|stop using|away from"
    r"|alte[nrs]?|statt|anstelle von|nicht mehr|ancien(?:ne)?|au lieu de|viej[oa]|antigu[oa]|en lugar de|antig[oa]|velh[oa]|vecchi[oa]"
    r"|al posto di|invece di|oude|in plaats van|стар\w{1,3}|вместо|star[aey]\w{0,3}|eski|पुराना)|旧的?|古い|別再用旧的|别再用旧的|別再用|别再用)"
    r"[\s`'\"(:*]{0,4}(?:\w{1,12}[\s`'\"(:*]{1,4}){0,2}$",
    re.IGNORECASE,
)
# The turn is about the whole of what lies here.
ABOUT_PLACE = _any(
    r"(?:explore|understand|learn|familiari[sz]e|overview|explain|analy[sz]e|study|onboard|tour|describe|summari[sz]e|document|what does)"
    r"\b[^.!?\n]{0,60}\b(?:this|the|our|current|whole|entire) (?:\w{1,12} )?(?:project|repo|repository|codebase|code base|monorepo)",
    r"(?:erkläre?|analysiere|verstehe)\b[^.!?\n]{0,40}\b(?:projekt|repository|codebasis)",
    r"(?:explique|analyse|comprendre)\b[^.!?\n]{0,40}\b(?:projet|dépôt)",
    r"(?:explica|analiza|entender|explora)\b[^.!?\n]{0,40}\b(?:proyecto|repositorio)",
)
# Before a path in the outcome: where the commands that follow are to be run, and what a command will make.
ENTERED = expression(r"(?:^|[\n;&`(])[ \t]{0,8}(?:[$>] )?(?:cd|pushd|git -C|Set-Location) [\"']?$")
TO_BE_MADE = expression(
    r"(?:git worktree add|git clone|mkdir|gh repo clone|git init)(?: -{1,2}[\w-]{1,20}(?: [\w./-]{1,60})?){0,3}(?: \S{1,120})?? [\"']?$"
)
LINE_REFERENCE = expression(r":\d{1,6}(?:[-:,]\d{1,6})?|#L\d{1,6}|[`'\"*]{0,3} ?\(?lines? \d{1,6}", re.IGNORECASE)
# Commands that everybody runs all the time.
ROUTINE = expression(
    r"^(?:[\w./-]{0,60} )?(?:tests?|lint|fmt|format|build|check|vet|typecheck|clippy|tsc|pytest|vitest|jest|mocha"
    r"|eslint|prettier|gofmt|ruff|mypy|golangci-lint|tox|verify)\b|\brun (?:test|lint|fmt|build|check|typecheck)"
    r"|\b(?:go|cargo|npm|pnpm|yarn|make|mvn|gradle|dotnet) (?:test|build|vet|check|lint)\b",
    re.IGNORECASE,
)
INSPECTION = expression(
    r"^(?:ls|cat|head|tail|grep|rg|find|pwd|cd|echo|wc|which|type|stat|file|tree|less|more|sed -n|awk|jq|sleep|true|ps"
    r"|env|printf|diff|du|df|nl|sort|uniq|tee|xxd|strings|command -v|python3? -c|node -e|gh api"
    r"|git (?:status|log|diff|show|branch|rev-parse|remote|fetch|blame|ls-files|stash list|config)"
    r"|gh (?:pr|issue|run|repo|api) (?:view|list|status|checks|diff))\b",
    re.IGNORECASE,
)
# A program with nothing to do, or an installer with nothing to install.
BARE = expression(
    r"(?:export|set|setx) [A-Za-z_]\w{0,60}=.{0,200}|(?:sudo )?[\w./-]{1,60}(?: (?:install|add|run|exec|update|upgrade))?|git [a-z-]{2,20}(?: -[\w-]{1,30}){0,4}",
    re.IGNORECASE,
)
