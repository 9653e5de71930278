import { describe, expect, test } from "vitest";
import { lossesOf } from "../../../../core/planning/plan/index.ts";
import { adviceOf } from "../../../../cli/render/remedies.ts";
import { Harness } from "../../../fixtures/harness.ts";
import { job } from "../../../fixtures/manifests.ts";
import { secretEnvironment } from "../../../fixtures/random-parts.ts";

const [from = ""] = Object.keys(secretEnvironment);
const secret = `{ from_env: ${from} }`;

/** What the project has, and then declares. The environment between it and the job has no change. */
const above = {
  "has nothing": ["", ""],
  "has a variable": ["variables: { PV: open }\n", "variables: { PV: open }\n"],
  "has a secret": [`secrets: { PV: ${secret} }\n`, `secrets: { PV: ${secret} }\n`],
  "gets a variable": ["", "variables: { PV: open }\n"],
  "gets a secret": ["", `secrets: { PV: ${secret} }\n`],
  "loses a variable": ["variables: { PV: open }\n", "variables: { PV: null }\n"],
  "loses a secret": [`secrets: { PV: ${secret} }\n`, "secrets: { PV: null }\n"],
  "makes a variable a secret": [
    "variables: { PV: open }\n",
    `variables: { PV: null }\nsecrets: { PV: ${secret} }\n`,
  ],
  "makes a secret a variable": [
    `secrets: { PV: ${secret} }\n`,
    "secrets: { PV: null }\nvariables: { PV: open }\n",
  ],
} as const;

const below = {
  "has a variable": "variables: { PV: own }\n",
  "has a secret": `secrets: { PV: ${secret} }\n`,
  "overrides a variable": "variables: { PV: { value: own, overrides: true } }\n",
  "overrides a secret": `secrets: { PV: { from_env: ${from}, overrides: true } }\n`,
  "has an alias": "variables: { A: { alias_of: PV } }\n",
};

const documents = (project: string, rest: string) =>
  `kind: Project\nname: shop\n${project}---\nkind: Environment\nproject: shop\nname: staging\ncluster: eu-west\n${rest}`;

describe.each(Object.keys(above) as (keyof typeof above)[])("a project that %s", (change) => {
  const [before, after] = above[change];

  test.each(Object.keys(below) as (keyof typeof below)[])(
    "and a job that %s: the plan refuses it, or one apply leaves nothing to do",
    async (use) => {
      // A job beside it refers to what the project has before.
      for (const earlier of ["", ...Object.values(below)]) {
        await using server = await Harness.start();
        const first = await server.plan(documents(before, job("own", earlier)));
        if (first.problems.length > 0) continue;
        await server.apply(first);
        const desired = documents(after, job("own", below[use]) + job("new", below[use]));
        const plan = await server.plan(desired);
        if (plan.problems.length > 0) continue;
        const { outcomes } = await server.apply(plan);
        expect(outcomes.filter(({ status }) => status !== "done")).toEqual([]);
        const { actions, problems } = await server.plan(desired);
        expect({ left: actions.filter(({ type }) => type !== "none"), problems }).toEqual({
          left: [],
          problems: [],
        });
      }
    },
  );
});

test.each([
  ["makes a variable a secret", "has an alias"],
  ["makes a secret a variable", "has an alias"],
  ["makes a variable a secret", "overrides a variable"],
] as const)(
  "a project that %s, and a job that %s: nothing of the job is announced as lost, and nothing is",
  async (change, use) => {
    await using server = await Harness.start();
    const [before, after] = above[change];
    const inside = job("own", below[use]);
    await server.reconcile(documents(before, inside));
    const id = await server.idOf("shop/staging/JOB own");
    const keys = async () =>
      (await server.results(`/variable?parent_id=${id}&scope=JOB`))
        .filter(({ scope }) => scope === "JOB")
        .map(({ key }) => key);
    const earlier = await keys();
    const plan = await server.plan(documents(after, job("own")));
    expect(lossesOf(plan.actions).map(({ loss }) => loss.name)).toEqual(["PV"]);
    await server.apply(plan);
    expect(await keys()).toEqual(earlier);
  },
);

test("a server that has to remove a variable before it is a secret, and with it an alias that the plan does not name: it stays", async () => {
  await using server = await Harness.start({ behaviour: { refuses_existing_variables: true } });
  const [before, after] = above["makes a variable a secret"];
  await server.reconcile(documents(before, job("own", below["has an alias"])));
  const { outcomes } = await server.apply(await server.plan(documents(after, job("own"))));
  expect(outcomes[0]).toMatchObject({
    status: "failed",
    message: expect.stringContaining("nothing was removed"),
  });
  expect((await server.writes()).filter(({ method }) => method === "DELETE")).toEqual([]);
});

test.each([
  [
    "has a secret",
    "overrides a variable",
    "variables.PV: in a parent, PV is a secret, so only a secret can override it | declare it under secrets, or remove overrides",
  ],
  [
    "has a variable",
    "overrides a secret",
    "secrets.PV: in a parent, PV is a variable, so only a variable can override it | declare it under variables, or remove overrides",
  ],
  [
    "loses a variable",
    "overrides a variable",
    "variables.PV: no parent has a variable PV | remove overrides, or correct the key",
  ],
] as const)(
  "a project that %s and a job that %s: the refusal says what to do",
  async (change, use, refusal) => {
    await using server = await Harness.start();
    const [before, after] = above[change];
    await server.reconcile(documents(before, ""));
    const { problems } = await server.plan(documents(after, job("own", below[use])));
    expect(problems.map((problem) => `${problem.message} | ${adviceOf(problem)}`)).toEqual([
      `Job shop/staging/own: ${refusal}`,
    ]);
  },
);
