import { expect, test } from "vitest";
import { createClient, UnexpectedAnswerError } from "../../../core/api/index.ts";
import { addressIn } from "../../../core/deployments/by-id.ts";
import { readLogs } from "../../../core/deployments/index.ts";
import { kindCalled } from "../../../core/model/kinds/index.ts";
import { readPage } from "../../../core/state/events/event.ts";
import { readStatuses } from "../../../core/state/live/statuses.ts";
import { json, serveReplies } from "../../fixtures/http-server.ts";

const event = {
  id: "e",
  timestamp: "2026-12-01T08:00:00.000Z",
  event_type: "UPDATE",
  target_type: "JOB",
  target_name: "A",
};
const environment = { state: "READY" };
const status = { id: "s", state: "READY", service_deployment_status: "NEVER_DEPLOYED" };
const service = { service_type: "JOB", project_name: "shop", environment_name: "dev", name: "a" };
const line = { created_at: "2026-12-01T08:00:00.000Z", message: "m", id: "l" };

async function kindAt(name: string, answer: object) {
  const { url: baseUrl } = await serveReplies(json(200, answer));
  const kind = kindCalled(name);
  if (!kind) throw new Error(`there is no kind ${name}`);
  return { kind, client: createClient({ baseUrl, token: "t", onQuota: "fail" }) };
}

const read = {
  events: async (item: object) => readPage({ events: [item] }),
  "the status of an environment": async (given: object) => {
    const { kind, client } = await kindAt("Environment", { environment: given, jobs: [status] });
    return readStatuses(client, { kind, id: "e" });
  },
  "the statuses of services": async (given: object) => {
    const { kind, client } = await kindAt("Environment", { environment, jobs: [given] });
    return readStatuses(client, { kind, id: "e" });
  },
  "services of an organization": async (given: object) => addressIn({ ...given }),
  "lines of a service": async (given: object) => {
    const { kind, client } = await kindAt("Application", { results: [given] });
    return readLogs(client, { address: { kind, names: ["a", "b", "c"] }, id: "s" }, 10);
  },
};

test.each<[keyof typeof read, object, required: readonly string[]]>([
  ["events", event, ["id", "timestamp", "event_type", "target_type"]],
  ["the status of an environment", environment, ["state"]],
  ["the statuses of services", status, ["id", "state"]],
  ["services of an organization", service, Object.keys(service)],
  ["lines of a service", line, ["created_at", "message"]],
])(
  "of %s, what lacks a member or has another type is unknown, and not empty",
  async (what, whole, required) => {
    expect(await read[what](whole)).toBeDefined();
    for (const member of Object.keys(whole))
      for (const value of [undefined, 7]) {
        const known = await read[what]({ ...whole, [member]: value }).catch((error: unknown) => {
          if (!(error instanceof UnexpectedAnswerError)) throw error;
          return undefined;
        });
        const isUnknown = value === 7 || required.includes(member);
        expect({ member, value, isKnown: known !== undefined }).toEqual({
          member,
          value,
          isKnown: !isUnknown,
        });
      }
  },
);

test("an event without a name names nothing", () => {
  const { target_name: _name, ...nameless } = event;
  expect(readPage({ events: [nameless] })?.events[0]).toMatchObject({ targetName: undefined, names: [] });
});
