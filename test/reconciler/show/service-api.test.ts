import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { identityOfUser } from "../../../reconciler/identity.ts";
import { AccessFile } from "../../../reconciler/people/index.ts";
import { userActionIn, userActionOfForm } from "../../../reconciler/requests/index.ts";
import { controlledSource } from "../../../reconciler/show/control.ts";
import { verbs } from "../../../reconciler/verbs.ts";
import { ajv, api, undeclared } from "../../fixtures/service-api.ts";
import { endWith, type ShownPage, showPage, environmentState } from "./page-fixture.ts";

const { paths } = api;

/** A page where the program with the token `ci-token-canary` has the role operate. */
async function showApi(): Promise<ShownPage> {
  const people: NonNullable<Parameters<typeof showPage>[1]> = {};
  const { folder } = await showPage();
  await writeFile(join(folder, "ci-token"), "ci-token-canary\n");
  await writeFile(join(folder, "access.yaml"), "roles: [{ role: operate, name: ci, token_file: ci-token }]");
  people.file = new AccessFile(join(folder, "access.yaml"));
  const page = await showPage({ type: "roles" }, people);
  await page.ended(endWith(environmentState("shop/dev", "synced")));
  return page;
}

test("what a service answers has a status and a form that its OpenAPI document declares", async () => {
  const page = await showApi();
  const call = async (method: string, path: string, body?: object, token = "ci-token-canary") => {
    const answer = await fetch(page.url + path, {
      method,
      headers: { authorization: `Bearer ${token}`, ...(body && { "content-type": "application/json" }) },
      ...(body && { body: JSON.stringify(body) }),
    });
    const [type = ""] = (answer.headers.get("content-type") ?? "").split(";");
    const text = path === "/events" && answer.ok ? "" : await answer.text();
    await answer.body?.cancel().catch(() => undefined);
    expect(undeclared({ method, path, status: answer.status, type, text })).toBe("");
    return answer.status;
  };
  const read = Object.keys(paths).filter((path) => paths[path]?.["get"] && !path.includes("{"));
  for (const path of read) {
    expect(await call("GET", path)).toBe(200);
    if (paths[path]?.["get"]?.security === undefined)
      expect(await call("GET", path, undefined, "wrong")).toBe(401);
  }
  const ask = (action: object) => call("POST", "/requests", action);
  expect(await ask({ type: "refresh" })).toBe(200);
  expect(await ask({ type: "dance" })).toBe(400);
  expect(await ask({ type: "follow", environment: "shop/dev" })).toBe(409);
  const health = [{ address: "job:shop/dev/a", health: "failed", state: "DEPLOYMENT_ERROR" }] as const;
  await page.ended(endWith({ ...environmentState("shop/dev", "unhealthy"), health }));
  expect(await ask({ type: "sync", environment: "shop/dev" })).toBe(200);
  expect(await ask({ type: "approve", environment: "shop/dev", plan: "5eed".repeat(16) })).toBe(403);
  expect(await call("POST", "/requests", { type: "refresh" }, "wrong")).toBe(401);
});

const malformed = [
  [{ type: "sync", environment: ["shop/dev"] }, "environment must be of type string"],
  [{ type: "sync", environment: 5 }, "environment must be of type string"],
  [{ type: "sync", enviroment: "shop/dev" }, '"enviroment" is not one of its members'],
  [{ type: "refresh", environment: null }, "environment must be of type string"],
  [{ type: "resume", environment: { a: 1 } }, "environment must be of type string"],
  [{ type: "sync", environment: "" }, "the name of the environment is empty"],
  [{ type: "pause", environment: " \t", for: "1h", reason: "x" }, "the name of the environment is empty"],
  [{ type: "resume", all: "yes" }, "all must be of type boolean"],
  [{ type: "pause", for: 5, reason: "x" }, "for must be of type string"],
  [{ type: "sync", dry_run: "false" }, "dry_run must be of type boolean"],
  [["sync"], "there is no such request"],
  [{ type: "pause", for: "-1h", reason: "x" }, "give the length of the pause, such as 90m"],
  [{ type: "pause", until: "yesterday", reason: "x" }, "give the length of the pause, such as 90m"],
  [{ type: "pause", until: "2020-01-01T00:00:00Z", reason: "x" }, "the end of the pause is in the past"],
  [
    { type: "pause", until: "2027-02-31T00:00:00Z", reason: "x" },
    "give the length of the pause, such as 90m",
  ],
  [{ type: "pause", for: "999999d", reason: "x" }, "more than a hundred years away"],
  [{ type: "pause", for: "1h", reason: " " }, "a pause needs a reason"],
  [{ type: "pause", environment: "shop/dev/x", for: "1h", reason: "x" }, "is not a pattern of environments"],
  [
    { type: "rollback", environment: "shop/dev", commit: "--help" },
    "name one of the commits that were applied there",
  ],
] as const;

