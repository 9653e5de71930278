import { readFile } from "node:fs/promises";
import { dirname } from "node:path";
import { makeFolder, writeWhole } from "../../core/files.ts";
import { type Fields, isFields, textIn } from "../../core/json.ts";
import type { AppliedDocuments, Deletion, Failures, OwnResources, Rollout, Undone } from "../decide/index.ts";

/** The ids of live resources, by the keys of the addresses under which documents describe them. */
export type Identities = Readonly<Record<string, string>>;

/** A commit that was applied, in all shares or in some, by their keys. */
export interface AppliedCommit {
  commit: string;
  tree: string;
  shares: "all" | readonly string[];
  /** Milliseconds since 1970. */
  at: number;
}

/** The reconciler's memory of applied commits. It may be lost at any time. */
export interface ReconcilerState {
  organization?: string | undefined;
  /** When this memory began, in milliseconds since 1970: it has all that the source has deleted since then. */
  began?: number;
  /** The commit that was applied last as a whole, and its folder of manifests. */
  applied?: { commit: string; tree: string };
  /** The live resources that the source has applied. */
  inventory?: OwnResources;
  /** A commit that is not applied as a whole: its shares that are in step with it, by their keys. */
  partly?: { commit: string; tree: string; done: readonly string[] };
  /**
   * The documents that were applied last, by the keys of the addresses that they describe: a digest of each; empty: one of
   * which not all is applied yet.
   */
  documents?: AppliedDocuments;
  /** The commits that were applied, the newest last. */
  appliedCommits?: readonly AppliedCommit[];
  /** The fields of live resources that were set back to what documents say. */
  undone?: Readonly<Record<string, Undone>>;
  /** The deletions and replacements of the last day. */
  deletions?: readonly Deletion[];
  /** From when on these are all that infrasync has deleted, in milliseconds since 1970. */
  countedSince?: number;
  /** The shares that are in step and healthy, by their keys: with which documents, and since when. */
  healthy?: Readonly<Record<string, Healthy>>;
  /** The commits that came to shares, by the keys of the shares. */
  rollouts?: Readonly<Record<string, Rollout>>;
  /** The described secrets, by the keys of the addresses of their owners and by their paths. */
  secrets?: Readonly<Record<string, Readonly<Record<string, KeptSecret>>>>;
  /** The live resources of the documents. */
  identities?: Identities;
}

/** Since when a share has been in step and healthy. */
export interface Healthy {
  /** A digest of its documents. */
  digest: string;
  /** Milliseconds since 1970. */
  since: number;
}

/** The memory of a secret that a document describes. */
export interface KeptSecret {
  /** Becomes another text when somebody writes it; absent: no answer has told it. */
  mark?: string;
  /** The time of its last write that is known and right, by the clock of the server, in milliseconds since 1970. */
  at?: number;
  /** A digest of where its value comes from. */
  source?: string;
}

/** Reads the state. One that is missing or damaged is only forgotten. */
export async function readState(file: string): Promise<ReconcilerState> {
  return stateIn(await readFile(file, "utf8").catch(() => ""));
}

/** The state in the content of its file; an empty one if that is damaged. */
export function stateIn(text: string): ReconcilerState {
  try {
    const content: unknown = JSON.parse(text);
    if (!isFields(content)) return {};
    const applied = membersOf(content, "applied");
    const partly = membersOf(content, "partly");
    const [commit, tree, other] = [idIn(applied, "commit"), idIn(applied, "tree"), idIn(partly, "tree")];
    const done = partly["done"];
    const of = idIn(partly, "commit");
    const { deletions } = content;
    const organization = textIn(content, "organization");
    return {
      organization,
      ...(typeof content["began"] === "number" && { began: content["began"] }),
      ...(commit !== undefined && tree !== undefined && { applied: { commit, tree } }),
      ...(of !== undefined &&
        other !== undefined &&
        Array.isArray(done) && {
          partly: {
            commit: of,
            tree: other,
            done: done.filter((key) => typeof key === "string"),
          },
        }),
      ...(isFields(content["documents"]) && { documents: textsIn(content["documents"]) }),
      ...(isFields(content["undone"]) && { undone: undoneIn(content["undone"]) }),
      ...(Array.isArray(content["appliedCommits"]) && {
        appliedCommits: content["appliedCommits"].flatMap(appliedIn),
      }),
      ...(typeof content["countedSince"] === "number" && { countedSince: content["countedSince"] }),
      ...(Array.isArray(deletions) && { deletions: deletions.flatMap(deletionIn) }),
      ...(isFields(content["secrets"]) && { secrets: secretsIn(content["secrets"]) }),
      ...(isFields(content["rollouts"]) && { rollouts: rolloutsIn(content["rollouts"]) }),
      healthy: healthyIn(membersOf(content, "healthy")),
      identities: textsIn(membersOf(content, "identities")),
      ...(isFields(content["inventory"]) && { inventory: inventoryIn(content["inventory"]) }),
    };
  } catch {
    return {};
  }
}

