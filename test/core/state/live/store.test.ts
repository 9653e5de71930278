import { beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { kindOf, LiveStore } from "../../../../core/index.ts";
import type { LiveResource } from "../../../../core/state/live/index.ts";
import type { Fields } from "../../../../core/values/json.ts";
import type { Part } from "../../../../core/model/parts/index.ts";
import { application, database, job, shop } from "../../../fixtures/manifests.ts";
import { Harness } from "../../../fixtures/harness.ts";
import { withArgocdApp } from "../../../argocd.ts";

let server: Harness;
let live: LiveStore;
let environmentId: string;

const nothing = {
  organization: false,
  contents: new Set<never>(),
  lists: new Map<never, never>(),
  parts: new Map<never, never>(),
  defaults: new Map<never, never>(),
  statuses: new Map<never, never>(),
  passwords: new Map<never, never>(),
};
const kind = kindOf("Job");
const isLost = ({ isConfiguration }: Part) => !isConfiguration;
const listed = () => live.contentsOf(server.client, kind.parent, environmentId);
const names = () =>
  live
    .known()
    .contents.get(environmentId)
    ?.resources.map(({ name }) => name)
    .toSorted();

beforeEach(async () => {
  server = await Harness.start();
  onTestFinished(() => server[Symbol.asyncDispose]());
  await server.reconcile(shop + job("a") + job("b"));
  environmentId = await server.idOf("shop/staging");
  live = new LiveStore();
  await listed();
  await server.forgetRequests();
});

async function answerAbout(name: string): Promise<Fields> {
  const found = (await server.everything()).get(`shop/staging/JOB ${name}`);
  if (!found) throw new Error(`there is no ${name}`);
  return found;
}

const without =
  (left: string) =>
  (answer: Fields): Fields =>
    Object.fromEntries(Object.entries(answer).filter(([member]) => member !== left));

describe("the response of a write", () => {
  test("updates the store when it contains everything that a list contains", async () => {
    const answer = await answerAbout("a");
    const response = { ...answer, cpu: 750 };
    live.takeIn({ kind, parentId: environmentId, there: { id: String(answer["id"]), response } });
    expect(names()).toEqual(["a", "b"]);
    const known = live
      .known()
      .contents.get(environmentId)
      ?.resources.find(({ name }) => name === "a");
    expect(known?.fields["cpu"]).toBe(750);
    const made = { ...response, id: crypto.randomUUID(), name: "made" };
    live.takeIn({ kind, parentId: environmentId, there: { id: made.id, response: made } });
    expect(names()).toEqual(["a", "b", "made"]);
  });

  test.each<[string, (answer: Fields) => Fields | undefined]>([
    ["there is none", () => undefined],
    ["it leaves out what the kind reports", without("maximum_cpu")],
    ["it has no name", without("name")],
    ["it is about another resource", (answer) => ({ ...answer, id: crypto.randomUUID() })],
    ["it is in another parent", (answer) => ({ ...answer, environment: { id: crypto.randomUUID() } })],
    ["it does not say in which parent", without("environment")],
  ])("makes the store forget the contents of the parent when %s", async (_why, change) => {
    const answer = await answerAbout("a");
    live.takeIn({
      kind,
      parentId: environmentId,
      there: { id: String(answer["id"]), response: change(answer) },
    });
    expect(names()).toBeUndefined();
  });

  test("to a deletion removes the resource with all its contents", async () => {
    const projectId = await server.idOf("shop");
    await live.contentsOf(server.client, kindOf("Project"), projectId);
    const environment = await only(kindOf("Project"), projectId);
    await live.read(server.client, "", {
      ...nothing,
      parts: new Map([[environment, new Set(environment.kind.parts)]]),
    });
    expect(live.known().parts.size).toBe(1);
    live.takeIn({ kind: environment.kind, parentId: projectId, gone: environmentId });
    expect(live.known().contents.get(projectId)?.resources).toEqual([]);
    expect([names(), live.known().parts.size]).toEqual([undefined, 0]);
  });
});

async function only(parent: LiveResource["kind"], parentId: string): Promise<LiveResource> {
  const [first] = (await live.contentsOf(server.client, parent, parentId))?.resources ?? [];
  if (!first) throw new Error("the parent is empty");
  return first;
}

test("simultaneous readers share one read", async () => {
  const projectId = await server.idOf("shop");
  await server.forgetRequests();
  const organizationId = server.organization.id;
  const clusters = { kind: kindOf("Cluster"), parentId: organizationId };
  const needs = { ...nothing, organization: true, lists: new Map([["clusters", clusters]]) };
  await Promise.all([
    live.read(server.client, organizationId, needs),
    live.read(server.client, organizationId, needs),
    live.contentsOf(server.client, kindOf("Project"), projectId),
    live.contentsOf(server.client, kindOf("Project"), projectId),
  ]);
  await live.read(server.client, organizationId, needs);
  expect((await server.seen()).map(({ path }) => path.split("/").at(-1)).toSorted()).toEqual([
    "cluster",
    "environment",
    "project",
  ]);
});

test("a resource that turns out to be deleted is removed from its parent", async () => {
  const projectId = await server.idOf("shop");
  const environment = await only(kindOf("Project"), projectId);
  await server.api("DELETE", `/environment/${environmentId}`);
  live.forget({ parentId: environmentId });
  await live.read(server.client, server.organization.id, { ...nothing, contents: new Set([environment]) });
  expect(live.known().contents.get(projectId)?.resources).toEqual([]);
  expect(names()).toBeUndefined();
});

describe("a hint makes the store forget", () => {
  const known = () => {
    const { contents, parts } = live.known();
    return { contents: [...contents.keys()].toSorted(), parts: parts.size };
  };
  let projectId: string;
  let organizationId: string;

  beforeEach(async () => {
    organizationId = server.organization.id;
    projectId = await server.idOf("shop");
    const [project] = (await live.contentsOf(server.client, undefined, organizationId))?.resources ?? [];
    const environment = await only(kindOf("Project"), projectId);
    const jobs = (await listed())?.resources ?? [];
    for (const resource of [project, environment, ...jobs])
      if (resource) await live.partsOf(server.client, resource, resource.kind.parts.filter(isLost));
  });

  test("a service: the list that has its fields, and its parts", async () => {
    live.forget({ id: await server.idOf("shop/staging/JOB a") });
    expect(known()).toEqual({ contents: [projectId, organizationId].toSorted(), parts: 3 });
  });

  test("an environment: also all that is in it, though the list of its services is forgotten already", () => {
    live.forget({ parentId: environmentId });
    expect(known()).toEqual({ contents: [projectId, organizationId].toSorted(), parts: 4 });
    live.forget({ id: environmentId.toUpperCase() });
    expect(known()).toEqual({ contents: [organizationId], parts: 1 });
  });

  test("an unknown resource in a known parent: the list of the parent", () => {
    live.forget({ id: crypto.randomUUID(), parentId: environmentId });
    expect(known()).toEqual({ contents: [projectId, organizationId].toSorted(), parts: 4 });
  });

  test("an unknown resource alone: nothing", () => {
    live.forget({ id: crypto.randomUUID() });
    expect(known()).toEqual({ contents: [environmentId, projectId, organizationId].toSorted(), parts: 4 });
  });
});

test("each look at statuses is a read of its own, and the store knows the last one until it is forgotten", async () => {
  const environment = { kind: kindOf("Environment"), id: environmentId };
  const stateOf = () => live.known().statuses.get(environmentId)?.state;
  expect((await live.statusesOf(server.client, environment, 0)).state).toBe("READY");
  await server.api("POST", `/environment/${environmentId}/deploy`);
  expect(stateOf()).toBe("READY");
  const { state } = await live.statusesOf(server.client, environment, 0);
  expect(state).not.toBe("READY");
  expect(stateOf()).toBe(state);
  const statuses = new Map([[environmentId, environment.kind]]);
  await server.forgetRequests();
  await live.read(server.client, server.organization.id, { ...nothing, statuses });
  expect(await server.seen()).toEqual([]);
  live.forgetStatuses(environmentId);
  expect(stateOf()).toBeUndefined();
});

test("an organization that does not exist is reported", async () => {
  const needs = { ...nothing, organization: true };
  expect(await live.read(server.client, crypto.randomUUID(), needs)).toBe(false);
});

test("the parts of a resource are known by key, and whether their value is readable", async () => {
  await server.reconcile(shop + application("api"));
  const id = await server.idOf("shop/staging/APPLICATION api");
  const variable = (key: string, is_secret: boolean) =>
    server.api("POST", "/variable", {
      key,
      value: "x",
      is_secret,
      variable_scope: "APPLICATION",
      variable_parent_id: id,
    });
  await variable("LOG_LEVEL", false);
  await variable("PASSWORD", true);
  await server.api("POST", `/application/${id}/customDomain`, {
    domain: "shop.example.com",
    generate_certificate: false,
  });
  live.forgetAll();
  const resource = (await listed())?.resources.find((each) => each.id === id);
  if (!resource) throw new Error("the application is not listed");
  const parts = (await live.partsOf(server.client, resource, resource.kind.parts.filter(isLost))) ?? [];
  expect(
    parts
      .filter(({ response }) => response["variable_type"] !== "BUILT_IN")
      .map(({ part, key, isReadable }) => [part.name, part.member, key, isReadable]),
  ).toEqual([
    ["secret", "secrets", "PASSWORD", false],
    ["variable", "variables", "LOG_LEVEL", true],
    ["custom domain", "custom_domains", "shop.example.com", true],
  ]);
});

test("services of a type without a kind are listed as such", async () => {
  const { client } = server.through(await withArgocdApp(server.emulator.url, "web"));
  live.forgetAll();
  const contents = await live.contentsOf(client, kind.parent, environmentId);
  expect(contents?.unknown).toMatchObject([{ name: "web", type: "ARGOCD_APP" }]);
});

test("a server without the shared list is asked for the list of each type, and no service is listed twice", async () => {
  await server.api("POST", `/environment/${environmentId}/database`, database);
  await server.api("POST", "/_emulator/faults", [{ path: "/environment/*/services", status: 404 }]);
  live.forgetAll();
  const contents = await listed();
  expect(contents?.unknown).toEqual([]);
  expect(contents?.resources.map((each) => `${each.kind.slug} ${each.name}`).toSorted()).toEqual([
    "database db",
    "job a",
    "job b",
  ]);
});
