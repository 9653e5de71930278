import { describe, expect, test } from "vitest";
import { overlay, withoutElementIds, withoutGenerated } from "../../../../core/model/fields/overlay.ts";
import type { Fields } from "../../../../core/values/json.ts";
import { application } from "../../../../core/model/kinds/application.ts";
import { job } from "../../../../core/model/kinds/job.ts";

const cases: { name: string; kind: typeof job; base: Fields; declared: Fields; result: Fields }[] = [
  {
    name: "keeps what is not declared",
    kind: job,
    base: { cpu: 500, memory: 512 },
    declared: { cpu: 750 },
    result: { cpu: 750, memory: 512 },
  },
  {
    name: "merges objects",
    kind: job,
    base: { schedule: { cronjob: { scheduled_at: "0 3 * * *", timezone: "Europe/Paris" } } },
    declared: { schedule: { cronjob: { scheduled_at: "0 4 * * *" } } },
    result: { schedule: { cronjob: { scheduled_at: "0 4 * * *", timezone: "Europe/Paris" } } },
  },
  {
    name: "null resets to the default where there is one",
    kind: job,
    base: { cpu: 750, description: "nightly" },
    declared: { cpu: null, description: null },
    result: { cpu: 500, description: "" },
  },
  {
    name: "null removes where there is no default",
    kind: job,
    base: { port: 8080, cpu_architecture: "ARM64" },
    declared: { port: null, cpu_architecture: null },
    result: {},
  },
  {
    name: "a stated alternative drops the others",
    kind: job,
    base: { source: { image: { image_name: "a", tag: "1" } } },
    declared: { source: { docker: { dockerfile_raw: "FROM a" } } },
    result: { source: { docker: { dockerfile_raw: "FROM a" } } },
  },
  {
    name: "the alternatives of a probe, two levels deep",
    kind: job,
    base: { healthchecks: { liveness_probe: { type: { tcp: { port: 80 } }, period_seconds: 20 } } },
    declared: { healthchecks: { liveness_probe: { type: { http: { port: 81 } } } } },
    result: { healthchecks: { liveness_probe: { type: { http: { port: 81 } }, period_seconds: 20 } } },
  },
  {
    name: "members of one alternative stay together",
    kind: job,
    base: { schedule: { on_start: { arguments: ["a"] }, lifecycle_type: "GENERIC" } },
    declared: { schedule: { on_stop: {} } },
    result: { schedule: { on_start: { arguments: ["a"] }, lifecycle_type: "GENERIC", on_stop: {} } },
  },
  {
    name: "a stated list says which elements there are, and keeps what they do not declare",
    kind: application,
    base: {
      ports: [
        { id: "p1", internal_port: 80, protocol: "HTTP", publicly_accessible: true, name: "web" },
        { id: "p2", internal_port: 90, protocol: "TCP", publicly_accessible: false },
      ],
    },
    declared: { ports: [{ internal_port: 80, publicly_accessible: false }] },
    result: {
      ports: [{ id: "p1", internal_port: 80, protocol: "HTTP", publicly_accessible: false, name: "web" }],
    },
  },
  {
    name: "the same port with another protocol is another port",
    kind: application,
    base: { ports: [{ id: "p1", internal_port: 80, protocol: "HTTP", publicly_accessible: true }] },
    declared: { ports: [{ internal_port: 80, protocol: "TCP", publicly_accessible: true }] },
    result: { ports: [{ internal_port: 80, protocol: "TCP", publicly_accessible: true }] },
  },
  {
    name: "a list that is not a set is as stated",
    kind: application,
    base: { arguments: ["a", "b"] },
    declared: { arguments: ["b"] },
    result: { arguments: ["b"] },
  },
  {
    name: "a free value is as stated",
    kind: application,
    base: {
      autoscaling: {
        mode: "KEDA",
        scalers: [{ scaler_type: "cpu", role: "PRIMARY", config_json: { a: 1 } }],
      },
    },
    declared: { autoscaling: { scalers: [{ scaler_type: "cpu", role: "PRIMARY", config_json: { b: 2 } }] } },
    result: {
      autoscaling: {
        mode: "KEDA",
        scalers: [{ scaler_type: "cpu", role: "PRIMARY", config_json: { b: 2 } }],
      },
    },
  },
  {
    name: "a member named __proto__ is a member",
    kind: application,
    base: {},
    declared: JSON.parse('{"__proto__": {"polluted": true}}'),
    result: JSON.parse('{"__proto__": {"polluted": true}}'),
  },
];

describe("overlay", () => {
  test.each(cases)("$name", ({ kind, base, declared, result }) => {
    const before = structuredClone({ base, declared });
    expect(overlay(kind.fields, base, declared)).toStrictEqual(result);
    expect({ base, declared }).toStrictEqual(before);
    expect({}).not.toHaveProperty("polluted");
  });

  test("a copy has no ids of elements", () => {
    const fields = {
      cpu: 1,
      ports: [{ id: "p1", internal_port: 80 }],
      storage: [{ id: "s1", mount_point: "/a" }],
    };
    expect(withoutElementIds(application.fields, fields)).toStrictEqual({
      cpu: 1,
      ports: [{ internal_port: 80 }],
      storage: [{ mount_point: "/a" }],
    });
  });
});

test("a recreated resource has no default icon of the API, but an icon that a document declares", () => {
  const icon_uri = "app://console/cron-job";
  expect(withoutGenerated(job.fields, { cpu: 500, icon_uri }, { cpu: 500 })).toStrictEqual({ cpu: 500 });
  expect(withoutGenerated(job.fields, { icon_uri }, { icon_uri })).toStrictEqual({ icon_uri });
  const chosen = { icon_uri: "https://example.com/icon.svg" };
  expect(withoutGenerated(job.fields, chosen, {})).toStrictEqual(chosen);
});
