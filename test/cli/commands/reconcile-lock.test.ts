import { join } from "node:path";
import { beforeEach, expect, onTestFinished, test } from "vitest";
import { GitRepository } from "../../fixtures/git-repository.ts";
import { job, shop } from "../../fixtures/manifests.ts";
import { type Child, spawnInfrasync } from "../child.ts";
import { useFixture } from "../fixture.ts";

const fixture = useFixture({ behaviour: { rate_limit: 0 } });
let repository: GitRepository;
let data: string;

beforeEach(() => {
  repository = new GitRepository();
  data = join(repository.folder, "data");
  return () => repository[Symbol.dispose]();
});

const place = () => ["--repo", repository.origin, "--path", "infra", "--allow-local-repo", "--yes"];

/** Starts the service as a process; it is ended with the test. */
function start(): Child {
  const flags = ["--interval", "1s", "--listen", "off", "--data", data];
  const child = spawnInfrasync(["reconcile", ...place(), ...flags], fixture.env);
  onTestFinished(() => void child.process.kill("SIGKILL"));
  return child;
}

const once = (...args: string[]) =>
  fixture.run(["reconcile", ...place(), "--once", "--data", data, ...args], {
    env: { PATH: process.env["PATH"] },
  });

test("a second service on a data folder says who works there, waits, and takes over when that is killed", async () => {
  repository.push({ "infra/shop.yaml": shop });
  const first = start();
  await first.says("the commit is applied");
  const second = start();
  await second.says("waiting for its end");
  const third = start();
  await third.says("waiting for its end");
  third.process.kill("SIGTERM");
  expect(await third.ended).toMatchObject({
    code: 0,
    stdout: "",
    stderr: expect.stringContaining(`"pid":${first.process.pid}`),
  });
  const ran = await once();
  expect(ran).toMatchObject({ code: 1, stderr: expect.stringContaining(`process ${first.process.pid} on `) });
  first.process.kill("SIGKILL");
  const commit = repository.push({ "infra/a.yaml": job("a") });
  await second.says(`"commit":"${commit}"`);
  second.process.kill("SIGTERM");
  expect((await second.ended).code).toBe(0);
  // What ends lets go.
  expect(await once()).toMatchObject({ code: 0, stdout: expect.stringContaining("No changes") });
});

const pruning = shop.replace("mode: STAGING", "mode: STAGING\nmanage: { prune: true }");
const names = Array.from({ length: 5 }, (_, index) => `infra/${index}.yaml`);

test("--once counts what was deleted in the last day, by the data folder and the events", async () => {
  const jobs = Object.fromEntries(names.map((name, index) => [name, job(`job-${index}`)]));
  repository.push({ "infra/shop.yaml": pruning, ...jobs });
  expect((await once("--prune")).code).toBe(0);
  const config = await fixture.write("operator.yaml", "reconcile: { max_deletes_per_day: 2 }\n");
  const limit = ["--prune", "--config", config];
  for (const name of names.slice(0, 2)) {
    repository.push({ [name]: undefined });
    expect(await once(...limit)).toMatchObject({ code: 0, stdout: expect.stringContaining("1 deleted") });
  }
  repository.push({ "infra/2.yaml": undefined });
  expect(await once(...limit)).toMatchObject({
    code: 3,
    stderr: expect.stringContaining("after 2 in the last 24 hours; 2 a day are allowed"),
  });
  const without = ["reconcile", ...place(), "--once", ...limit];
  const ran = await fixture.run(without, { env: { PATH: process.env["PATH"] } });
  expect(ran).toMatchObject({
    code: 3,
    stderr: expect.stringContaining(
      "after 2 in the last 24 hours (2 by admin with infrasync-reconciler); 2 a day are allowed",
    ),
  });
  await fixture.fault({ method: "GET", path: "/organization/*/events", status: 403 });
  expect(await fixture.run(without, { env: { PATH: process.env["PATH"] } })).toMatchObject({
    code: 0,
    stdout: expect.stringContaining("1 deleted"),
    stderr: expect.stringContaining("in the last 24 hours are not counted"),
  });
});

test("--once holds a commit that drops the applied one and deletes, and follows one that does not", async () => {
  const base = repository.push({ "infra/shop.yaml": pruning, "infra/0.yaml": job("a") });
  repository.push({ "infra/1.yaml": job("b") });
  expect((await once("--prune")).code).toBe(0);
  repository.git("reset", "--quiet", "--hard", base);
  repository.push({ "infra/2.yaml": job("c") });
  const held = await once("--prune");
  expect(held).toMatchObject({ code: 3, stderr: expect.stringContaining("and its plan deletes") });
  expect(held.stdout).not.toContain("Done");
  repository.push({ "infra/1.yaml": job("b") });
  expect(await once("--prune")).toMatchObject({
    code: 0,
    stdout: expect.stringContaining("Done: 1 created."),
  });
});
