import { expect, test } from "vitest";
import { summary } from "../../../fixtures/harness.ts";
import { useHarness } from "../../../fixtures/use-harness.ts";
import { clone, environment, job, project } from "../../../fixtures/documents.ts";

const server = useHarness();

const live = [
  project(),
  { ...environment(), variables: { REGION: "eu" } },
  job("shop/staging/a", { variables: { LEVEL: "debug" }, secrets: { KEY: { from_env: "SHOP_FIRST" } } }),
];
const copy = (declared: object) => clone("Job", "shop/staging/b", "shop/staging/a", { ...declared });
const codesOf = async (declared: object) =>
  (await server.plan([...live, copy(declared)])).problems.map(({ code, message }) => `${code}: ${message}`);

test("a clone states no value that the server would take for the name of a variable of its source", async () => {
  await server.reconcile(live);
  expect(await codesOf({ variables: { A: "LEVEL" } })).toEqual([
    "impossible: Job shop/staging/b: variables.A: its value is the key of another variable, so the API makes it an alias of LEVEL",
  ]);
});

test("a clone states no alias of a variable that neither its source nor a parent has", async () => {
  await server.reconcile(live);
  expect(await codesOf({ variables: { A: { alias_of: "NOWHERE" } } })).toEqual([
    "reference: Job shop/staging/b: variables.A: there is no variable NOWHERE",
  ]);
});

test("a clone states no variable that is a secret of its source", async () => {
  await server.reconcile(live);
  expect(await codesOf({ variables: { KEY: "plain" } })).toEqual([
    "exists: Job shop/staging/b: variables.KEY: KEY is a secret already, and writing the variable would overwrite it",
  ]);
});

test("all mistakes of a clone are reported at once, also that it cannot differ from its source", async () => {
  await server.reconcile(live);
  const problems = await codesOf({
    schedule: { on_start: {} },
    variables: { A: "LEVEL", B: { alias_of: "NOWHERE" }, KEY: "plain" },
  });
  expect(problems.map((problem) => problem.split(":")[0]).toSorted()).toEqual([
    "exists",
    "impossible",
    "impossible",
    "reference",
  ]);
});

test("a clone may name the variables of its source, of its parent, and its own", async () => {
  await server.reconcile(live);
  const documents = [
    ...live,
    copy({
      variables: { A: { alias_of: "LEVEL" }, B: { alias_of: "REGION" }, C: "c", D: { alias_of: "C" } },
    }),
  ];
  await server.reconcile(documents);
  expect(summary(await server.plan(documents))).toEqual([]);
});
