import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { createWritingClient as createClient } from "../../../core/api/client.ts";
import { ApiError } from "../../../core/index.ts";
import { isFields } from "../../../core/json.ts";
import { Recorder, type Recording, runStories, stories } from "../../../cli/probe/index.ts";
import { startReplay } from "../../fixtures/replay-server.ts";
import { connectionTo, onServer } from "./probed.ts";

/** What a probe of the emulator records, with what it has found. */
function recorded() {
  return onServer({}, async (connection, { organization, tokens }) => {
    const recorder = new Recorder();
    const { told } = await runStories(
      { ...connection, onExchange: (exchange) => recorder.add(exchange) },
      stories,
      { organizationId: organization.id, prefix: "probe-" },
    );
    return { recording: recorder.recording, told, organization, tokens };
  });
}

test("a recording has no id, name or secret of the organization, and its stories end as they did", async () => {
  const { recording, told, organization, tokens } = await recorded();
  const text = JSON.stringify(recording);
  const secrets = [
    organization.id,
    ...Object.values(tokens),
    "eu-west",
    "docker-hub",
    "AKIAEXAMPLE",
    "ecr-production",
  ];
  expect(secrets.filter((secret) => text.includes(secret))).toEqual([]);
  const ids = text.match(/[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}/g) ?? [];
  expect(ids.filter((id) => !id.startsWith("00000000-0000-4000-8000-"))).toEqual([]);

  const replay = await startReplay(structuredClone(recording));
  const [first] = recording.exchanges;
  const organizationId = /organization\/([^/]+)/.exec(first?.path ?? "")?.[1] ?? "";
  const again = await runStories(
    { ...connectionTo({ url: replay.url, tokens }), clock: standing },
    stories.filter(({ name }) => name !== "quota-is-told"),
    { organizationId, prefix: "probe-" },
  );
  expect(again.told.map(({ story, result }) => [story.name, result])).toEqual(
    told
      .filter(({ story }) => story.name !== "quota-is-told")
      .map(({ story, result }) => [story.name, result]),
  );
});

test("a refusal is recorded by its shape: nothing of what it says, repeats or has got from a proxy", () => {
  const recorder = new Recorder();
  const message =
    "no access for Token c4nary-of-the-token of anna@example.com, see https://help.example.com/403, or try again";
  const answer = { status: 403, error: "Forbidden", message, headers: { authorization: message } };
  recorder.add({ method: "GET", path: "/organization", body: undefined, status: 403, headers: {}, answer });
  expect(recorder.recording.exchanges[0]?.answer).toEqual({
    status: 403,
    error: "Forbidden",
    message: "text-1 try again",
  });
});

test.each([
  [{ status: 4711, error: ["anna"], message: 4711, code: 4711, "anna@example.com": "x" }, { status: 422 }],
  [{ errors: { "anna@example.com": [4711] } }, {}],
  [[{ anna: 4711 }], {}],
  [4711, {}],
  ["no anna@example.com", "text-1"],
])("of the refusal %j, %j is recorded", (answer, kept) => {
  const recorder = new Recorder();
  recorder.add({ method: "GET", path: "/organization", body: undefined, status: 422, headers: {}, answer });
  expect(recorder.recording.exchanges[0]?.answer).toEqual(kept);
});

/** A clock on which waits pass at once. */
const standing = { now: () => Date.now(), random: () => 0.5, sleep: async () => undefined };

// Recordings of servers, made with `infrasync probe --record FILE`: put a file there, and the client is tried with it.
const folder = "test/fixtures/recordings";

describe.each(readdirSync(folder))("the recording %s, replayed to the client", (file) => {
  const recording = JSON.parse(readFileSync(`${folder}/${file}`, "utf8")) as Recording;

  test("each answer is read as it is, and each refusal is an error of its status", async () => {
    const { url, missing } = await startReplay(structuredClone(recording));
    const client = createClient({ baseUrl: url, token: "any", onQuota: "fail" });
    for (const { method, path, body, status, answer } of recording.exchanges) {
      const [address = "", query] = path.split("?");
      const parameters = Object.fromEntries(new URLSearchParams(query));
      const send = {
        GET: () => client.get(address, parameters),
        POST: () => client.post(path, body),
        PUT: () => client.put(path, body),
        DELETE: async () => void (await client.delete(path, body)),
      }[method];
      if (status < 300) expect(await send()).toEqual(method === "DELETE" ? undefined : answer);
      else {
        const error = await send().catch((thrown: unknown) => thrown);
        expect(error).toBeInstanceOf(ApiError);
        expect(error).toMatchObject({ status });
        if (isFields(answer)) expect(String(error)).toContain(String(answer["message"]).slice(0, 40));
      }
    }
    expect(missing).toEqual([]);
  });
});
