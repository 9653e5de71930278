import { describe, expect, test } from "vitest";
import type { Fields } from "../../../../core/values/json.ts";
import { kindOf, parsePattern } from "../../../../core/index.ts";
import { approve, propose, startRun } from "../../../../core/execution/session/index.ts";
import type { OneTimeValue } from "../../../../core/secrets/index.ts";
import { desiredOf } from "../../../fixtures/desired.ts";
import { summary } from "../../../fixtures/harness.ts";
import { useHarness } from "../../../fixtures/use-harness.ts";
import { openPolicy } from "../../../fixtures/policy.ts";

const ci = { kind: "ApiToken", name: "ci", description: "for CI", role: "Deploy" };

const harness = useHarness();

/** Applies documents; the values that the API shows once are kept in a list. */
async function apply(documents: Fields[], keep = (_shown: OneTimeValue): void => undefined) {
  const shown: OneTimeValue[] = [];
  const report = await harness.apply(await harness.plan(documents), {
    shown: {
      async keep(value) {
        keep(value);
        shown.push(value);
      },
    },
  });
  return { report, shown };
}

const tokens = async () =>
  (await harness.results(`/organization/${harness.organization.id}/apiToken`)).map(({ name }) => name);

const problemsOf = async (documents: Fields[], policy = {}, goal: "reconcile" | "destroy" = "reconcile") =>
  (await harness.plan(documents, policy, goal)).problems.map(({ code, message }) => `${code}: ${message}`);

describe("a token", () => {
  test("is made by one request, its value goes to its place and nowhere else, and the second plan is empty", async () => {
    await harness.forgetRequests();
    const plan = await harness.plan([ci]);
    const { report, shown } = await apply([ci]);
    expect(shown).toMatchObject([{ address: "apitoken:ci", member: "token", id: expect.any(String) }]);
    const value = shown[0]?.value ?? "";
    expect(value.length).toBeGreaterThan(20);
    const seen = await harness.seen();
    expect(seen.map(({ method, path }) => `${method} ${path.split("/").at(-1)}`).toSorted()).toEqual([
      "GET apiToken",
      "GET apiToken",
      "GET availableRole",
      "GET availableRole",
      "GET events",
      "GET events",
      "POST apiToken",
    ]);
    expect(JSON.stringify([plan, report])).not.toContain(value);
    const context = harness.context();
    await context.live.listOf(context.client, kindOf("ApiToken"), harness.organization.id);
    expect(JSON.stringify([...context.live.known().lists.values()])).not.toContain(value);
    expect(summary(await harness.plan([ci]))).toEqual([]);
  });

  test("can have a role that the same run makes", async () => {
    const role = { kind: "CustomRole", name: "deployers" };
    const documents = [{ ...ci, role: "deployers" }, role];
    const { report } = await apply(documents);
    expect(report.outcomes.map(({ status }) => status)).toEqual(["done", "done"]);
    expect(summary(await harness.plan(documents))).toEqual([]);
    expect(await problemsOf([role], {}, "destroy")).toEqual([
      "in_use: customrole:deployers cannot be deleted: apitoken:ci refers to it",
    ]);
  });

  test("with a role that does not exist is refused with the roles that do", async () => {
    expect((await harness.plan([{ ...ci, role: "Boss" }])).problems).toMatchObject([
      {
        code: "reference",
        message: 'ApiToken ci: there is no role "Boss"',
        advice: expect.stringContaining("Owner"),
      },
    ]);
  });

  test.each([
    ["another role", { ...ci, role: "Read" }],
    ["another description", { ...ci, description: "other" }],
    ["another name", { ...ci, name: "other", manage: { renamed_from: "ci" } }],
  ])("with %s is another token: it is replaced, with consent", async (_name, document) => {
    await apply([ci]);
    const problems = await problemsOf([document]);
    expect(problems).toEqual([expect.stringMatching(/^replacement: .* the API cannot change a token$/)]);
    const policy = { allowReplace: [parsePattern("apitoken:*")] };
    const plan = await harness.plan([document], policy);
    expect(plan.problems).toEqual([]);
    const shown: OneTimeValue[] = [];
    const report = await harness.apply(plan, { shown: { keep: async (value) => void shown.push(value) } });
    expect(report.outcomes.map(({ status }) => status)).toEqual(["done"]);
    expect(shown).toHaveLength(1);
    expect(summary(await harness.plan([document]))).toEqual([]);
  });
});

