import { expect, test } from "vitest";
import { readAccess } from "../../../reconciler/people/access-file.ts";
import { application, job, shop } from "../../fixtures/manifests.ts";
import { startBench } from "../fixture.ts";

/** What an access file says of the repository. */
function boundsIn(text: string) {
  const { rules, problems } = readAccess(text, "access.yaml");
  expect(problems).toEqual([]);
  return { commitRules: async () => rules };
}

test("a commit beyond the limits of the operator has a mistake, with its place, and nothing of it is applied", async () => {
  const commitRules = boundsIn("limits: { environments: [shop/**], kinds: [Project, environment, JOB] }");
  const bench = await startBench({}, "admin", {}, {}, undefined, commitRules);
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
        message: "application:shop/staging/api is outside the limits of this repository",
        position: { file: "infra/api.yaml" },
      },
      { message: "project:other is outside the limits of this repository" },
    ],
  });
  expect((await bench.server.everything()).get("shop/staging/JOB a")?.["cpu"]).toBe(500);
});

test("a resource that no document declares is subject to the limits too: a prune keeps it", async () => {
  const limited = boundsIn("limits: { kinds: [Project, Environment, Job] }");
  let commitRules = boundsIn("{}").commitRules;
  const bench = await startBench({ prune: true }, "admin", {}, {}, undefined, {
    commitRules: () => commitRules(),
  });
  const pruning = shop.replace("mode: STAGING", "mode: STAGING\nmanage: { prune: true }");
  bench.repository.push({ "infra/shop.yaml": pruning, "infra/api.yaml": application("api") });
  await bench.cycle();
  ({ commitRules } = limited);
  bench.repository.push({ "infra/api.yaml": undefined });
  expect((await bench.cycle()).end).toMatchObject({
    type: "blocked",
    problems: [{ message: "application:shop/staging/api is outside the limits of this repository" }],
  });
  expect((await bench.server.everything()).has("shop/staging/APPLICATION api")).toBe(true);
});

const theirs =
  "kind: Project\nname: theirs\n---\nkind: Environment\nproject: theirs\nname: live\nmode: STAGING\n";

test.each<[string, (id: string) => string, string]>([
  [
    "renames a project",
    () => "kind: Project\nname: shop\nmanage: { renamed_from: theirs }\n",
    "project:theirs is outside the limits",
  ],
  ["names a project by its id", (id) => `kind: Project\nname: shop\nmanage: { id: ${id} }\n`, "by its id"],
  [
    "clones an environment",
    () =>
      "kind: Project\nname: shop\n---\nkind: Environment\nproject: shop\nname: copy\nmode: STAGING\nclone: { from: theirs/live }\n",
    "environment:theirs/live is outside the limits",
  ],
  [
    "makes previews of an environment",
    () => "policy",
    "previews: environment:theirs/live is outside the limits",
  ],
])("a commit that %s beyond the limits has a mistake, and nothing is sent", async (_what, text, message) => {
  const commitRules = boundsIn("limits: { environments: [shop/**] }");
  const bench = await startBench({}, "admin", {}, {}, undefined, commitRules);
  await bench.server.reconcile(theirs);
  const given = text(await bench.server.idOf("theirs"));
  bench.repository.push(
    given === "policy"
      ? { "infra/shop.yaml": shop, "infra/infrasync.reconcile.yaml": "previews: { from: theirs/live }\n" }
      : { "infra/shop.yaml": given },
  );
  await bench.server.forgetRequests();
  expect((await bench.cycle()).end).toMatchObject({
    type: "invalid",
    problems: [{ message: expect.stringContaining(message) }],
  });
  expect(await bench.server.writes()).toEqual([]);
});

test("fields that the operator leaves to others are no drift in any document of the kind, and others are", async () => {
  const commitRules = boundsIn("ignore: [{ kinds: [Job], fields: [cpu], environments: [shop/staging] }]");
  const bench = await startBench({}, "admin", { onDrift: "apply" }, {}, undefined, commitRules);
  bench.repository.push({ "infra/shop.yaml": shop + job("a", "cpu: 500\nmemory: 512") });
  expect((await bench.cycle()).end.type).toBe("applied");
  const live = async () => (await bench.server.everything()).get("shop/staging/JOB a");
  expect(await live()).toMatchObject({ cpu: 500 });
  await bench.server.reconcile(shop + job("a", "cpu: 750\nmemory: 1024"));
  expect((await bench.cycle()).end.type).toBe("undone");
  expect(await live()).toMatchObject({ cpu: 750, memory: 512 });
  bench.repository.push({ "infra/shop.yaml": shop + job("a", "cpu: 250\nmemory: 512") });
  await bench.cycle();
  expect(await live()).toMatchObject({ cpu: 750 });
});

test.each([
  ["roles: [{ role: boss, group: a }]", "access.yaml:1"],
  ["roles: [{ role: see }]", "a role needs either a group or a token"],
  ["roles: [{ role: see, group: a, token_file: t, name: n }]", "a role needs either a group or a token"],
  ["roles: [{ role: see, token_file: t }]", "a token needs a name"],
  ["roles: [{ role: see, group: a, environments: ['shop/a/b'] }]", "is not a pattern of environments"],
  ["limits: { kinds: [CronJob] }", "use Job"],
  ["limits: { kinds: [Jobb] }", '"Jobb" is not a kind'],
  ["sign_in: { issuer: http://login.example.com, client_id: a, url: https://b }", "is not an https URL"],
  ["sign_in: { issuer: https://a, client_id: a, url: https://b/infrasync }", "write https://b,"],
  ["sign_in: { issuer: https://a, client_id: a, url: 'https://b?x' }", "has more than a host"],
  ["ignore: [{ kinds: [Jobb], fields: [cpu] }]", '"Jobb" is not a kind'],
  ["ignore: [{ kinds: [Job], fields: [cpuu] }]", '"cpuu" is not a field'],
  ["colour: red", "colour"],
  ["- a", "must be a mapping"],
])("the access file %j is refused, and gives nobody a role", (text, message) => {
  const { rules, problems } = readAccess(text, "access.yaml");
  const said = problems
    .map((each) => `${each.position?.file}:${each.position?.line} ${each.message}: ${each.advice}`)
    .join("\n");
  expect(said).toContain(message);
  expect(rules).toEqual({ roles: [], limits: {}, ignored: [] });
});
