import { expect, test } from "vitest";
import {
  approve,
  documents,
  InvalidInputError,
  parsePattern,
  propose,
  readManifests,
  startRun,
} from "../../core/index.ts";
import { useHarness } from "../fixtures/use-harness.ts";

const server = useHarness();

const shop = documents([{ kind: "Project", name: "shop" }]);

test("documents of a program have types, and are checked like manifests: all mistakes at once", () => {
  const mistaken = () =>
    documents([
      // @ts-expect-error a number is no text
      { kind: "Project", name: "shop", description: 7 },
      // @ts-expect-error a job has no field of that name
      { kind: "Job", environment: "shop/staging", name: "a", cpus: 500 },
    ]);
  expect(mistaken).toThrow(InvalidInputError);
  try {
    mistaken();
  } catch (error) {
    const { problems } = error as InvalidInputError;
    expect(problems.map(({ position, address }) => [position?.file, position?.line, address])).toEqual([
      ["documents", 1, "project:shop"],
      ["documents", 2, "job:shop/staging/a"],
    ]);
  }
});

test("documents that contradict each other are refused", async () => {
  await expect(propose(startRun(server.client), server.organization, [...shop, ...shop])).rejects.toThrow(
    "is declared twice",
  );
});

test("a plan with problems is not approved: the default policy consents to nothing, and a protection holds", async () => {
  await server.reconcile([{ kind: "Project", name: "shop" }]);
  await server.forgetRequests();
  const run = startRun(server.client);
  const proposal = await propose(run, server.organization, shop, {
    goal: "destroy",
    policy: { protect: [parsePattern("project:*")] },
  });
  expect(
    await approve(proposal, run, { confirm: () => Promise.resolve(true), onQuota: "fail" }),
  ).toMatchObject({ type: "refused", code: "not_approved", problems: [{ code: "protected" }] });
  expect(await server.writes()).toEqual([]);
});

test("variables in a Map are refused, because its values would be ignored", async () => {
  const variables = new Map([["TAG", "1.4.2"]]) as unknown as Record<string, string>;
  await expect(readManifests(["."], { variables })).rejects.toThrow("variables is a Map");
});

test.each([
  [new Map([["A", "b"]]), "variables is a Map, and its content would be ignored", "Object.fromEntries(map)"],
  [{ A: new Date(0) }, "variables.A is a Date, and its content would be ignored", "write a text"],
])("a document whose variables are %o is refused", (variables, message, advice) => {
  const read = () => documents([{ kind: "Project", name: "shop", variables: variables as never }]);
  expect(read).toThrow(message);
  try {
    read();
  } catch (error) {
    expect((error as InvalidInputError).problems[0]?.advice).toContain(advice);
  }
});
