/** The well-known forms of credentials, and their names; that of a URL is below. */
const forms: readonly [what: string, form: RegExp][] = [
  [
    "a private key",
    /-----BEGIN (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----(?:[^]*?-----END [A-Z0-9 ]+-----|[^]*)/,
  ],
  ["an AWS access key", /\b(?:AKIA|ASIA)[A-Z2-7]{16}\b/],
  ["a GitHub token", /\b(?:gh[oprsu]_[A-Za-z0-9]{36,}|github_pat_\w{22,})/],
  ["a GitLab token", /\bgl(?:pat|ptt|dt|rt|cbt|soat|agent)-[\w-]{20,}/],
  ["a Slack token", /\bxox[abeoprs]-[A-Za-z0-9-]{10,}/],
  ["a Stripe key", /\b[rs]k_live_[A-Za-z0-9]{16,}/],
  ["a Google API key", /\bAIza[\w-]{35}\b/],
  ["an npm token", /\bnpm_[A-Za-z0-9]{36}\b/],
  ["a SendGrid key", /\bSG\.[\w-]{16,}\.[\w-]{16,}/],
  ["a JSON Web Token", /\beyJ[\w-]{8,}\.eyJ[\w-]{8,}\.[\w-]{8,}/],
];

/** A URL with a password. */
const withPassword = /\b([a-z][a-z0-9+.-]{0,30}:\/\/)[^\s:/?#@]*:[^\s/?#@]+@/i;

/** The user information of a URL of the web: a token may stand there alone. */
const userInformation = /\b(https?:\/\/)[^\s/?#@]+@/i;

/** The sort of credential that a text has in it, by its form; undefined for none. */
export function credentialFormOf(text: string): string | undefined {
  const [what] = forms.find(([, form]) => form.test(text)) ?? [];
  return what ?? (withPassword.test(text) ? "a URL with a password" : undefined);
}

/** Whether a URL has a user's name, a password or a token before its host; the user of an SSH URL is none. */
export function hasUserInformation(url: string): boolean {
  return withPassword.test(url) || userInformation.test(url);
}

/** A text for people in which a mark stands in the place of each credential that has a known form. */
export function withoutCredentials(text: string): string {
  const urls = [withPassword, userInformation].reduce(
    (shown, form) => shown.replaceAll(new RegExp(form, "gi"), `$1${mark}@`),
    text,
  );
  return forms.reduce((shown, [, form]) => shown.replaceAll(new RegExp(form, "g"), mark), urls);
}

const mark = "[credential]";
