import { expect, test } from "vitest";
import type { Fields } from "../../core/values/json.ts";
import { gitHostToken } from "../fixtures/forges/server.ts";
import type { Harness } from "../fixtures/harness.ts";
import { application, job, lifecycleJob, shop } from "../fixtures/manifests.ts";
import { type ForgeKind, startCiBench } from "./runners.ts";

const start = { "manifests/shop.yaml": shop, "manifests/a.yaml": job("a", "cpu: 500") };
const digestOf = (status: string | undefined): string => /[0-9a-f]{64}/.exec(status ?? "")?.[0] ?? "";

/** The lines of a log that the runner of GitHub takes as commands. */
function commandsOfGitHub(log: string): string[] {
  let stopped: string | undefined;
  return log.split(/\r?\n/).filter((line) => {
    if (stopped !== undefined) {
      if (line.trim() === `::${stopped}::`) stopped = undefined;
      return false;
    }
    stopped = /^::stop-commands::(.+)$/.exec(line)?.[1];
    return stopped === undefined && (/^\s*::[\w-]+(?: .*)?::/.test(line) || /##\[.*\]/.test(line));
  });
}

/** The marks of sections that GitLab obeys. */
const commandsOfGitLab = (log: string): string[] =>
  log
    .split("\r\u001B")
    .slice(0, -1)
    .filter((before) => /section_(?:start|end):\d+:[\w.-]+$/.test(before));

/** What jobs do with a forge: the same on each. */
export function scenariosOn(make: (api: () => Harness) => Promise<ForgeKind>, isGitHub: boolean): void {
  test("a pull request has one comment, which is changed by a push, and removed when nothing is changed any more", async () => {
    const bench = await startCiBench(make, start);
    const first = bench.open(4, { "manifests/a.yaml": job("a", "cpu: 750") });
    const one = await bench.plan(4);
    expect(one.output).toContain("cpu  500m -> 750m");
    expect(one.code).toBe(0);
    expect(bench.comments(4)).toHaveLength(1);
    expect(bench.comments(4)[0]).toMatch(/^<!-- infrasync plan -->\n### Plan: 1 to update; 2 unchanged\./);
    expect(bench.comments(4)[0]).toContain("cpu  500m -&gt; 750m".replace("&gt;", ">"));
    expect(bench.comments(4)[0]).toContain(first);
    // The same plan of the same commit: nothing is edited.
    const writes = () => bench.forge.writes().filter((line) => /comments|notes/.test(line)).length;
    const before = writes();
    await bench.plan(4);
    expect(writes()).toBe(before);
    expect(bench.status(first)).toMatch(
      /^success: Plan: 1 to update; 2 unchanged\. \[apply main@[0-9a-f]{7}\] Digest: [0-9a-f]{64}$/,
    );
    if (isGitHub) {
      expect(one.summary).toContain("### Plan: 1 to update");
      expect(one.outputs).toEqual({
        changes: "true",
        digest: digestOf(bench.status(first)),
        comment: expect.stringMatching(/^https:\/\/github.com\/acme\/infra\/issues\/4#issuecomment-\d+$/),
      });
    }

    const second = bench.push(4, { "manifests/a.yaml": job("a", "cpu: 1000") });
    await bench.plan(4);
    expect(bench.comments(4)).toHaveLength(1);
    expect(bench.comments(4)[0]).toContain("cpu  500m -> 1000m");
    expect(digestOf(bench.status(second))).not.toBe(digestOf(bench.status(first)));

    const third = bench.push(4, { "manifests/a.yaml": job("a", "cpu: 500") });
    const last = await bench.plan(4);
    expect(last.code).toBe(0);
    expect(bench.comments(4)).toEqual([]);
    expect(bench.status(third)).toMatch(
      /^success: The (?:pull|merge) request changes nothing\. \[unchanged main@/,
    );
    if (isGitHub) expect(last.outputs).toMatchObject({ changes: "false", digest: "" });
  });

  test("a job plans and applies an environment of the settings file, from its own sources and values", async () => {
    const environment = (name: string, cpu: number) =>
      `  ${name}: { sources: [manifests], vars: { ENVIRONMENT: ${name}, CPU: ${cpu} } }\n`;
    const settings = (cpu: number) =>
      `environments:\n${environment("staging", cpu)}${environment("production", 2000)}`;
    const bench = await startCiBench(make, start);
    bench.open(3, {
      "infrasync.config.yaml": settings(500),
      "manifests/a.yaml": job("a", "cpu: ${CPU}\ndescription: ${ENVIRONMENT}"),
    });
    bench.merge(3);
    bench.open(4, { "infrasync.config.yaml": settings(750) });
    const inputs = { path: "staging" };
    expect((await bench.plan(4, { inputs })).code).toBe(0);
    expect(bench.comments(4)[0]).toContain("cpu  500m -> 750m");
    expect((await bench.apply(bench.merge(4), { inputs })).code).toBe(0);
    expect((await bench.server.everything()).get("shop/staging/JOB a")).toMatchObject({
      cpu: 750,
      description: "staging",
    });
    bench.open(5, { "infrasync.config.yaml": settings(1000) });
    const mistyped = await bench.plan(5, { inputs: { path: "stagng" } });
    expect([mistyped.code, mistyped.output]).toEqual([3, expect.stringContaining("did you mean staging?")]);
  });

  test.runIf(isGitHub)("a merge queue gets the status of its commit, and no comment", async () => {
    const bench = await startCiBench(make, start);
    const head = bench.open(4, { "manifests/a.yaml": job("a", "cpu: 750") });
    const planned = await bench.plan(4, { isQueued: true });
    expect(planned).toMatchObject({ code: 0, outputs: { changes: "true" } });
    expect(bench.comments(4)).toEqual([]);
    expect(bench.status(head)).toBeUndefined();
    const [queued = ""] = bench.forge.statuses.keys();
    expect(bench.status(queued)).toMatch(/^success: Plan: 1 to update; 2 unchanged\. \[apply main@/);
  });

  test("no text of a manifest gives the runner a command, in a plan and in an error", async () => {
    const bench = await startCiBench(make, start);
    const commandsIn = isGitHub ? commandsOfGitHub : commandsOfGitLab;
    const lines = [
      "::add-mask::a",
      "##[set-output name=digest;]evil",
      "\u001b[0Ksection_start:1:x\r\u001b[0K",
    ];
    const description = JSON.stringify(`begin\n${lines.join("\n")}\nend`);
    bench.open(4, { "manifests/a.yaml": job("a", `description: ${description}`) });
    const shown = await bench.plan(4);
    expect(shown.output).toContain("::add-mask::a");
    expect(commandsIn(shown.output)).toEqual([]);
    bench.push(4, { "manifests/a.yaml": job("a", `description: ${description}\n"##[x]": 1`) });
    const refused = await bench.plan(4);
    expect(refused).toMatchObject({ code: 3, output: expect.stringContaining("##[x]") });
    expect(commandsIn(refused.output)).toEqual([]);
    expect(commandsIn(lines.join("\n")).length).toBeGreaterThan(0);
  });

  test("a pull request from a fork gets no token and a clear note, and no failure", async () => {
    const bench = await startCiBench(make, start);
    bench.open(4, { "manifests/a.yaml": job("a", "cpu: 750") });
    await bench.server.forgetRequests();
    const { code, output, summary } = await bench.plan(4, {
      isFork: true,
      // What a fork does not get is empty.
      env: { INPUT_TOKEN: "", "INPUT_GIT-HOST-TOKEN": "", INFRASYNC_TOKEN: "", INFRASYNC_GIT_HOST_TOKEN: "" },
    });
    expect({ code, requests: bench.forge.requests }).toEqual({ code: 0, requests: [] });
    const word = isGitHub ? "pull" : "merge";
    expect(output).toContain(`this ${word} request comes from a fork, and forks get no token`);
    if (isGitHub) expect(summary).toContain("forks get no token");
    expect(await bench.server.seen()).toEqual([]);
  });

  test("after the merge, what was reviewed is planned again and applied", async () => {
    const bench = await startCiBench(make, start);
    const head = bench.open(4, { "manifests/a.yaml": job("a", "cpu: 750") });
    await bench.plan(4, { isProcess: true });
    const merged = bench.merge(4);
    const { code, output, summary, outputs } = await bench.apply(merged, { isProcess: true });
    expect(output).toContain("Done: 1 updated.");
    expect(code).toBe(0);
    expect((await bench.server.everything()).get("shop/staging/JOB a")).toMatchObject({ cpu: 750 });
    expect(bench.status(merged, "infrasync/apply")).toBe("success: Done: 1 updated.");
    // The job is started again.
    const again = await bench.apply(merged);
    expect(again).toMatchObject({ code: 0, output: expect.stringContaining("is applied already") });
    expect(bench.status(merged, "infrasync/apply")).toBe("success: Done: 1 updated.");
    if (isGitHub) {
      expect(summary).toContain("Done: 1 updated.");
      expect(outputs).toMatchObject({ changes: "true", digest: digestOf(bench.status(head)) });
    }
  });

  test("a dry run of plan, apply and check shows the plan, and writes neither to the Git host nor to the API", async () => {
    const bench = await startCiBench(make, start);
    bench.open(4, { "manifests/a.yaml": job("a", "cpu: 750") });
    const dry = { inputs: { "dry-run": "true" } };
    const planned = await bench.plan(4, dry);
    expect(planned).toMatchObject({ code: 0, output: expect.stringContaining("cpu  500m -> 750m") });
    expect(bench.forge.writes()).toEqual([]);
    await bench.plan(4);
    const writes = bench.forge.writes();
    const merged = bench.merge(4);
    const applied = await bench.apply(merged, dry);
    expect(applied).toMatchObject({ code: 0, output: expect.stringContaining("cpu  500m -> 750m") });
    expect((await bench.check(dry)).code).toBe(0);
    expect(bench.forge.writes()).toEqual(writes);
    expect((await bench.server.everything()).get("shop/staging/JOB a")).toMatchObject({ cpu: 500 });
    expect((await bench.apply(merged)).output).toContain("Done: 1 updated.");
  });

  test("what a service has written stays out of the job, unless the operator shares it", async () => {
    const bench = await startCiBench(make, start);
    const inputs = { deploy: "true", wait: "true" };
    bench.open(4, { "manifests/api.yaml": application("api") });
    await bench.plan(4, { inputs });
    const fault = { method: "POST", path: "/environment/*/service/deploy", fail_deployment: true };
    await bench.server.api("POST", "/_emulator/faults", [fault]);
    const { code, output, summary } = await bench.apply(bench.merge(4), { inputs });
    expect(code).toBe(1);
    expect(output).toContain("its deployment has failed: DEPLOYMENT_ERROR");
    expect(output + summary).not.toContain("api: DEPLOYMENT_ERROR");

    bench.open(5, { "manifests/api.yaml": application("api", "cpu: 750") });
    await bench.plan(5, { inputs });
    const shared = await bench.apply(bench.merge(5), { inputs, env: { INFRASYNC_SHARE_LOGS: "true" } });
    expect(shared.output).toContain("api: DEPLOYMENT_ERROR");
    if (isGitHub) expect(shared.summary).toContain("api: DEPLOYMENT_ERROR");
  });

  test("a commit that no merged pull request has brought is not applied", async () => {
    const bench = await startCiBench(make, start);
    const commit = bench.repository.push({ "manifests/a.yaml": job("a", "cpu: 750") });
    await bench.server.forgetRequests();
    const { code, output } = await bench.apply(commit);
    expect(code).toBe(3);
    expect(output).toMatch(/no merged (?:pull|merge) request belongs to the commit/);
    expect(await bench.server.writes()).toEqual([]);
  });

  test("a commit that was pushed while its pull request is open is not applied, although its plan was shown", async () => {
    const bench = await startCiBench(make, start);
    const head = bench.open(4, { "manifests/a.yaml": job("a", "cpu: 750") });
    await bench.plan(4);
    bench.repository.git("push", "--quiet", "origin", `${head}:refs/heads/main`);
    await bench.server.forgetRequests();
    const { code, output } = await bench.apply(head);
    expect(output).toMatch(/no merged (?:pull|merge) request belongs to the commit/);
    expect(code).toBe(3);
    expect(await bench.server.writes()).toEqual([]);
  });

  test("the run of an older commit leaves the comment to that of the newer one", async () => {
    const bench = await startCiBench(make, start);
    const first = bench.open(4, { "manifests/a.yaml": job("a", "cpu: 750") });
    // The branch moves on while the job of the first commit waits for its runner.
    const { output } = await bench.plan(4, { onStart: () => void bench.push(4, { "README.md": "words" }) });
    expect(output).toContain("is no longer the newest commit");
    expect(bench.comments(4)).toEqual([]);
    expect(bench.status(first)).toMatch(/^success: Plan: 1 to update/);
  });

  test("manifests cannot take the tokens of the job as values of secrets", async () => {
    const bench = await startCiBench(make, start);
    const secret = `secrets: { A: { from_env: ${isGitHub ? "GITHUB_TOKEN" : "CI_JOB_TOKEN"} } }`;
    bench.open(4, { "manifests/a.yaml": job("a", `cpu: 500\n${secret}`) });
    const env = { GITHUB_TOKEN: "job-canary-1", CI_JOB_TOKEN: "job-canary-2" };
    await bench.plan(4, { env });
    const merged = bench.merge(4);
    await bench.server.forgetRequests();
    const apply = (allowed?: string) =>
      bench.apply(merged, {
        env: { ...env, ...(allowed !== undefined && { INFRASYNC_ALLOW_ENV: allowed }) },
      });
    const { code, output } = await apply();
    expect(output).toContain("this run lets manifests read none");
    expect(code).toBe(3);
    const allowed = await apply("GITHUB_*,CI_*");
    expect(allowed.output).toContain(`${isGitHub ? "GITHUB_TOKEN" : "CI_JOB_TOKEN"} is not set`);
    expect(allowed.code).toBe(3);
    expect(await bench.server.writes()).toEqual([]);
  });

  test("a token that lacks a right fails the job with the right that it lacks", async () => {
    const bench = await startCiBench(make, start);
    bench.open(4, { "manifests/a.yaml": job("a", "cpu: 750") });
    bench.forge.faults.push({ match: /^POST .*statuses/, status: 403, body: { message: "not accessible" } });
    const { code, output } = await bench.plan(4);
    expect(code).toBe(1);
    expect(output).toContain("the commit status cannot be set");
    expect(output).toMatch(/check that the token has the right: (?:statuses: write|scope api)/);
  });

  test("a status that somebody else has set is no review", async () => {
    const bench = await startCiBench(make, start);
    const head = bench.open(4, { "manifests/a.yaml": job("a", "cpu: 750") });
    await bench.plan(4);
    const digest = digestOf(bench.status(head));
    const [status = {}] = bench.forge.statuses.get(head) ?? [];
    expect(digest).not.toBe("");
    const mallory: Fields = isGitHub
      ? { creator: { login: "mallory", type: "User" } }
      : { author: { id: 3, username: "mallory" } };
    bench.forge.statuses.set(head, [{ ...status, ...mallory }]);
    const { code, output } = await bench.apply(bench.merge(4));
    expect(code).toBe(3);
    expect(output).toContain("has no reviewable plan");
  });

  test("only a success of this job for this branch is a review, whatever else a status says", async () => {
    const bench = await startCiBench(make, start);
    const head = bench.open(4, { "manifests/a.yaml": job("a", "cpu: 750") });
    await bench.plan(4);
    const [status = {}] = bench.forge.statuses.get(head) ?? [];
    const description = String(status["description"]);
    const merged = bench.merge(4);
    await bench.server.forgetRequests();
    const other: Fields = isGitHub
      ? { creator: { login: "another-app[bot]", type: "Bot" } }
      : { author: { id: 3, username: "another-app[bot]" } };
    const refused: [Fields, string][] = [
      [other, "another-app[bot] is ignored: this job has not set it"],
      [isGitHub ? { state: "failure" } : { status: "failed" }, "the status of its plan is failure"],
      [
        { description: description.replace("main@", "dev@") },
        "its plan was made for another branch than main: dev@",
      ],
      [{ description: `${description}.` }, "does not end like those of infrasync"],
    ];
    for (const [change, message] of refused) {
      bench.forge.statuses.set(head, [{ ...status, ...change }]);
      const { code, output } = await bench.apply(merged);
      expect([code, output]).toEqual([3, expect.stringContaining(message)]);
    }
    expect(await bench.server.writes()).toEqual([]);
  });

  test("a check says stale where the base or live resources have moved, and takes it back", async () => {
    const bench = await startCiBench(make, {
      ...start,
      "manifests/b.yaml": job("b", "cpu: 500"),
      "manifests/c.yaml": job("c", "cpu: 500"),
    });
    const one = bench.open(4, { "manifests/a.yaml": job("a", "cpu: 750") });
    const two = bench.open(5, { "manifests/b.yaml": job("b", "cpu: 750") });
    await bench.plan(4);
    await bench.plan(5);
    const quiet = await bench.check();
    expect(quiet.output).toContain("2 open");
    expect(quiet.output).toContain("with a plan, 0 stale.");
    const before = bench.status(one);

    // Live resources move.
    await bench.server.reconcile(shop + job("c", "cpu: 1000"));
    expect((await bench.check()).output).toContain("2 stale.");
    expect(bench.status(one)).toMatch(/^failure: Stale: base or live state has changed\. \[stale main@/);
    expect(digestOf(bench.status(one))).toBe(digestOf(before));
    await bench.server.reconcile(shop + job("c", "cpu: 500"));
    expect((await bench.check()).output).toContain("0 stale.");
    expect(bench.status(one)).toMatch(/^success: The plan is valid again\. \[apply main@/);
    expect(digestOf(bench.status(one))).toBe(digestOf(before));

    // The base moves: the second pull request is merged and applied, and the first is planned as if on top of it.
    const applied = await bench.apply(bench.merge(5));
    expect(applied.code).toBe(0);
    expect((await bench.check()).output).toContain("1 open");
    expect(bench.status(one)).toMatch(/^success/);
    const third = bench.open(6, { "manifests/a.yaml": job("a", "cpu: 900") });
    await bench.plan(6);
    bench.repository.git("checkout", "--quiet", "-B", "main", "origin/main");
    bench.repository.push({ "manifests/c.yaml": job("c", "cpu: 750") });
    await bench.check();
    expect(bench.status(third)).toMatch(/^failure: Stale: base or live state has changed/);
    expect(two).not.toBe(one);
  });

  test("tokens are in no argument, no output, no comment, no status and no file", async () => {
    const bench = await startCiBench(make, start);
    const head = bench.open(4, { "manifests/a.yaml": job("a", "cpu: 750") });
    const ran = await bench.plan(4, { inputs: { "log-level": "debug" }, isProcess: true });
    const applied = await bench.apply(bench.merge(4), { inputs: { "log-level": "debug" }, isProcess: true });
    expect([ran.code, applied.code]).toEqual([0, 0]);
    const everything = JSON.stringify([
      ran,
      applied,
      bench.comments(4),
      bench.forge.statuses.get(head),
      bench.forge.requests,
    ]);
    for (const token of [gitHostToken, bench.server.emulator.tokens.admin, bench.server.emulator.tokens.read])
      expect(everything).not.toContain(token);
  });
}

/** What jobs do, whatever the forge is. */
export function scenariosOfPlans(make: (api: () => Harness) => Promise<ForgeKind>): void {
  test("a pull request that changes nothing gets no comment, also where live resources have drifted", async () => {
    const bench = await startCiBench(make, start);
    await bench.server.reconcile(shop + job("a", "cpu: 250"));
    const head = bench.open(4, { "README.md": "words" });
    const { code, output } = await bench.plan(4);
    expect(code).toBe(0);
    expect(output).toContain("these manifests change nothing");
    expect(bench.forge.writes().filter((line) => /comments|notes/.test(line))).toEqual([]);
    expect(bench.status(head)).toMatch(/changes nothing\. \[unchanged main@/);
    // And after the merge nothing is applied that nobody was shown.
    const merged = bench.merge(4);
    await bench.server.forgetRequests();
    expect((await bench.apply(merged)).code).toBe(0);
    expect(await bench.server.writes()).toEqual([]);
    expect(bench.status(merged, "infrasync/apply")).toBe("success: Nothing to apply.");
  });

  test("drift that was there before stands apart from what the change itself does", async () => {
    const bench = await startCiBench(make, { ...start, "manifests/b.yaml": job("b", "memory: 512") });
    await bench.server.reconcile(shop + job("a", "cpu: 500") + job("b", "memory: 1024"));
    bench.open(4, { "manifests/a.yaml": job("a", "cpu: 750") });
    await bench.plan(4);
    const [own = "", before = ""] =
      bench.comments(4)[0]?.split("<summary>Differences that exist without the change too") ?? [];
    expect(own).toContain("cpu  500m");
    expect(own).not.toContain("memory");
    expect(before).toContain("memory");
  });

  test("mistakes in manifests are told in the comment, in the place of what was shown before", async () => {
    const bench = await startCiBench(make, start);
    bench.open(4, { "manifests/a.yaml": job("a", "cpu: 750") });
    await bench.plan(4);
    const head = bench.push(4, { "manifests/a.yaml": job("a", "cpu: many") });
    const { code } = await bench.plan(4);
    expect(code).toBe(3);
    expect(bench.comments(4)).toHaveLength(1);
    expect(bench.comments(4)[0]).toContain("There is no plan");
    expect(bench.comments(4)[0]).toContain("manifests/a.yaml");
    expect(bench.comments(4)[0]).not.toMatch(/\b750\b/);
    expect(bench.status(head)).toMatch(/^failure: There is no plan: /);
  });

  test("a plan that lacks an approval fails the job, and its digest cannot be applied", async () => {
    const bench = await startCiBench(make, start);
    const head = bench.open(4, { "manifests/a.yaml": lifecycleJob("a") });
    const { code, output } = await bench.plan(4);
    expect(output).toContain("replace");
    expect(code).toBe(3);
    expect(bench.status(head)).toMatch(/^failure: The plan is refused: an approval is missing\./);
    const merged = bench.merge(4);
    await bench.server.forgetRequests();
    const applied = await bench.apply(merged);
    expect(applied.code).toBe(3);
    expect(applied.output).toContain("has no reviewable plan");
    expect(await bench.server.writes()).toEqual([]);
  });

  test("a pull request that lifts a protection cannot delete what it protected", async () => {
    const pruning = shop.replace("mode: STAGING", "mode: STAGING\nmanage: { prune: true }");
    const settings = "manifests/infrasync.config.yaml";
    const bench = await startCiBench(make, { ...start, "manifests/shop.yaml": pruning });
    bench.open(3, { [settings]: "protect: ['job:shop/staging/a']\n" });
    bench.merge(3);
    bench.open(4, { "manifests/a.yaml": undefined, [settings]: undefined });
    const { code, output } = await bench.plan(4, { inputs: { prune: "true" } });
    expect(output).toContain(
      'it is protected by the pattern "job:shop/staging/a" in the settings of the commit',
    );
    expect(code).toBe(3);
    const applied = await bench.apply(bench.merge(4), { inputs: { prune: "true" } });
    expect(applied.code).toBe(3);
    expect(await bench.server.idOf("shop/staging/JOB a")).not.toBe("undefined");
  });

  test("a pull request that takes out a policy cannot break it", async () => {
    const settings = "manifests/infrasync.config.yaml";
    const bench = await startCiBench(make, start);
    bench.open(3, { [settings]: "policies: [{ built_in: cpu-bounds, with: { max: 500 } }]" });
    bench.merge(3);
    bench.open(4, { "manifests/a.yaml": job("a", "cpu: 750"), [settings]: undefined });
    const { code, output } = await bench.plan(4);
    expect(output).toContain("job:shop/staging/a: policy cpu-bounds");
    expect(code).toBe(3);
  });

  test("nothing is applied when the plan after the merge is not the one that was reviewed", async () => {
    const bench = await startCiBench(make, { ...start, "manifests/b.yaml": job("b", "memory: 512") });
    bench.open(4, { "manifests/a.yaml": job("a", "cpu: 750") });
    await bench.plan(4);
    const merged = bench.merge(4);
    await bench.server.reconcile(shop + job("b", "memory: 1024"));
    await bench.server.forgetRequests();
    const { code, output } = await bench.apply(merged);
    expect(code).toBe(3);
    expect(output).toContain("the plan is stale: its actions have changed");
    expect(await bench.server.writes()).toEqual([]);
    expect(bench.status(merged, "infrasync/apply")).toMatch(/^failure: Not applied: the plan is stale/);
    // A person who has looked at the new plan can apply it.
    const digest = /its digest is ([0-9a-f]{64})/.exec(output)?.[1] ?? "";
    expect((await bench.apply(merged, { inputs: { expect: digest } })).output).toContain("Done: 2 updated.");
  });
}
