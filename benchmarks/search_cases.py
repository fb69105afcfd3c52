"""Hand-written things to remember and the ways in which somebody asks for them, among thousands that sound alike.

Owns the definitions and the questions, each with the one thing that is meant. Knows nothing of how a search is made:
the same cases measured it before and after (docs/benchmarks.md).
"""

from collections.abc import Iterator
from dataclasses import dataclass

__all__ = ["CASES", "EXACT", "Case", "crowd", "meant"]

EXACT = ("handle", "name", "alias")
"""The kinds of question in which nothing but the thing itself may be first."""


@dataclass(frozen=True, slots=True)
class Case:
    """One question: its kind, the words, the prototype that is meant."""

    kind: str
    query: str
    wanted: str


# name, type, property, handle, entity name, aliases
_MEANT = (
    ("ParserGrammarNotes", "Document", "FilePath", "/srv/quill/docs/parser/grammar.md",
     "parser grammar notes", "the railroad page"),
    ("RetryBackoffPy", "SourceFile", "FilePath", "/srv/quill/src/net/retry_backoff.py",
     "retry_backoff.py", "backoff helper"),
    ("CheckoutWebModule", "WebModule", "ModulePath", "/srv/shop/modules/CheckoutWebModule",
     "checkout web module", "the till"),
    ("StagingHost", "Host", "HostName", "staging-7.quill.example", "staging host", "the guinea pig"),
    ("PullRequest418", "PullRequest", "PullRequestUrl", "https://git.quill.example/quill/core/pull/418",
     "Pull request 418", "retry jitter pull request"),
    ("Issue77", "Issue", "IssueUrl", "https://git.quill.example/quill/core/issues/77", "Issue 77", "flaky clock"),
    ("CommitA1b2c3d", "Commit", "CommitSha", "a1b2c3d4e5f60718293a4b5c6d7e8f9012345678",
     "commit a1b2c3d", "the jitter fix"),
    ("FeatureJitterBranch", "Branch", "BranchName", "feature/jitter-window", "feature/jitter-window", "jitter branch"),
    ("DeployScript", "Script", "FilePath", "/srv/quill/ops/deploy-canary.sh", "deploy-canary.sh", "canary roll-out"),
    ("LedgerDatabase", "Database", "DatabaseId", "ledger_eu_west", "ledger database", "the big book"),
    ("SmtpPasswordReference", "SecretReference", "SecretKey", "QUILL_SMTP_PASSWORD", "SMTP password", "mail secret"),
    ("NightlyReconcileTask", "Task", "TaskId", "QUILL-1207", "nightly reconciliation", "month end matching"),
    ("InvoiceTemplate", "Document", "FilePath", "/srv/quill/templates/invoice-a4.html",
     "invoice template", "bill layout"),
    ("HTTPRetryPolicy", "ConfigFile", "FilePath", "/srv/quill/config/http_retry.yaml",
     "HTTP retry policy", "retry knobs"),
    ("XmlSchemaValidator", "SourceFile", "FilePath", "/srv/quill/src/xml/XmlSchemaValidator.java",
     "XmlSchemaValidator.java", "the strict gate"),
    ("OsprayRenderTool", "Tool", "ToolId", "ospray-render", "ospray renderer", "light bench"),
    ("WarehouseWorktreeBranch", "Branch", "BranchName", "warehouse/slotting", "warehouse/slotting", "slotting branch"),
    ("MahnwesenDokument", "Document", "FilePath", "/srv/verein/docs/mahnwesen.md",
     "Mahnwesen der Notenleihe", "Überfälligkeitsregeln"),
    ("ErinnerungsdienstPhp", "SourceFile", "FilePath", "/srv/verein/src/Dienst/Erinnerungsdienst.php",
     "Erinnerungsdienst.php", "Mahnungen verschicken"),
    ("PaginaDeAyuda", "Document", "FilePath", "/srv/tienda/docs/ayuda.md", "página de ayuda", "guía rápida del envío"),
    ("CafeMenuJson", "ConfigFile", "FilePath", "/srv/tienda/config/menu_cafe.json", "menu_cafe.json", "carte du café"),
    ("TowerSettingsToml", "ConfigFile", "FilePath", "/srv/tokyo/config/tower.toml", "東京タワー設定", "展望台の料金表"),
    ("OsakaScheduleCsv", "Dataset", "DatasetPath", "/srv/tokyo/data/osaka.csv", "大阪時刻表", "電車の発車時刻"),
    ("SeoulNoticePage", "Document", "FilePath", "/srv/seoul/docs/notice.md", "서울 공지사항", "점검 안내문"),
    ("ArabicGrammarPage", "Document", "FilePath", "/srv/lugha/docs/qawaid.md", "صفحة القواعد", "شرح النحو"),
    ("KirillUkazatel", "Document", "FilePath", "/srv/slovar/docs/ukazatel.md",
     "указатель терминов", "словарь сокращений"),
    ("MetricsScrapeConfig", "ConfigFile", "FilePath", "/srv/quill/ops/scrape/prometheus.yml",
     "metrics scrape config", "target list"),
    ("CsvImportWizard", "WebModule", "ModulePath", "/srv/quill/modules/CsvImportWizard",
     "CSV import wizard", "spreadsheet loader"),
    ("FraudScoreModel", "Model", "ModelId", "fraud-score-v3", "fraud score model", "trust meter"),
    ("GatewayTimeoutRunbook", "Document", "FilePath", "/srv/quill/runbooks/gateway-timeout.md",
     "gateway timeout runbook", "504 playbook"),
    ("SessionTokenRotation", "Script", "FilePath", "/srv/quill/ops/rotate_tokens.py",
     "session token rotation", "key shuffle"),
    ("AuditTrailTable", "Database", "DatabaseId", "audit_trail_2026", "audit trail table", "who did what"),
)  # fmt: skip

