import { type Fields, isFields } from "../../../core/json.ts";

/** An argument of a tool: a text, or several. */
interface ToolArgument {
  description: string;
  many?: true;
  isNeeded?: true | undefined;
  /** It names files. */
  isSource?: true;
  /** The flag that takes it; absent: it stands by itself. */
  flag?: string;
}

/** A tool for an assistant: a command that changes nothing, with flags that it cannot change. */
export interface Tool {
  name: string;
  description: string;
  /** The command, and what always follows it. */
  command: readonly [command: string, ...flags: string[]];
  args: Readonly<Record<string, ToolArgument>>;
  /** Its answer has texts that others have written on the server. */
  isForeign?: true;
}

const sources: ToolArgument = {
  description:
    "Files and folders with manifests, or names of environments of infrasync.config.yaml; later sources overlay earlier ones.",
  many: true,
  isSource: true,
};
const address = (isNeeded?: true): ToolArgument => ({
  description: "Address of a live resource, such as shop/production or job:shop/production/migrate.",
  isNeeded,
});
const patterns: ToolArgument = {
  description: "Addresses and patterns, such as shop/production or 'job:shop/*/migrate'.",
  many: true,
};

/**
 * The tools of the server, all of them. None applies, deploys, deletes or writes a file: consent stays with people, by
 * the digest of a plan.
 */
export const tools: readonly Tool[] = [
  {
    name: "validate",
    description: "Check manifests: every mistake with its file, line and correction. Sends no request.",
    command: ["validate"],
    args: { sources },
  },
  {
    name: "render",
    description: "The manifests with overlays, templates, defaults and variables resolved. Sends no request.",
    command: ["render"],
    args: { sources },
  },
  {
    name: "plan",
    isForeign: true,
    description:
      "What an apply would change, what it would delete, and its digest. A person applies it: infrasync apply --expect DIGEST.",
    command: ["plan"],
    args: {
      sources,
      target: { description: "Plan only these resources.", many: true, flag: "--target" },
    },
  },
  {
    name: "explain",
    description: "What a kind or a field of manifests means; without one, the kinds.",
    command: ["explain"],
    args: { field: { description: "Such as job or job.schedule.cronjob." } },
  },
  {
    name: "list",
    isForeign: true,
    description: "Live resources, with state, version and age.",
    command: ["list"],
    args: { patterns },
  },
  {
    name: "get",
    isForeign: true,
    description: "One live resource in full, without values of secrets.",
    command: ["get"],
    args: { address: address(true) },
  },
  {
    name: "status",
    isForeign: true,
    description: "How environments and services are, and who changed them last.",
    command: ["status", "--who"],
    args: { patterns },
  },
  {
    name: "logs",
    isForeign: true,
    description: "The last log lines of an application or a container.",
    command: ["logs"],
    args: {
      address: address(true),
      tail: { description: "How many lines, such as 50.", flag: "--tail" },
    },
  },
  {
    name: "history",
    isForeign: true,
    description: "Who did what, when and by what; newest first.",
    command: ["history"],
    args: { address: address() },
  },
  {
    name: "diff",
    isForeign: true,
    description:
      "How two environments or services differ: by addresses live, by names as they are described.",
    command: ["diff"],
    args: { first: { ...address(true) }, second: { ...address(true) } },
  },
  {
    name: "propose_accepting_drift",
    isForeign: true,
    description: "The changes of manifest files that would state what is live. Writes nothing.",
    command: ["dump", "--dry-run"],
    args: { update: { ...sources, isNeeded: true, flag: "--update" } },
  },
  {
    name: "propose_promotion",
    isForeign: true,
    description:
      "The changes of manifest files that give one environment the versions of another. Writes nothing.",
    command: ["promote", "--dry-run"],
    args: {
      from: { description: "Environment that has the versions.", isNeeded: true },
      to: { description: "Environment whose manifests get them.", isNeeded: true },
    },
  },
  {
    name: "propose_rollback",
    isForeign: true,
    description:
      "The changes of manifest files that go back to the version that a service ran before. Writes nothing.",
    command: ["rollback", "--dry-run"],
    args: {
      service: { ...address(true) },
      update: { ...sources, isNeeded: true, flag: "--update" },
    },
  },
];

/** The files and folders that a call reads; one that names none reads the folder of the server. */
export function sourcesOf({ args }: Tool, given: unknown): string[] {
  const stated: Fields = isFields(given) ? given : {};
  return Object.entries(args).flatMap(([name, { isSource }]) => {
    if (!isSource) return [];
    const { [name]: value = ["."] } = stated;
    const all = Array.isArray(value) ? value : [value];
    return all.filter((each) => typeof each === "string");
  });
}

/** The JSON Schema of the arguments of a tool. */
export function inputSchema({ args }: Tool) {
  return {
    type: "object" as const,
    properties: Object.fromEntries(
      Object.entries(args).map(([name, { description, many }]) => [
        name,
        many ? { type: "array", items: { type: "string" }, description } : { type: "string", description },
      ]),
    ),
    required: Object.entries(args).flatMap(([name, { isNeeded }]) => (isNeeded ? [name] : [])),
    additionalProperties: false,
  };
}

/**
 * The command line of a call.
 *
 * @returns a text that says what is wrong with the arguments
 */
export function commandLineOf({ command, args }: Tool, given: unknown): readonly string[] | string {
  const stated: Fields = isFields(given) ? given : {};
  const unknown = Object.keys(stated).find((name) => !Object.hasOwn(args, name));
  if (unknown !== undefined)
    return `there is no argument ${unknown}; there are: ${Object.keys(args).join(", ")}`;
  const flags: string[] = [];
  const words: string[] = [];
  for (const [name, { many, isNeeded, flag }] of Object.entries(args)) {
    const value = stated[name];
    const texts = value === undefined ? [] : many && Array.isArray(value) ? value : [value];
    if (isNeeded && texts.length === 0) return `the argument ${name} is missing`;
    for (const text of texts) {
      if (typeof text !== "string" || text === "")
        return `${name} must be ${many ? "a list of texts" : "a text"}`;
      // A word that begins with a dash would be a flag, and flags are not an assistant's to choose.
      if (text.startsWith("-")) return `${name} must not begin with a dash: "${text}"`;
      if (flag === undefined) words.push(text);
      else flags.push(`${flag}=${text}`);
    }
  }
  return [...command, ...flags, "--", ...words];
}
