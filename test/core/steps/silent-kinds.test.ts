import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Fields } from "../../../core/values/json.ts";
import {
  documentOf,
  helmRepositories,
  holdersOf,
  nameFor,
  randomKinds,
  sample,
} from "../../fixtures/every-kind.ts";
import { steppingClock } from "../../fixtures/fast-clock.ts";
import { summary } from "../../fixtures/harness.ts";
import { useHarness } from "../../fixtures/use-harness.ts";
import { Hostile } from "../../fixtures/hostile-server.ts";
import { run } from "../../fixtures/plan-and-apply.ts";
import { allow } from "../../fixtures/policy.ts";
import { arbitraryFields } from "../../fixtures/random-documents.ts";

const harness = useHarness({ seed: { helm_repositories: helmRepositories } });

const seed = 1;
const updated = randomKinds.filter(
  // A member is an invitation until the person accepts it.
  ({ name, fields: { properties = {} } }) =>
    name !== "Member" &&
    Object.values(properties).some(({ immutable, place }) => !immutable && place !== "engine"),
);

/** Documents of which the last one needs an update that sends a PUT. */
async function needingUpdate(kind: (typeof updated)[number]): Promise<Fields[]> {
  const holders = holdersOf(kind, seed);
  const document = documentOf(kind, nameFor(kind, "one"), sample(kind, seed));
  await harness.reconcile([...holders, document]);
  const immutable = kind.names?.immutable === undefined ? "without" : "with";
  for (const fields of fc.sample(arbitraryFields(kind, "partial", immutable, "with"), { numRuns: 8, seed })) {
    const documents = [...holders, { ...document, ...fields }];
    if (summary(await harness.plan(documents)).some((line) => line.startsWith("update"))) return documents;
  }
  throw new Error(`no sample changes the ${kind.name}`);
}

/** Applies documents to a server that answers each PUT with 204. */
async function silently(documents: Fields[], isDone: boolean) {
  let silenced = 0;
  await using hostile = await Hostile.open(harness.emulator.url, async ({ method, pass }) => {
    if (method !== "PUT") return undefined;
    silenced += 1;
    if (isDone) await pass();
    return { status: 204, body: "" };
  });
  const { emulator, organization } = harness;
  const connection = { url: hostile.url, token: emulator.tokens.admin, organization };
  const { report } = await run(connection, documents, { clock: steppingClock(), policy: allow("**") });
  const outcome = report.outcomes.find(({ type }) => type !== "none");
  return { outcome, silenced };
}

describe.each(updated)("$name", (kind) => {
  test("an update whose PUTs are answered with 204 is done where they were carried out, and pending where not", async () => {
    const documents = await needingUpdate(kind);
    const lost = await silently(documents, false);
    if (lost.silenced > 0) expect(lost.outcome).toMatchObject({ status: "pending", code: "pending" });
    const done = await silently(documents, true);
    expect(done.outcome).toMatchObject({ status: "done" });
    expect(summary(await harness.plan(documents))).toEqual([]);
  });
});
