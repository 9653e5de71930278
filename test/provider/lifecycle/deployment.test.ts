import { expect, onTestFinished, test } from "vitest";
import type { Fields } from "../../../core/values/json.ts";
import { Lifecycle } from "../../../provider/lifecycle/lifecycle.ts";
import { unknownValue } from "../../../core/problems/unknown.ts";
import { Harness } from "../../fixtures/harness.ts";

const image = { registry: "docker-hub", image_name: "acme/report", tag: "1" };
const documents: Fields[] = [
  { kind: "Project", name: "shop" },
  ...["production", "staging"].map((name) => ({ kind: "Environment", project: "shop", name })),
  ...["a", "b"].map((name) => ({
    kind: "Job",
    environment: "shop/staging",
    name,
    source: { image },
    schedule: { on_start: {} },
  })),
  {
    kind: "Container",
    environment: "shop/production",
    name: "web",
    image_name: "acme/web",
    tag: "1",
    registry: "docker-hub",
  },
];

/** A server with services, the ids of these, and a lifecycle that deploys them. */
async function start() {
  const server = await Harness.start({ clock: "frozen", behaviour: { deploy_delay_ms: 50 } });
  onTestFinished(() => server[Symbol.asyncDispose]());
  await server.reconcile(documents);
  const { url, tokens } = server.emulator;
  const values: Record<string, string> = { "infrasync:baseUrl": url, "infrasync:token": tokens.admin };
  const config = { get: (key: string) => values[key] };
  const said: string[] = [];
  const lifecycle = new Lifecycle({}, (message) => said.push(message), server.clock);
  const all = await server.everything();
  const idOf = (name: string) => String(all.get(`shop/${name}`)?.["id"]);
  const [a, b, web] = [idOf("staging/JOB a"), idOf("staging/JOB b"), idOf("production/CONTAINER web")];
  await server.forgetRequests();
  return { server, lifecycle, config, a, b, web, idOf, said };
}

test("a creation deploys all services with one request for each environment", async () => {
  const { server, lifecycle, config, a, b, web, idOf } = await start();
  const { id, outs } = await lifecycle.create("Deployment", { services: [a, web, b, a] }, config);
  expect(id).not.toBe("");
  expect((await server.writes()).map(({ path }) => path).toSorted()).toEqual(
    [idOf("staging"), idOf("production")]
      .map((environment) => `/environment/${environment}/service/deploy`)
      .toSorted(),
  );
  expect(outs).toMatchObject({ services: [a, web, b, a] });
  const lists = (await server.seen()).filter(({ path }) => path.endsWith("/services"));
  expect(lists).toHaveLength(1);
});

test("a preview refuses services that do not exist, and reads nothing about services of the program", async () => {
  const { server, lifecycle, config, a } = await start();
  const { failures } = await lifecycle.check("Deployment", {}, { services: ["nonsense"] }, config);
  expect(failures).toEqual([
    { property: "services[0]", reason: expect.stringContaining('services[0]: "nonsense" is not an id') },
  ]);
  expect(await server.seen()).toEqual([]);
  const gone = "11111111-1111-4111-8111-111111111111";
  await expect(lifecycle.preview("Deployment", undefined, { services: [a, gone] }, config)).rejects.toThrow(
    `there is no service with the id ${gone} that can be deployed`,
  );
  await lifecycle.preview("Deployment", undefined, { services: [a] }, config);
  const { id, props, inputs = {} } = await lifecycle.find("Job", a, config);
  await lifecycle.diff("Job", id, props, inputs, config, "a");
  await server.forgetRequests();
  await lifecycle.preview("Deployment", undefined, { services: [a] }, config);
  expect(await server.seen()).toEqual([]);
});

test("it waits until all services are deployed, if the program says so, and tells their states", async () => {
  const { server, lifecycle, config, a, b, said } = await start();
  await lifecycle.create("Deployment", { services: [a, b], wait: true }, config);
  for (const id of [a, b])
    expect(await server.api("GET", `/job/${id}/status`)).toMatchObject({ state: "DEPLOYED" });
  expect(said).toContain("DEPLOYED Job shop/staging/a");
});

test("a failed deployment is an error with the state and the last log lines", async () => {
  const { server, lifecycle, config, a } = await start();
  await server.api("POST", "/_emulator/faults", [
    { method: "POST", path: "/environment/*/service/deploy", fail_deployment: true },
  ]);
  const creation = lifecycle.create("Deployment", { services: [a], wait: true }, config);
  await expect(creation).rejects.toThrow("Job shop/staging/a: the deployment has failed (DEPLOYMENT_ERROR)");
});