_ASKED = (
    ("handle", "/srv/quill/src/net/retry_backoff.py", "RetryBackoffPy"),
    ("handle", "https://git.quill.example/quill/core/pull/418", "PullRequest418"),
    ("handle", "a1b2c3d4e5f60718293a4b5c6d7e8f9012345678", "CommitA1b2c3d"),
    ("handle", "staging-7.quill.example", "StagingHost"),
    ("handle", "feature/jitter-window", "FeatureJitterBranch"),
    ("handle", "QUILL_SMTP_PASSWORD", "SmtpPasswordReference"),
    ("handle", "ledger_eu_west", "LedgerDatabase"),
    ("handle", "/srv/tokyo/config/tower.toml", "TowerSettingsToml"),
    ("name", "ParserGrammarNotes", "ParserGrammarNotes"),
    ("name", "xmlschemavalidator", "XmlSchemaValidator"),
    ("name", "checkout-web-module", "CheckoutWebModule"),
    ("name", "http retry policy", "HTTPRetryPolicy"),
    ("name", "Fraud Score Model", "FraudScoreModel"),
    ("alias", "the railroad page", "ParserGrammarNotes"),
    ("alias", "retry jitter pull request", "PullRequest418"),
    ("alias", "504 playbook", "GatewayTimeoutRunbook"),
    ("alias", "Month-End Matching", "NightlyReconcileTask"),
    ("alias", "展望台の料金表", "TowerSettingsToml"),
    ("words", "grammar railroad", "ParserGrammarNotes"),
    ("words", "gateway runbook", "GatewayTimeoutRunbook"),
    ("words", "canary deploy", "DeployScript"),
    ("words", "where is the invoice template for bills", "InvoiceTemplate"),
    ("words", "flaky clock issue", "Issue77"),
    ("words", "trust score fraud", "FraudScoreModel"),
    ("words", "spreadsheet import", "CsvImportWizard"),
    ("words", "prometheus targets scrape", "MetricsScrapeConfig"),
    ("camel", "CheckoutWebMod", "CheckoutWebModule"),
    ("camel", "XmlValidator", "XmlSchemaValidator"),
    ("camel", "csvImportWiz", "CsvImportWizard"),
    ("camel", "schemavalidator", "XmlSchemaValidator"),
    ("camel", "HTTPRetryPol", "HTTPRetryPolicy"),
    ("camel", "gatewaytimeout", "GatewayTimeoutRunbook"),
    ("partial", "recon", "NightlyReconcileTask"),
    ("partial", "prometh", "MetricsScrapeConfig"),
    ("partial", "railro", "ParserGrammarNotes"),
    ("partial", "jitter-win", "FeatureJitterBranch"),
    ("partial", "backof help", "RetryBackoffPy"),
    ("partial", "invoice templ", "InvoiceTemplate"),
    ("partial", "slotti", "WarehouseWorktreeBranch"),
    ("misspelt", "parser gramar notes", "ParserGrammarNotes"),
    ("misspelt", "raildroad page", "ParserGrammarNotes"),
    ("misspelt", "nightly reconcilation", "NightlyReconcileTask"),
    ("misspelt", "retry bakcoff", "RetryBackoffPy"),
    ("misspelt", "fruad score model", "FraudScoreModel"),
    ("misspelt", "gatway timeout", "GatewayTimeoutRunbook"),
    ("misspelt", "invoise template", "InvoiceTemplate"),
    ("misspelt", "promethues", "MetricsScrapeConfig"),
    ("misspelt", "chekout web module", "CheckoutWebModule"),
    ("misspelt", "ospray rendrer", "OsprayRenderTool"),
    ("misspelt", "sesion token rotaton", "SessionTokenRotation"),
    ("misspelt", "warehouse sloting", "WarehouseWorktreeBranch"),
    ("path tail", "net/retry_backoff.py", "RetryBackoffPy"),
    ("path tail", "docs/parser/grammar.md", "ParserGrammarNotes"),
    ("path tail", "core/pull/418", "PullRequest418"),
    ("path tail", "scrape/prometheus.yml", "MetricsScrapeConfig"),
    ("path tail", "Dienst/Erinnerungsdienst.php", "ErinnerungsdienstPhp"),
    ("basename", "grammar.md", "ParserGrammarNotes"),
    ("basename", "deploy-canary.sh", "DeployScript"),
    ("basename", "invoice-a4.html", "InvoiceTemplate"),
    ("basename", "gateway-timeout.md", "GatewayTimeoutRunbook"),
    ("basename", "prometheus.yml", "MetricsScrapeConfig"),
    ("basename", "rotate_tokens.py", "SessionTokenRotation"),
    ("language", "Erinnerungs", "ErinnerungsdienstPhp"),
    ("language", "Mahnwesen Notenleihe", "MahnwesenDokument"),
    ("language", "ueberfälligkeitsregeln", "MahnwesenDokument"),
    ("language", "guía envío", "PaginaDeAyuda"),
    ("language", "pagina ayuda", "PaginaDeAyuda"),
    ("language", "carte du cafe", "CafeMenuJson"),
    ("language", "東京", "TowerSettingsToml"),
    ("language", "タワー", "TowerSettingsToml"),
    ("language", "料金表", "TowerSettingsToml"),
    ("language", "時刻", "OsakaScheduleCsv"),
    ("language", "공지사항", "SeoulNoticePage"),
    ("language", "점검", "SeoulNoticePage"),
    ("language", "القواعد", "ArabicGrammarPage"),
    ("language", "النحو شرح", "ArabicGrammarPage"),
    ("language", "указатель", "KirillUkazatel"),
    ("language", "сокращения", "KirillUkazatel"),
    ("syntax", '"parser grammar" NOT notes', "ParserGrammarNotes"),
    ("syntax", "NEAR(gateway timeout, 5)", "GatewayTimeoutRunbook"),
    ("syntax", "named:fraud AND (score*", "FraudScoreModel"),
    ("syntax", '^canary OR -deploy "', "DeployScript"),
    ("syntax", "'; DROP TABLE words; -- reconciliation", "NightlyReconcileTask"),
    ("syntax", "{named} : audit trail", "AuditTrailTable"),
)  # fmt: skip

