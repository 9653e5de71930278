export const prefix = "INFRASYNC_";

/** The variables with a credential, without `INFRASYNC_`, or with a file of one. No output shows them, no secret comes from them. */
const credentials = namesIn(`
  TOKEN TOKEN_FILE APPLY_TOKEN APPLY_TOKEN_FILE GIT_HOST_TOKEN GIT_HOST_TOKEN_FILE GIT_TOKEN GIT_TOKEN_FILE GIT_SSH_KEY_FILE
  DATABASE DATABASE_FILE LEDGER LEDGER_FILE NOTIFY_SECRET NOTIFY_SECRET_FILE NOTIFY_URL NOTIFY_URL_FILE
  OIDC_CLIENT_SECRET OIDC_CLIENT_SECRET_FILE UI_TOKEN_FILE WEBHOOK_SECRET WEBHOOK_SECRET_FILE
  READ_TOKEN WRITE_TOKEN
`);

/** The variables with a URL in which a password may stand. */
const addresses = namesIn("BASE_URL GIT_HOST_API REPO SOURCES");

/** Every other variable that a program, a page or a template reads. */
const others = namesIn(`
  ADOPT ALLOW_ENV ALLOW_INFRASTRUCTURE ALLOW_LOSSES CACHE CLONE_TIMEOUT DEPLOY FRESH IMPORT_ALL_FIELDS
  INSECURE_HTTP LOG_LEVEL MAX_DELETES ON_QUOTA ORGANIZATION POLICIES PROTECT
  SECRETS_DIR TOKEN_NAME TOKEN_SCHEME WAIT
  DATA GIT_HOST_PROJECT GIT_KNOWN_HOSTS GIT_USER LISTEN SHARE_LOGS SOURCE_FILES
  FLAGS PACKAGE PACKAGE_SHA512 PATHS
  EXPIRES_AT
`);

const names = [...credentials, ...addresses, ...others];

function namesIn(text: string): readonly string[] {
  return text.split(/\s+/).filter(Boolean);
}

/** Beginnings of names that users or tests choose: `VAR_TAG`. */
const beginnings = ["VAR_", "SOURCE_TOKEN_", "TEST_"];

const proxies = new Set(["HTTPS_PROXY", "HTTP_PROXY", "ALL_PROXY"]);

/** The variables that Kubernetes sets for a service whose name begins with `infrasync`. */
const ofKubernetes = /(?:^|_)(?:SERVICE_(?:HOST|PORT)(?:_\w+)?|PORT(?:_\d+_(?:TCP|UDP|SCTP)(?:_\w+)?)?)$/;

/** Every variable with a fixed name. */
export const knownVariables: readonly string[] = names.map((name) => prefix + name);

/** What a variable has to hide: a credential (`text`), the path of a file with one, or an address that may have a password. */
export function credentialIn(variable: string): "text" | "file" | "address" | undefined {
  const name = variable.toUpperCase();
  const own = name.startsWith(prefix) ? name.slice(prefix.length) : "";
  if (proxies.has(name) || addresses.includes(own)) return "address";
  if (!credentials.includes(own) && !/^SOURCE_TOKEN_./.test(own)) return undefined;
  return own.endsWith("_FILE") ? "file" : "text";
}

/** Whether a variable is infrasync's own, so that no secret may come from it: `INFRASYNC_VAR_…` are values for manifests. */
export function isOwnVariable(name: string): boolean {
  return /^INFRASYNC_(?!VAR_)/i.test(name);
}

/** Whether something reads the variable of infrasync with that name. */
export function isKnown(variable: string): boolean {
  const name = variable.slice(prefix.length);
  return (
    names.includes(name) ||
    beginnings.some((beginning) => name.startsWith(beginning) && name !== beginning) ||
    ofKubernetes.test(name)
  );
}
