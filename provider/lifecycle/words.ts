import type { Json } from "../../core/values/json.ts";
import { inSentence, article } from "../../core/values/text.ts";
import type { Address } from "../../core/model/addresses/address.ts";
import { formatPath } from "../../core/model/fields/compare.ts";
import type { Kind } from "../../core/model/kinds/index.ts";
import type { Note, Refusal } from "../../core/planning/plan/index.ts";
import type { Problem } from "../../core/problems/problem.ts";
import {
  type Declarations,
  type Help,
  type HolderKind,
  type Remedy,
  type RemedySetting,
  type SettingRemedy,
  helpText,
  phraseOf,
} from "../../core/problems/remedy.ts";
import { refusalOfHolder } from "../../core/rules/holder.ts";
import { type Message, textOf } from "../../core/problems/say.ts";
import { type FieldSchema, memberOf } from "../../core/model/schema/field-schema.ts";
import { camelCase, camelSchema } from "./casing.ts";
import { type ProviderSettings, variableOf } from "./settings.ts";

export interface InputMistake {
  /** `source.image.tag`, `ports[0].name`; empty if the mistake is not about one input. */
  property: string;
  /** The mistake with the input's name, and the advice. */
  reason: string;
}

/** What a value is, which may be secret. */
export function typeOf(value: Json): string {
  if (Array.isArray(value)) return "a list";
  if (typeof value === "string") return "a text";
  if (typeof value === "number" && !Number.isInteger(value)) return "a number with a fraction";
  return typeof value === "object" ? "an object" : `a ${typeof value}`;
}

/** A message about a resource of a kind, in the words of programs. */
export function inWords(message: string | Message, kind: Kind | undefined): string {
  return textOf(message, (term) => {
    if ("field" in term) return showMembers(kind, withoutClone(term.field));
    // A program has the parent as a resource of its own.
    return "resource" in term ? `the ${term.resource}` : "";
  });
}

/** A path in the form of a program: `source.image.imageName`, `variables.api_url`. */
export function showMembers(kind: Kind | undefined, path: readonly string[]): string {
  let at: FieldSchema = kind?.fields ?? {};
  return formatPath(
    path.map((part) => {
      const isKey = part.startsWith("[") || at.entries !== undefined;
      at = inside(at, part);
      return isKey ? part : camelCase(part);
    }),
  );
}

/** A program declares the members of `clone` as separate inputs. */
function withoutClone(path: readonly string[]): readonly string[] {
  return path[0] === "clone" ? path.slice(1) : path;
}

/** A refusal of inputs, in the words of programs. */
export function objectionOf({ kind }: Address, { path, message, help = {}, missing }: Refusal): InputMistake {
  const parts = withoutClone(path.map(String));
  const member = showMembers(kind, parts);
  if (missing) {
    const { oneOf } = missing;
    const what = oneOf ? `needs ${inSentence(oneOf.map(camelCase), "or")}` : inWords(missing.message, kind);
    return { property: member, reason: `${member} ${what}${oneOf ? "" : choices(kind, parts)}` };
  }
  const isNamed =
    member === "name" ||
    (typeof message !== "string" &&
      message.some((part) => typeof part === "object" && "field" in part && part.field[0] === parts[0]));
  const named = `${isNamed ? "" : `${member}: `}${inWords(message, kind)}`;
  return { property: member, reason: withAdvice(named, typeof help === "string" ? { advice: help } : help) };
}

/** Why a resource of a program cannot adopt a live one. */
export function holderObjection(
  holder: HolderKind,
  kind: Kind,
  live: { name: string; id: string },
  isRename = false,
): InputMistake {
  const refusal = refusalOfHolder(holder, kind, live, isRename);
  return objectionOf({ kind, names: [] }, { code: "exists", path: ["name"], ...refusal });
}

/** Why two resources of a program cannot be at one place. */
export function sameNameObjection({ kind, name }: { kind: Kind; name: string }): InputMistake {
  const reason = `another resource of this program is ${article(kind.name)} with the name "${name}" in the same ${kind.parent?.name ?? "organization"}; choose another name: names that differ only in case are the same`;
  return { property: "name", reason };
}

/** Why resources that exchange a name or the like cannot be changed. */
export const exchangeReason =
  "resources of this program exchange a name, a place or another value that only one can have; give one of them a third one, run `pulumi up`, and then make this change";

/** Why a resource cannot leave another one that the same run replaces. @param what happens */
export function leavingReason(what: string): string {
  return `${what}, and Pulumi cannot do both in one run; run \`pulumi up\` with the move alone, and then make the other change`;
}

export function problemInWords(
  { message, said, rule, ...help }: Problem,
  kind?: Kind,
  settings?: ProgramSettings,
): string {
  const place = rule === undefined ? "" : ` (${rule})`;
  return withAdvice(inWords(said ?? message, kind) + place, help, settings);
}

/** The notes of a plan on which a user of a program can act. */
export function notesInWords(notes: readonly Note[], what: string, kind?: Kind): string[] {
  return notes.map(({ message, said, ...help }) =>
    withAdvice(`${what}: ${inWords(said ?? message, kind)}`, help),
  );
}

/** The choices for a missing member, if any, and its purpose. */
function choices(kind: Kind, path: readonly string[]): string {
  const { enum: words, description = "" } = camelSchema(path.reduce(inside, kind.fields));
  if (!words) return "";
  const values = words.map((word) => JSON.stringify(word)).join(", ");
  return `: ${values} (${description.replace(/\.$/, "")})`;
}

function inside(schema: FieldSchema, part: string): FieldSchema {
  return (part.startsWith("[") ? schema.items : memberOf(schema, part)) ?? {};
}

/** The sources of settings outside the configuration of the stack, by key: an environment variable overrides it. */
export type ProgramSettings = Partial<Pick<ProviderSettings, "sources">>;

