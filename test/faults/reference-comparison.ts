// What test/faults shows: whatever goes wrong on the way, one more run that nothing disturbs brings a server to the very
// state that it has when nothing ever goes wrong. Faults of answers and quirks of servers are in schedules.ts, processes
// killed at random or at every boundary of a request in kills.ts, full and failing disks in disk.test.ts, several
// processes at once in together.test.ts and budget.test.ts, the token in what is printed in canary.test.ts. `npm test`
// runs a few of each, `npm run soak` runs them at full length.
import assert from "node:assert/strict";
import { inspect } from "node:util";
import { costOf, parsePattern, type Policy } from "../../core/index.ts";
import type { Fields } from "../../core/values/json.ts";
import type { ServerOptions, States } from "./random-schedules.ts";
import { canary, seed } from "./untouched-project.ts";
import { secretEnvironment } from "../fixtures/random-parts.ts";
import { FaultyServer } from "../fixtures/faulty-server.ts";
import { bystandersOf, deployedIn, idsOf, nameOf, stateOf } from "./server-state.ts";

/** A policy that allows everything. */
export const policy = { prune: true, allowReplace: [parsePattern("**")] };

/** Long enough for a server that responds: a run that does not end by itself is a bug of infrasync. */
export const limits = { clone: 600_000, deletion: 600_000, busy: 600_000 };

/** Pairs of servers with the same options: a test disturbs the first, the second is the reference. */
export class ReferenceComparison {
  readonly #pairs = new Map<string, Promise<[subject: FaultyServer, reference: FaultyServer]>>();

  async [Symbol.asyncDispose](): Promise<void> {
    const pairs = await Promise.all(this.#pairs.values());
    await Promise.all(pairs.flat().map((stage) => stage[Symbol.asyncDispose]()));
  }

  /**
   * Brings a server to a state, lets things go wrong on its way to the next, and then tries once more, undisturbed.
   *
   * @param disturb gets the server, and how many requests it takes when nothing goes wrong
   * @throws AssertionError when the end is not what it is on a server on which nothing has gone wrong
   */
  async compare(
    { server, before, after, deploys = false }: States & { server: ServerOptions },
    disturb: (subject: FaultyServer, requests: number) => Promise<void>,
  ): Promise<void> {
    const [subject, reference] = await this.#pair(server);
    const deploying = { ...policy, deploy: deploys };
    const hasStages = [...before, ...after].some(({ kind }) => kind === "DeploymentStage");
    for (const stage of [subject, reference]) stage.hasStages = hasStages;
    await Promise.all([subject, reference].map((stage) => begin(stage, before, deploying)));
    const both = () => Promise.all([subject.everything(), reference.everything()]);
    const [subjectBefore, referenceBefore] = await both();
    const { client, plan: foreseen } = await reference.succeed(after, { policy: deploying, limits });
    const requests = client.spent.total;
    if (server.clone_delay_ms + server.delete_delay_ms === 0) {
      const { planning, applying } = costOf(foreseen);
      // Once, a list that changes while its pages are read is read again, in up to six requests: two pages, two witnesses, two pages.
      assert(
        requests <= planning + applying + 6,
        `the plan foresees ${planning} + ${applying} requests of ${requests}`,
      );
    }

    await disturb(subject, requests);
    await subject.succeed(after, { policy: deploying, limits });

    const { plan } = await subject.run(after, { policy: deploying });
    assert.deepEqual(
      plan.actions.filter(({ type }) => type !== "none").map(({ id }) => id),
      [],
      "one more run leaves nothing to do",
    );
    const [subjectAfter, referenceAfter] = await both();
    const hasParts = [...before, ...after].some(({ variables, secrets }) => variables ?? secrets);
    const [actual, expected] = await Promise.all([
      stateOf(subject, subjectAfter, hasParts),
      stateOf(reference, referenceAfter, hasParts),
    ]);
    assert.deepEqual(actual.resources, expected.resources, "the end is as if nothing had gone wrong");
    const isOnce = (event: string): boolean => !subject.madeTwice.has(event.split(" ").slice(2).join(" "));
    const [itsEvents, events] = [actual.events.filter(isOnce), expected.events.filter(isOnce)];
    assert.deepEqual(itsEvents, events, "nothing is made or deleted twice");
    const declared = new Set(
      after.map(({ environment, name }) => `${String(environment)}/${String(name)}`.toLowerCase()),
    );
    const [itsDeployed, deployed] = await Promise.all([
      deployedIn(subject, subjectAfter),
      deployedIn(reference, referenceAfter),
    ]);
    // A cloned environment is deployed as a whole by the run that clones it, and by no other.
    const counts = ([path]: [string, string]): boolean => declared.has(nameOf(path).toLowerCase());
    assert.deepEqual(itsDeployed.filter(counts), deployed.filter(counts), "what is declared is deployed");
    const isRequestedFor = ([path, status]: [string, string]): boolean =>
      status === "NEVER_DEPLOYED" || (deploys && path.startsWith("shop/"));
    assert.deepEqual(
      itsDeployed.filter((each) => !isRequestedFor(each)),
      deployed.filter((each) => !isRequestedFor(each)),
      "nothing is deployed that nobody asked for",
    );
    assert.deepEqual(
      kept(idsOf(subjectBefore), idsOf(subjectAfter)),
      kept(idsOf(referenceBefore), idsOf(referenceAfter)),
      "what is not replaced stays the same resource",
    );
    assert.equal(
      bystandersOf(subjectAfter),
      bystandersOf(subjectBefore),
      "nothing outside of the manifests is touched",
    );
  }

  #pair(server: ServerOptions): Promise<[FaultyServer, FaultyServer]> {
    const key = JSON.stringify(server);
    const open = () =>
      FaultyServer.open({ clock: "real", behaviour: { ...server, deploy_delay_ms: 10 }, seed });
    const pair = this.#pairs.get(key) ?? Promise.all([open(), open()]);
    this.#pairs.set(key, pair);
    return pair;
  }
}

/** Brings a server to the first state; its deployments are over. */
async function begin(
  stage: FaultyServer,
  documents: readonly Fields[],
  deploying: Partial<Policy>,
): Promise<void> {
  await stage.reset();
  await stage.succeed(documents, { policy: deploying, limits, wait: 600_000 });
}

/** Throws when a value contains the token or a secret anywhere. */
export function refuseCanary(value: unknown): void {
  const text = JSON.stringify(value, whole);
  for (const secret of [canary, ...Object.values(secretEnvironment)])
    assert(!text.includes(secret), `the token or a secret shows in ${text}`);
}

/** Errors and maps with all that they have; the kind of an address is the same in every run, and long. */
function whole(member: string, value: unknown): unknown {
  if (value instanceof Error)
    return inspect(value, { depth: 20, showHidden: true, maxStringLength: null, maxArrayLength: null });
  if (value instanceof Map || value instanceof Set) return [...value];
  return member === "kind" && typeof value === "object" ? undefined : value;
}

/** The paths whose resource is the same before and after. */
function kept(before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>): string[] {
  return [...before].flatMap(([path, id]) => (after.get(path) === id ? [path] : [])).toSorted();
}
