import { longWait } from "../../core/api/index.ts";
import { hasUnknown } from "../../core/problems/unknown.ts";
import {
  findByName,
  OperationError,
  pollDelay,
  refuseInterrupted,
  type ResourcePlace,
  type Run,
} from "../../core/operations/index.ts";
import type { Kind } from "../../core/model/kinds/index.ts";
import type { LiveResource } from "../../core/state/live/index.ts";
import { RefusedError } from "./errors.ts";
import { placeKey } from "./ledger.ts";
import type { ProviderSession } from "./session.ts";
import { exchangeReason, holderObjection, type InputMistake } from "./words.ts";

/** Why a resource cannot get the name of another one, which keeps it, or has not given it up yet. */
export function nameObjection(
  { ledger }: ProviderSession,
  there: LiveResource,
  isRename: boolean,
): InputMistake {
  const { kind, name, id } = there;
  const isMoved = ledger.isAt(there, "moved");
  if (!isMoved && !ledger.has(id)) return holderObjection("nobody", kind, there, isRename);
  const reason = isMoved
    ? `another resource of this program still has the name "${name}", and releases it in this run; run \`pulumi up\` again, or, if the other resource depends on this one, change the other one in an earlier run`
    : `the name is taken: the ${kind.name} "${name}" (${id}) of this program keeps it in this run; choose another name, or rename the other one in an earlier run`;
  return { property: "name", reason };
}

/** The most milliseconds of a wait for a name: with `--parallel 1` the engine changes the other resource after this one. */
const longestWait = 20_000;

/** Milliseconds in which the engine asks about the other resources of a program. */
const patience = 3000;

/** The other resource that has a name in a preview; undefined: it is free, or becomes free in the same run. */
export async function nameInUse(
  session: ProviderSession,
  { parentId: given, ...rest }: Omit<ResourcePlace, "parentId"> & { parentId: string | undefined },
  id: string | undefined,
): Promise<LiveResource | undefined> {
  // A new stack is previewed without a request.
  const isOfNewStack = given === undefined && id === undefined && session.ledger.isEmpty;
  if (isOfNewStack || hasUnknown([given ?? "", rest.name])) return undefined;
  const place = { ...rest, parentId: await session.parentIdOf(given) };
  const { ledger } = session;
  const listed = await session.listOnce(place.kind, place.parentId);
  if (!listed) throw withoutParent(session, place.kind, place.parentId);
  const found = findByName(place, listed);
  const there = found?.id === id ? undefined : found;
  return there && !ledger.isAt(place, "moved") && !ledger.isReplaced(there.id) ? there : undefined;
}

/** The error for a resource whose parent is gone, or goes without it, with the name of the parent in the state. */
export function withoutParent({ ledger }: ProviderSession, kind: Kind, parentId: string): RefusedError {
  const [name] = ledger.namesOf(parentId);
  const called = name === undefined ? parentId : `"${name}" (${parentId})`;
  const parent = `its parent, the ${kind.parent?.name ?? "organization"} ${called},`;
  return new RefusedError(
    ledger.isReplaced(parentId)
      ? `this run replaces ${parent} without it; run \`pulumi up\` without \`--target\` and \`--exclude\`, or with \`--target-dependents\``
      : `${parent} does not exist; run \`pulumi refresh\`, then \`pulumi up\``,
  );
}

/** The warning of a preview about a name that another resource has. */
export function noteNameInUse(session: ProviderSession, there: LiveResource, isRename: boolean): string {
  const { kind, name, id } = there;
  return session.ledger.has(id)
    ? `\`pulumi up\` cannot give the ${kind.name} its name: ${nameObjection(session, there, isRename).reason}`
    : `the name is taken by the ${kind.name} "${name}" (${id}): unless this run replaces or renames it, ${isRename ? "" : "set `aliases` or `adopt: true`, or "}choose another name`;
}

/** Waits until the engine has asked about another resource, if the program has it. */
export async function awaitWord(
  { run: { clock, signal } }: ProviderSession,
  isKnown: () => boolean,
): Promise<void> {
  for (let waited = 0; waited < patience && !isKnown(); waited += 100) await clock.sleep(100, signal);
}

/** Waits for the resources of this program that give up places and exclusive values in this run. @returns whether all are free */
export async function awaitFree(
  { ledger, warn }: ProviderSession,
  { clock, limits, signal }: Run,
  places: readonly string[],
  what = `the ${places.join(", ")}`,
): Promise<boolean> {
  const limit = Math.min(longestWait, limits.busy);
  const end = new Date(clock.now() + limit);
  for (let attempt = 0; ; attempt += 1) {
    refuseInterrupted(signal);
    if (attempt === 1) warn(longWait({ reason: "name", until: end, subject: what }, clock.now()), true);
    if (places.some((place) => ledger.isExchanged(place)))
      throw new RefusedError(`${what} does not become free: ${exchangeReason}`);
    if (places.every((place) => !ledger.isAt(place, "moved") || ledger.isAt(place, "freed"))) return true;
    const left = end.getTime() - clock.now();
    if (left <= 0) return false;
    await clock.sleep(Math.min(pollDelay(attempt + 1), left), signal);
  }
}

/** Changes a resource, again if another one of the program gives up an exclusive value later: only the server knows who has it. */
export async function withClaims<Result>(
  session: ProviderSession,
  run: Run,
  gained: readonly string[],
  change: () => Promise<Result>,
): Promise<Result> {
  await awaitFree(session, run, gained);
  return change().catch(async (error: unknown) => {
    const isMoved = () => gained.some((claim) => session.ledger.isAt(claim, "moved"));
    if (isTaken(error)) await awaitWord(session, isMoved);
    if (!isTaken(error) || !isMoved()) throw error;
    await awaitFree(session, run, gained);
    return change();
  });
}

function isTaken(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return (error instanceof OperationError && error.code === "exists") || isTaken(error.cause);
}

/** Waits for a resource that gives up a name in this run. @returns the one that keeps it; undefined: the name is free */
export async function awaitName(
  session: ProviderSession,
  place: ResourcePlace,
  run: Run,
  there: LiveResource,
): Promise<LiveResource | undefined> {
  const { ledger } = session;
  await awaitWord(session, () => ledger.has(there.id));
  if (!ledger.isAt(place, "moved")) return there;
  return (await awaitFree(session, run, [placeKey(place)], `the name "${place.name}"`)) ? undefined : there;
}
