import Type from "typebox";
import { form, optional } from "../../core/outputs/forms/forms.ts";
import type { StoredForm } from "../../core/files/stored-form.ts";
import { gitId } from "../git-id.ts";
import { deletionForm, ownResourceForm, rolloutForm, undoneForm } from "../decide/index.ts";

/** A commit that was applied, in all environments or in some, by their keys. */
const appliedCommitForm = form({
  commit: gitId,
  tree: gitId,
  environments: Type.Union([Type.Literal("all"), Type.Array(Type.String())]),
  /** Milliseconds since 1970. */
  at: Type.Number(),
});

export type AppliedCommit = StoredForm<typeof appliedCommitForm>;

const healthyForm = form({
  digest: Type.String(),
  /** Milliseconds since 1970. */
  since: Type.Number(),
});

const storedSecretForm = form({
  /** Becomes another text when somebody writes it; absent: no answer has it. */
  revision: optional(Type.String()),
  /** The time of its last write that is known and right, by the clock of the server, in milliseconds since 1970. */
  at: optional(Type.Number()),
  source: optional(Type.String()),
  /** A slow digest of its value, if that is in a variable or a file. */
  value: optional(Type.String()),
});

export type StoredSecret = StoredForm<typeof storedSecretForm>;

export const stateForm = form({
  organization: optional(Type.String()),
  /** When this memory began, in milliseconds since 1970: it has all that the source has deleted since then. */
  began: optional(Type.Number()),
  /** The commit that was applied last as a whole, and its folder of manifests. */
  applied: optional(form({ commit: gitId, tree: gitId })),
  /** The live resources that the source has applied, by their ids. */
  inventory: optional(Type.Record(Type.String(), ownResourceForm)),
  /** A commit that is not applied as a whole: its environments that are synced with it, by their keys. */
  partly: optional(form({ commit: gitId, tree: gitId, done: Type.Array(Type.String()) })),
  /** The digests of the documents that were applied last, by the keys of their addresses, as `AppliedDocuments` says. */
  documents: optional(Type.Record(Type.String(), Type.String())),
  appliedCommits: optional(Type.Array(appliedCommitForm)),
  /** The fields of live resources that were set back to what documents say. */
  undone: optional(Type.Record(Type.String(), undoneForm)),
  /** The deletions and replacements of the last day. */
  deletions: optional(Type.Array(deletionForm)),
  /** From when on these are all that infrasync has deleted, in milliseconds since 1970. */
  countedSince: optional(Type.Number()),
  /** The environments that are synced and healthy, by their keys: with which documents, and since when. */
  healthy: optional(Type.Record(Type.String(), healthyForm)),
  /** The commits that came to environments, by the keys of the environments. */
  rollouts: optional(Type.Record(Type.String(), rolloutForm)),
  /** The declared secrets, by the keys of the addresses of their owners and by their paths. */
  secrets: optional(Type.Record(Type.String(), Type.Record(Type.String(), storedSecretForm))),
  /** The ids of the live resources of the documents, by the keys of the addresses under which documents describe them. */
  identities: optional(Type.Record(Type.String(), Type.String())),
});

/** The reconciler's memory of applied commits. It may be lost at any time: then nothing is known, and nothing is deleted by it. */
export type ReconcilerState = StoredForm<typeof stateForm>;
