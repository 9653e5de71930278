import { expect, test } from "vitest";
import { createEmulator } from "../../../emulator/index.ts";
import type { Behaviour } from "../../../emulator/world/behaviour.ts";
import type { Fields } from "../../../core/values/json.ts";
import type { PersistentText } from "../../../core/api/index.ts";
import { environment, job, project } from "../../fixtures/documents.ts";
import { type Connection, run } from "../../fixtures/plan-and-apply.ts";
import { send } from "../../fixtures/send.ts";
import { summary } from "../../fixtures/harness.ts";

const names = (count: number) => Array.from({ length: count }, (_none, index) => `n${index}`);

/** Jobs with variables, and none with a secret. */
const jobs = (environments: number, count: number, variables: number): Fields[] => [
  project(),
  ...names(environments).flatMap((name) => [
    environment(`shop/${name}`),
    ...names(count).map((each) => ({
      ...job(`shop/${name}/${each}`),
      variables: Object.fromEntries(names(variables).map((key) => [key.toUpperCase(), key])),
    })),
  ]),
];

const withVariables = (count: number): Fields[] => [
  project(),
  environment("shop/staging"),
  {
    ...job("shop/staging/a"),
    variables: Object.fromEntries(names(count).map((name) => [name.toUpperCase(), name])),
    secrets: { S: { from_env: "SHOP_FIRST" } },
  },
];

const worlds: Record<string, (length: number, builtIn: number) => Fields[]> = {
  projects: (length) => [
    ...names(length).map((name) => project(name)),
    ...names(length + 1).map((name) => environment(`n0/${name}`)),
  ],
  environments: (length) => [project(), ...names(length).map((name) => environment(`shop/${name}`))],
  variables: (length, builtIn) => withVariables(length - builtIn),
};

/** How many variables a job sees that declares one secret. */
async function variablesOfPlatform(): Promise<number> {
  const emulator = await createEmulator({ behaviour: { rate_limit: 0 } });
  const { url, tokens, organization } = emulator;
  try {
    const { report } = await run({ url, token: tokens.admin, organization }, withVariables(0));
    const id = report.outcomes.find(({ address }) => address.kind.name === "Job")?.resourceId;
    const headers = { authorization: `Token ${tokens.admin}` };
    const { text } = await send(`${url}/variable?parent_id=${id}&scope=JOB`, { method: "GET", headers });
    return (JSON.parse(text) as { results: object[] }).results.length;
  } finally {
    await emulator.close();
  }
}

/** The plan after an apply, on a server that answers with a whole list, whatever page it is asked for, and without a count. */
async function planOn(documents: Fields[], page_cap = Infinity): Promise<string[]> {
  const behaviour = { no_pages: true, ...(page_cap !== Infinity && { page_cap }) };
  return on(behaviour, documents, async (connection) => summary((await run(connection, documents)).plan));
}

async function on<Result>(
  behaviour: Behaviour,
  documents: Fields[],
  act: (connection: Connection) => Promise<Result>,
): Promise<Result> {
  const emulator = await createEmulator({ behaviour: { rate_limit: 0, ...behaviour } });
  const { url, tokens, organization } = emulator;
  const connection: Connection = { url, token: tokens.admin, organization };
  try {
    await run(connection, documents);
    return await act(connection);
  } finally {
    await emulator.close();
  }
}

/** The requests of two plans that read everything, on a machine that knows nothing of the server. */
function costsOn(behaviour: Behaviour, documents: Fields[]): Promise<number[]> {
  let kept: string | undefined;
  const pages: PersistentText = { read: async () => kept, write: async (text) => void (kept = text) };
  return on(behaviour, documents, async (connection) => {
    const costs = [];
    for (let plan = 0; plan < 2; plan += 1)
      costs.push((await run(connection, documents, { client: { pages } })).client.spent.total);
    return costs;
  });
}

test.each(
  Object.keys(worlds).flatMap((what) => [10, 15, 20, 25, 50, 100].map((length) => [length, what] as const)),
)(
  "a whole list of %i %s without a count is taken as whole, and one that is cut to as many is refused",
  async (length, what) => {
    const make = worlds[what];
    if (!make) throw new Error(what);
    const builtIn = what === "variables" ? await variablesOfPlatform() : 0;
    if (length > builtIn) expect(await planOn(make(length, builtIn), undefined)).toEqual([]);
    const cut = planOn(make(Math.max(length, builtIn) + 5, builtIn), Math.max(length, builtIn));
    await expect(cut).rejects.toThrow(/shows others|only a part/);
  },
);

test.each([2, 5, 10])(
  "plans of 100 jobs with %i variables cost a few requests more where no list has a count",
  async (variables) => {
    const documents = jobs(5, 20, variables);
    const [first = 0, later = 0] = await costsOn({}, documents);
    // As docs/guides/budget.md says.
    for (const [behaviour, more] of [
      [{ silent_pages: true }, 6],
      [{ no_pages: true, silent_pages: true }, 11],
    ] as const) {
      const [once, again] = await costsOn(behaviour, documents);
      expect(once, JSON.stringify(behaviour)).toBeLessThanOrEqual(first + more);
      expect(again, JSON.stringify(behaviour)).toBeLessThanOrEqual(later + more);
    }
  },
);

const spare = (count: number): Fields[] => [
  project("spare"),
  ...names(count).map((name) => environment(`spare/${name}`)),
];

test.each([
  ["15 variables", jobs(2, 3, 15 - 10)],
  ["20 variables, in a small organization", jobs(2, 3, 20 - 10)],
  ["20 projects with a single environment", [...names(19).map((name) => project(name)), ...spare(1)]],
  ["20 variables, in an organization with 21 jobs", jobs(3, 7, 20 - 10)],
  ["20 variables, once the organization has 21 environments", [...jobs(1, 3, 20 - 10), ...spare(20)]],
  [
    "20 projects, once the organization has 21 environments",
    [...names(19).map((name) => project(name)), ...spare(21)],
  ],
])("a whole list without a count is taken as whole without a secret: %s", async (_what, documents) => {
  expect(await planOn(documents)).toEqual([]);
});

test("a list without a count is refused where nothing shows that it is whole, and another is as long", async () => {
  await expect(planOn(jobs(3, 8, 25 - 10), 20)).rejects.toThrow(/20 elements may be only a part/);
});
