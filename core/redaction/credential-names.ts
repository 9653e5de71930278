/** What may follow the word for a credential: `PASSWORD_2`, `SECRET_KEY_BASE`, `TOKEN_OLD`. */
const suffix = String.raw`(?:_?\d+|_V\d+|_(?:OLD|NEW|PREVIOUS|NEXT|CURRENT|PROD|PRODUCTION|STAGING|DEV|TEST|BASE|VALUE|B64|BASE64|ENCODED|PLAIN|RAW))*`;

/** The last words of names whose values are credentials: `DB_PASSWORD`, `PGPASS`, `--api-token`, but not `PASSWORD_LENGTH`. */
const sure = new RegExp(
  String.raw`(?:PASSWORDS?|PASSW(?:OR)?D|PASSPHRASE|PASSCODE|SECRET|TOKEN|API_?KEYS?|(?:^|_)(?:[A-Z]{2,3}|MYSQL|MARIADB|POSTGRES|MONGO|REDIS|RABBITMQ|MSSQL|SMTP|IMAP|LDAP|LDAPBIND|ADMIN|ROOT|USER|REQUIRE|MASTER|SSH)?_?(?:PASS|PSWD|PWD)|(?:^|_)(?:DB|SA|ADMIN|ROOT|BIND)_?PW|_PW|(?:PRIVATE|SECRET|ACCESS|ENCRYPTION|SIGNING|ACCOUNT)_?KEY|CREDENTIALS?|CREDS|ACCESS_?SIGNATURE)${suffix}$`,
);

/** Words after which the value may be a credential: it is one if it looks as if nobody had chosen it to be read. */
const perhaps = new RegExp(
  String.raw`(?:(?:^|_)(?:AUTH|AUTHENTICATION|AUTHORIZATION|AUTH_?HEADER|PW|PIN|SALT|PEPPER|COOKIE|TOKENS|SECRETS|SIG|SIGNATURE|SESSION_?ID)|_KEY|SASKEY|HTPASSWD)${suffix}$`,
);

/** Names of a whole connection: a user and a password may stand before the host. */
const connection =
  /(?:^|_)(?:DSN|CONN|CONN_?STR|CONN_?STRING|CONNECTION|CONNECTION_?STR(?:ING)?|CONNECTION_?UR[IL]|DATABASE_?UR[IL]|DB_?UR[IL])$/;

/** Names that end like those of credentials and have the name of something, a place or a size. */
const neither =
  /(?:^|_)(?:COMPASS|BYPASS|SINGLE_PASS|MULTI_PASS|FIRST_PASS|OLD_?PWD|(?:EXISTING|PULL|TLS|FROM|KUBERNETES|K8S)_?SECRETS?|NEXT_(?:PAGE_)?TOKEN|MAX_(?:[A-Z]+_)?TOKENS?|(?:PUBLIC|PRIMARY|FOREIGN|SORT|PARTITION|ROUTING|CACHE|OBJECT|S3|IDEMPOTENCY)_KEY)$/;

/** Values of settings, which no credential has. */
const setting = /^(?:true|false|yes|no|on|off|none|null|nil|undefined|~|\d{1,3}|)$/i;

/** A text that stands for a value: a variable of a shell, of a template or of the platform, a placeholder, or words in brackets. */
const standIn =
  /\{\{.*\}\}|\$\{.*\}|^\$\(.*\)$|^\$[A-Za-z_]\w*$|^%[A-Za-z_]\w*%$|^%[sdv]$|^<[^<>]*>$|^\*+$|^\[[\w .-]+\]?$|^\{$/s;

/** One word of small letters, such as `oauth`, several of them, the name of a method, a number, a place. */
const plain =
  /^(?:[A-Za-z]?[a-z]+(?:[-_. ][a-z]+)*|[A-Z]+(?:_[A-Z]+)*|o?auth[\d.]*|scram-sha-?\d+|sha-?\d+|md5|saml2?|http\d?|tls\d?(?:\.\d)?|v\d+|\d+[smhd]?|[./~].*|[a-z]+:\/\/.*)$/;

/** The words of a name in capitals: `DB_PASS` of `dbPass`, of `db-pass` and of `db.pass`. */
function wordsOf(name: string): string {
  return name
    .replaceAll(/([a-z0-9])([A-Z])/g, "$1_$2")
    .replaceAll(/[^A-Za-z0-9]+/g, "_")
    .toUpperCase();
}

/** Whether a text is no value: nothing, a setting, or what stands for a value. */
const isNoValue = (value: string) => setting.test(value) || standIn.test(value);

/** Whether a variable, a flag or a member of that name may have a credential as its value. */
export function mayBeNamedCredential(name: string): boolean {
  const words = wordsOf(name);
  return !neither.test(words) && [sure, perhaps, connection].some((form) => form.test(words));
}

/** Whether the value of that variable, flag or member is a credential: by its name, and because it is no setting. */
export function isNamedCredential(name: string, given: string): boolean {
  const value = given.trim();
  const words = wordsOf(name);
  if (neither.test(words) || isNoValue(value)) return false;
  // The folder of a shell is called PWD.
  if (sure.test(words)) return words !== "PWD" || !/^[./~]/.test(value);
  if (connection.test(words)) return /^[^\s:/@]+:(?!\/\/)[^\s@]+@(?!sha256:)/.test(value);
  return perhaps.test(words) && value.length >= 6 && !/\s/.test(value) && !plain.test(value);
}
