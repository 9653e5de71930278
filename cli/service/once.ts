import { join } from "node:path";
import { systemClock } from "../../core/api/index.ts";
import { outputOf } from "../../core/outputs/forms/index.ts";
import { withRulesBefore } from "../../core/planning/plan/index.ts";
import { InvalidInputError } from "../../core/problems/problem.ts";
import type { Restriction } from "../../core/model/addresses/restriction.ts";
import { type Repository, short } from "../../adapters/git/index.ts";
import {
  type AccessFile,
  commitBeyond,
  type CommitSource,
  type LoadedCommit,
  Memory,
  type OperatorRules,
  proposePermitted,
  Requests,
  rulesBeforeCommit,
  rulesOfPauses,
  singleRun,
  noRules,
} from "../../reconciler/index.ts";
import { CommandError, exitCodes, interruptionCode } from "../exit-codes.ts";
import type { Status } from "../progress/status.ts";
import { withStatus } from "../progress/with-status.ts";
import { reconcilerProgram } from "./clients.ts";
import { withCaps } from "./operator-rules.ts";
import { lockedByOther, withLock } from "./lock.ts";
import type { SourceSettings } from "./open-source.ts";
import { type ProposedChange, makeChange } from "../change/make-change.ts";
import {
  policyForCommit,
  type RepositoryPlace,
  secretSourcesOfCommits,
  withRepository,
} from "../repository/repository.ts";
import { openSession } from "../session/session.ts";
import { possible } from "../change/desired-plan.ts";

interface Once extends Pick<SourceSettings, "settings" | "flags" | "place" | "operator" | "console"> {
  /** The limits of a commit; undefined means no limits. */
  access: AccessFile | undefined;
  /** The restrictions of the operator's files, beside that of access. */
  restrictions: readonly Restriction[];
}

/** Applies the newest commit once, as far as the policy permits it, and returns the exit code. */
export function reconcileOnce(once: Once): Promise<number> {
  const { flags, place, console } = once;
  return withStatus(console, (status) =>
    withRepository(place, flags, console, async (source, repository) => {
      const { signal } = console.io;
      const work = () => apply(once, source, repository, status);
      return (await withLock(place, console.io, lockedByOther, work)) ?? interruptionCode(signal);
    }),
  );
}

async function apply(
  { settings, flags, place, operator, access, restrictions, console }: Once,
  source: CommitSource,
  repository: Repository,
  status: Status,
): Promise<number> {
  status.working("reading the repository");
  const commit = await source.newest();
  const commitRules = (await access?.rules()) ?? noRules;
  const others = [...restrictions, ...(commitRules.restrictions ?? [])];
  const policyFor = (each: LoadedCommit) => policyForCommit(each, flags, settings, console, others);
  const { policy: own, problems } = await policyFor(commit);
  const all = [...commit.problems, ...problems, ...commitBeyond(commitRules.limits, commit)];
  if (all.length > 0) throw new InvalidInputError(all);
  const memory = new Memory(place.data === undefined ? undefined : join(place.data, "state.json"));
  const damage = await memory.read();
  if (damage !== undefined) console.note(damage);
  const before = await rulesBeforeCommit(commit, memory.wholeCommit, { source, policyFor });
  const policy = withRulesBefore(own, before);
  status.reading();
  const { clock = systemClock } = console.io;
  const session = await openSession(settings, console, status, {
    ...secretSourcesOfCommits(console.io, flags, settings),
    secretsOut: flags.secretsOut,
    program: reconcilerProgram,
  });
  const { run, organization } = session;
  await memory.inOrganization(organization.id, clock.now());
  const single = singleRun({
    memory,
    repository,
    clock,
    organization,
    commit,
    policy,
    before,
    operator: withCaps(operator, settings),
  });
  const { proposal, waiting, left, held } = await proposePermitted(
    {
      run,
      organization,
      resources: commit.resources,
      policy: { ...policy, knownId: (address) => memory.idOf(address) },
      commitPolicy: commit.policy,
      before,
      operator: await withPauses(operator, place),
      now: clock.now(),
    },
    (plan) => single.before(run, plan),
    commitRules,
  );
  status.pause();
  if (single.isUncounted())
    console.note(
      "Deletions of other runs in the last 24 hours are not counted: the events of the organization do not show them.",
    );
  if (waiting.length > 0) console.note(`Not applied, because the policy says so: ${waiting.join(", ")}.`);
  if (held !== undefined)
    throw new CommandError("held", exitCodes.invalid, {
      message: `the commit ${short(commit.commit)} drops the applied commit ${short(held)}, and its plan deletes resources; nothing was sent`,
      advice: "push a commit that follows the applied one, or apply it manually",
    });
  if (!proposal) {
    if (console.json) console.document(outputOf("run", {}));
    return exitCodes.done;
  }
  const isWhole = waiting.length === 0 && !left && policy.targets.length === 0;
  const change: ProposedChange = {
    proposal: possible(proposal),
    run,
    canTarget: true,
    left,
    record: { begin: (plan) => single.begin(plan), end: (plan, report) => single.end(plan, report, isWhole) },
  };
  return makeChange(change, { settings, flags, status, console });
}

/** The rules of the operator with the pauses in the data folder. */
async function withPauses(
  rules: OperatorRules,
  { data }: Pick<RepositoryPlace, "data">,
): Promise<OperatorRules> {
  if (data === undefined) return rules;
  const requests = new Requests(data);
  await requests.open();
  if (requests.unknown) throw requests.unknown;
  return { ...rules, pauses: rulesOfPauses(requests.pauses) };
}