describe("a run without a place for the value", () => {
  test("is refused before it writes", async () => {
    const run = startRun(harness.client);
    await harness.forgetRequests();
    const { resources } = desiredOf([ci]);
    const proposal = await propose(run, harness.organization, "reconcile", resources, openPolicy);
    const approval = await approve(proposal, run, { confirm: async () => true, onQuota: "fail" });
    expect(approval).toMatchObject({
      type: "refused",
      problems: [{ code: "secret", address: "apitoken:ci", remedies: [{ setting: "secrets_out" }] }],
    });
    expect(await harness.writes()).toEqual([]);
  });

  test("is told when its place breaks: the token exists, and the message says what to do", async () => {
    const { report } = await apply([ci], () => {
      throw new Error("no space left on the disk");
    });
    expect(report.outcomes).toMatchObject([
      {
        status: "failed",
        code: "value_lost",
        message: expect.stringMatching(
          /^it exists \(.*\), but its token is lost, because writing it failed: no space left on the disk, and the API shows it only once/,
        ),
        remedies: [{ remake: expect.any(String) }],
      },
    ]);
    expect((await tokens()).filter((name) => name === "ci")).toHaveLength(1);
  });
});

describe("a lost answer to the creation", () => {
  const path = "/organization/*/apiToken";

  test.each([
    ["the connection breaks after it", { drop: "after" }],
    [
      "the server answers 502",
      { status: 502, carry_out: true, body: { message: "the token is c4n4ry-one" } },
    ],
    ["the answer is cut off", { status: 201, carry_out: true, body: { token: "c4n4ry-two" }, truncate: 20 }],
    ["the answer has no token", { status: 201, carry_out: true, body: { name: "ci", id: "0" } }],
  ])(
    "makes no second token, shows nothing of the value, and says that the value is lost: %s",
    async (_name, fault) => {
      await harness.api("POST", "/_emulator/faults", [{ method: "POST", path, ...fault }]);
      const { report, shown } = await apply([ci]);
      expect(shown).toEqual([]);
      expect(report.outcomes).toMatchObject([{ status: "failed", code: "value_lost" }]);
      expect(JSON.stringify(report)).not.toContain("c4n4ry");
      expect((await tokens()).filter((name) => name === "ci")).toHaveLength(1);
    },
  );
});

describe("a token that the run may use itself", () => {
  const own = { kind: "ApiToken", name: "admin", role: "Admin" };

  test("is not deleted", async () => {
    expect(await problemsOf([own], { ownToken: "ADMIN" }, "destroy")).toEqual([
      "in_use: apitoken:admin cannot be deleted: this run uses it",
    ]);
  });

  test("is not deleted by a run that does not know which one it uses", async () => {
    await apply([ci]);
    expect(await problemsOf([ci], { ownToken: undefined }, "destroy")).toEqual([
      "in_use: apitoken:ci cannot be deleted: this run may use this token, and the API does not show which token it uses",
    ]);
    expect(await problemsOf([ci], { ownToken: "amdin" }, "destroy")).toEqual([
      'in_use: apitoken:ci cannot be deleted: there is no API token "amdin", which the settings name as the token of this run',
    ]);
  });

  test("is not pruned either; others are deleted", async () => {
    await apply([ci]);
    const pruning = { kind: "Organization", name: "acme", manage: { prune: ["ApiToken"] } };
    expect(await problemsOf([pruning, ci], { prune: true })).toContain(
      "in_use: apitoken:admin cannot be deleted: this run uses it",
    );
    const plan = await harness.plan([ci], {}, "destroy");
    expect(plan.problems).toEqual([]);
    expect((await harness.apply(plan)).outcomes.map(({ status }) => status)).toEqual(["done"]);
    expect(await tokens()).not.toContain("ci");
  });
});
