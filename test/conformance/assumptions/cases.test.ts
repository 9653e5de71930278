import { expect, test } from "vitest";
import { Behaviour } from "../../../emulator/world/behaviour.ts";
import { named, play, playOn, prefix, startServer } from "./played.ts";
import { requestsOf } from "./run.ts";
import { servers } from "./servers.ts";
import { cases } from "./cases/index.ts";

/** The lists of an organization that no case changes. */
const beside = [
  "project",
  "cluster",
  "containerRegistry",
  "helmRepository",
  "gitToken",
  "labelsGroups",
  "apiToken",
  "webhook",
  "member",
];

interface Sent {
  method: string;
  path: string;
}

test("each behaviour of the emulator has a server in the table, and each case fails on one", () => {
  const behaviours = new Set(servers.flatMap(([behaviour]) => Object.keys(behaviour)));
  expect([...behaviours].toSorted()).toEqual(Object.keys(Behaviour.properties).toSorted());
  expect(new Set(servers.flatMap(([, about]) => about))).toEqual(new Set(cases.map(({ name }) => name)));
});

test.each(servers)("on a server with %j, exactly the cases about it differ", async (server, about) => {
  const found = await playOn(server);
  expect(named(found, "differs")).toEqual(about);
  expect(found.requests).toBeLessThanOrEqual(requestsOf(cases));
});

test("on a server as the description has it, every assumption holds, and nothing is left or touched", async () => {
  const { connection, emulator } = await startServer();
  const { url, tokens, organization } = emulator;
  const headers = { authorization: `Token ${tokens.admin}`, "content-type": "application/json" };
  const read = async (path: string) =>
    (await (await fetch(url + path, { headers })).json()) as { results: object[] };
  const around = async () =>
    Promise.all(beside.map((part) => read(`/organization/${organization.id}/${part}`)));
  const body = JSON.stringify({ name: `${prefix}of-somebody-else` });
  await fetch(`${url}/organization/${organization.id}/project`, { method: "POST", headers, body });
  const before = await around();
  const free = cases.filter(({ costs }) => !costs);
  const { findings, left } = await play(connection, organization.id, free);
  expect(findings.filter(({ result }) => result !== "as assumed")).toEqual([]);
  expect(left).toBeUndefined();
  expect(await around()).toEqual(before);
  const control = { headers: { "x-emulator-control": "1" } };
  const sent = (await (await fetch(`${url}/_emulator/requests`, control)).json()) as { requests: Sent[] };
  const made = sent.requests.filter(({ method }) => method === "POST").map(({ path }) => path);
  expect(made.filter((path) => /\/cluster$|credentials/i.test(path))).toEqual([]);
  await emulator.close();
});

test.each<[fault: object | object[], about: string[], notKnown: string[]]>([
  [
    [
      { path: "/variable/import", drop: "before" },
      { method: "PUT", path: "/container/*", status: 502, carry_out: true },
      { path: "/environment/*/services", headers: { "x-proxy": "1" }, body: "<html>" },
      { path: "/job/*/clone", delay_ms: 20 },
    ],
    [],
    [
      "lists-are-complete",
      "one-list-has-all-services",
      "put-deletes-elements",
      "storage-becomes-smaller",
      "variables-are-imported",
      "deletions-end",
    ],
  ],
  [{ path: "/organization/*/events", events: "late" }, ["events-tell-changes"], []],
  [{ events: "missing" }, ["events-tell-changes"], []],
  [{ path: "/organization/*/events", events: "reordered" }, [], []],
  [{ path: "/organization/*/events", events: "equal" }, [], []],
  [{ path: "/organization/*/events", events: "single" }, [], []],
  [{ method: "POST", path: "/variable/import", status: 500 }, [], ["variables-are-imported"]],
  [{ path: "/variable/import", drop: "after" }, [], ["variables-are-imported"]],
  [{ path: "/variable/import", truncate: 3 }, [], ["variables-are-imported"]],
  [{ path: "/job/*/deploy", fail_deployment: true }, [], []],
])(
  "with the fault %j of the emulator, exactly the cases about it are found",
  async (fault, about, notKnown) => {
    const found = await playOn({}, [fault].flat());
    expect(named(found, "differs")).toEqual(about);
    expect(named(found, "not known")).toEqual(notKnown);
  },
);

test("a run sends at most 200 requests", () => {
  expect(requestsOf(cases)).toBeLessThanOrEqual(200);
});

test("after a 429, the other cases are not known, and the project is removed", async () => {
  const found = await playOn({}, [{ path: "/variable", after: 2, times: 1, status: 429 }]);
  expect(named(found, "not known")).toHaveLength(cases.length - named(found, "as assumed").length);
  expect(named(found, "as assumed")).not.toContain("deletions-end");
  expect(found.left).toBeUndefined();
});
