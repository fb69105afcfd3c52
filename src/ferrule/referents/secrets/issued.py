"""Secrets that an issuer marks: each kind begins with letters that nothing else begins with.

Owns the table of issued forms. A row is (kind, anchors in lower case, pattern); the pattern is tried only where an anchor
stands, so a text without anchors costs a few substring searches. Standard library only.
"""
# ruff: noqa: E501 - patterns, thresholds and word lists are the data here

import re
from typing import NamedTuple

from ferrule.referents.expressions import expression

__all__ = ["ISSUED", "SHAPED", "Issued"]


class Issued(NamedTuple):
    """One issued form: where an anchor stands, `pattern` is matched at the anchor's first letter.

    A form whose anchor stands inside has in `back` what must stand before it, at most 60 letters.
    """

    kind: str
    anchors: tuple[str, ...]
    pattern: re.Pattern[str]
    back: re.Pattern[str] | None = None


def _row(kind: str, anchors: str, pattern: str, back: str = "") -> Issued:
    return Issued(kind, tuple(anchors.split()), expression(pattern), re.compile(back + r"\Z") if back else None)


ISSUED: tuple[Issued, ...] = (
    _row("aws-key-id", "akia asia abia acca", r"(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}(?![A-Z0-9])"),
    _row("github-token", "ghp_ gho_ ghu_ ghs_ ghr_", r"gh[pousr]_[A-Za-z0-9]{30,255}"),
    _row("github-token", "github_pat_", r"github_pat_[A-Za-z0-9_]{22,255}"),
    _row(
        "gitlab-token",
        "glpat- gldt- glrt- glcbt- glptt- glft- glsoat- glagent-",
        r"gl(?:pat|dt|rt|cbt|ptt|ft|soat|agent)-[A-Za-z0-9_-]{16,300}",
    ),
    _row("slack-token", "xox xapp-", r"(?:xox[abceoprs]|xapp)-[A-Za-z0-9-]{10,300}"),
    _row("slack-webhook", "hooks.slack.com/", r"hooks\.slack\.com/(?:services|workflows|triggers)/[A-Za-z0-9_/-]{20,300}"),
    _row("discord-webhook", "/api/webhooks/", r"/api/webhooks/[0-9]{10,24}/[A-Za-z0-9_-]{30,120}"),
    _row("stripe-key", "sk_live_ sk_test_ rk_live_ rk_test_", r"[sr]k_(?:live|test)_[A-Za-z0-9]{10,250}"),
    _row("webhook-secret", "whsec_", r"whsec_[A-Za-z0-9+/=]{16,120}"),
    _row("anthropic-key", "sk-ant-", r"sk-ant-[A-Za-z0-9]{2,12}-?[A-Za-z0-9_-]{16,300}"),
    _row("openai-key", "sk-", r"sk-(?!ant-)(?:proj-|svcacct-|admin-|or-v1-)?[A-Za-z0-9_-]{20,300}"),
    _row("npm-token", "npm_", r"npm_[A-Za-z0-9]{30,80}"),
    _row("pypi-token", "pypi-", r"pypi-[A-Za-z0-9_-]{40,600}"),
    _row("jwt", "eyj", r"eyJ[A-Za-z0-9_-]{10,4000}\.(?:eyJ)?[A-Za-z0-9_-]{8,8000}(?:\.[A-Za-z0-9_-]{6,4000}){1,3}"),
    _row("google-api-key", "aiza", r"AIza[0-9A-Za-z_-]{30,45}"),
    _row("google-oauth", "ya29. gocspx- 1//0", r"(?:ya29\.[0-9A-Za-z_-]{20,600}|GOCSPX-[0-9A-Za-z_-]{20,60}|1//0[0-9A-Za-z_-]{30,200})"),
    _row("azure-client-secret", "8q~ 7q~", r"[78]Q~[A-Za-z0-9_~.-]{31,40}", r"[A-Za-z0-9_~.-]{3}"),
    _row("sendgrid-key", "sg.", r"SG\.[A-Za-z0-9_-]{16,40}\.[A-Za-z0-9_-]{16,80}"),
    _row("mailgun-key", "key-", r"key-[0-9a-f]{32}(?![0-9a-f])"),
    _row("twilio-key", "sk", r"SK[0-9a-f]{32}(?![0-9a-f])"),
    _row("huggingface-token", "hf_ api_org_", r"(?:hf_|api_org_)[A-Za-z0-9]{30,60}"),
    _row("digitalocean-token", "dop_v1_ doo_v1_ dor_v1_", r"do[opr]_v1_[a-f0-9]{40,80}"),
    _row("shopify-token", "shpat_ shpca_ shppa_ shpss_", r"shp(?:at|ca|pa|ss)_[a-fA-F0-9]{30,40}"),
    _row("telegram-token", ":aa", r":AA[A-Za-z0-9_-]{32,36}(?![A-Za-z0-9_-])", r"(?<![0-9])[0-9]{8,11}"),
    _row("docker-token", "dckr_pat_ dckr_oat_", r"dckr_[po]at_[A-Za-z0-9_-]{20,60}"),
    _row("databricks-token", "dapi", r"dapi[a-f0-9]{32}(?:-[0-9])?"),
    _row("vault-token", "hvs. hvb. hvr.", r"hv[sbr]\.[A-Za-z0-9_-]{20,300}"),
    _row("linear-key", "lin_api_ lin_oauth_", r"lin_(?:api|oauth)_[A-Za-z0-9]{30,80}"),
    _row("notion-token", "ntn_ secret_", r"(?:ntn_[A-Za-z0-9]{40,60}|secret_[A-Za-z0-9]{40,50})"),
    _row("age-key", "age-secret-key-", r"AGE-SECRET-KEY-1[0-9A-Z]{50,64}"),
    _row("groq-key", "gsk_", r"gsk_[A-Za-z0-9]{32,80}"),
    _row("xai-key", "xai-", r"xai-[A-Za-z0-9]{40,120}"),
    _row("rubygems-key", "rubygems_", r"rubygems_[a-f0-9]{40,56}"),
    _row("crates-token", "cio", r"cio[A-Za-z0-9]{32}(?![A-Za-z0-9])"),
    _row("grafana-token", "glsa_ glc_", r"gl(?:sa|c)_[A-Za-z0-9+/=_]{30,300}"),
    _row("newrelic-key", "nrak- nrii-", r"NR(?:AK|II)-[A-Za-z0-9_-]{24,60}"),
    _row("supabase-key", "sbp_ sb_secret_", r"(?:sbp_[a-f0-9]{36,60}|sb_secret_[A-Za-z0-9_-]{20,60})"),
    _row("atlassian-token", "atatt3 atctt3", r"AT[AC]TT3[A-Za-z0-9_=-]{40,300}"),
    _row("sentry-token", "sntrys_ sntryu_", r"sntry[su]_[A-Za-z0-9+/=_]{40,400}"),
    _row("postman-key", "pmak-", r"PMAK-[a-f0-9]{20,30}-[a-f0-9]{30,40}"),
    _row("planetscale-token", "pscale_", r"pscale_(?:pw|tkn|oauth)_[A-Za-z0-9_=.-]{30,80}"),
    _row("doppler-token", "dp.pt. dp.st. dp.sa.", r"dp\.(?:pt|st|sa)\.(?:[a-z0-9_-]{2,40}\.)?[A-Za-z0-9]{36,50}"),
    _row("terraform-token", ".atlasv1.", r"\.atlasv1\.[A-Za-z0-9_=-]{50,80}", r"[A-Za-z0-9]{14}"),
    _row("square-token", "sq0atp- sq0csp-", r"sq0(?:atp|csp)-[A-Za-z0-9_-]{20,50}"),
    _row("tailscale-key", "tskey-", r"tskey-(?:api|auth|client|scim|webhook)-[A-Za-z0-9-]{16,80}"),
    _row("netlify-token", "nfp_", r"nfp_[A-Za-z0-9]{32,50}"),
    _row("pulumi-token", "pul-", r"pul-[a-f0-9]{40}"),
    _row("figma-token", "figd_", r"figd_[A-Za-z0-9_-]{30,60}"),
    _row("perplexity-key", "pplx-", r"pplx-[A-Za-z0-9]{40,60}"),
    _row("replicate-token", "r8_", r"r8_[A-Za-z0-9]{32,50}"),
    _row("alibaba-key-id", "ltai", r"LTAI[A-Za-z0-9]{16,26}(?![A-Za-z0-9])"),
    _row("bitbucket-token", "atbb", r"ATBB[A-Za-z0-9_=.-]{24,60}"),
    _row("braintree-token", "access_token$", r"access_token\$(?:production|sandbox)\$[a-z0-9]{8,24}\$[a-f0-9]{24,40}"),
    _row("flutterwave-key", "flwseck", r"FLWSECK(?:_TEST|_LIVE)?-[A-Za-z0-9]{12,64}(?:-X)?"),
    _row("plaid-token", "access-production- access-sandbox- access-development-", r"access-(?:production|sandbox|development)-[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}"),
    _row("elevenlabs-key", "sk_", r"sk_[a-f0-9]{40,64}(?![A-Za-z0-9])"),
    _row("fireworks-key", "fw_", r"fw_[A-Za-z0-9]{20,40}(?![A-Za-z0-9_])"),
    _row("cerebras-key", "csk-", r"csk-[a-z0-9]{36,60}"),
    _row("tavily-key", "tvly-", r"tvly-(?:dev-|prod-)?[A-Za-z0-9]{20,60}"),
    _row("langsmith-key", "lsv2_", r"lsv2_(?:pt|sk)_[a-f0-9]{24,40}_[a-f0-9]{6,16}"),
    _row("pinecone-key", "pcsk_", r"pcsk_[A-Za-z0-9]{4,12}_[A-Za-z0-9]{40,80}"),
    _row("jina-key", "jina_", r"jina_[A-Za-z0-9_-]{40,80}"),
    _row("firebase-key", ":apa91", r":APA91[A-Za-z0-9_-]{100,200}", r"AAAA[A-Za-z0-9_-]{7}"),
    _row("nuget-key", "oy2", r"oy2[a-z0-9]{43}(?![A-Za-z0-9])"),
    _row("clojars-token", "clojars_", r"CLOJARS_[a-f0-9]{40,80}"),
    _row("artifactory-key", "akcp", r"AKCp[A-Za-z0-9]{50,90}"),
    _row("sonar-token", "squ_ sqp_ sqa_", r"sq[upa]_[a-f0-9]{40}(?![A-Za-z0-9])"),
    _row("circleci-token", "ccipat_ cciprj_", r"CCIP(?:AT|RJ)_[A-Za-z0-9]{10,40}_[a-f0-9]{32,48}"),
    _row("buildkite-token", "bkua_ bkpt_ bkct_", r"bk(?:ua|pt|ct)_[a-f0-9]{32,64}"),
    _row("1password-token", "ops_eyj", r"ops_eyJ[A-Za-z0-9+/=_-]{80,2000}"),
    _row("heroku-key", "hrku-", r"HRKU-[A-Za-z0-9_-]{30,80}"),
    _row("fly-token", "flyv1 fm1_ fm2_ fm1a_ fm1r_ fo1_", r"(?:FlyV1[ ]{1,2}fm[12][ar]?_[A-Za-z0-9+/=,_]{60,2000}|fm[12][ar]?_[A-Za-z0-9+/=,_]{60,2000}|fo1_[A-Za-z0-9_-]{36,60})"),
    _row("render-key", "rnd_", r"rnd_[A-Za-z0-9]{24,48}(?![A-Za-z0-9_])"),
    _row("neon-key", "napi_", r"napi_[a-z0-9]{40,80}"),
    _row("cloudflare-key", "v1.0-", r"v1\.0-[a-f0-9]{20,30}-[a-f0-9]{100,200}"),
    _row("dynatrace-token", "dt0c01. dt0s01. dt0s02.", r"dt0[a-z][0-9]{2}\.[A-Z0-9]{8,24}\.[A-Z0-9]{40,80}"),
    _row("honeycomb-key", "hcaik_ hcxik_ hcamk_", r"hc[a-z]{2}k_[a-z0-9]{26,70}"),
    _row("axiom-token", "xaat- xapt-", r"xa[ap]t-[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}"),
    _row("launchdarkly-key", "sdk- api- mob-", r"(?:sdk|api)-[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}"),
    _row("mailchimp-key", "-us", r"-us[0-9]{1,2}(?![0-9A-Za-z])", r"(?<![0-9A-Za-z])[0-9a-f]{32}"),
    _row("brevo-key", "xkeysib- xsmtpsib-", r"x(?:key|smtp)sib-[a-f0-9]{40,80}-[A-Za-z0-9]{12,20}"),
    _row("resend-key", "re_", r"re_[A-Za-z0-9]{6,12}_[A-Za-z0-9]{20,30}(?![A-Za-z0-9_])"),
    _row("contentful-token", "cfpat-", r"CFPAT-[A-Za-z0-9_-]{36,60}"),
    _row("typeform-token", "tfp_", r"tfp_[A-Za-z0-9_-]{36,70}"),
    _row("dropbox-token", "sl.", r"sl\.(?:u\.)?[A-Za-z0-9_-]{100,1400}"),
    _row("facebook-token", "eaa", r"EAA[A-Za-z0-9]{80,300}"),
    _row("mapbox-token", "sk.eyj", r"sk\.eyJ[A-Za-z0-9_-]{40,200}\.[A-Za-z0-9_-]{16,40}"),
    _row("openshift-token", "sha256~", r"sha256~[A-Za-z0-9_-]{40,50}(?![A-Za-z0-9_-])"),
    _row("adyen-key", "aqe", r"AQE[a-z][A-Za-z0-9+/=_.-]{80,200}"),
    _row("easypost-key", "ezak ezsk eztk", r"EZ[AST]K[A-Za-z0-9]{50,60}"),
    _row("shippo-token", "shippo_live_ shippo_test_", r"shippo_(?:live|test)_[a-f0-9]{36,44}"),
    _row("e2b-key", "e2b_", r"e2b_[a-f0-9]{32,48}"),
    _row("yandex-token", "aqvn y0_ t1.", r"(?:AQVN[A-Za-z0-9_-]{34,40}|y0_[A-Za-z0-9_-]{50,70}|t1\.[A-Z0-9a-z_-]{80,300}\.[A-Za-z0-9_-]{60,100})"),
    _row("prefect-key", "pnu_ pnb_", r"pn[ub]_[A-Za-z0-9]{34,40}"),
    _row("infisical-token", "st.", r"st\.[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}\.[a-f0-9]{24,40}\.[a-f0-9]{24,40}"),
    _row("together-key", "tgp_v1_", r"tgp_v1_[A-Za-z0-9_-]{36,60}"),
    _row("wandb-key", "wandb_v1_", r"wandb_v1_[A-Za-z0-9_]{60,100}"),
    _row("readme-key", "rdme_", r"rdme_[a-z0-9]{60,80}"),
)  # fmt: skip

# Forms without letters of their own, told by the whole shape of a word; the core of each is quickly looked for.
SHAPED: tuple[tuple[str, re.Pattern[str], re.Pattern[str]], ...] = (
    ("discord-token", expression(r"\.[A-Za-z0-9_-]{6}\.[A-Za-z0-9_-]{27}"), expression(r"(?:(?<![\w.-])|(?<=\\[nrt]))[MNO][A-Za-z0-9_-]{23,27}\.[A-Za-z0-9_-]{6}\.[A-Za-z0-9_-]{27,42}(?![\w-])")),
    ("airtable-token", expression(r"\.[0-9a-f]{64}"), expression(r"(?:(?<![\w.-])|(?<=\\[nrt]))pat[A-Za-z0-9]{14}\.[0-9a-f]{64}(?![\w-])")),
    ("asana-token", expression(r":[0-9a-f]{32}"), expression(r"(?:(?<![\w./-])|(?<=\\[nrt]))[12]/[0-9]{12,18}(?:/[0-9]{12,18})?:[0-9a-f]{32}(?![\w-])")),
)  # fmt: skip
