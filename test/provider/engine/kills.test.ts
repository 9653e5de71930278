import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { isSoak } from "../../fixtures/fault-kinds.ts";
import type { Harness } from "../../fixtures/harness.ts";
import { frontEnds } from "./front-ends.ts";
import { removeEmptyAttributes } from "./empty-attributes.ts";
import { nothing, start } from "./shop.ts";
import type { Stack } from "./stack.ts";
import { expectWhole, tenResources } from "./ten-resources.ts";
import { seed } from "../../fixtures/random-cases.ts";

/** What becomes of the request at which the engine is killed. */
const moments = {
  "is not carried out": { drop: "before", delay_ms: 2_000 },
  "is carried out, and its answer does not arrive": { status: 500, carry_out: true, delay_ms: 2_000 },
};

/** About as many positions as an `up` without faults sends requests. */
const positions = 16;

const grid = Array.from({ length: positions }, (_unused, position) =>
  Object.entries(moments).flatMap(([what, fault]) =>
    frontEnds.map((frontEnd) => ({ position, what, fault, frontEnd })),
  ),
).flat();

/** One case of each front end, or all in a soak. */
function chosen<Case extends { frontEnd: object }>(cases: readonly Case[]): Case[] {
  return [...Map.groupBy(cases, ({ frontEnd }) => frontEnd).values()].flatMap((its) =>
    its.filter((_case, index) => isSoak || index === (seed * 13) % its.length),
  );
}

/**
 * Starts a command of the engine, kills the engine as soon as there is a file `kill`, and tells whether its provider ends then. Whatever else
 * the engine had started, such as the language host, ends with the test.
 */
const killed = (command: string) => `
  rm -f kill
  setsid pulumi ${command} --yes --skip-preview > killed.log 2>&1 &
  engine=$!
  until [ -e kill ]; do kill -0 $engine 2>/dev/null || exit 2; sleep 0.05; done
  plugin=$(pgrep -P $engine -f pulumi-resource-)
  started=$(pgrep -P $engine)
  kill -9 $engine
  for try in $(seq 600); do kill -0 $plugin 2>/dev/null || break; sleep 0.1; done
  kill -0 $plugin 2>/dev/null && status=1
  for group in $engine $started; do kill -9 -$group 2>/dev/null; done
  echo "$plugin"
  exit \${status:-0}
`;

/** Runs the command until the fault has hit its request, and kills the engine then. False if no request met the fault. */
async function killAt(
  fault: object,
  command: "up" | "destroy",
  { server, stack }: { server: Harness; stack: Stack },
): Promise<boolean> {
  await server.api("POST", "/_emulator/faults", [{ ...fault, times: 1 }]);
  const run = stack.shell(killed(command), "");
  const over = new AbortController();
  void run.finally(() => over.abort());
  const isHit = async () => {
    const { results } = (await server.api("GET", "/_emulator/faults")) as { results: { hits: number }[] };
    return results.some(({ hits }) => hits > 0);
  };
  while (!over.signal.aborted && !(await isHit())) await sleep(20);
  await stack.write("kill", "");
  const { exitCode, stdout, stderr } = await run;
  if (exitCode === 2) return false;
  expect(exitCode, stdout + stderr).toBe(0);
  expect(stdout.trim()).not.toBe("");
  await server.api("DELETE", "/_emulator/faults");
  await stack.shell(removeEmptyAttributes, "");
  await stack.shell("pulumi cancel --yes", "");
  return true;
}

test.for(chosen(grid))(
  "$frontEnd.name: the engine is killed at request $position of an up, which $what: no provider is left, and the next up completes the stack",
  async ({ position, fault, frontEnd }, context) => {
    const { server, stack } = await start(context, tenResources, {}, frontEnd);
    if (!(await killAt({ ...fault, after: position }, "up", { server, stack }))) {
      // The up has ended by itself: it has fewer requests, though at least one for each of its ten resources.
      expect(position).toBeGreaterThanOrEqual(10);
      return;
    }
    expect(await stack.up()).toMatchObject({ exitCode: 0, errors: [] });
    await expectWhole(server, stack);
    expect(await stack.up("--refresh")).toMatchObject(nothing);
  },
);

/** The requests of a destroy of several jobs: the one that deletes them together, and those around it. */
const requestsOfDestroy = {
  "the deletion of several jobs": { method: "POST", path: "/environment/*/service/delete" },
  "the first list": { method: "GET", path: "/environment/*/services" },
  "the list that proves the deletion": { method: "GET", path: "/environment/*/services", after: 1 },
};

const gridOfDestroy = Object.entries(requestsOfDestroy).flatMap(([request, where]) =>
  Object.entries(moments).flatMap(([what, fault]) =>
    frontEnds.map((frontEnd) => ({ request, what, frontEnd, fault: { ...fault, ...where } })),
  ),
);

/** In all but a soak, the engine is killed in the deletion itself. */
const chosenOfDestroy = isSoak ? gridOfDestroy : chosen(gridOfDestroy.slice(0, 4));

test.for(chosenOfDestroy)(
  "$frontEnd.name: the engine is killed at $request, which $what: what is still live is in the state, and another destroy completes it",
  async ({ fault, frontEnd }, context) => {
    const { server, stack } = await start(context, tenResources, {}, frontEnd);
    expect(await stack.up()).toMatchObject({ exitCode: 0, errors: [] });
    expect(await killAt(fault, "destroy", { server, stack })).toBe(true);
    const { resources } = await stack.export();
    const known = new Set(resources.flatMap(({ id }) => id ?? []));
    for (const { id } of (await server.everything()).values()) expect(known).toContain(String(id));
    expect(await stack.destroy()).toMatchObject({ exitCode: 0, errors: [] });
    expect([...(await server.everything()).keys()]).toEqual([]);
  },
);
