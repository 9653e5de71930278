import { expect, test } from "vitest";
import { createEmulator } from "../../../emulator/index.ts";
import type { Fields } from "../../../core/values/json.ts";
import { environment, job, project } from "../../fixtures/documents.ts";
import { type Connection, run } from "../../fixtures/plan-and-apply.ts";
import { send } from "../../fixtures/send.ts";
import { summary } from "../../fixtures/harness.ts";

const names = (count: number) => Array.from({ length: count }, (_none, index) => `n${index}`);

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
  const emulator = await createEmulator({ behaviour: { rate_limit: 0, ...behaviour } });
  const { url, tokens, organization } = emulator;
  const connection: Connection = { url, token: tokens.admin, organization };
  try {
    await run(connection, documents);
    const { plan } = await run(connection, documents);
    return summary(plan);
  } finally {
    await emulator.close();
  }
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
    await expect(cut).rejects.toThrow(/shows others|may be a part|are a part/);
  },
);
