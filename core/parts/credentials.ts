import { credentialFormOf } from "../credential-forms.ts";
import { type Fields, isFields, textIn } from "../json.ts";

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
  const what = credentialFormOf(value);
  if (what !== undefined) return what;
  const words = key.replaceAll(/([a-z0-9])([A-Z])/g, "$1_$2").toUpperCase();
  const isNamed = namesOfCredentials.test(words) && !plainSetting.test(value.trim());
  return isNamed && entry["file"] === undefined ? "a credential, by its key" : undefined;
}
