import { isDeepStrictEqual } from "node:util";
import { addressKey } from "../../core/model/addresses/address.ts";
import type { Report } from "../../core/execution/execute/index.ts";
import type { DesiredResource } from "../../core/manifests/manifest/index.ts";
import { own } from "../../core/values/json.ts";
import { type Action, deletes, deploys, isChange, makes, type Plan } from "../../core/planning/plan/index.ts";
import {
  type AppliedDocuments,
  type AppliedResource,
  type DocumentMarks,
  type Failures,
  type OwnResources,
  ownResource,
  type Rollout,
  recentDeletions,
  type ReportedEvent,
  withBegun,
  withDone,
  withReported,
  withRetries,
  withUndone,
} from "../decide/index.ts";
import { shareOf } from "../policy/index.ts";
import { type SeenSecret, withSeen, withWritten, type RememberedSecret } from "./secrets.ts";
import type { AppliedCommit, ReconcilerState } from "./state.ts";

/** A commit, and the id of its folder of manifests: the same as long as its files are the same. */
export interface ManifestCommit {
  commit: string;
  tree: string;
}

/** Something that is to be remembered. */
export type MemoryEvent =
  /** The organization in which the service works from now on. */
  | { type: "organization"; id: string; now: number }
  /** A plan of everything has shown which live resources the documents mean. */
  | { type: "planned"; resources: readonly DesiredResource[]; plan: Plan }
  /** A plan is about to be carried out: a kill forgets none of its deletions. */
  | { type: "begins"; of: ManifestCommit; plan: Plan; now: number }
  /** Changes of a commit are planned, of which only some may be carried out now, by the keys of their addresses. */
  | { type: "pending"; documents: readonly string[] }
  /** `documents`: those that the plan was made of. */
  | { type: "ended"; of: ManifestCommit; documents: DocumentMarks; plan: Plan; report: Report }
  /** Secrets were written by a plan that was carried out, as far as nothing waits for the server. */
  | { type: "wrote"; secrets: readonly RememberedSecret[] }
  /** From when on it is known what was deleted. */
  | { type: "counted"; since: number }
  /** Deletions by any process, from the events of the organization. */
  | { type: "reported"; deletions: readonly ReportedEvent[]; now: number }
  /** Described secrets were seen. */
  | {
      type: "seen";
      resources: readonly Pick<DesiredResource, "address">[];
      secrets: readonly SeenSecret[];
    }
  /** Drift was set back to a commit. */
  | { type: "undone"; documents: DocumentMarks; actions: readonly Action[]; now: number }
  /** These shares are in step and healthy, and no others. */
  | {
      type: "healthy";
      of: ManifestCommit /** A share that is healthy with its documents. */;
      shares: readonly {
        key: string;
        digest: string;
        /** Absent: these are documents of the commit in force. */
        rolledBack?: unknown;
      }[];
      now: number;
    }
  /** A commit is about to be written in these shares. */
  | { type: "written"; shares: readonly { key: string; digest: string }[]; now: number }
  /** The failed services of these shares, as they are now. */
  | { type: "failures"; shares: readonly { key: string; failures: Failures | undefined }[] }
  /** Services of these shares are about to be deployed again, because the policy wants that. */
  | { type: "retried"; shares: readonly { key: string; addresses: readonly string[] }[] }
  /** These documents of a share are rolled back, because a deployment has failed. */
  | { type: "given_up"; key: string; digest: string }
  /** A commit is applied as a whole, or in these shares, by their keys. */
  | { type: "applied"; commit: ManifestCommit; shares: "all" | ReadonlySet<string>; now: number }
  /** The documents that are applied now, in all shares; `inventory`: the live resources that they describe. */
  | { type: "documents"; documents: AppliedDocuments; inventory: OwnResources };