/** A setting under the name that is in force, or under both if neither is set. */
type NamedSetting = (key: string) => string;

/** The words for each setting; undefined: Pulumi has an option of its own, or does not need the setting. */
const settings: {
  [Setting in RemedySetting]?: (remedy: SettingRemedy, named: NamedSetting) => string | undefined;
} = {
  base_url: ({ value }, named) =>
    value === undefined ? `check ${named("baseUrl")}` : `set ${named("baseUrl")} to ${value}`,
  organization: ({ oneOf }, named) =>
    oneOf ? `set ${named("organization")} to one of: ${oneOf.join(", ")}` : `check ${named("organization")}`,
  insecure_http: (_, named) => `allow it: set ${named("insecureHttp")} to true`,
  on_quota: ({ value = "wait" }, named) => `let the provider ${value}: set ${named("onQuota")} to ${value}`,
  clone_timeout: (_, named) => `raise ${named("cloneTimeout")}`,
  max_deletes: ({ value = "", file }, named) => {
    // The engine deletes one resource at a time, so a percentage limits nothing.
    const count = value.split(",").find((cap) => !cap.endsWith("%"));
    return `raise ${file === undefined ? named("maxDeletes") : `max_deletes in ${file}`}${count === undefined ? "" : ` to ${count}`}`;
  },
  settings_file: ({ value }) =>
    value === undefined ? undefined : `let ${value} belong to the user who runs the program`,
  token_name: () => "delete it in the web console, and run `pulumi refresh`",
  protect: ({ value, file }, named) =>
    `take the pattern${value === undefined ? "" : ` ${value}`} out of ${file ?? named("protect")}`,
};

/** How a program agrees to the deletion of the contents. */
const toEmpty = "to delete all of it, set `deleteContents: true`, run `pulumi up`, and delete it then";

const holders: Record<HolderKind, (kind: string, isRename?: true) => string> = {
  nobody: (_, isRename) =>
    isRename
      ? "choose another name, or make this change in a later run if the program renames or removes the other one"
      : "set `aliases` to its earlier name in the program, or `adopt: true` to adopt it, or choose another name",
  another: (kind) =>
    `remove one of the two from the program (\`pulumi state delete\` removes it from the state and keeps the ${kind}), or, if the other is an earlier name of this one, add \`aliases\``,
  predecessor: () =>
    "give it another name; or undo the change, run `pulumi up`, remove `deleteBeforeReplace: false` or `retainOnDelete: true`, run `pulumi up` again, and then make the change",
};

const declarations: Declarations = {
  missing: () => "make the name of that resource an input, so that it is created first",
  another: ({ names }) => `name one of: ${names.join(", ")}`,
  contents: ({ mayMove }) => (mayMove ? "delete them, or move them away" : "delete them first"),
  data: () => `delete it first, or, ${toEmpty}`,
  secrecy: () => "set secret: true or secret: false beside it",
  uncloned: () => "remove the field, or remove cloneFrom and declare all inputs",
  sort: ({ key, as, under, becomes, member }) =>
    `declare ${key} under ${camelCase(under)} and run \`pulumi up\`; to make the ${as} a ${becomes}, move it to ${camelCase(member)} after that`,
  alias: ({ of }) => `write { aliasOf: ${of} }, or another value`,
  holder: ({ holder, kind, isRename }) => holders[holder](kind, isRename),
  given: () => "write that name, and run `pulumi up` with another name to rename it",
  renamed: ({ name }) => `for the live resource, set the name to "${name}", and set \`adopt: true\``,
};

const again: Record<Extract<Remedy, { again: string }>["again"], string> = {
  plan: "run `pulumi refresh`, then `pulumi up`",
  run: "run `pulumi up` again to continue",
  later: "run `pulumi up` again later",
  without:
    "if the program no longer has the resource that has this value, run `pulumi up` without the value first, which deletes that resource",
};

const both = (one: string, also: string | undefined) => (also === undefined ? one : `${one} and ${also}`);

/** A remedy in the terms of Pulumi; undefined: Pulumi has none. */
export function phrase(remedy: Remedy, declared: ProgramSettings = {}): string | undefined {
  const named: NamedSetting = (key) => declared.sources?.[key] ?? `infrasync:${key} (or ${variableOf(key)})`;
  if ("setting" in remedy) return settings[remedy.setting]?.(remedy, named);
  if ("declare" in remedy) return phraseOf(declarations, remedy);
  if ("again" in remedy) return again[remedy.again];
  // Pulumi has a protection of its own, and users write programs themselves.
  if ("unprotect" in remedy || "statuses" in remedy || "begin" in remedy) return undefined;
  if ("remake" in remedy) return "run `pulumi up` again, which deletes the resource and creates a new one";
  if ("inspect" in remedy) return "look at it in the web console";
  if ("recreate" in remedy)
    return `${remedy.recreate === "now" ? "" : "when it is gone, "}run \`pulumi refresh\`, then \`pulumi up\`, to create it again`;
  if ("keepOne" in remedy) return "delete all but one in the web console";
  if ("liveName" in remedy) return `set name to "${remedy.liveName}" in the program`;
  switch (remedy.consent) {
    case "infrastructure":
      return `allow it: name ${both(remedy.name, remedy.also)} in ${named("allowInfrastructure")}`;
    // Pulumi shows replacements and asks for confirmation, but shows no losses.
    case "replace":
      return `allow it: add ${both(remedy.address, remedy.also)} to ${named("allowLosses")}`;
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

export function withAdvice(message: string, help: Help, declared?: ProgramSettings): string {
  const advice = helpText(help, (remedy) => phrase(remedy, declared));
  return advice === undefined ? message : `${message}; ${advice}`;
}
