import {
  type Declarations,
  type Help,
  helpText,
  phraseOf,
  type Remedy,
  type RemedySetting,
  type SettingRemedy,
} from "../../core/problems/remedy.ts";

const settings: Record<RemedySetting, ((remedy: SettingRemedy) => string) | undefined> = {
  base_url: ({ value }) => (value === undefined ? "check --base-url" : `set --base-url ${value}`),
  organization: ({ oneOf }) =>
    oneOf ? `set --organization to one of: ${oneOf.join(", ")}` : "check --organization",
  insecure_http: () => "allow it with INFRASYNC_INSECURE_HTTP=true",
  on_quota: ({ value = "wait", file }) =>
    file === undefined
      ? `let infrasync ${value} with --on-quota ${value}`
      : `remove on_quota from ${file}: no flag can override the file`,
  quota_patience: () => "set quota_patience to a longer time in the settings file",
  max_requests: ({ value, file }) =>
    file === undefined
      ? `raise --max-requests${value === undefined ? "" : ` to ${value}`}`
      : `raise max_requests in ${file} to ${value}: no flag can exceed the file`,
  max_deletes: ({ value, file }) =>
    file === undefined
      ? `allow this many with --max-deletes${value === undefined ? "" : ` ${value}`}`
      : `raise max_deletes in ${file} to ${value}: no flag can exceed the file`,
  clone_timeout: () => "set clone_timeout, or INFRASYNC_CLONE_TIMEOUT, to a longer time",
  targets: ({ value }) =>
    value === undefined ? "add them with --target" : `add them with --target '${value}'`,
  settings_file: ({ value }) =>
    value === undefined
      ? "choose one with --config"
      : `if you trust the file, choose it with --config ${value}; otherwise choose a file of your own with --config`,
  saved_plan: () => "apply it with infrasync apply --plan FILE",
  plan_output: () => "choose another file with --out",
  allow_commands: () => "allow them with --allow-commands",
  allow_env: ({ value }) =>
    `let them read it with INFRASYNC_ALLOW_ENV${value === undefined ? "" : `=${value}`}`,
  secrets_out: () => "name a file for it with --secrets-out",
  token_name: () => "name the token that this run uses with INFRASYNC_TOKEN_NAME",
  secrets_folder: () => "allow those of a folder with INFRASYNC_SECRETS_DIR",
  protect: ({ value }) =>
    `take ${value === undefined ? "the pattern" : `"${value}"`} out of \`protect\` in the settings file`,
  // The advice says it together with what shows the changes.
  auto_approve: undefined,
  strict: () => "list them with --strict",
  plan_file: () => "use a file that infrasync plan --out has written",
};

const declarations: Declarations = {
  missing: () => "declare it",
  another: ({ names }) => `name one of: ${names.join(", ")}`,
  contents: ({ mayMove }) =>
    mayMove ? "declare them or move them away" : "delete them first, or declare them",
  data: () => "declare it, or delete it first",
  secrecy: () => "set secret: true and where its value comes from, such as from_env, or secret: false",
  uncloned: () => "remove the field, or remove clone and declare all fields",
  sort: ({ key, as, under, becomes }) =>
    `set ${under}: { ${key}: null } as well, to make the ${as} a ${becomes}; or declare ${key} under ${under}`,
  alias: ({ of }) => `write { alias_of: ${of} }, or another value`,
  given: ({ name }) => `write that name, and to rename it add manage: { renamed_from: ${name} }`,
  holder: () => "choose another name",
  renamed: ({ name }) =>
    `for a new resource, set manage: { beside: [${JSON.stringify(name)}] }; to rename the live one, set manage: { renamed_from: ${JSON.stringify(name)} }`,
};

const again: Record<Extract<Remedy, { again: string }>["again"], string | undefined> = {
  plan: "plan again",
  run: "run again to continue, which is safe",
  later: "run again later",
  without: undefined,
};

/** Advice for one remedy, with the flags of the command line. */
export function phrase(remedy: Remedy): string | undefined {
  if ("setting" in remedy) return settings[remedy.setting]?.(remedy);
  if ("declare" in remedy) return phraseOf(declarations, remedy);
  if ("again" in remedy) return again[remedy.again];
  if ("unprotect" in remedy)
    return `remove manage.protect from the document of ${remedy.unprotect}, or from the defaults that set it`;
  if ("remake" in remedy)
    return "delete the resource, such as with infrasync destroy --target, and apply again to create a new one";
  if ("inspect" in remedy) return "look at it in the web console";
  if ("recreate" in remedy)
    return `${remedy.recreate === "now" ? "" : "when it is gone, "}apply the manifest that follows to create it again`;
  if ("keepOne" in remedy) return "delete all but one in the web console";
  if ("statuses" in remedy) return "see infrasync status";
  if ("begin" in remedy) return "let infrasync init write manifests of the live resources";
  if ("liveName" in remedy)
    return `give the document the name "${remedy.liveName}", or set manage.id to ${remedy.id}`;
  switch (remedy.consent) {
    case "replace":
      return `allow it with ${named("--allow-replace", remedy.address, remedy.also)}${remedy.declared === undefined ? "" : `, or with \`manage: { consent: ${remedy.declared} }\` in its document`}`;
    case "infrastructure":
      return `allow it with --allow-infrastructure ${named("--confirm", remedy.name, remedy.also)}`;
    case "policy":
      return "ask a reviewer to approve this plan, and apply it with --expect and its digest";
    case "unprotect":
      return `allow it with \`manage: { consent: ${remedy.declared} }\` in the document of ${remedy.address}`;
    case "prune":
      return remedy.document
        ? "allow it with --prune and `manage: { prune: true }` in its document"
        : "delete them with --prune";
    default:
      return remedy satisfies never;
  }
}

/** A flag with a name, and again with the present name on the server if that differs. */
function named(flag: string, ...names: readonly (string | undefined)[]): string {
  return names.flatMap((name) => (name === undefined ? [] : `${flag} '${name}'`)).join(" ");
}

export function adviceOf(help: Help): string | undefined {
  return helpText(help, phrase);
}

export function withAdvice({ message, ...help }: Help & { message?: string }): string {
  return onOneLine(message, adviceOf(help));
}

/** The same for those who watch a reconciler: it takes approvals, and no flags. */
export function withServiceAdvice({ message, ...help }: Help & { message?: string }): string {
  return onOneLine(message, helpText(help, phraseOfService));
}

function phraseOfService(remedy: Remedy): string | undefined {
  return "consent" in remedy && remedy.consent === "policy"
    ? "ask a reviewer to approve this plan: infrasync reconcile approve"
    : phrase(remedy);
}

function onOneLine(message = "", advice: string | undefined): string {
  return advice === undefined ? message : `${message.replace(/\.$/, "")}; ${advice}`;
}