/** The state of the memory after something has happened. */
export function after(state: ReconcilerState, news: MemoryEvent): ReconcilerState {
  const { deletions = [] } = state;
  switch (news.type) {
    case "organization": {
      const { id, now } = news;
      // The state of another organization says nothing about this one.
      return { began: now, ...((state.organization ?? id) === id && state), organization: id };
    }
    case "planned":
      return { ...state, identities: withIdentities(state.identities ?? {}, news.resources, news.plan) };
    case "begins": {
      const begun = withBegun(news.plan, { tree: news.of.tree, deletions }, news.now);
      return { ...begunIn(state, news.of, news.plan), ...(begun.length > 0 && { deletions: begun }) };
    }
    case "ended": {
      const done = new Set(
        news.report.outcomes.filter(({ status }) => status === "done").map(({ id }) => id),
      );
      return {
        ...state,
        documents: withApplied(state.documents ?? {}, news.documents, news.plan, done),
        inventory: withOutcomes(state.inventory ?? {}, news.documents, news.plan, news.report),
        ...(deletions.length > 0 && {
          deletions: withDone(news.plan, done, { tree: news.of.tree, deletions }),
        }),
      };
    }
    case "counted":
      return { ...state, countedSince: Math.min(news.since, state.countedSince ?? Infinity) };
    case "reported": {
      const all = withReported(
        recentDeletions(deletions, news.now),
        recentDeletions(news.deletions, news.now),
      );
      return { ...state, ...(all.length > 0 && { deletions: all }) };
    }
    case "wrote":
      return news.secrets.length === 0
        ? state
        : { ...state, secrets: withWritten(state.secrets ?? {}, news.secrets) };
    case "seen": {
      const owners = new Set(news.resources.map(({ address }) => addressKey(address)));
      const secrets = withSeen(state.secrets ?? {}, news.secrets, owners);
      return Object.keys(secrets).length === 0 ? state : { ...state, secrets };
    }
    case "undone":
      return {
        ...state,
        undone: withUndone(state.undone ?? {}, news.actions, news.documents, news.now),
      };
    case "written":
      return withRollouts(state, news.shares, ({ digest }, { begun, ...rest }) => ({
        ...rest,
        begun: begun?.digest === digest ? begun : { digest, at: news.now },
      }));
    case "failures":
      return withRollouts(
        state,
        news.shares.filter(({ key, failures }) => failures ?? own(state.rollouts ?? {}, key)?.failures),
        ({ failures }, { failures: _before, ...rest }) => ({ ...rest, ...(failures && { failures }) }),
      );
    case "retried":
      return withRollouts(state, news.shares, ({ addresses }, rollout) => ({
        ...rollout,
        failures: withRetries(rollout.failures, addresses),
      }));
    case "given_up":
      return withRollouts(state, [news], ({ digest }, rollout) => ({ ...rollout, givenUp: digest }));
    case "healthy":
      return {
        ...withRollouts(
          state,
          news.shares.filter(({ rolledBack }) => !rolledBack),
          ({ digest }, { givenUp: _over, ...rollout }) => ({
            ...rollout,
            healthy: { digest, commit: news.of.commit, tree: news.of.tree },
          }),
        ),
        healthy: Object.fromEntries(
          news.shares.map(({ key, digest }) => [
            key,
            { digest, since: healthySinceIn(state, key, digest) ?? news.now },
          ]),
        ),
      };
    case "applied": {
      const { commit, tree } = news.commit;
      const shares = news.shares === "all" ? news.shares : [...news.shares];
      const appliedCommits = withCommit(state.appliedCommits ?? [], { commit, tree, shares, at: news.now });
      if (shares !== "all") return { ...state, appliedCommits, partly: { commit, tree, done: shares } };
      // What was applied of earlier commits is of no use any more.
      const { partly: _partly, ...rest } = state;
      return { ...rest, appliedCommits, applied: { commit, tree } };
    }
    case "documents":
      return {
        ...state,
        documents: news.documents,
        inventory: withEntries(state.inventory ?? {}, news.inventory),
      };
    case "pending": {
      const pending = news.documents.map((key) => [key, ""] as const);
      return { ...state, documents: { ...state.documents, ...Object.fromEntries(pending) } };
    }
    default:
      return news satisfies never;
  }
}

/** Since when a share has been healthy with documents of that digest. */
export function healthySinceIn(
  { healthy = {} }: ReconcilerState,
  key: string,
  digest: string,
): number | undefined {
  const known = own(healthy, key);
  return known?.digest === digest ? known.since : undefined;
}

function withRollouts<Share extends { key: string }>(
  state: ReconcilerState,
  shares: readonly Share[],
  change: (share: Share, before: Rollout) => Rollout,
): ReconcilerState {
  if (shares.length === 0) return state;
  const { rollouts = {} } = state;
  const changed = shares.map((share) => [share.key, change(share, own(rollouts, share.key) ?? {})] as const);
  return { ...state, rollouts: { ...rollouts, ...Object.fromEntries(changed) } };
}

