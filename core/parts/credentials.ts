import { type Fields, isFields, textIn } from "../json.ts";

/** The well-known forms of credentials, and their names. */
const forms: readonly [what: string, form: RegExp][] = [
  ["a private key", /-----BEGIN (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----/],
  ["an AWS access key", /\b(?:AKIA|ASIA)[A-Z2-7]{16}\b/],
  ["a GitHub token", /\b(?:gh[oprsu]_[A-Za-z0-9]{36,}|github_pat_\w{22,})/],
  ["a GitLab token", /\bgl(?:pat|ptt|dt|rt|cbt|soat|agent)-[\w-]{20,}/],
  ["a Slack token", /\bxox[abeoprs]-[A-Za-z0-9-]{10,}/],
  ["a Stripe key", /\b[rs]k_live_[A-Za-z0-9]{16,}/],
  ["a Google API key", /\bAIza[\w-]{35}\b/],
  ["an npm token", /\bnpm_[A-Za-z0-9]{36}\b/],
  ["a SendGrid key", /\bSG\.[\w-]{16,}\.[\w-]{16,}/],
  ["a JSON Web Token", /\beyJ[\w-]{8,}\.eyJ[\w-]{8,}\.[\w-]{8,}/],
  ["a URL with a password", /\b[a-z][a-z0-9+.-]*:\/\/[^\s:/?#@]*:[^\s/?#@]+@/i],
];

/** The last words of keys whose values are credentials: `DB_PASSWORD`, but not `PASSWORD_LENGTH`. */
const namesOfCredentials =
  /(?:^|_)(?:PASSWORD|PASSWD|PASSPHRASE|SECRET|TOKEN|API_?KEY|(?:PRIVATE|SECRET|ACCESS|ENCRYPTION|SIGNING)_?KEY|CREDENTIALS?)$/;

/** Values of settings, which no credential has. */
const plainSetting = /^(?:true|false|yes|no|on|off|none|null|\d{1,3}|)$/i;

/**
 * The sort of credential that the value of a variable looks like; undefined for none. Aliases have no value, those of a
 * secret manager have only a name, and an interpolated value has the credential elsewhere.
 *
 * @param entry as documents state it
 */
export function credentialIn(key: string, entry: Fields): string | undefined {
  const value =
    textIn(entry, "value") ?? (isFields(entry["file"]) ? textIn(entry["file"], "text") : undefined);
  if (value === undefined || entry["interpolate"] === true || /\{\{.*\}\}|\$\{.*\}/s.test(value))
    return undefined;
  const [what] = forms.find(([, form]) => form.test(value)) ?? [];
  if (what !== undefined) return what;
  const words = key.replaceAll(/([a-z0-9])([A-Z])/g, "$1_$2").toUpperCase();
  const isNamed = namesOfCredentials.test(words) && !plainSetting.test(value.trim());
  return isNamed && entry["file"] === undefined ? "a credential, by its key" : undefined;
}
