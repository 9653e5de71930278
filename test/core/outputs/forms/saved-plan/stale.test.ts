import { describe, expect, test } from "vitest";
import { parsePattern } from "../../../../../core/index.ts";
import { kindOf } from "../../../../../core/model/kinds/index.ts";
import { makeAction } from "../../../../../core/planning/plan/index.ts";
import { comparePlans } from "../../../../../core/execution/session/index.ts";
import { database, job, shop } from "../../../../fixtures/manifests.ts";
import { useHarness } from "../../../../fixtures/use-harness.ts";
import { allow } from "../../../../fixtures/policy.ts";
import { applySaved, saved } from "../../../../fixtures/saved-plans.ts";

const server = useHarness();

const applied = { ended: "applied", why: [] };
const stale = (...why: string[]) => ({
  ended: "stale_plan",
  why: why.map((text) => `the plan is stale: ${text}`),
});
const pruned = shop.replace("mode: STAGING", "mode: STAGING\nmanage: { prune: true }");
const newVariable = async (path: string, scope: string, key = "NEW", isSecret = false) =>
  server.api("POST", "/variable", {
    key,
    value: "1",
    is_secret: isSecret,
    variable_scope: scope,
    variable_parent_id: await server.idOf(path),
  });

describe("a saved plan", () => {
  test("is carried out while nothing that it changes has changed, whatever else has", async () => {
    await server.reconcile(shop + job("a") + job("b"));
    const plan = await saved(server, shop + job("a", "cpu: 750") + job("b") + job("new"));
    await server.reconcile(shop + job("b", "cpu: 750"));
    expect(await applySaved(server, plan)).toEqual(applied);
  });

  test("is stale when what it changes has changed, appeared or disappeared", async () => {
    await server.reconcile(shop + job("a") + job("gone"));
    const plan = await saved(server, shop + job("a", "cpu: 750") + job("gone", "cpu: 750") + job("new"));
    await server.reconcile(shop + job("a", "memory: 1024") + job("new"));
    await server.api("DELETE", `/job/${await server.idOf("shop/staging/JOB gone")}`);
    expect(await applySaved(server, plan)).toEqual(
      stale(
        "job:shop/staging/a, or something in it, has been changed since",
        "job:shop/staging/gone has disappeared since",
        "job:shop/staging/new has appeared since",
      ),
    );
  });

  test("says why it would not delete something any more", async () => {
    const names = ["gone", "renamed", "protected", "declared", "changed"];
    await server.reconcile(pruned + names.map((name) => job(name)).join(""));
    const plan = await saved(server, pruned + job("changed", "cpu: 750"), { prune: true });
    const put = async (name: string, change: object) => {
      const path = `/job/${await server.idOf(`shop/staging/JOB ${name}`)}`;
      await server.api("PUT", path, {
        ...(await server.everything()).get(`shop/staging/JOB ${name}`),
        ...change,
      });
    };
    await server.api("DELETE", `/job/${await server.idOf("shop/staging/JOB gone")}`);
    await put("renamed", { name: "other" });
    await put("changed", { name: "another" });
    const protect = ["job:shop/staging/protected"].map((text) => parsePattern(text));
    const { ended, why } = await applySaved(server, plan, { protect });
    expect(ended).toBe("stale_plan");
    expect(why).toEqual(
      expect.arrayContaining([
        "the plan is stale: job:shop/staging/gone has disappeared since, or would not be deleted any more",
        "the plan is stale: job:shop/staging/renamed has disappeared since, or would not be deleted any more",
        "the plan is stale: job:shop/staging/changed has disappeared since",
        'the plan is stale: job:shop/staging/protected would not be deleted any more: not pruned, because it is protected by the pattern "job:shop/staging/protected"',
      ]),
    );
  });

  test("is stale when a service or a stage that it moves has been moved since, and not before", async () => {
    const stage = (name: string, more = "") =>
      `---\nkind: DeploymentStage\nenvironment: shop/staging\nname: ${name}\n${more}`;
    const nightly = (name: string) => job("nightly", `deployment_stage: ${name}`);
    await server.reconcile(shop + stage("a") + stage("b") + stage("c") + nightly("a"));
    const plan = await saved(
      server,
      shop + stage("new") + stage("a", "after: b\n") + stage("b") + nightly("new"),
    );
    await server.reconcile(shop + nightly("b"));
    await server.reconcile(shop + stage("a", "after: c\n") + stage("c"));
    expect(await applySaved(server, plan)).toEqual(
      stale(
        "deploymentstage:shop/staging/a has changed since: it would not be updated any more",
        "job:shop/staging/nightly would be updated differently now: deployment_stage",
      ),
    );
  });

  test("is stale when a change that it makes has been made", async () => {
    await server.reconcile(shop + job("a"));
    const documents = shop + job("a", "cpu: 750");
    const plan = await saved(server, documents);
    expect(await applySaved(server, plan)).toEqual(applied);
    expect(await applySaved(server, plan)).toEqual(
      stale("job:shop/staging/a has changed since: it would not be updated any more"),
    );
  });

  test("renames an environment and changes what is in it", async () => {
    await server.reconcile(shop + job("a"));
    const renamed = shop.replace("name: staging", "name: p2\nmanage: { renamed_from: staging }");
    const plan = await saved(server, renamed + job("a", "cpu: 750", "shop/p2"));
    expect(await applySaved(server, plan)).toEqual(applied);
    expect([...(await server.everything()).keys()]).toContain("shop/p2/JOB a");
  });
});

