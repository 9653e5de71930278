import { readFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { formatAddress, type AnyAddress } from "../../core/address.ts";
import type { Desired } from "../../core/manifest/desired.ts";
import type { Pattern } from "../../core/pattern.ts";
import type { Problem } from "../../core/problem.ts";
import { policyFileName } from "../../core/source/files.ts";
import {
  environmentNames,
  environmentOf,
  liveRules,
  type LoadedCommit,
  type Mode,
  modeOf,
  modes,
  type OperatorRules,
  readPolicy,
  reasonToWait,
  withoutPruning,
} from "../../reconciler/index.ts";
import type { Io } from "../terminal/io.ts";
import { oneOf } from "../settings/values.ts";
import { proposeWanted, type Prepared, type Wanted } from "./wanted.ts";
import type { Session } from "./session.ts";

/** Flags of the policy. Each has an environment variable, such as `INFRASYNC_ON_DRIFT`. */
export interface PolicyFlags {
  onCommit?: string;
  onDrift?: string;
}

/** Reads what the operator has set of the policy. Adds mistakes to `problems`. */
export function readOperatorRules(
  { onCommit, onDrift }: PolicyFlags,
  { env }: Pick<Io, "env">,
  problems: Problem[],
): OperatorRules {
  const read = (name: string, given: string | undefined): Mode | undefined => {
    if (!given) return undefined;
    const reading = oneOf(...modes)(given);
    if ("value" in reading) return reading.value;
    problems.push({ code: "setting", message: `${name} ${reading.wrong}`, advice: reading.advice });
    return undefined;
  };
  const commit = onCommit ?? read("INFRASYNC_ON_COMMIT", env["INFRASYNC_ON_COMMIT"]);
  const drift = onDrift ?? read("INFRASYNC_ON_DRIFT", env["INFRASYNC_ON_DRIFT"]);
  return {
    ...(commit !== undefined && { onCommit: commit as Mode }),
    ...(drift !== undefined && { onDrift: drift as Mode }),
  };
}

/** A plan of what the policy permits, and why the rest is left out. */
export interface Permitted {
  /** Undefined: the policy permits nothing. */
  prepared: Prepared | undefined;
  /** `shop/production (on_commit: report)`. */
  waiting: string[];
}

/** Plans a commit where its policy and the operator let commits be applied. */
export async function proposePermitted(
  { policy: commitPolicy }: Pick<LoadedCommit, "policy">,
  { resources, policy }: Wanted,
  operator: OperatorRules,
  session: Session,
  now: number,
): Promise<Permitted> {
  const { operations: run, organization } = session;
  const rulesOf = await liveRules({ run, organization, resources, policy, commitPolicy, operator, now });
  const waiting = new Map<string, string>();
  for (const { address } of resources) {
    const rules = rulesOf(environmentNames(address));
    if (modeOf(rules, true) !== "apply") waiting.set(environmentOf(address), reasonToWait(rules));
  }
  const documents = withoutPruning(resources, rulesOf);
  for (;;) {
    const left = new Set(waiting.keys());
    const isLeft = (address: AnyAddress) => left.has(environmentOf(address));
    const lines = [...waiting].map(([environment, reason]) => `${environment} (${reason})`);
    const targets = left.size === 0 ? policy.targets : targetsWithout(policy.targets, isLeft, documents);
    if (left.size > 0 && targets.length === 0) return { prepared: undefined, waiting: lines };
    const prepared = await proposeWanted(
      "reconcile",
      { resources: documents, policy: { ...policy, targets } },
      session,
    );
    const needed = prepared.proposal.plan.actions.find(
      ({ type, address }) => type !== "none" && isLeft(address),
    );
    if (!needed) return { prepared, waiting: lines };
    // What needs an environment that is left out has to wait as well.
    const needing = prepared.proposal.plan.actions.filter(
      ({ type, after, address }) => type !== "none" && !isLeft(address) && after.includes(needed.id),
    );
    for (const { address } of needing)
      waiting.set(environmentOf(address), `it needs ${formatAddress(needed.address)}, which is not applied`);
    if (needing.length === 0) throw new Error(`internal error: nothing needs ${needed.id}`);
  }
}

/** The targets without what is left out, as far as they still choose a document. */
function targetsWithout(
  targets: readonly Pattern[],
  isLeft: (address: AnyAddress) => boolean,
  documents: readonly Desired[],
): Pattern[] {
  const given = targets.length > 0 ? targets : [everything];
  const isIdle = ({ matches }: Pattern) => !documents.some(({ address }) => matches(address));
  return given
    .filter(
      (target) =>
        isIdle(target) || documents.some(({ address }) => target.matches(address) && !isLeft(address)),
    )
    .map((target) => ({ ...target, matches: (address) => !isLeft(address) && target.matches(address) }));
}

const everything: Pattern = { text: "**", matches: () => true, looksInside: () => true };

/** The problems of the policy files in these folders. */
export async function policyProblems(sources: readonly string[]): Promise<Problem[]> {
  const files = sources.map((source) =>
    basename(source) === policyFileName ? source : join(source, policyFileName),
  );
  const problems = await Promise.all(
    files.map(async (file) => {
      try {
        return readPolicy(await readFile(file), file).problems;
      } catch {
        // There is none, or reading the source itself has been a problem.
        return [];
      }
    }),
  );
  return problems.flat();
}