test("the error of a failed container has its last log lines", async () => {
  const { server, lifecycle, config, web } = await start();
  await server.api("POST", "/_emulator/faults", [
    { method: "POST", path: "/environment/*/service/deploy", fail_deployment: true },
  ]);
  const creation = lifecycle.create("Deployment", { services: [web], wait: true }, config);
  await expect(creation).rejects.toThrow(
    /^Container shop\/production\/web: the deployment has failed \(DEPLOYMENT_ERROR\)\n {4}.*\n {4}web: DEPLOYMENT_ERROR/,
  );
});

test("a service that does not exist is an error before anything is deployed", async () => {
  const { server, lifecycle, config, a } = await start();
  const missing = "00000000-0000-4000-8000-000000000000";
  await expect(lifecycle.create("Deployment", { services: [a, missing] }, config)).rejects.toThrow(
    `there is no service with the id ${missing} that can be deployed; nothing has been deployed; correct services`,
  );
  expect(await server.writes()).toEqual([]);
});

test("other services or other triggers need a new deployment, and nothing else does", async () => {
  const { server, lifecycle, config, a, b } = await start();
  const inputs = { services: [a, b], triggers: ["1", { tag: "2" }] };
  const { id, outs } = await lifecycle.create("Deployment", inputs, config);
  const differs = (news: object) => lifecycle.diff("Deployment", id, outs, { ...inputs, ...news }, config);
  const none = { changes: false, replaces: [], deleteBeforeReplace: false, keepsName: false, fields: [] };
  expect(await differs({})).toEqual(none);
  expect(await differs({ services: [b, a] })).toEqual(none);
  expect(await differs({ services: [a] })).toMatchObject({ changes: true, replaces: ["services"] });
  expect(await differs({ triggers: ["2"] })).toMatchObject({ changes: true, replaces: ["triggers"] });
  expect(await differs({ triggers: ["1", unknownValue] })).toMatchObject({ replaces: ["triggers"] });
  expect(await differs({ services: unknownValue })).toMatchObject({ replaces: ["services"] });
  expect(await differs({ wait: true })).toMatchObject({ changes: true, replaces: [] });
  await server.forgetRequests();
  const updated = await lifecycle.update("Deployment", id, outs, { ...inputs, wait: true }, config);
  expect(updated.outs).toMatchObject({ wait: true, environments: outs["environments"] });
  expect(await server.seen()).toEqual([]);
});

test("a refresh and a deletion send nothing", async () => {
  const { server, lifecycle, config, a } = await start();
  const { id, outs } = await lifecycle.create("Deployment", { services: [a] }, config);
  await server.forgetRequests();
  expect(await lifecycle.read("Deployment", id, outs, config)).toEqual({ id, props: outs });
  await lifecycle.remove("Deployment", id, outs, config);
  expect(await server.seen()).toEqual([]);
});

test.each([
  [{}, "services", "services is missing (Ids of the services to deploy."],
  [{ services: [] }, "services", "services must have at least 1 element, not 0; write at least 1 element"],
  [{ services: "a" }, "services", "services must be a list, not a text"],
  [
    { services: ["04da6b54-80e4-46f7-96ec-b56ff0331ba8"], wait: "yes" },
    "wait",
    "wait must be true or false, not a text",
  ],
  [
    { services: ["04da6b54-80e4-46f7-96ec-b56ff0331ba8"], trigger: ["a"] },
    "trigger",
    'a Deployment has no input "trigger"; did you mean triggers?',
  ],
])("%j is a mistake", async (inputs, property, reason) => {
  const { failures } = await new Lifecycle({}).check("Deployment", {}, inputs, undefined);
  expect(failures).toEqual([
    { property, reason: expect.stringContaining(reason) },
    { property: "", reason: expect.stringContaining("there is no token") },
  ]);
  expect(failures[0]?.reason).not.toContain("leave the field out");
});

test("values that are not known yet pass the check", async () => {
  const lifecycle = new Lifecycle({ INFRASYNC_BASE_URL: "http://127.0.0.1:1", INFRASYNC_TOKEN: "any" });
  const unknown = { services: [unknownValue], triggers: unknownValue, wait: unknownValue };
  for (const inputs of [unknown, { services: unknownValue }])
    expect((await lifecycle.check("Deployment", {}, inputs, undefined)).failures).toEqual([]);
});