test.each(malformed)("%j is refused at each door, with the member that is wrong", async (request, reason) => {
  const page = await showApi();
  const control = controlledSource(page);
  const who = identityOfUser("u");
  const byControl = await control({ type: "request", request, who, from: "a test" });
  const byApi = await fetch(`${page.url}/requests`, {
    method: "POST",
    headers: { authorization: "Bearer ci-token-canary", "content-type": "application/json" },
    body: JSON.stringify(request),
  });
  const message = expect.stringContaining(reason) as string;
  expect([byControl.status, byControl.body]).toEqual([400, { message }]);
  expect([byApi.status, await byApi.json()]).toEqual([400, { message }]);
  expect(page.requests.pauses).toEqual([]);
});

test.each([
  ["DELETE", "/status.json", 405, "GET, HEAD", "only GET and HEAD requests are answered here"],
  ["GET", "/requests", 405, "POST", "only POST requests are answered here"],
  ["PUT", "/sources", 404, null, "nothing answers PUT here"],
  ["GET", "/%ff", 404, null, "nothing answers GET here"],
  ["GET", "/plans/%c3", 404, null, "nothing answers GET here"],
])("%s %s answers %d in the form of all answers", async (method, path, status, allow, message) => {
  const page = await showApi();
  const answer = await fetch(page.url + path, {
    method,
    headers: { authorization: "Bearer ci-token-canary" },
  });
  expect([answer.status, answer.headers.get("allow"), await answer.json()]).toEqual([
    status,
    allow,
    { message },
  ]);
  expect(answer.headers.get("x-content-type-options")).toBe("nosniff");
});

test("a form with a wrong member asks for nothing; its proof and its switches belong to it", () => {
  const read = (body: object) => userActionIn(userActionOfForm(body));
  expect(() => read({ type: "sync", enviroment: "shop/dev", _csrf: "x" })).toThrow('"enviroment"');
  expect(() => read({ type: "sync", environment: "", _csrf: "x" })).toThrow("the environment is empty");
  expect(read({ type: "resume", environment: "shop/dev", all: "true", _csrf: "x" })).toEqual({
    type: "resume",
    environment: "shop/dev",
    all: true,
  });
  expect(read({ type: "approve", environment: "shop/dev", plan: "5eed" })).toMatchObject({ lost: "" });
});

test("the OpenAPI document has each action, for one source and for one of many", () => {
  for (const path of ["/requests", "/sources/{source}/requests"])
    expect(paths[path]?.["post"]?.requestBody?.content["application/json"]?.schema).toEqual({
      $ref: "#/components/schemas/Request",
    });
  const { schemas } = api.components;
  const { oneOf, discriminator } = schemas["Request"] ?? {};
  expect(Object.keys(discriminator?.mapping ?? {})).toEqual(Object.keys(verbs));
  expect(oneOf).toHaveLength(Object.keys(verbs).length);
  const validate = (request: object) =>
    ajv.validate({ $ref: "api#/components/schemas/Request" }, request) ? "valid" : "invalid";
  expect(validate({ type: "pause", environment: "shop/dev", for: "2h", reason: "x" })).toBe("valid");
  expect(validate({ type: "dance" })).toBe("invalid");
});
