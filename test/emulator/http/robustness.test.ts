import fc from "fast-check";
import { expect, test } from "vitest";
import * as bodies from "../bodies.ts";
import type { References } from "../bodies.ts";
import { startWorld, unknownId } from "../start-world.ts";
import type { TestWorld } from "../start-world.ts";
import { tries } from "../../fixtures/random-cases.ts";

/** The path to a member of a body, as keys and indexes. */
type Path = (string | number)[];

function pathsOf(value: unknown): Path[] {
  if (typeof value !== "object" || value === null) return [[]];
  const inner = Object.entries(value).flatMap(([key, part]) =>
    pathsOf(part).map((path): Path => [Array.isArray(value) ? Number(key) : key, ...path]),
  );
  return [[], ...inner];
}

/** The same value with another value at one place. */
function replaced(value: unknown, [key, ...rest]: Path, by: unknown): unknown {
  if (key === undefined) return by;
  if (Array.isArray(value))
    return value.map((part, index) => (index === key ? replaced(part, rest, by) : part));
  const members = value as Record<string, unknown>;
  return { ...members, [key]: replaced(members[key], rest, by) };
}

async function references({ client, emulator, organizationPath }: TestWorld): Promise<References> {
  const idOf = async (path: string) => (await client.list(`${organizationPath}/${path}`))[0]?.id ?? "";
  const repository = { name: "charts", kind: "HTTPS", skip_tls_verification: false, config: {} };
  return {
    registryId: emulator.registries[0]?.id ?? "",
    gitTokenId: await idOf("gitToken"),
    helmRepositoryId: (await client.post(`${organizationPath}/helmRepository`, repository)).id,
    annotationsGroupId: await idOf("annotationsGroups"),
    labelsGroupId: await idOf("labelsGroups"),
  };
}

const makers = {
  application: bodies.application,
  container: bodies.container,
  database: bodies.database,
  helm: bodies.helmOfRepository,
  job: bodies.cronJob,
  terraform: bodies.terraform,
};

test("any body is accepted or refused, and all lists still work afterwards", async () => {
  const world = await startWorld({ behaviour: { rate_limit: 0 } });
  const { client, environmentId } = world;
  const known = await references(world);
  const kinds = Object.entries(makers).map(([kind, make]) => {
    const body = make(known, "valid");
    return { kind, body, paths: pathsOf(body) };
  });
  const wrong = fc
    .constantFrom(...kinds)
    .chain((chosen) =>
      fc.record({
        kind: fc.constant(chosen.kind),
        body: fc.constant(chosen.body),
        path: fc.constantFrom(...chosen.paths),
        value: fc.oneof(fc.jsonValue(), fc.constantFrom(unknownId, "__proto__", "constructor")),
      }),
    );
  const statuses = new Set<number>();
  await fc.assert(
    fc.asyncProperty(wrong, async ({ kind, body, path, value }) => {
      const answer = await client.call<{ status?: number }>(
        "POST",
        `/environment/${environmentId}/${kind}`,
        replaced(body, path, value),
      );
      statuses.add(answer.status);
      if (answer.status !== 201) expect(answer.body.status).toBe(answer.status);
    }),
    { numRuns: tries(150) },
  );
  expect([...statuses].toSorted()).toEqual([201, 400, 409]);
  for (const list of ["services", "statuses", "deploymentStage"]) {
    expect((await client.call("GET", `/environment/${environmentId}/${list}`)).status).toBe(200);
  }
});