CASES = tuple(Case(*asked) for asked in _ASKED)

_FIRST = (
    "harbour",
    "invoice",
    "ledger",
    "nightly",
    "export",
    "gateway",
    "retry",
    "parser",
    "survey",
    "session",
    "audit",
)
_SECOND = ("notes", "module", "policy", "import", "report", "template", "token", "window", "cache", "schema", "score")
_THIRD = ("draft", "canary", "checkout", "timeout", "wizard", "branch", "layout", "matching", "page")


def meant() -> Iterator[str]:
    """The definitions of what the questions mean."""
    for name, kind, prop, handle, called, alias in _MEANT:
        yield _definition(name, kind, (prop, handle), (called, alias))


def crowd(count: int) -> Iterator[str]:
    """Definitions of as many other things, in the same words; the same for the same number."""
    for number in range(count):
        first = _FIRST[number % len(_FIRST)]
        second = _SECOND[number // len(_FIRST) % len(_SECOND)]
        third = _THIRD[number // len(_FIRST) // len(_SECOND) % len(_THIRD)]
        name = f"{first.title()}{second.title()}{third.title()}{number}"
        path = f"/srv/crowd/{third}/{first}_{second}_{number}.py"
        names = (f"{first} {second} {third} {number}", f"{third} {first}")
        yield _definition(name, "SourceFile", ("FilePath", path), names)


def _definition(name: str, kind: str, carried: tuple[str, str], names: tuple[str, str]) -> str:
    (prop, handle), (called, alias) = carried, names
    values = {"EntityName": called, "Aliases": alias, prop: handle}
    body = "".join(f'\t{own} = @"{value}";\n' for own, value in values.items())
    return f"prototype {name} : {kind}\n{{\n{body}}}\n"