/** Where a commit writes, an earlier one that came to some shares only is applied no more. */
function begunIn(state: ReconcilerState, { tree }: ManifestCommit, plan: Plan): ReconcilerState {
  const { partly } = state;
  if (!partly || partly.tree === tree) return state;
  const written = new Set(plan.actions.filter(isChange).map(({ address }) => shareOf(address).key));
  return { ...state, partly: { ...partly, done: partly.done.filter((key) => !written.has(key)) } };
}

/**
 * The applied documents after a plan was carried out: those of which all changes are done, also where the rest of their share
 * is not. So what a commit has written is its own when a later one takes it back.
 *
 * @param done the ids of the actions that are done
 */
function withApplied(
  before: AppliedDocuments,
  documents: DocumentMarks,
  { actions }: Plan,
  done: ReadonlySet<string>,
): AppliedDocuments {
  const applied = new Map(Object.entries(before));
  const changes = Map.groupBy(actions.filter(isChange), ({ address }) => addressKey(address));
  for (const [key, its] of changes) {
    if (!its.every(({ id }) => done.has(id))) continue;
    const mark = documents.get(key);
    if (mark) applied.set(key, mark.digest);
    else applied.delete(key);
  }
  return Object.fromEntries(applied);
}

/** The inventory after a plan was carried out, with what it has made and changed and without what it has deleted. */
function withOutcomes(
  before: OwnResources,
  documents: DocumentMarks,
  { actions }: Plan,
  { outcomes }: Report,
): OwnResources {
  const done = new Map(
    outcomes.flatMap((each) => (each.status === "done" ? [[each.id, each] as const] : [])),
  );
  const known = new Map(Object.entries(before));
  const made: [string, AppliedResource][] = [];
  for (const action of actions.filter(isChange)) {
    const outcome = done.get(action.id);
    if (!outcome || deploys(action)) continue;
    if (deletes(action)) for (const id of [action.resourceId ?? "", ...action.contentIds]) known.delete(id);
    const { resourceId } = outcome;
    if (resourceId === undefined || (deletes(action) && !makes(action))) continue;
    made.push([resourceId, ownResource(action, documents)]);
  }
  return withEntries(Object.fromEntries(known), Object.fromEntries(made));
}

/** The inventory with further resources. What was made as a copy stays one, and an entry is its own until it is removed. */
function withEntries(before: OwnResources, applied: Readonly<Record<string, AppliedResource>>): OwnResources {
  const known = new Map(Object.entries(before));
  for (const [id, { entries: stated = [], removes = [], ...resource }] of Object.entries(applied)) {
    const { isCopy, entries: earlier = [] } = known.get(id) ?? {};
    const entries = new Set([...earlier.filter((entry) => !removes.includes(entry)), ...stated]);
    known.set(id, {
      ...resource,
      ...(isCopy && { isCopy }),
      ...(entries.size > 0 && { entries: [...entries].toSorted() }),
    });
  }
  return Object.fromEntries(known);
}

/**
 * The ids that a plan shows for the resources of documents; of those that it does not find, the ids from before, so that
 * a resource is known again after a person has renamed it.
 */
type Identities = NonNullable<ReconcilerState["identities"]>;

function withIdentities(
  before: Identities,
  resources: readonly Pick<DesiredResource, "address">[],
  { actions }: Pick<Plan, "actions">,
): Identities {
  const found = new Map(
    actions.flatMap((action): [string, string][] =>
      action.resourceId === undefined ? [] : [[addressKey(action.address), action.resourceId]],
    ),
  );
  return Object.fromEntries(
    resources.flatMap(({ address }): [string, string][] => {
      const key = addressKey(address);
      const id = found.get(key) ?? own(before, key);
      return id === undefined ? [] : [[key, id]];
    }),
  );
}

/** How many applied commits are kept. */
const mostCommits = 20;

/** The applied commits with one that was applied now; one that was applied further keeps its place. */
function withCommit(before: readonly AppliedCommit[], applied: AppliedCommit): readonly AppliedCommit[] {
  const last = before.at(-1);
  if (last?.commit !== applied.commit || last.tree !== applied.tree)
    return [...before, applied].slice(-mostCommits);
  return last.shares === "all" || isDeepStrictEqual(last.shares, applied.shares)
    ? before
    : [...before.slice(0, -1), { ...applied, at: last.at }];
}
