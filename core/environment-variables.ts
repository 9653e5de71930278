import type { Problem } from "./problem.ts";
import { nearest } from "./schema/suggest.ts";

const prefix = "INFRASYNC_";

/**
 * Every variable that a program of infrasync, its pages and templates, or its tests read, without `INFRASYNC_`: settings of the
 * command line and of Pulumi; the reconciler, many sources and their database; `infrasync probe`, the templates for CI,
 * and the marks of a clone, which its services see; tests.
 */
const names: readonly string[] = `
  ADOPT ALLOW_ENV ALLOW_INFRASTRUCTURE ALLOW_LOSSES BASE_URL CACHE CLONE_TIMEOUT FRESH IMPORT_ALL_FIELDS
  INSECURE_HTTP LOG_LEVEL MAX_AGE MAX_DELETES MAX_REQUESTS ON_QUOTA ORGANIZATION PARALLELISM POLICIES PROTECT
  QUOTA_PATIENCE SECRETS_DIR SERVER STRICT TOKEN TOKEN_FILE TOKEN_NAME TOKEN_SCHEME WAIT_TIMEOUT
  ACCESS_FILE ALLOW_LOCAL_REPO APPLY_TOKEN APPLY_TOKEN_FILE BRANCH BUDGET_SHARE COMMIT_STATUSES DATA
  DATABASE DATABASE_FILE FORGE_API FORGE_PROJECT FORGE_TOKEN FORGE_TOKEN_FILE GIT_KNOWN_HOSTS
  GIT_SSH_KEY_FILE GIT_TOKEN GIT_TOKEN_FILE GIT_USER INTERVAL LEDGER LEDGER_FILE LISTEN
  MAX_DELETES_PER_DAY MAX_DELETES_PER_DAY_IN_ORGANIZATION NOTIFY_FILE NOTIFY_FORMAT NOTIFY_SECRET NOTIFY_SECRET_FILE NOTIFY_URL
  NOTIFY_URL_FILE OIDC_CLIENT_SECRET OIDC_CLIENT_SECRET_FILE ON_COMMIT ON_DRIFT PATH PREVIEWS REPO
  REQUIRE_SIGNED REVISION SOURCES SOURCE_FILES UI_PUBLIC UI_TOKEN_FILE WEBHOOK_LISTEN WEBHOOK_SECRET
  WEBHOOK_SECRET_FILE
  PROBE_DEPLOY_TOKEN PROBE_READ_TOKEN PROBE_WRITE_TOKEN FLAGS PACKAGE PACKAGE_SHA512 PATHS READ_TOKEN VERSION WRITE_TOKEN
  CLONE_OF EXPIRES_AT
  CASES PICTURES SEED SOAK
`
  .split(/\s+/)
  .filter(Boolean);

/** Beginnings of names that users or tests choose: `VAR_TAG`. */
const beginnings = ["VAR_", "SOURCE_TOKEN_", "TEST_"];

/** The variables that Kubernetes sets for a service whose name begins with `infrasync`. */
const ofKubernetes = /(?:^|_)(?:SERVICE_(?:HOST|PORT)(?:_\w+)?|PORT(?:_\d+_(?:TCP|UDP|SCTP)(?:_\w+)?)?)$/;

/** Every variable with a fixed name. */
export const knownVariables: readonly string[] = names.map((name) => prefix + name);

/** The problems of variables that nothing reads: a mistyped limit would limit nothing. Values are not shown. */
export function unknownVariables(environment: Readonly<Record<string, string | undefined>>): Problem[] {
  return Object.keys(environment)
    .filter((variable) => variable.startsWith(prefix) && environment[variable] !== undefined)
    .filter((variable) => !isKnown(variable.slice(prefix.length)))
    .map((variable) => {
      const near = nearest(variable, knownVariables);
      return {
        code: "setting",
        message: `nothing reads the environment variable ${variable}`,
        advice:
          near === undefined ? "correct its name, or unset it" : `did you mean ${near}? otherwise unset it`,
      };
    });
}

function isKnown(name: string): boolean {
  return (
    names.includes(name) ||
    beginnings.some((beginning) => name.startsWith(beginning) && name !== beginning) ||
    ofKubernetes.test(name)
  );
}
