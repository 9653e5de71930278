import { expect, test } from "vitest";
import { summary } from "../../../fixtures/harness.ts";
import { useHarness } from "../../../fixtures/use-harness.ts";
import { jobs, KeptRuns, minute } from "./runs.ts";

const harness = useHarness();
const runs = new KeptRuns(harness);

test("a plan of 5 x 20 jobs with variables reads only the parts that have changed", async () => {
  const text = jobs(5, 20);
  await runs.settle(text);
  const first = await runs.plan(text);
  expect(summary(first.plan)).toEqual([]);
  expect(first.plan.remembered).toBeUndefined();
  const second = await runs.plan(text);
  expect(summary(second.plan)).toEqual([]);
  expect(second.plan.remembered).toMatchObject({ resources: 100, of: 100 });
  expect([first.requests, second.requests]).toEqual([107, 8]);

  await runs.changeVariable("j3", "NAME", "changed by hand");
  await harness.advance(minute);
  const third = await runs.plan(text);
  expect(summary(third.plan)).toHaveLength(1);
  expect(third.plan.actions.flatMap(({ changes }) => changes)).toMatchObject([{ before: "changed by hand" }]);
  expect(third.requests).toBe(9);

  await harness.reconcile(text);
  await harness.advance(minute);
  const edited = text.replace("value of e0/j0", "another value");
  const fourth = await runs.plan(edited);
  expect(fourth.plan.actions.flatMap(({ changes }) => changes)).toMatchObject([
    { before: "value of e0/j0", after: "another value" },
  ]);
  // One list for the job that changed by hand and was changed back, and one for the edited one.
  expect(fourth.requests).toBe(10);
});

test("a plan to destroy 5 x 20 jobs names their variables without reading them again", async () => {
  const text = jobs(5, 20);
  await runs.settle(text);
  const first = await runs.plan(text, {}, "destroy");
  const second = await runs.plan(text, {}, "destroy");
  expect(second.plan.actions).toEqual(first.plan.actions);
  expect(
    second.plan.actions.flatMap(({ losses }) => losses).filter(({ sort }) => sort === "part"),
  ).toHaveLength(200);
  expect([first.requests, second.requests]).toEqual([119, 14]);
});

test("domains, settings and restrictions of a service are remembered too", async () => {
  const text = `kind: Project
name: shop
---
kind: Environment
project: shop
name: e0
mode: STAGING
---
kind: Application
environment: shop/e0
name: api
git_repository: { url: https://github.com/acme/api.git, branch: main }
build_mode: DOCKER
dockerfile_path: Dockerfile
custom_domains: { api.example.com: {} }
advanced_settings: { build.timeout_max_sec: 1200 }
deployment_restrictions: [{ mode: EXCLUDE, value: docs/ }]
`;
  await runs.settle(text);
  const [first, second] = [await runs.plan(text), await runs.plan(text)];
  expect(summary(second.plan)).toEqual([]);
  expect([first.requests, second.requests]).toEqual([3 + 3 + 1, 3 + 1 + 1]);
});
