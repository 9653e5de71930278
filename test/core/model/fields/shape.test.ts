import { describe, expect, test } from "vitest";
import { compare } from "../../../../core/model/fields/compare.ts";
import { overlay } from "../../../../core/model/fields/overlay.ts";
import type { Fields } from "../../../../core/values/json.ts";
import { application } from "../../../../core/model/kinds/application.ts";
import { job } from "../../../../core/model/kinds/job.ts";
import { foundShape, shapeOf, declaredForm, withResets } from "../../../../core/model/fields/shape.ts";

const declared: Fields = {
  description: "an api",
  ports: [
    { internal_port: 9090, publicly_accessible: false, name: "metrics" },
    { internal_port: 8080, publicly_accessible: true },
  ],
  labels_groups: ["11111111-2222-4333-8444-555555555555", "Team-Labels"],
  git_repository: { url: "https://github.com/acme/api", git_token: "github-main" },
};
const live: Fields = {
  description: "an api",
  cpu: 500,
  ports: [
    { id: "a", internal_port: 8080, protocol: "HTTP", publicly_accessible: true, is_default: true },
    { id: "b", internal_port: 9090, protocol: "HTTP", publicly_accessible: false, name: "metrics" },
  ],
  labels_groups: [
    { id: "99999999-2222-4333-8444-555555555555", name: "team-labels" },
    { id: "11111111-2222-4333-8444-555555555555", name: "other" },
  ],
  git_repository: {
    url: "https://github.com/acme/api",
    provider: "GITHUB",
    root_path: "/",
    git_token: { id: "77777777-2222-4333-8444-555555555555", name: "github-main" },
  },
};
const schema = application.fields;

describe("the inputs that describe a live resource", () => {
  const shape = shapeOf(schema, declared);

  test("equal the stated inputs as long as nothing has changed", () => {
    expect(declaredForm(schema, live, shape)).toEqual(declared);
  });

  test("contain no values that may be secret", () => {
    expect(JSON.stringify(shape)).not.toMatch(/an api|metrics|https/);
  });

  test("show changes, new elements of a list, and removed elements", () => {
    const drifted: Fields = {
      ...live,
      description: "",
      ports: [{ id: "c", internal_port: 7070, protocol: "TCP", publicly_accessible: true }],
      labels_groups: [{ id: "99999999-2222-4333-8444-555555555555", name: "renamed" }],
      git_repository: { url: "https://gitlab.com/acme/api" },
    };
    expect(declaredForm(schema, drifted, shape)).toEqual({
      description: "",
      ports: [{ internal_port: 7070, protocol: "TCP", publicly_accessible: true }],
      labels_groups: ["renamed"],
      git_repository: { url: "https://gitlab.com/acme/api" },
    });
  });

  test("have the default for a field that the server omits", () => {
    expect(declaredForm(schema, {}, { description: true, cpu: true, entrypoint: true })).toEqual({
      description: "",
      cpu: 500,
    });
  });

  test("have the other alternative when the resource has it", () => {
    const cron = shapeOf(job.fields, { schedule: { cronjob: { scheduled_at: "0 3 * * *" } } });
    expect(declaredForm(job.fields, { schedule: { on_start: { arguments: ["x"] } } }, cron)).toEqual({
      schedule: { on_start: { arguments: ["x"] } },
    });
  });
});

describe("an input that is no longer declared", () => {
  const changes = (now: Fields) => {
    const desired = overlay(schema, live, withResets(schema, now, shapeOf(schema, declared)));
    return compare(schema, live, desired).map(({ path, after }) => [path.join("."), after]);
  };
  const { ports: _ports, ...others } = declared;
  const references = {
    labels_groups: live["labels_groups"] ?? [],
    git_repository: live["git_repository"] ?? {},
  };

  test("is reset, also a part of an input", () => {
    const now = { ...declared, ...references };
    expect(changes(now)).toEqual([]);
    expect(
      changes({
        ...now,
        ports: [{ internal_port: 9090, publicly_accessible: false }, { internal_port: 8080 }],
      }),
    ).toEqual([["ports.[9090/HTTP].name", undefined]]);
    expect(changes({ ...others, ...references })).toEqual([
      ["ports.[8080/HTTP]", undefined],
      ["ports.[9090/HTTP]", undefined],
    ]);
    expect(changes(references)).toContainEqual(["description", ""]);
  });

  test("stays when an import has found it and nobody knows what a reset would make of it", () => {
    const found: Fields = {
      auto_deploy: true,
      deployment_stage: "late",
      entrypoint: "/start",
      variables: { A: { value: "1" } },
    };
    const imported = foundShape(schema, shapeOf(schema, found));
    expect(withResets(schema, {}, imported)).toEqual({ entrypoint: null, variables: { A: null } });
    expect(declaredForm(schema, found, imported)).toEqual(found);
    expect(withResets(schema, {}, shapeOf(schema, found))).toMatchObject({ auto_deploy: null });
  });

  test("stays when the resource requires it", () => {
    const { git_repository: _repository, ...without } = { ...declared, ...references };
    expect(changes(without)).toEqual([]);
  });
});
