import { expect, test } from "vitest";
import { application } from "../../../core/kinds/application.ts";
import { environment } from "../../../core/kinds/environment.ts";
import { job } from "../../../core/kinds/job.ts";
import { immovable, immovableInClone, objections } from "../../../provider/lifecycle/possible.ts";

test("missing fields of a creation are reported by their names in the program", () => {
  const stated = { git_repository: { branch: "main" }, ports: [{ internal_port: 80 }] };
  expect(objections(application, { how: "create", current: undefined, stated })).toEqual([
    "gitRepository.url is needed",
    'gitRepository.provider is needed: "GITHUB", "GITLAB", "BITBUCKET" (Git provider; may be left out where the host of the URL shows it)',
    "ports[0].publiclyAccessible is needed",
  ]);
});

test("a field that is already missing does not block another change", () => {
  const current = { git_repository: { url: "https://git.example.com/acme/api" } };
  expect(objections(application, { how: "update", current, stated: { cpu: 700 } })).toEqual([]);
  expect(
    objections(application, { how: "update", current, stated: { ports: [{ internal_port: 80 }] } }),
  ).toEqual(["ports[0].publiclyAccessible is needed"]);
});

test("the removal of a required field is an objection", () => {
  const current = {
    source: { image: { image_name: "a", tag: "1", registry: { id: "r" } } },
    schedule: { on_start: {} },
  };
  const stated = { source: { image: null } };
  expect(objections(job, { how: "update", current, stated })).toEqual(["source needs image or docker"]);
});

test("a violation of a rule of the kind is an objection, in the terms of the provider", () => {
  const stated = { mode: "PREVIEW" };
  const [objection] = objections(environment, { how: "update", current: { mode: "STAGING" }, stated });
  expect(objection).toMatch(
    /^mode: an environment becomes PREVIEW only by being cloned.*clone another environment/,
  );
  expect(objections(environment, { how: "update", current: { mode: "PREVIEW" }, stated })).toEqual([]);
});

test("an immutable field is reported with the reason, unless the clone request carries the field", () => {
  const cluster = (id: string) => ({ cluster: { id } });
  expect(immovable(environment, cluster("a"), cluster("b"))).toEqual([
    "cluster differs: an environment cannot be moved to another cluster",
  ]);
  expect(immovableInClone(environment, cluster("a"), cluster("b"))).toEqual([]);
  expect(immovable(environment, cluster("a"), cluster("a"))).toEqual([]);
});
