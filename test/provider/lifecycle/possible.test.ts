import { expect, test } from "vitest";
import type { Fields } from "../../../core/values/json.ts";
import { application } from "../../../core/model/kinds/application.ts";
import { environment } from "../../../core/model/kinds/environment.ts";
import type { Kind } from "../../../core/model/kinds/index.ts";
import { job } from "../../../core/model/kinds/job.ts";
import { ask, changeOf, creationOf } from "../../../provider/lifecycle/plan-request.ts";
import { readInputs } from "../../../provider/lifecycle/inputs.ts";

const reasons = ({ objections }: ReturnType<typeof ask>) => objections.map(({ reason }) => reason);

const creating = (kind: Kind, fields: Fields) =>
  reasons(ask(creationOf(kind, { ...readInputs(kind, { name: "a", environment: "parent" }), fields })));

const changing = (kind: Kind, current: Fields, fields: Fields) =>
  ask(
    changeOf(
      { kind, id: "id", name: "a", parentId: "parent", fields: current, response: {} },
      { name: "a", ignored: [] },
      fields,
    ),
  );

test("missing fields of a creation are reported by their names in the program", () => {
  const declared = { git_repository: { branch: "main" }, ports: [{ internal_port: 80 }] };
  expect(creating(application, declared)).toEqual([
    "gitRepository.url is needed",
    'gitRepository.provider is needed: "GITHUB", "GITLAB", "BITBUCKET" (Git provider; may be left out where the host of the URL shows it)',
    "ports[0].publiclyAccessible is needed",
  ]);
});

test("a field that is already missing does not block another change", () => {
  const current = { git_repository: { url: "https://git.example.com/acme/api" } };
  expect(reasons(changing(application, current, { cpu: 700 }))).toEqual([]);
  expect(reasons(changing(application, current, { ports: [{ internal_port: 80 }] }))).toEqual([
    "ports[0].publiclyAccessible is needed",
  ]);
});

test("the removal of a required field is an objection", () => {
  const current = {
    source: { image: { image_name: "a", tag: "1", registry: { id: "r" } } },
    schedule: { on_start: {} },
  };
  expect(reasons(changing(job, current, { source: { image: null } }))).toEqual([
    "source needs image or docker",
  ]);
});

test("a violation of a rule of the kind is an objection, in the terms of the provider", () => {
  const declared = { mode: "PREVIEW" };
  const [objection] = reasons(changing(environment, { mode: "STAGING" }, declared));
  expect(objection).toMatch(
    /^mode: an environment becomes PREVIEW only by being cloned.*clone another environment/,
  );
  expect(reasons(changing(environment, { mode: "PREVIEW" }, declared))).toEqual([]);
});

test("a field that cannot be changed means a replacement, with the reason", () => {
  const { action } = changing(environment, { cluster: { id: "a" } }, { cluster: { id: "b" } });
  expect(action).toMatchObject({
    type: "replace",
    changes: [{ path: ["cluster"], replaces: "an environment cannot be moved to another cluster" }],
  });
});
