import { describe, expect, test } from "vitest";
import { compare, formatPath } from "../../../../core/model/fields/compare.ts";
import type { Fields } from "../../../../core/values/json.ts";
import { application } from "../../../../core/model/kinds/application.ts";
import { environment } from "../../../../core/model/kinds/environment.ts";
import { job } from "../../../../core/model/kinds/job.ts";

const same: { name: string; kind: typeof job; before: Fields; after: Fields }[] = [
  {
    name: "an absent field and its default",
    kind: job,
    before: {},
    after: { cpu: 500, gpu: 0, healthchecks: {} },
  },
  {
    name: "members in another order",
    kind: job,
    before: { cpu: 1, memory: 2 },
    after: { memory: 2, cpu: 1 },
  },
  {
    name: "ports in another order, with other ids and the default protocol",
    kind: application,
    before: {
      ports: [
        { id: "1", internal_port: 80, protocol: "HTTP" },
        { id: "2", internal_port: 90 },
      ],
    },
    after: { ports: [{ internal_port: 90 }, { internal_port: 80 }] },
  },
  {
    name: "groups in another order, known by id",
    kind: job,
    before: {
      labels_groups: [
        { id: "1", name: "a" },
        { id: "2", name: "b" },
      ],
    },
    after: { labels_groups: [{ id: "2" }, { id: "1", name: "A" }] },
  },
  {
    name: "a reference with another form of its name",
    kind: environment,
    before: { cluster: { id: "1" } },
    after: { cluster: { id: "1", name: "eu" } },
  },
  { name: "members that the schema does not have", kind: job, before: { icon: 1 }, after: { icon: 2 } },
  {
    name: "probes that write their defaults out",
    kind: job,
    before: { healthchecks: { liveness_probe: { type: { http: { port: 80 } } } } },
    after: {
      healthchecks: {
        liveness_probe: { type: { http: { port: 80, path: "/", scheme: "HTTP" } }, period_seconds: 10 },
      },
    },
  },
];

const different: { name: string; kind: typeof job; before: Fields; after: Fields; changes: string[] }[] = [
  { name: "a number", kind: job, before: { cpu: 500 }, after: { cpu: 750 }, changes: ["cpu: 500 -> 750"] },
  {
    name: "a default and another value",
    kind: job,
    before: {},
    after: { cpu: 750 },
    changes: ["cpu: 500 -> 750"],
  },
  {
    name: "a probe that appears, though all its members have their defaults",
    kind: job,
    before: {},
    after: { healthchecks: { liveness_probe: { period_seconds: 10 } } },
    changes: ['healthchecks.liveness_probe: undefined -> {"period_seconds":10}'],
  },
  {
    name: "ports: changed, added, removed",
    kind: application,
    before: { ports: [{ internal_port: 80, publicly_accessible: true }, { internal_port: 90 }] },
    after: {
      ports: [
        { internal_port: 80, publicly_accessible: false },
        { internal_port: 91, protocol: "TCP" },
      ],
    },
    changes: [
      "ports[80/HTTP].publicly_accessible: true -> false",
      'ports[91/TCP]: undefined -> {"internal_port":91,"protocol":"TCP"}',
      'ports[90/HTTP]: {"internal_port":90} -> undefined',
    ],
  },
  {
    name: "a git repository without a token, in its branch alone",
    kind: application,
    before: { git_repository: { branch: "main" } },
    after: { git_repository: { branch: "next" } },
    changes: ['git_repository.branch: "main" -> "next"'],
  },
  {
    name: "a list that is not a set, in another order",
    kind: application,
    before: { arguments: ["a", "b"] },
    after: { arguments: ["b", "a"] },
    changes: ['arguments: ["a","b"] -> ["b","a"]'],
  },
  {
    name: "an immutable field",
    kind: environment,
    before: { cluster: { id: "1", name: "eu" } },
    after: { cluster: { id: "2", name: "us" } },
    changes: [
      'cluster: {"id":"1","name":"eu"} -> {"id":"2","name":"us"} (an environment cannot be moved to another cluster)',
    ],
  },
  {
    name: "a flip of the job type",
    kind: job,
    before: { schedule: { cronjob: { scheduled_at: "* * * * *" } } },
    after: { schedule: { on_start: {} } },
    changes: [
      'schedule.cronjob: {"scheduled_at":"* * * * *"} -> undefined (a cron job cannot become a lifecycle job, nor the other way round)',
      "schedule.on_start: undefined -> {} (a cron job cannot become a lifecycle job, nor the other way round)",
    ],
  },
  {
    name: "another event of a lifecycle job",
    kind: job,
    before: { schedule: { on_start: {} } },
    after: { schedule: { on_start: {}, on_stop: {} } },
    changes: ["schedule.on_stop: undefined -> {}"],
  },
];

describe("compare", () => {
  test.each(same)("equal: $name", ({ kind, before, after }) => {
    expect(compare(kind.fields, before, after)).toStrictEqual([]);
    expect(compare(kind.fields, after, before)).toStrictEqual([]);
  });

  test.each(different)("different: $name", ({ kind, before, after, changes }) => {
    const found = compare(kind.fields, before, after).map(
      ({ path, before: left, after: right, replaces }) =>
        `${formatPath(path)}: ${JSON.stringify(left)} -> ${JSON.stringify(right)}${replaces ? ` (${replaces})` : ""}`,
    );
    expect(found).toStrictEqual(changes);
  });
});