test("of two resources with one address, each is compared with itself", () => {
  const address = { kind: kindOf("Job"), names: ["shop", "staging", "a"] };
  const deletion = (resourceId: string, id: string) =>
    makeAction({ type: "delete", address, parent: { id: "staging" }, resourceId, id });
  const [one, other] = [deletion("1", "any id"), deletion("2", "another id")];
  expect(comparePlans({ actions: [] }, { actions: [one, other] }).own).toEqual([one, other]);
  expect(comparePlans({ actions: [other] }, { actions: [one, other] })).toMatchObject({
    own: [one],
    earlier: [other],
  });
});

describe("a replayed plan", () => {
  test("does not delete a secret that is a new one", async () => {
    await server.reconcile(shop + job("a", "secrets: { KEY: { from_env: SHOP_FIRST } }"));
    const plan = await saved(server, shop + job("a", "secrets: { KEY: null }"));
    await server.advance(1000);
    expect(await applySaved(server, plan)).toEqual(applied);
    await newVariable("shop/staging/JOB a", "JOB", "KEY", true);
    await server.forgetRequests();
    expect(await applySaved(server, plan)).toEqual(
      stale("job:shop/staging/a would be updated differently now: it would lose another secret KEY"),
    );
    expect(await server.writes()).toEqual([]);
  });

  test("does not delete a service that is a new one", async () => {
    await server.reconcile(pruned + job("a") + job("b"));
    const plan = await saved(server, pruned + job("a"), { prune: true });
    expect(await applySaved(server, plan)).toEqual(applied);
    await server.reconcile(pruned + job("b"));
    expect(await applySaved(server, plan)).toMatchObject({ ended: "stale_plan" });
    expect([...(await server.everything()).keys()]).toContain("shop/staging/JOB b");
  });
});

describe("a saved plan asks every rule again", () => {
  test("the last owner stays", async () => {
    const grace = { kind: "Member", name: "grace@acme.example", role: "Owner" };
    await server.reconcile([grace]);
    const invitations = `/organization/${server.organization.id}/inviteMember`;
    const [invitation] = await server.results(invitations);
    await server.api("POST", `${invitations}/${String(invitation?.["id"])}`);
    const plan = await saved(server, [grace], {}, "destroy");
    await server.reconcile([{ kind: "Member", name: "ada@acme.example", role: "Admin" }]);
    expect(await applySaved(server, plan)).toEqual({
      ended: "not_approved",
      why: [`member:${grace.name} cannot be deleted: it is the last owner of the organization`],
    });
  });

  test("a resource in use stays", async () => {
    const role = { kind: "CustomRole", name: "deployers" };
    await server.reconcile([role]);
    const plan = await saved(server, [role], {}, "destroy");
    await server.reconcile([{ kind: "ApiToken", name: "ci", description: "for CI", role: "deployers" }]);
    expect((await applySaved(server, plan)).why).toEqual([
      "customrole:deployers cannot be deleted: apitoken:ci refers to it",
    ]);
  });

  test("a token that the run uses", async () => {
    const token = { kind: "ApiToken", name: "ci", description: "for CI", role: "Deploy" };
    await server.reconcile([token]);
    const plan = await saved(server, [token], {}, "destroy");
    expect(await applySaved(server, plan, { ownToken: "ci" })).toEqual({
      ended: "not_approved",
      why: ["apitoken:ci cannot be deleted: this run uses it"],
    });
    expect(await applySaved(server, plan)).toEqual(applied);
  });
});

