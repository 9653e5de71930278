import { isFields, type Json, mapFields } from "./json.ts";

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

/** A value behind a flag or a variable that is called like a credential, and is neither a variable itself nor a number. */
const named =
  /((?:--?[a-z][\w-]*|\b\w*)(?:password|passwd|passphrase|secret|token|api[-_]?key|private[-_]?key)=)(?!["']?[$%{<[*]|(?:true|false|yes|no|on|off|none|null|\d{1,3}|)(?![^\s"',;&]))[^\s"',;&]+/i;

/** The sort of credential that a text has in it, by its form; undefined for none. */
export function credentialFormOf(text: string): string | undefined {
  const [what] = forms.find(([, form]) => form.test(text)) ?? [];
  return what ?? (withPassword.test(text) ? "a URL with a password" : undefined);
}

/** The same for texts that are no values of variables: also a token in the place of a user, and `--password=…`. */
export function credentialIn(text: string): string | undefined {
  const what = credentialFormOf(text) ?? (userInformation.test(text) ? "a URL with a token" : undefined);
  return what ?? (named.test(text) ? "a credential, by the name before it" : undefined);
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
  const whole = forms.reduce((shown, [, form]) => shown.replaceAll(new RegExp(form, "g"), mark), urls);
  return whole.replaceAll(new RegExp(named, "gi"), `$1${mark}`);
}

/** A value of JSON in which a mark stands in the place of each credential. */
export function jsonWithoutCredentials(value: Json): Json {
  if (typeof value === "string") return withoutCredentials(value);
  if (Array.isArray(value)) return value.map(jsonWithoutCredentials);
  return isFields(value) ? mapFields(value, jsonWithoutCredentials) : value;
}

const mark = "[credential]";
