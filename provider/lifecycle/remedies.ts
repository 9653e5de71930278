import {
  type Help,
  helpText,
  type Remedy,
  type RemedySetting,
  type SettingRemedy,
} from "../../core/remedy.ts";
import { variableOf } from "./settings.ts";

/** The words for each setting; undefined if Pulumi has an option of its own, or does not need the setting. */
const settings: Record<RemedySetting, ((remedy: SettingRemedy) => string | undefined) | undefined> = {
  base_url: ({ value }) =>
    value === undefined ? `check ${named("baseUrl")}` : `set ${named("baseUrl")} to ${value}`,
  organization: ({ oneOf }) =>
    oneOf ? `set ${named("organization")} to one of: ${oneOf.join(", ")}` : `check ${named("organization")}`,
  insecure_http: () => `allow it: set ${named("insecureHttp")} to true`,
  on_quota: ({ value = "wait" }) => `let the provider ${value}: set ${named("onQuota")} to ${value}`,
  clone_timeout: () => `raise ${named("cloneTimeout")}`,
  quota_patience: undefined,
  max_requests: undefined,
  max_deletes: ({ value = "", file }) => {
    // The engine deletes one resource at a time, so that a share of an environment limits nothing.
    const count = value.split(",").find((cap) => !cap.endsWith("%"));
    return `raise ${file === undefined ? named("maxDeletes") : `max_deletes in ${file}`}${count === undefined ? "" : ` to ${count}`}`;
  },
  targets: undefined,
  settings_file: ({ value }) =>
    value === undefined ? undefined : `let ${value} belong to the user who runs the program`,
  saved_plan: undefined,
  plan_output: undefined,
  plan_file: undefined,
  allow_commands: undefined,
  allow_env: undefined,
  secrets_folder: undefined,
  secrets_out: undefined,
  token_name: () => "delete it in the web console, and run `pulumi refresh`",
  protect: ({ value, file = named("protect") }) =>
    `take the pattern${value === undefined ? "" : ` ${value}`} out of ${file}`,
  strict: undefined,
  auto_approve: undefined,
};

const again: Record<Extract<Remedy, { again: string }>["again"], string> = {
  plan: "run `pulumi refresh`, then `pulumi up`",
  run: "run `pulumi up` again to continue",
  later: "run `pulumi up` again later",
};

/** How a program agrees that a deletion takes what is in a resource. */
export const toEmpty =
  "if all of it is to be deleted, set `deleteContents: true`, run `pulumi up`, and delete it then";

/** A remedy in the terms of Pulumi; undefined where Pulumi has none. */
export function phrase(remedy: Remedy): string | undefined {
  if ("setting" in remedy) return settings[remedy.setting]?.(remedy);
  if ("again" in remedy) return again[remedy.again];
  // Pulumi has a protection of its own.
  if ("unprotect" in remedy) return undefined;
  // A program is written by hand.
  if ("statuses" in remedy) return undefined;
  if ("begin" in remedy) return undefined;
  if ("remake" in remedy) return "run `pulumi up` again, which deletes it and creates another one";
  if ("inspect" in remedy) return "look at it in the web console";
  if ("recreate" in remedy)
    return `${remedy.recreate === "now" ? "" : "when it is gone, "}run \`pulumi refresh\`, then \`pulumi up\`, to create it again`;
  if ("keepOne" in remedy) return "delete all but one in the web console";
  if ("liveName" in remedy) return `set name to "${remedy.liveName}" in the program`;
  switch (remedy.consent) {
    case "infrastructure":
      return `consent: name ${[remedy.name, ...(remedy.also === undefined ? [] : [remedy.also])].join(" and ")} in ${named("allowInfrastructure")}`;
    // Pulumi shows replacements and asks for confirmation, but shows no losses.
    case "replace":
      return `consent: add ${[remedy.address, ...(remedy.also === undefined ? [] : [remedy.also])].join(" and ")} to ${named("allowLosses")}`;
    case "unprotect":
    // A run of Pulumi has no digest that somebody could approve.
    case "policy":
      return undefined;
    // A program does not know resources that it has not created.
    case "prune":
      return remedy.document ? toEmpty : undefined;
    default:
      return remedy satisfies never;
  }
}

/** All remedies in one sentence. */
export function adviceOf(help: Help): string | undefined {
  return helpText(help, phrase);
}

/** A setting by both its names: `infrasync:baseUrl (or INFRASYNC_BASE_URL)`. */
function named(key: string): string {
  return `infrasync:${key} (or ${variableOf(key)})`;
}