function undoneIn(fields: Fields): Record<string, Undone> {
  return Object.fromEntries(
    Object.entries(fields).flatMap(([field, entry]) => {
      const { times, pause, owner, document } = isFields(entry) ? entry : {};
      if (!Array.isArray(times) || !times.every((time) => typeof time === "number")) return [];
      if (typeof owner !== "string" || typeof document !== "string") return [];
      return [[field, { owner, document, times, ...(typeof pause === "number" && { pause }) }]];
    }),
  );
}

function healthyIn(shares: Fields): Record<string, Healthy> {
  return Object.fromEntries(
    Object.entries(shares).flatMap(([key, entry]) => {
      const { digest, since } = isFields(entry) ? entry : {};
      return typeof digest === "string" && typeof since === "number" ? [[key, { digest, since }]] : [];
    }),
  );
}

function secretsIn(owners: Fields): Record<string, Record<string, KeptSecret>> {
  return Object.fromEntries(
    Object.entries(owners).map(([owner, secrets]) => [
      owner,
      Object.fromEntries(
        Object.entries(isFields(secrets) ? secrets : {}).flatMap(([path, entry]) => {
          const { mark, at, source } = isFields(entry) ? entry : {};
          if (typeof at !== "number" && typeof source !== "string") return [];
          const kept: KeptSecret = {
            ...(typeof mark === "string" && { mark }),
            ...(typeof at === "number" && { at }),
            ...(typeof source === "string" && { source }),
          };
          return [[path, kept]];
        }),
      ),
    ]),
  );
}

function rolloutsIn(shares: Fields): Record<string, Rollout> {
  return Object.fromEntries(
    Object.entries(shares).map(([key, entry]) => {
      const { begun, healthy, givenUp, failures } = isFields(entry) ? entry : {};
      const failed = isFields(failures) && failuresIn(failures);
      const { digest, at } = isFields(begun) ? begun : {};
      const known = isFields(healthy) ? healthy : {};
      const [commit, tree, its] = [idIn(known, "commit"), idIn(known, "tree"), textIn(known, "digest")];
      return [
        key,
        {
          ...(typeof digest === "string" && typeof at === "number" && { begun: { digest, at } }),
          ...(commit !== undefined &&
            tree !== undefined &&
            its !== undefined && { healthy: { commit, tree, digest: its } }),
          ...(typeof givenUp === "string" && { givenUp }),
          ...(failed && { failures: failed }),
        },
      ];
    }),
  );
}

function failuresIn(fields: Fields): Failures | undefined {
  const digest = textIn(fields, "digest");
  if (digest === undefined) return undefined;
  const services = Object.entries(membersOf(fields, "services")).flatMap(([address, entry]) => {
    const { tried, since, begun } = isFields(entry) ? entry : {};
    if (typeof tried !== "number") return [];
    const known = {
      tried,
      ...(typeof since === "number" && { since }),
      ...(typeof begun === "string" && { begun }),
    };
    return [[address, known] as const];
  });
  return { digest, services: Object.fromEntries(services) };
}

function appliedIn(entry: unknown): AppliedCommit[] {
  if (!isFields(entry)) return [];
  const [commit, tree] = [idIn(entry, "commit"), idIn(entry, "tree")];
  const { shares, at } = entry;
  if (commit === undefined || tree === undefined || typeof at !== "number") return [];
  if (shares === "all") return [{ commit, tree, shares, at }];
  return Array.isArray(shares)
    ? [{ commit, tree, at, shares: shares.filter((key) => typeof key === "string") }]
    : [];
}

function textsIn(entries: Fields): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(entries).filter((entry): entry is [string, string] => typeof entry[1] === "string"),
  );
}

function deletionIn(entry: unknown): Deletion[] {
  if (!isFields(entry)) return [];
  const { at, isDone } = entry;
  const [tree, title] = [idIn(entry, "tree"), textIn(entry, "title")];
  const [id, event, by] = [textIn(entry, "id"), textIn(entry, "event"), textIn(entry, "by")];
  if (typeof at !== "number" || title === undefined) return [];
  return [
    {
      at,
      title,
      isDone: isDone === true,
      ...(entry["isDrift"] === true && { isDrift: true }),
      ...(entry["isEarlier"] === true && { isEarlier: true as const }),
      tree,
      id,
      event,
      by,
    },
  ];
}

function inventoryIn(entries: Fields): OwnResources {
  return Object.fromEntries(
    Object.entries(entries).flatMap(([id, entry]) => {
      const { address, isCopy, entries: its } = isFields(entry) ? entry : {};
      const flags = {
        ...(isCopy === true && { isCopy }),
        ...(Array.isArray(its) && { entries: its.filter((each) => typeof each === "string") }),
      };
      return typeof address === "string" ? [[id, { address, ...flags }]] : [];
    }),
  );
}

function membersOf(content: Fields, member: string): Fields {
  const value = content[member];
  return isFields(value) ? value : {};
}

function idIn(fields: Fields, member: string): string | undefined {
  const id = textIn(fields, member);
  return id !== undefined && /^[0-9a-f]{40,64}$/.test(id) ? id : undefined;
}

/** Writes the state as a whole, so that a failure leaves the old one. */
export async function writeState(file: string, state: ReconcilerState): Promise<void> {
  await makeFolder(dirname(file));
  await writeWhole(file, `${JSON.stringify({ version: 1, ...state })}\n`);
}
