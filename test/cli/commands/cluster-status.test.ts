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
    [403, "the token may not do this", "use a token whose scope"],
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

test("a table shows the status of each cluster by its name", async () => {
  expect((await textOf("cluster-status")).split("\n\n")[0]).toMatchInlineSnapshot(`
    "CLUSTER  STATUS    IS DEPLOYED  NEXT K8S AVAILABLE VERSION  LAST DEPLOYMENT DATE      REASON       CLUSTER ID
    eu-west  DEPLOYED  true         1.34                        TIME  UNSPECIFIED  {id}
    us-east  DEPLOYED  true         1.34                        TIME  UNSPECIFIED  {id}"
  `);
});

test.each(sorts.map(([word]) => word))("list %s shows the same", async (word) => {
  const { code, stdout } = await fixture.run(["list", word]);
  expect(code).toBe(0);
  const shown = (await fixture.run(["get", word])).stdout;
  expect(stdout.split("\n\n")[0]).toBe(shown.split("\n\n")[0]);
});

test("a project of that name is listed by its address", async () => {
  await fixture.request("POST", `/organization/${fixture.emulator.organization.id}/project`, {
    name: "cluster-status",
  });
  expect((await fixture.run(["list", "project:cluster-status"])).stdout).toContain("Project");
});
