import { expect, test } from "vitest";
import { application } from "../../../core/model/kinds/application.ts";
import { environment } from "../../../core/model/kinds/environment.ts";
import { job } from "../../../core/model/kinds/job.ts";
import { project } from "../../../core/model/kinds/project.ts";
import { fixedInClone, servicesOfClone } from "../../../core/rules/clone.ts";
import { textOf } from "../../../core/problems/say.ts";
import { fixedAmong, objectionsTo } from "../../../core/rules/possible.ts";
import { moveOf, staysInParent } from "../../../core/rules/place.ts";

const paths = (missing: ReturnType<typeof objectionsTo>) =>
  missing.map(({ path, message }) => `${path.join(".")} ${textOf(message)}`);

test("a creation requires all required fields of the kind", () => {
  const desired = { source: { image: { tag: "1" } } };
  expect(paths(objectionsTo(job, { how: "create", current: undefined, desired }))).toEqual([
    "schedule is needed",
    "source.image.image_name is needed",
    "source.image.registry is needed",
  ]);
});

test("a field that is missing on the live resource does not block other changes", () => {
  const current = { git_repository: { url: "https://git.example.com/acme/api" } };
  const desired = { ...current, cpu: 700 };
  expect(objectionsTo(application, { how: "update", current, desired })).toEqual([]);
  const broken = { ...desired, ports: [{ internal_port: 80 }] };
  expect(paths(objectionsTo(application, { how: "update", current, desired: broken }))).toEqual([
    "ports.[0].publicly_accessible is needed",
  ]);
});

test("a clone of an unknown source cannot be checked yet", () => {
  expect(objectionsTo(job, { how: "clone", current: undefined, desired: { cpu: 500 } })).toEqual([]);
});

test("a violation of a rule of the kind is an objection, not a missing field", () => {
  const desired = { mode: "PREVIEW" };
  expect(objectionsTo(environment, { how: "create", current: undefined, desired })).toEqual([
    { path: ["mode"], message: expect.stringContaining("only by being cloned"), isMissing: false },
  ]);
});

test("a resource stays in its parent, whatever the case of the parent's id", () => {
  expect(moveOf(job, "environment", "ab", "AB")).toEqual([]);
  expect(moveOf(job, "environment", "ab", "cd")).toEqual([
    {
      path: ["environment"],
      before: "ab",
      after: "cd",
      replaces: "a Job cannot be moved to another Environment",
    },
  ]);
  expect(staysInParent(project)).toBe("a Project cannot be moved to another organization");
});

test("a clone may override the fields that its request carries, but no other immutable fields", () => {
  const mode = { path: ["mode"], before: "STAGING", after: "PRODUCTION" };
  const cluster = { path: ["cluster"], replaces: "an environment cannot be moved to another cluster" };
  const schedule = { path: ["schedule"], replaces: "a job stays a CRON or a LIFECYCLE job" };
  expect(fixedAmong([mode, cluster])).toEqual([cluster]);
  expect(fixedInClone(environment, [mode, cluster])).toEqual([]);
  expect(fixedInClone(job, [schedule])).toEqual([schedule]);
});

test("a clone includes services of unknown types", () => {
  expect(servicesOfClone([{ kind: job, name: "a" }], [{ type: "DATABASE", name: "b" }])).toEqual([
    { kind: "Job", name: "a" },
    { kind: "DATABASE", name: "b" },
  ]);
});
