import { join } from "node:path";
import Type from "typebox";
import { form, optional } from "../../core/outputs/forms/forms.ts";
import { InvalidInputError } from "../../core/problems/problem.ts";
import { own } from "../../core/values/json.ts";
import { inSentence } from "../../core/values/text.ts";
import { ensureRead, readStoredFile, type StoredForm, store } from "../../core/files/stored-form.ts";
import { type Identity, identityForm, theService } from "../identity.ts";
import { isPausedBy, type Pause, pauseForm, type Environment } from "../policy/index.ts";

const personRequestForm = Type.Union([
  /** Apply differences, also those that the rules only report, and retry failed deployments. */
  form({ type: Type.Literal("sync"), by: identityForm }),
  /** Apply just the changes of this digest, with what they lose. */
  form({ type: Type.Literal("approve"), by: identityForm, plan: Type.String() }),
]);

/** The request of a person for an environment, or for a project without its environments, that waits for a cycle. */
export type PersonRequest = StoredForm<typeof personRequestForm>;

const rollbackForm = form({
  commit: Type.String(),
  /** The id of its folder of manifests. */
  tree: Type.String(),
  by: identityForm,
  /** When it was requested, such as `2026-12-01T08:00:00.000Z`. */
  at: Type.String(),
  /** The digest of the documents that it takes the place of; absent: no cycle has seen it yet. */
  instead: optional(Type.String()),
});

/** Documents of an earlier commit in the place of those of the commit in force. */
export type Rollback = StoredForm<typeof rollbackForm>;

/** The requests of people: those of an environment by its key, and pauses, which may be for many. */
export const requestsForm = form({
  requested: Type.Record(Type.String(), personRequestForm),
  rollbacks: Type.Record(Type.String(), rollbackForm),
  /** Also those that are over. They stand beside each other. */
  pauses: Type.Array(pauseForm),
  /** The approvals that ended because somebody requested something else, that are not reported yet. */
  ended: Type.Array(form({ key: Type.String(), by: identityForm, reason: Type.String() })),
  /** The keys of the environments for which the requests of other sources were taken over. */
  known: Type.Array(Type.String()),
});

type RequestStore = StoredForm<typeof requestsForm>;

/** What the request of a person changes. Who and when is added where it is stored. */
export interface RequestChange {
  /** The environments of a new request or rollback. Approvals of other plans end there. */
  to?: readonly Environment[];
  /** Takes the place of the request before. */
  requested?: { type: "sync" } | { type: "approve"; plan: string };
  /** Documents of another commit that are applied now; null: the end of a rollback. */
  rollback?: Pick<Rollback, "commit" | "tree"> | null;
  pauses?(all: readonly Pause[]): Pause[];
  /** The names of what is read again; none: everything. */
  refresh?: readonly string[];
}

/** For how long a pause that is over is stored, in milliseconds: a clock that has jumped ends none for good. */
const longestJump = 2 * 86_400_000;

const nothing: RequestStore = { requested: {}, rollbacks: {}, pauses: [], ended: [], known: [] };

/** The requests of people that are not over, in memory and in a file of the data folder: a restart ends none. */
export class Requests {
  readonly #file: string;
  #stored: RequestStore | undefined;
  #inFile: RequestStore | undefined;
  #unknown: readonly Pause[] = [];
  /** Why nobody can read the file. */
  unknown: InvalidInputError | undefined;
  #written: Promise<void> = Promise.resolve();
  #refreshes: (readonly string[])[] = [];

  /** @param folder the data folder, with which only this process works */
  constructor(folder: string) {
    this.#file = join(folder, "requests.json");
  }

