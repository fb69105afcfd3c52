"""Secrets that an issuer marks: each kind begins with letters that nothing else begins with.

Owns the table of issued forms. A row is (kind, anchors in lower case, pattern); the pattern is tried only where an anchor
stands, so a text without anchors costs a few substring searches. Standard library only.
"""
# ruff: noqa: E501 - patterns, thresholds and word lists are the data here

import re
from typing import NamedTuple

__all__ = ["ISSUED", "Issued"]


class Issued(NamedTuple):
    """One issued form: where an anchor stands, `pattern` is matched at the anchor's first letter."""

    kind: str
    anchors: tuple[str, ...]
    pattern: re.Pattern[str]


def _row(kind: str, anchors: str, pattern: str) -> Issued:
    return Issued(kind, tuple(anchors.split()), re.compile(pattern))


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
    _row("azure-client-secret", "8q~ 7q~", r"[78]Q~[A-Za-z0-9_~.-]{31,40}"),
    _row("sendgrid-key", "sg.", r"SG\.[A-Za-z0-9_-]{16,40}\.[A-Za-z0-9_-]{16,80}"),
    _row("mailgun-key", "key-", r"key-[0-9a-f]{32}(?![0-9a-f])"),
    _row("twilio-key", "sk", r"SK[0-9a-f]{32}(?![0-9a-f])"),
    _row("huggingface-token", "hf_ api_org_", r"(?:hf_|api_org_)[A-Za-z0-9]{30,60}"),
    _row("digitalocean-token", "dop_v1_ doo_v1_ dor_v1_", r"do[opr]_v1_[a-f0-9]{40,80}"),
    _row("shopify-token", "shpat_ shpca_ shppa_ shpss_", r"shp(?:at|ca|pa|ss)_[a-fA-F0-9]{30,40}"),
    _row("telegram-token", ":aa", r":AA[A-Za-z0-9_-]{32,36}"),
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
    _row("terraform-token", ".atlasv1.", r"\.atlasv1\.[A-Za-z0-9_=-]{50,80}"),
    _row("square-token", "sq0atp- sq0csp-", r"sq0(?:atp|csp)-[A-Za-z0-9_-]{20,50}"),
    _row("tailscale-key", "tskey-", r"tskey-(?:api|auth|client|scim|webhook)-[A-Za-z0-9-]{16,80}"),
    _row("netlify-token", "nfp_", r"nfp_[A-Za-z0-9]{32,50}"),
    _row("pulumi-token", "pul-", r"pul-[a-f0-9]{40}"),
    _row("figma-token", "figd_", r"figd_[A-Za-z0-9_-]{30,60}"),
    _row("perplexity-key", "pplx-", r"pplx-[A-Za-z0-9]{40,60}"),
    _row("replicate-token", "r8_", r"r8_[A-Za-z0-9]{32,50}"),
)  # fmt: skip