describe("conditions at the apply of a saved plan", () => {
  const protect = (...texts: string[]) => ({ protect: texts.map((text) => parsePattern(text)) });

  test("is a protection, at every level", async () => {
    await server.reconcile(pruned + job("a"));
    await server.api("POST", `/environment/${await server.idOf("shop/staging")}/database`, database);
    const plan = await saved(server, pruned + job("a"), { prune: true }, "destroy");
    expect(await applySaved(server, plan, protect("*:shop/staging/d*"))).toEqual({
      ended: "not_approved",
      why: [
        'database:shop/staging/db cannot be deleted: it is protected by the pattern "*:shop/staging/d*", and would be deleted with environment:shop/staging',
      ],
    });
    expect(await applySaved(server, plan, protect("job:**"))).toMatchObject({ ended: "not_approved" });
    expect(await applySaved(server, plan, protect("lab/**"))).toEqual(applied);
  });

  test.each(["shop/p2/**", "shop/staging/**"])(
    "is the protection %s of an environment that the plan renames",
    async (text) => {
      const renamed = shop.replace("name: staging", "name: p2\nmanage: { renamed_from: staging }");
      await server.reconcile(shop + job("a", "variables: { OLD: '1' }"));
      const plan = await saved(server, renamed + job("a", "variables: { OLD: null }", "shop/p2"));
      const { ended, why } = await applySaved(server, plan, protect(text));
      expect(ended).toBe("not_approved");
      expect(why).toContainEqual(
        expect.stringContaining("the variable OLD of job:shop/p2/a cannot be deleted"),
      );
    },
  );

  test("is the cap", async () => {
    const jobs = Array.from({ length: 10 }, (_, index) => job(`j${index}`));
    await server.reconcile(pruned + jobs.join(""));
    const plan = await saved(server, pruned + jobs.slice(3).join(""), { prune: true });
    const caps = (count: number, percent: number) => ({ caps: { count, percent } });
    expect(await applySaved(server, plan, caps(2, 100))).toEqual({
      ended: "not_approved",
      why: ["3 resources would be deleted or replaced, and the limit is 2"],
    });
    expect(await applySaved(server, plan, caps(3, 29))).toEqual({
      ended: "not_approved",
      why: ["3 of the 10 resources in environment:shop/staging would be deleted or replaced, more than 29 %"],
    });
    expect(await applySaved(server, plan, caps(3, 30))).toEqual(applied);
  });
});

describe("a saved plan that deletes something which it did not see is stale", () => {
  const documents = shop + job("a", "variables: { SEEN: '1' }");
  const cases: [name: string, change: () => Promise<unknown>][] = [
    ["a variable of a service inside", () => newVariable("shop/staging/JOB a", "JOB")],
    ["a variable of an environment", () => newVariable("shop/staging", "ENVIRONMENT")],
    [
      "a deployment stage",
      async () =>
        server.api("POST", `/environment/${await server.idOf("shop/staging")}/deploymentStage`, {
          name: "late",
        }),
    ],
    [
      "a service",
      async () => server.api("POST", `/environment/${await server.idOf("shop/staging")}/database`, database),
    ],
    ["a change of a service", () => server.reconcile(documents.replace("name: a", "name: a\ncpu: 750"))],
  ];
  test.each(cases)("%s", async (_name, change) => {
    await server.reconcile(documents);
    const plan = await saved(server, documents, {}, "destroy");
    await change();
    const { ended, why } = await applySaved(server, plan);
    expect([ended, why.length > 0]).toEqual(["stale_plan", true]);
    expect(await server.idOf("shop/staging/JOB a")).toBeDefined();
  });

  test("a change of a service that is created again with its environment", async () => {
    const placed = shop + job("a", "variables: { SEEN: '1' }\ndeployment_stage: DEFAULT");
    await server.reconcile(placed);
    const plan = await saved(server, placed.replace("eu-west", "us-east"), allow("**"));
    await server.reconcile(placed.replace("name: a", "name: a\ncpu: 750"));
    expect(await applySaved(server, plan)).toMatchObject({ ended: "stale_plan" });
  });
});
