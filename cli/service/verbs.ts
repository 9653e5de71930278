import type { HelpVerb } from "../help.ts";
import { type VerbMember, type VerbName, verbs as requested } from "../../reconciler/verbs.ts";

/** The flags that locate the running service. */
export const whereItRuns: readonly string[] = ["--data", "--url", "--database", "--source", "--listen"];

/** A verb of `infrasync reconcile`, and the members of its request. */
interface ServiceVerb {
  description: string;
  members: Readonly<Record<string, VerbMember>>;
  /** Its flags beside those of members; default: those that locate the service. */
  flags?: readonly string[];
}

const rows = {
  status: {
    description: "Show the status of the running service.",
    members: {},
    flags: ["--exit-code", ...whereItRuns],
  },
  wait: {
    description: "Wait until all is synced and healthy, or has failed.",
    members: {
      commit: { words: "the commit that has to be applied", flag: "--to <commit>" },
      for: { words: "longest time to wait (default: 30m)", flag: "--for <time>" },
    },
  },
  ...requested,
  migrate: {
    description: "Create or update the database tables that workers share.",
    members: {},
    flags: ["--database", "--dry-run"],
  },
} satisfies Record<string, ServiceVerb>;

export type ServiceVerbName = keyof typeof rows;

export const verbs: Readonly<Record<string, HelpVerb>> = Object.fromEntries(
  Object.entries<ServiceVerb>(rows).map(([name, { description, members, flags = whereItRuns }]) => [
    name,
    {
      description,
      flags: [
        ...Object.values(members).flatMap(({ flag = "" }) => nameOf(flag)),
        ...(Object.hasOwn(requested, name) ? ["--dry-run"] : []),
        ...flags,
      ],
    },
  ]),
);

/** The flags of members of requests, each with the words of all verbs that have it. */
export function memberFlags(): { flag: string; words: string }[] {
  const all = Object.entries<ServiceVerb>(rows).flatMap(([verb, { members }]) =>
    Object.values(members).flatMap(({ flag, words }) => (flag === undefined ? [] : [{ flag, verb, words }])),
  );
  return [...Map.groupBy(all, ({ flag }) => flag)].map(([flag, its]) => ({
    flag,
    words: its.map(({ verb, words }) => `with ${verb}: ${words}`).join("; "),
  }));
}

/** The members of a request in flags, by name. */
export function membersIn(verb: VerbName, flags: Readonly<Record<string, unknown>>): object {
  return Object.fromEntries(
    Object.entries(requested[verb].members).flatMap(([name, { flag }]) =>
      nameOf(flag ?? "").map((long) => [name, flags[long.slice(2)]]),
    ),
  );
}

/** `--plan` of `--plan <digest>`; empty for an empty text. */
function nameOf(flag: string): string[] {
  return flag.split(" ", 1).filter((long) => long !== "");
}
