import { expect, test } from "vitest";
import { readAccess } from "../../../reconciler/people/access-file.ts";
import { application, job, shop } from "../../fixtures/manifests.ts";
import { startBench } from "../fixture.ts";

/** What an access file says of the repository. */
function limitsIn(text: string) {
  const { rules, problems } = readAccess(`limits: ${text}`, "access.yaml");
  expect(problems).toEqual([]);
  return rules.limits;
}

test("a commit beyond the limits of the operator has a mistake, with its place, and nothing of it is applied", async () => {
  const limits = limitsIn("{ environments: [shop/**], kinds: [Project, Environment, Job] }");
  const bench = await startBench({}, "admin", {}, {}, undefined, { limits: async () => limits });
  bench.repository.push({ "infra/shop.yaml": shop + job("a", "cpu: 500") });
  expect((await bench.cycle()).end.type).toBe("applied");
  bench.repository.push({
    "infra/shop.yaml": shop + job("a", "cpu: 750"),
    "infra/api.yaml": application("api"),
    "infra/other.yaml": "kind: Project\nname: other\n",
  });
  expect((await bench.cycle()).end).toMatchObject({
    type: "invalid",
    problems: [
      {
        message: "application:shop/staging/api is beyond what this repository may change",
        position: { file: "infra/api.yaml" },
      },
      { message: "project:other is beyond what this repository may change" },
    ],
  });
  expect((await bench.server.everything()).get("shop/staging/JOB a")?.["cpu"]).toBe(500);
});

test("what no document describes is beyond the limits too: a prune leaves it alone", async () => {
  const limits = limitsIn("{ kinds: [Project, Environment, Job] }");
  const bench = await startBench({ prune: true }, "admin", {}, {}, undefined, { limits: async () => limits });
  const pruning = shop.replace("mode: STAGING", "mode: STAGING\nmanage: { prune: true }");
  await bench.server.reconcile(pruning + application("api"));
  bench.repository.push({ "infra/shop.yaml": pruning });
  expect((await bench.cycle()).end).toMatchObject({
    type: "blocked",
    problems: [{ message: "application:shop/staging/api is beyond what this repository may change" }],
  });
  expect((await bench.server.everything()).has("shop/staging/APPLICATION api")).toBe(true);
});

test.each([
  ["roles: [{ role: boss, group: a }]", "access.yaml:1"],
  ["roles: [{ role: see }]", "a role is for a group or for a token"],
  ["roles: [{ role: see, group: a, token_file: t, name: n }]", "a role is for a group or for a token"],
  ["roles: [{ role: see, token_file: t }]", "a token has a name"],
  ["roles: [{ role: see, group: a, environments: ['shop'] }]", "is not a pattern of environments"],
  ["limits: { kinds: [Jobb] }", '"Jobb" is not a kind'],
  ["sign_in: { issuer: http://login.example.com, client_id: a, url: https://b }", "is not an https URL"],
  ["colour: red", "colour"],
  ["- a", "must be a mapping"],
])("the access file %j is refused, and gives nobody a role", (text, message) => {
  const { rules, problems } = readAccess(text, "access.yaml");
  const said = problems
    .map((each) => `${each.position?.file}:${each.position?.line} ${each.message}`)
    .join("\n");
  expect(said).toContain(message);
  expect(rules).toEqual({ roles: [], limits: {} });
});
