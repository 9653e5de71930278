import { join } from "node:path";
import Type from "typebox";
import { form, optional } from "../../core/outputs/forms/forms.ts";
import { own } from "../../core/values/json.ts";
import { ensureRead, readStoredFile, type StoredForm, store } from "../../core/files/stored-form.ts";
import { type Identity, identityForm } from "../identity.ts";
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

/** For how long a pause that is over is stored, in milliseconds: a clock that has jumped ends none for good. */
const longestJump = 2 * 86_400_000;

/** The requests of people that are not over, in memory and in a file of the data folder: a restart ends none. */
export class Requests {
  readonly #file: string;
  #stored: RequestStore | undefined;
  #written: Promise<void> = Promise.resolve();
  #refreshes: (readonly string[])[] = [];

  /** @param folder the data folder, with which only this process works */
  constructor(folder: string) {
    this.#file = join(folder, "requests.json");
  }

  /** Reads the file, once. @throws InvalidInputError when it is damaged: no rollback or pause must end because of that */
  async open(): Promise<void> {
    if (this.#stored) return;
    const read = await readStoredFile(requestsForm, this.#file);
    const advice = "delete the file, which ends pauses, rollbacks and approvals, and repeat the needed ones";
    this.#stored = read
      ? ensureRead(read, this.#file, advice)
      : { requested: {}, rollbacks: {}, pauses: [], ended: [], known: [] };
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

  /** The pauses of people, also those that are over. */
  get pauses(): readonly Pause[] {
    return this.#now.pauses;
  }

  /** Changes the pauses; those that are long over are removed. @param now milliseconds since 1970 */
  changePauses(now: number, change: (pauses: readonly Pause[]) => Pause[]): Promise<void> {
    return this.#keep({ pauses: change(this.pauses.filter(({ until }) => until > now - longestJump)) });
  }

  /** Adds a request in environments, in place of the one before. */
  ask(keys: readonly string[], requested: PersonRequest): Promise<void> {
    const did = { sync: "requested a sync", approve: "approved another plan" }[requested.type];
    return this.#keep(this.#asking(keys, requested, did));
  }

  /** Rolls environments back: their documents of another commit are applied now. */
  rollBack(keys: readonly string[], rollback: Rollback): Promise<void> {
    const { commit, by } = rollback;
    return this.#keep({
      rollbacks: { ...this.#now.rollbacks, ...inEach(keys, rollback) },
      ...this.#asking(keys, { type: "sync", by }, `rolled it back to ${commit.slice(0, 7)}`),
    });
  }

  /** The approvals that end with another request in environments. @param plan the approved plan, if the request is an approval */
  approvalsEndedIn(keys: readonly string[], plan?: string): { key: string; by: Identity; plan: string }[] {
    return keys.flatMap((key) => {
      const requested = this.requestedIn(key);
      return requested?.type === "approve" && requested.plan !== plan ? [{ ...requested, key }] : [];
    });
  }

  #asking(keys: readonly string[], request: PersonRequest, did: string): Partial<RequestStore> {
    const plan = request.type === "approve" ? request.plan : undefined;
    return {
      requested: { ...this.#now.requested, ...inEach(keys, request) },
      ended: this.#withEnded(keys, `${request.by.name} has ${did}`, plan),
    };
  }

  #withEnded(keys: readonly string[], reason: string, plan?: string): RequestStore["ended"] {
    return [
      ...this.#now.ended,
      ...this.approvalsEndedIn(keys, plan).map(({ key, by }) => ({ key, by, reason })),
    ];
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

  /** Has everything of these names read again. @param names none: everything */
  refresh(names: readonly string[]): void {
    this.#refreshes.push(names);
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
      await this.#keep({ requested: without(this.#now.requested, key) });
  }

  /** Ends a rollback. @param by the person who wants that, by which an approval of the plan of the rollback ends */
  endRollback(key: string, by?: Identity): Promise<void> {
    const { rollbacks, requested } = this.#now;
    const isOver = by !== undefined && requested[key]?.type === "approve";
    return this.#keep({
      rollbacks: without(rollbacks, key),
      ...(isOver && {
        requested: without(requested, key),
        ended: this.#withEnded([key], `${by.name} has ended the rollback`),
      }),
    });
  }

  get #now(): RequestStore {
    if (!this.#stored) throw new Error("internal error: the requests were not read");
    return this.#stored;
  }

  /** Several may ask at once: each change builds on the one before, and the newest state is written last. */
  #keep(changed: Partial<RequestStore>): Promise<void> {
    this.#stored = { ...this.#now, ...changed };
    const written = this.#written.then(() => store(this.#file, this.#now, 0o600));
    this.#written = written.catch(() => undefined);
    return written;
  }
}

function inEach<Value>(keys: readonly string[], value: Value): Record<string, Value> {
  return Object.fromEntries(keys.map((key) => [key, value]));
}

function without<Value>(entries: Readonly<Record<string, Value>>, key: string): Record<string, Value> {
  const { [key]: _ended, ...rest } = entries;
  return rest;
}
