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

/** What stands in the place of a credential and is none: a variable of a shell or of the platform, or a mark. */
const isVariable = String.raw`\$\w+@|\$?\{|\$\(|[<[]`;

/** A URL with a password. */
const withPassword = new RegExp(
  String.raw`\b([a-z][a-z0-9+.-]{0,30}:\/\/)[^\s:/?#@]*:(?!${isVariable})[^\s/?#@]+@`,
  "i",
);

/** The user information of a URL of the web: a token may stand there alone. */
const userInformation = new RegExp(
  String.raw`\b(https?:\/\/)(?!${isVariable}|[^\s/?#@:]*:(?:${isVariable}))[^\s/?#@]+@`,
  "i",
);

/** No variable follows, no setting, no number and not nothing. */
const isValue = String.raw`(?!["']?(?:[$%{<[*]|(?:true|false|yes|no|on|off|none|null|~|\d{1,3}|)(?![^\s"',;&}])))`;

const lastWords = "password|passwd|passphrase|token|api[-_]?key|(?:private|secret|access)[-_]?key";

/** A value behind a flag or a variable that is called like a credential. */
const named = new RegExp(
  String.raw`((?:--?[a-z][\w-]{0,60}|\b\w{0,60})(?:${lastWords}|secret)=)${isValue}[^\s"',;&]+`,
  "i",
);

/** The same in the words of a command, in a member of YAML or JSON, and in a header: in a sentence it would be no value. */
const namedInValue = new RegExp(
  String.raw`((?:^|[\s["',])--?[\w-]{0,60}(?:${lastWords}|secret)["']?,?\s+["']?(?!-)|(?:^|[\s{,"'.])(?!git_token\b)[\w-]{0,60}(?:${lastWords})["']?:\s+["']?|\bauthorization["']?:\s*["']?(?:bearer|basic|token)\s+)${isValue}[^\s"',;&}]+`,
  "im",
);

/** The last words of names whose values are credentials: `DB_PASSWORD`, `--api-token`, but not `PASSWORD_LENGTH`. */
const namesOfCredentials =
  /(?:^|[_.-])(?:PASSWORD|PASSWD|PASSPHRASE|SECRET|TOKEN|API[_-]?KEY|(?:PRIVATE|SECRET|ACCESS|ENCRYPTION|SIGNING)[_-]?KEY|CREDENTIALS?)$/;

/** Whether the value of that variable, flag or member is a credential: by its name, and because it is no setting. */
export function isNamedCredential(name: string, value: string): boolean {
  const words = name.replaceAll(/([a-z0-9])([A-Z])/g, "$1_$2").toUpperCase();
  return (
    namesOfCredentials.test(words) && !settings.test(value.trim()) && !/\{\{.*\}\}|\$\{.*\}/s.test(value)
  );
}

/** Values of settings, which no credential has. */
const settings = /^(?:true|false|yes|no|on|off|none|null|~|\d{1,3}|)$/i;

/** The sort of credential that a text has in it, by its form; undefined for none. */
export function credentialIn(text: string): string | undefined {
  const [what] = forms.find(([, form]) => form.test(text)) ?? [];
  if (what !== undefined) return what;
  if (withPassword.test(text)) return "a URL with a password";
  if (userInformation.test(text)) return "a URL with a token";
  return named.test(text) || namedInValue.test(text) ? "a credential, by the name before it" : undefined;
}

/** Whether a URL has a user's name, a password or a token before its host; the user of an SSH URL is none. */
export function hasUserInformation(url: string): boolean {
  return /\b(?:https?:\/\/|[a-z][a-z0-9+.-]{0,30}:\/\/[^\s:/?#@]*:)[^\s/?#@]+@/i.test(url);
}

/** A sentence in which a mark stands in the place of each credential that has a known form. */
export function withoutCredentials(text: string): string {
  const urls = [withPassword, userInformation].reduce(
    (shown, form) => shown.replaceAll(new RegExp(form, "gi"), `$1${mark}@`),
    text,
  );
  const whole = forms.reduce((shown, [, form]) => shown.replaceAll(new RegExp(form, "g"), mark), urls);
  return whole.replaceAll(new RegExp(named, "gi"), `$1${mark}`);
}

/** A value in which a mark stands in the place of each credential that has a known form or stands behind its name. */
export function valueWithoutCredentials(text: string): string {
  return withoutCredentials(text).replaceAll(new RegExp(namedInValue, "gim"), `$1${mark}`);
}

/** A line of YAML that ends at the first key whose value is a credential, with a mark in the place of each other one. */
export function lineWithoutCredentials(line: string): string {
  const keys = [...line.matchAll(/(["']?)([\w.-]+)\1:(?=\s+(?!\{\s*(?:from_\w+:|\}))([^\s,}]+))/g)];
  const found = keys.find(
    ([, , name = "", value = ""]) => name !== "git_token" && isNamedCredential(name, value),
  );
  return valueWithoutCredentials(found ? `${line.slice(0, found.index)}${found[0]} …` : line);
}

/** A sentence that quotes values in which a mark stands in the place of each credential. */
export function quotesWithoutCredentials(text: string): string {
  return withoutCredentials(text).replaceAll(/"[^\n]*"/g, valueWithoutCredentials);
}

/** What stands in the place of a credential. */
export const mark = "[credential]";
