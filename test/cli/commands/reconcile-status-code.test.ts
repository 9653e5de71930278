import { expect, test } from "vitest";
import { statusExitCode } from "../../../cli/service/status.ts";
import type { ServiceStatus } from "../../../reconciler/index.ts";

const environment = {
  name: "shop/staging",
  state: "synced",
  since: "2026-11-27T08:00:00Z",
  stale: false,
  reasons: [],
  changes: [],
  unmanaged: [],
  services: [],
} as const;
const rolledBack = { commit: "20d7f1e", by: { id: "user:anna", name: "anna" } };

test.each([
  ["everything is synced", {}, {}, 0],
  ["a commit waits", {}, { state: "waiting" }, 2],
  ["there is drift", {}, { state: "drift" }, 2],
  ["an environment is rolled back", {}, { state: "rolled_back", rolled_back: rolledBack }, 2],
  ["the newest commit has mistakes", { problems: ["a.yaml:1: cpu must be a number"] }, {}, 2],
  ["a change has failed", {}, { state: "failed" }, 1],
  ["a service is unhealthy", {}, { state: "unhealthy" }, 1],
  ["an environment is not read", {}, { state: "unread" }, 1],
  ["the state is too old", { stale: true }, {}, 1],
  ["the API does not answer", { in_doubt: { because: "unanswered", since: environment.since } }, {}, 1],
  ["nothing was compared yet", { checked_at: undefined }, {}, 1],
])("the exit code of a status where %s", (_what, more, its, code) => {
  const status = {
    format: "infrasync-reconcile-status",
    stale: false,
    checked_at: environment.since,
    problems: [],
    environments: [{ ...environment, ...its }],
    ...more,
  };
  expect(statusExitCode(status as unknown as ServiceStatus)).toBe(code);
});
