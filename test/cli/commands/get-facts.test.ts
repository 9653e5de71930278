import { readFileSync } from "node:fs";
import { Ajv } from "ajv";
import { describe, expect, test } from "vitest";
import { documentOf } from "../captured.ts";
import { steady, useFixture } from "../fixture.ts";

const fixture = useFixture();

const validate = new Ajv({ strict: true, strictRequired: false, allErrors: true }).compile(
  JSON.parse(readFileSync("schemas/facts.schema.json", "utf8")) as object,
);

const sorts: [string, string, string[]][] = [
  ["billing", "billingInfo", ["GET /organization/{id}/billingInfo"]],
  ["invoices", "invoice", ["GET /organization/{id}/invoice"]],
  ["costs", "currentCost", ["GET /organization/{id}/currentCost"]],
  [
    "cluster-status",
    "cluster/status",
    ["GET /organization/{id}/cluster", "GET /organization/{id}/cluster/status"],
  ],
];

describe.each(sorts)("get %s", (word, segment, requests) => {
  test("sends one request for each list, as text and as JSON that matches the schema", async () => {
    await fixture.takeRequests();
    const asText = await fixture.run(["get", word]);
    expect(asText.code, asText.stderr).toBe(0);
    expect((await fixture.takeRequests()).toSorted()).toEqual(["GET /organization", ...requests]);
    expect(asText.stdout).toContain(`Requests: ${requests.length + 1} spent`);
    const asJson = documentOf(await fixture.run(["get", word, "-o", "json"]));
    validate(asJson);
    expect(validate.errors ?? []).toEqual([]);
    expect(asJson).toMatchObject({ ok: true, sort: word, requests: requests.length + 1 });
  });

  test.each([
    [403, "the token may not do this", "use one whose scope"],
    [404, "the server has no ", "check the id of the organization"],
  ])("%i has its place and advice", async (status, says, advises) => {
    await fixture.fault({
      path: `/organization/*/${segment}`,
      status,
      body: { status, error: "no", message: "no" },
    });
    const ran = await fixture.run(["get", word]);
    expect(ran.code).not.toBe(0);
    expect(ran.stdout).toBe("");
    expect(steady(ran.stderr)).toContain(`${status} on GET /organization/{id}/${segment}: ${says}`);
    expect(ran.stderr).toContain(advises);
  });
});

async function textOf(word: string): Promise<string> {
  const { stdout } = await fixture.run(["get", word]);
  return steady(stdout).replaceAll(/\d{4}-\d{2}-\d{2}T[\d:.]+Z/g, "TIME");
}

test("billing information, once there is some", async () => {
  expect(await textOf("billing")).toMatch(/^The organization states no billing information\.\n/);
  await fixture.request("PUT", `/organization/${fixture.emulator.organization.id}/billingInfo`, {
    first_name: "Ada",
    last_name: "Byron",
    email: "ada@acme.example",
    address: "1 Main Street\u001b[2J",
    zip: "75001",
    country_code: "FR",
    city: "Paris",
  });
  expect((await textOf("billing")).split("\n\n")[0]).toMatchInlineSnapshot(`
    "first name    Ada
    last name     Byron
    email         ada@acme.example
    address       1 Main Street\\u001b[2J
    zip           75001
    city          Paris
    country code  FR"
  `);
});

test("invoices, the costs of the organization, and the status of each cluster by its name", async () => {
  expect((await textOf("invoices")).split("\n").slice(0, 3)).toMatchInlineSnapshot(`
    [
      "CREATED AT                STATUS  COST    ID",
      "TIME  PAID    99 USD  {id}",
      "TIME  PAID    99 USD  {id}",
    ]
  `);
  expect((await textOf("costs")).split("\n\n")[0]).toMatchInlineSnapshot(`
    "plan                 TEAM
    cost                 99 USD
    remaining trial day  0
    renewal at           TIME"
  `);
  expect((await textOf("cluster-status")).split("\n\n")[0]).toMatchInlineSnapshot(`
    "CLUSTER  STATUS    IS DEPLOYED  LAST DEPLOYMENT DATE      REASON       CLUSTER ID
    eu-west  DEPLOYED  true         TIME  UNSPECIFIED  {id}
    us-east  DEPLOYED  true         TIME  UNSPECIFIED  {id}"
  `);
});

test("a word for one of several says which word shows them", async () => {
  const { code, stderr } = await fixture.run(["get", "invoice"]);
  expect(code).toBe(3);
  expect(stderr).toContain(
    "infrasync get invoices shows them all; a project of that name is project:invoice",
  );
});

test.each(sorts.map(([word]) => word))("list %s shows the same", async (word) => {
  const { code, stdout } = await fixture.run(["list", word]);
  expect(code).toBe(0);
  const shown = (await fixture.run(["get", word])).stdout;
  expect(stdout.split("\n\n")[0]).toBe(shown.split("\n\n")[0]);
});

test("a project of that name is listed by its address", async () => {
  await fixture.request("POST", `/organization/${fixture.emulator.organization.id}/project`, {
    name: "costs",
  });
  expect((await fixture.run(["list", "project:costs"])).stdout).toContain("Project");
});

test("the costs of one cluster, by its name and by its id", async () => {
  await fixture.takeRequests();
  const { code, stdout } = await fixture.run(["get", "costs", "EU-west"]);
  expect(code).toBe(0);
  expect((await fixture.takeRequests()).toSorted()).toEqual([
    "GET /organization",
    "GET /organization/{id}/cluster",
    "GET /organization/{id}/cluster/{id}/currentCost",
  ]);
  expect(stdout.split("\n").slice(0, 3)).toEqual([
    expect.stringMatching(/^cost +\d+(\.\d+)? USD$/),
    expect.stringMatching(/^min cost +\d+(\.\d+)? USD$/),
    expect.stringMatching(/^max cost +\d+(\.\d+)? USD$/),
  ]);
  const asJson = documentOf(await fixture.run(["get", "costs", "eu-west", "-o", "json"]));
  validate(asJson);
  expect(validate.errors ?? []).toEqual([]);
  expect((await fixture.run(["get", "costs", "eu-wets"])).stderr).toContain("did you mean eu-west?");
});