  /** Reads the file, once. One that nobody can read pauses everything until it is repaired, which the next cycle finds out. */
  async open(): Promise<void> {
    if (this.#stored) return;
    try {
      const read = await readStoredFile(requestsForm, this.#file);
      const advice =
        "delete the file, which ends pauses, rollbacks and approvals, and repeat the needed ones";
      this.#inFile = this.#stored = read ? ensureRead(read, this.#file, advice) : nothing;
      this.unknown = undefined;
    } catch (error) {
      if (!(error instanceof InvalidInputError)) throw error;
      this.unknown = error;
    }
    this.pauseUnknown(["**"], this.unknown);
  }

  /** Pauses environments in which nobody knows what people have requested. @param why undefined: it is known everywhere */
  pauseUnknown(patterns: readonly string[], why: InvalidInputError | undefined): void {
    const reason = why && sentenceOf(why);
    const pause = { until: Infinity, by: theService, at: 0 };
    this.#unknown = reason === undefined ? [] : patterns.map((pattern) => ({ ...pause, pattern, reason }));
  }

  get isUnknown(): boolean {
    return this.#unknown.length > 0;
  }

  requestedIn(key: string): PersonRequest | undefined {
    return own(this.#now.requested, key);
  }

  rollbackIn(key: string): Rollback | undefined {
    return own(this.#now.rollbacks, key);
  }

  get rolledBack(): string[] {
    return Object.keys(this.#now.rollbacks);
  }

  /** The pauses of people, also those that are over, and where their requests are unknown. */
  get pauses(): readonly Pause[] {
    return [...this.#now.pauses, ...this.#unknown];
  }

  /** Takes a request of a person; pauses that are long over are removed. @param now milliseconds since 1970 */
  async change(change: RequestChange, by: Identity, now: number): Promise<void> {
    const { to = [], requested, rollback, pauses = (all) => [...all], refresh } = change;
    if (refresh) return void this.#refreshes.push(refresh);
    const over = this.approvalsEndedBy(change);
    const reason = `${by.name} has ${didOf(change)}`;
    const at = new Date(now).toISOString();
    const stored = this.#now;
    return this.#keep({
      requested: { ...without(stored.requested, over), ...inEach(to, requested && { ...requested, by }) },
      rollbacks: {
        ...without(stored.rollbacks, rollback === null ? to : []),
        ...inEach(to, rollback && { ...rollback, by, at }),
      },
      pauses: pauses(stored.pauses.filter(({ until }) => until > now - longestJump)),
      ended: [...stored.ended, ...over.map((each) => ({ key: each.key, by: each.by, reason }))],
    });
  }

  /** The approvals that end with another request in environments. */
  approvalsEndedBy({ to = [], requested: other }: RequestChange) {
    return to.flatMap(({ key, name }) => {
      const requested = this.requestedIn(key);
      const isOver =
        requested?.type === "approve" && !(other?.type === "approve" && other.plan === requested.plan);
      return isOver ? [{ ...requested, key, name }] : [];
    });
  }

  /** The approvals that ended because somebody requested something else, once. */
  async takeEnded(): Promise<RequestStore["ended"]> {
    const { ended } = this.#now;
    if (ended.length > 0) await this.#keep({ ended: [] });
    return ended;
  }

  /** Whether the requests of other sources in an environment were taken over. */
  knows(key: string): boolean {
    return this.#now.known.includes(key);
  }

  /** From now on the environments of these keys have requests of their own. */
  know(keys: readonly string[]): Promise<void> {
    return this.#keep({ known: [...new Set([...this.#now.known, ...keys])] });
  }

  /** Takes over requests of another source in environments that have none, and its pauses there. Gives whether one is rolled back by that. */
  async takeOver(
    environments: readonly Environment[],
    other: Pick<RequestStore, "requested" | "rollbacks" | "pauses">,
    now: number,
  ): Promise<boolean> {
    const { requested, rollbacks, pauses } = this.#now;
    const keys = new Set(environments.map(({ key }) => key));
    const ofEnvironments = <Value>(entries: Readonly<Record<string, Value>>) =>
      Object.fromEntries(Object.entries(entries).filter(([key]) => keys.has(key)));
    const taken = ofEnvironments(other.rollbacks);
    const paused = environments.flatMap(({ name, names }) =>
      other.pauses.flatMap((pause) =>
        names.length > 1 && isPausedBy(pause, names, now) ? [{ ...pause, pattern: name }] : [],
      ),
    );
    await this.#keep({
      requested: { ...ofEnvironments(other.requested), ...requested },
      rollbacks: { ...taken, ...rollbacks },
      pauses: [...pauses, ...paused],
    });
    return Object.keys(taken).length > 0;
  }

  /** The environments to be read again, once. */
  takeRefreshes(): (readonly string[])[] {
    return this.#refreshes.splice(0);
  }

  /** Notes what a rollback takes the place of. */
  async note(key: string, instead: string): Promise<void> {
    const rollback = this.rollbackIn(key);
    if (rollback)
      await this.#keep({ rollbacks: { ...this.#now.rollbacks, [key]: { ...rollback, instead } } });
  }

  /** Ends the request in an environment, unless there is a newer one. */
  async end(key: string, requested: PersonRequest): Promise<void> {
    if (this.requestedIn(key) === requested)
      await this.#keep({ requested: without(this.#now.requested, [{ key }]) });
  }

  /** Ends a rollback that a commit has replaced. */
  endRollback(key: string): Promise<void> {
    return this.#keep({ rollbacks: without(this.#now.rollbacks, [{ key }]) });
  }

  get #now(): RequestStore {
    if (this.#stored) return this.#stored;
    if (this.unknown) return nothing;
    throw new Error("internal error: the requests were not read");
  }

  /** Several may ask at once: each change builds on the one before, and is undone with it if it cannot be stored. */
  async #keep(changed: Partial<RequestStore>): Promise<void> {
    if (this.unknown) throw this.unknown;
    const next = (this.#stored = { ...this.#now, ...changed });
    const written = (this.#written = this.#written.then(() => store(this.#file, next, 0o600)));
    try {
      await written;
      this.#inFile = next;
    } catch (error) {
      if (this.#written === written) {
        this.#stored = this.#inFile;
        this.#written = Promise.resolve();
      }
      throw error;
    }
  }
}

/** The problems of a file, with what to do about them. */
export function sentenceOf({ problems }: InvalidInputError): string {
  return inSentence(problems.map(({ message, advice = "" }) => `${message}; ${advice}`));
}

/** What a person has done by whom approvals have ended. */
function didOf({ requested, rollback }: RequestChange): string {
  if (rollback) return `rolled it back to ${rollback.commit.slice(0, 7)}`;
  if (rollback === null) return "ended the rollback";
  return requested?.type === "approve" ? "approved another plan" : "requested a sync";
}

function inEach<Value>(
  all: readonly { key: string }[],
  value: Value | null | undefined,
): Record<string, Value> {
  return Object.fromEntries(value ? all.map(({ key }) => [key, value]) : []);
}

function without<Value>(entries: Readonly<Record<string, Value>>, all: readonly { key: string }[]) {
  return Object.fromEntries(Object.entries(entries).filter(([key]) => !all.some((each) => each.key === key)));
}
