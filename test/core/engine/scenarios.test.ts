import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { parsePattern, staleProblems } from "../../../core/index.ts";
import { Harness, summary } from "./harness.ts";

let harness: Harness;
beforeAll(async () => {
  harness = await Harness.start();
});
afterAll(() => harness[Symbol.asyncDispose]());
beforeEach(() => harness.api("POST", "/_emulator/reset"));

const shop = `
kind: Project
name: shop
---
kind: Environment
project: shop
name: staging
mode: STAGING
cluster: eu-west
`;

const job = (name: string, rest = "", environment = "shop/staging") => `
---
kind: Job
environment: ${environment}
name: ${name}
source: { image: { registry: docker-hub, image_name: acme/report, tag: "1" } }
schedule: { cronjob: { scheduled_at: "0 3 * * *", timezone: UTC } }
${rest}
`;

const application = (name: string, rest = "") => `
---
kind: Application
environment: shop/staging
name: ${name}
git_repository: { url: https://github.com/acme/api, branch: main }
ports: [{ internal_port: 8080, publicly_accessible: true }]
${rest}
`;

const database = { name: "db", type: "POSTGRESQL", version: "16", mode: "CONTAINER" };

const allow = (...patterns: string[]) => ({ allowReplace: patterns.map((pattern) => parsePattern(pattern)) });

async function idOf(path: string): Promise<string> {
  return String((await harness.everything()).get(path)?.["id"]);
}

describe("requests", () => {
  test("a no-op plan reads one list for each environment and project, and two more", async () => {
    const services = Array.from({ length: 8 }, (_, index) => job(`job-${index}`)).join("");
    const second = `
---
kind: Environment
project: shop
name: production
mode: PRODUCTION
${job("report", "", "shop/production")}`;
    const text = shop + services + second;
    await harness.reconcile(text);
    await harness.forgetRequests();
    expect(summary(await harness.plan(text))).toEqual([]);
    expect(
      (await harness.seen())
        .map(({ method, path }) => `${method} ${path.replaceAll(/[0-9a-f-]{36}/g, "{id}")}`)
        .toSorted(),
    ).toEqual([
      "GET /environment/{id}/services",
      "GET /environment/{id}/services",
      "GET /organization/{id}/project",
      "GET /project/{id}/environment",
    ]);
  });

  test("an update reads the resource afresh and sends it once; nothing else is read", async () => {
    await harness.reconcile(shop + job("a"));
    const plan = await harness.plan(shop + job("a", "cpu: 750"));
    await harness.forgetRequests();
    await harness.apply(plan);
    expect((await harness.seen()).map(({ method }) => method)).toEqual(["GET", "PUT"]);
  });

  test("N creations cost N + E + P + 8 at most, planning included; a clone 2 more and its polls", async () => {
    const names = Array.from({ length: 12 }, (_, index) => `job-${index}`);
    const environments = ["one", "two", "three"];
    const text = [
      "kind: Project\nname: shop\n",
      ...environments.map((name) => `kind: Environment\nproject: shop\nname: ${name}\nmode: STAGING\n`),
      ...environments.flatMap((name) => names.map((each) => job(each, "", `shop/${name}`))),
    ].join("---\n");
    const creations = 1 + environments.length + environments.length * names.length;
    await harness.forgetRequests();
    const plan = await harness.reconcile(text);
    expect(plan.actions.filter(({ type }) => type === "create")).toHaveLength(creations);
    expect((await harness.seen()).length).toBeLessThanOrEqual(creations + environments.length + 1 + 8);

    const clone = `---\nkind: Job\nenvironment: shop/one\nname: copy\nclone: { from: shop/two/job-0 }\ncpu: 750\n`;
    const cloning = await harness.plan(text + clone);
    await harness.forgetRequests();
    await harness.apply(cloning);
    const seen = (await harness.seen()).map(({ method }) => method);
    expect(seen.filter((method) => method !== "GET")).toEqual(["POST", "PUT"]);
    expect(seen.length).toBeLessThanOrEqual(2 + 2);
  });

  test("deletions in one environment share their looks", async () => {
    const names = ["a", "b", "c", "d", "e"];
    await harness.reconcile(shop + names.map((name) => job(name)).join(""));
    const plan = await harness.plan(shop.replace("mode: STAGING", "mode: STAGING\nmanage: { prune: true }"), {
      prune: true,
    });
    await harness.forgetRequests();
    await harness.apply(plan);
    const seen = await harness.seen();
    expect(seen.filter(({ method }) => method === "DELETE")).toHaveLength(5);
    expect(seen.filter(({ method }) => method === "GET").length).toBeLessThanOrEqual(3);
  });
});

describe("a server that does not know the shared list of services", () => {
  const shared = { path: "/environment/*/services", status: 404 };

  test("is asked for the list of each kind", async () => {
    await harness.reconcile(shop + job("a") + application("api"));
    await harness.api("POST", `/environment/${await idOf("shop/staging")}/database`, database);
    await harness.api("POST", "/_emulator/faults", [shared]);
    expect(summary(await harness.plan(shop + job("a", "cpu: 750") + application("api")))).toEqual([
      "update job:shop/staging/a: cpu 500 -> 750",
    ]);
    const { problems } = await harness.plan(shop + job("a") + application("api"), {}, "destroy");
    expect(problems.map(({ message }) => message)).toEqual([
      "Environment shop/staging: it holds 1 that no document describes, and they would be deleted with it: db",
    ]);
  });

  test("an environment that is gone is made again", async () => {
    await harness.reconcile(shop + job("a"));
    await harness.api("POST", "/_emulator/faults", [
      shared,
      { method: "GET", path: "/environment/*", status: 404 },
    ]);
    expect(summary(await harness.plan(shop + job("a")))).toEqual([
      "create environment:shop/staging",
      "create job:shop/staging/a",
    ]);
  });

  test.each([401, 403, 500])("a %i is an error, and nothing looks deleted", async (status) => {
    await harness.reconcile(shop + job("a"));
    await harness.api("POST", "/_emulator/faults", [{ ...shared, status }]);
    await expect(harness.plan(shop + job("a"))).rejects.toMatchObject({ status });
  });
});

describe("what is stated", () => {
  test("ids of ports are kept across updates, and what a port does not state is kept", async () => {
    await harness.reconcile(shop + application("api"));
    const before = (await harness.everything()).get("shop/staging/APPLICATION api");
    await harness.reconcile(
      shop +
        application("api", "cpu: 750").replace("publicly_accessible: true", "publicly_accessible: false"),
    );
    const after = (await harness.everything()).get("shop/staging/APPLICATION api");
    const port = (value: unknown) => (Array.isArray(value) ? value[0] : undefined);
    expect(port(after?.["ports"])).toEqual({ ...port(before?.["ports"]), publicly_accessible: false });
    expect(after?.["cpu"]).toBe(750);
  });

  test("a manifest may manage a few fields of what exists", async () => {
    await harness.reconcile(shop + job("a"));
    const plan = await harness.plan("kind: Job\nenvironment: Shop/STAGING\nname: A\ncpu: 750\n");
    expect(summary(plan)).toEqual(["update job:Shop/STAGING/A: cpu 500 -> 750"]);
    await harness.apply(plan);
    expect((await harness.everything()).get("shop/staging/JOB a")).toMatchObject({ name: "a", cpu: 750 });
  });

  test("fields that are ignored are used to create and left to others afterwards", async () => {
    const text = shop + job("a", "cpu: 750\nmanage: { ignore: [cpu, schedule.cronjob.timezone] }");
    await harness.reconcile(text);
    expect((await harness.everything()).get("shop/staging/JOB a")).toMatchObject({ cpu: 750 });
    await harness.reconcile(shop + job("a", "cpu: 100").replace("timezone: UTC", "timezone: Europe/Paris"));
    expect(summary(await harness.plan(text))).toEqual([]);
  });

  test("a rename keeps the resource", async () => {
    await harness.reconcile(shop + job("old"));
    const id = await idOf("shop/staging/JOB old");
    const text = shop + job("new", "manage: { renamed_from: old }");
    expect(summary(await harness.reconcile(text))).toEqual([
      'update job:shop/staging/new: name "old" -> "new"',
    ]);
    expect(await idOf("shop/staging/JOB new")).toBe(id);
    expect(summary(await harness.plan(text))).toEqual([]);
  });

  test("a renamed environment keeps its services", async () => {
    await harness.reconcile(shop + job("a"));
    const id = await idOf("shop/staging/JOB a");
    const text = (shop + job("a", "cpu: 750"))
      .replaceAll("shop/staging", "shop/next")
      .replace("name: staging", "name: next\nmanage: { renamed_from: staging }");
    await harness.reconcile(text);
    expect(await idOf("shop/next/JOB a")).toBe(id);
    expect(summary(await harness.plan(text))).toEqual([]);
  });

  test("a pinned id means that resource, and one that is elsewhere is refused", async () => {
    await harness.reconcile(shop + job("a"));
    const id = await idOf("shop/staging/JOB a");
    expect(summary(await harness.plan(shop + job("b", `manage: { id: ${id} }`)))).toEqual([
      'update job:shop/staging/b: name "a" -> "b"',
    ]);
    const plan = await harness.plan(shop + job("b", "manage: { id: 00000000-0000-4000-8000-000000000000 }"));
    expect(plan.problems.map(({ message }) => message)).toEqual([
      "Job shop/staging/b: there is no Job with the id 00000000-0000-4000-8000-000000000000 in its Environment",
    ]);
  });

  test("strict mentions unstated fields that differ from their default", async () => {
    await harness.reconcile(shop + job("a", "cpu: 750\nmemory: 512"));
    const plan = await harness.plan(shop + job("a"), { strict: true });
    expect(plan.notes).toContainEqual({
      address: "job:shop/staging/a",
      message: "cpu is 750, not stated; its default is 500",
    });
    expect(summary(plan)).toEqual([]);
  });

  test("a target that chooses nothing is refused", async () => {
    const { problems } = await harness.plan(shop + job("nightly"), {
      targets: [parsePattern("job:shop/staging/nigthly")],
    });
    expect(problems.map(({ message, advice }) => `${message} | ${advice}`)).toEqual([
      'the target "job:shop/staging/nigthly" chooses nothing that a document describes | perhaps job:shop/staging/nightly? a target is an address or a pattern, such as job:shop/staging/* or shop/**',
    ]);
  });

  test("targets bring along what they need, and nothing else", async () => {
    const plan = await harness.plan(shop + job("a") + job("b"), {
      targets: [parsePattern("job:shop/staging/a")],
    });
    expect(summary(plan)).toEqual([
      "create project:shop",
      "create environment:shop/staging",
      "create job:shop/staging/a",
    ]);
  });
});

describe("what cannot be", () => {
  const messages = async (text: string, policy = {}) =>
    (await harness.plan(text, policy)).problems.map(({ message, advice }) => `${message} | ${advice}`);

  test("a parent that is nowhere", async () => {
    expect(await messages(job("a"))).toEqual([
      "Job shop/staging/a: Environment shop/staging does not exist, and no document describes it | correct the name, or add a document for the Environment",
    ]);
  });

  test("a cluster and a registry that do not exist, with those that do", async () => {
    expect(await messages(shop.replace("eu-west", "mars") + job("a").replace("docker-hub", "hub"))).toEqual([
      'Environment shop/staging: there is no cluster "mars" | the organization has: eu-west, us-east',
      'Job shop/staging/a: there is no container registry "hub" | the organization has: docker-hub, ecr-production',
    ]);
    await harness.reconcile(shop);
    expect(await messages(shop + job("a").replace("docker-hub", "hub"))).toEqual([
      'Job shop/staging/a: there is no container registry "hub" | the organization has: docker-hub, ecr-production',
    ]);
  });

  test("a creation that lacks something", async () => {
    expect(
      await messages(
        `${shop}---\nkind: Job\nenvironment: shop/staging\nname: a\nsource: { image: { image_name: x } }\n`,
      ),
    ).toEqual([
      "Job shop/staging/a: it does not exist, and to create it schedule is needed | state it, or correct the name if the Job exists",
      "Job shop/staging/a: it does not exist, and to create it source.image.tag is needed | state it, or correct the name if the Job exists",
      "Job shop/staging/a: it does not exist, and to create it source.image.registry is needed | state it, or correct the name if the Job exists",
    ]);
  });

  test("a clone of nothing, and one that would flip the job type", async () => {
    await harness.reconcile(shop + job("a"));
    expect(
      await messages(
        `${shop}---\nkind: Job\nenvironment: shop/staging\nname: b\nclone: { from: shop/staging/nothing }\n`,
      ),
    ).toEqual([
      "Job shop/staging/b: its source Job shop/staging/nothing does not exist, and no document describes it | correct clone.from",
    ]);
    expect(
      await messages(
        `${shop}---\nkind: Job\nenvironment: shop/staging\nname: b\nclone: { from: shop/staging/a }\nschedule: { on_start: {} }\n`,
      ),
    ).toEqual([
      "Job shop/staging/b: a clone cannot differ from its source in schedule.cronjob: a cron job cannot become a lifecycle job, nor the other way round | take the field out, or take clone out and state all fields",
    ]);
  });

  test("a preview environment that is not cloned", async () => {
    expect(await messages(shop.replace("mode: STAGING", "mode: PREVIEW"))).toEqual([
      "Environment shop/staging: an environment becomes PREVIEW only by being cloned; use DEVELOPMENT, STAGING or PRODUCTION, or clone.from | undefined",
    ]);
  });

  test("two live resources of one name", async () => {
    await using twins = await Harness.start({ allowDuplicateNames: true });
    await twins.reconcile(shop + job("a"));
    const everything = await twins.everything();
    const environmentId = String(everything.get("shop/staging")?.["id"]);
    const first = everything.get("shop/staging/JOB a");
    const second = await twins.api("POST", `/job/${String(first?.["id"])}/clone`, {
      name: "A",
      environment_id: environmentId,
    });
    const ids = [first?.["id"], (second as { id: string }).id];
    const { problems } = await twins.plan(shop + job("a"));
    expect(problems.map(({ message }) => message)).toEqual([
      `Job shop/staging/a: the API holds two of them: ${ids.join(" and ")}`,
    ]);
    expect((await twins.plan(shop + job("a", `manage: { id: ${String(ids[1])} }`))).problems).toEqual([]);
  });
});

describe("replacement", () => {
  const cron = shop + job("a", "cpu: 750");
  const lifecycle = shop + job("a").replace(/schedule: .*/, "schedule: { on_start: {} }");

  test("needs consent, and says what goes with it", async () => {
    await harness.reconcile(cron);
    const id = await idOf("shop/staging/JOB a");
    await harness.api("POST", "/variable", {
      key: "DB_URL",
      value: "x",
      is_secret: false,
      variable_scope: "JOB",
      variable_parent_id: id,
    });
    const plan = await harness.plan(lifecycle);
    expect(plan.problems.map(({ message }) => message)).toEqual([
      "job:shop/staging/a has to be replaced: a cron job cannot become a lifecycle job, nor the other way round",
    ]);
    expect(plan.actions.at(-1)).toMatchObject({
      type: "replace",
      losses: [{ what: "variable", name: "DB_URL", described: false }],
    });
  });

  test("makes the resource again with what it had and what is stated", async () => {
    await harness.reconcile(cron);
    const id = await idOf("shop/staging/JOB a");
    await harness.reconcile(lifecycle, allow("job:shop/staging/a"));
    const after = (await harness.everything()).get("shop/staging/JOB a");
    expect(after).toMatchObject({ cpu: 750, job_type: "LIFECYCLE" });
    expect(after?.["id"]).not.toBe(id);
    expect(summary(await harness.plan(lifecycle))).toEqual([]);
  });

  test("of an environment: its described services are made again, the others are listed as lost and counted", async () => {
    await harness.reconcile(cron + job("other", "cpu: 100"));
    const moved = cron.replace("eu-west", "us-east").replace("cpu: 750", "memory: 1024");
    const refused = await harness.plan(moved);
    expect(refused.problems.map(({ message }) => message)).toEqual([
      "environment:shop/staging has to be replaced: an environment cannot be moved to another cluster",
    ]);
    const plan = await harness.plan(moved, allow("environment:**"));
    expect(summary(plan).map((line) => line.split(":").slice(0, 2).join(":"))).toEqual([
      "replace environment:shop/staging",
      "replace job:shop/staging/a",
    ]);
    expect(plan.actions[1]).toMatchObject({
      losses: [
        { what: "job", name: "a", described: true },
        { what: "job", name: "other", described: false },
      ],
    });
    expect(
      (await harness.plan(moved, { ...allow("**"), caps: { count: 2, percent: 100 } })).problems.map(
        ({ message }) => message,
      ),
    ).toEqual(["3 resources would be deleted or replaced, more than the 2 that are allowed"]);
    await harness.reconcile(moved, allow("environment:**"));
    const everything = await harness.everything();
    expect([...everything.keys()]).toEqual(["shop", "shop/staging", "shop/staging/JOB a"]);
    expect(everything.get("shop/staging/JOB a")).toMatchObject({ cpu: 750, memory: 1024 });
    expect(summary(await harness.plan(moved))).toEqual([]);
  });

  test("is not carried out when the resource has changed since the plan", async () => {
    await harness.reconcile(cron);
    const plan = await harness.plan(lifecycle, allow("**"));
    await harness.reconcile(shop + job("a", "cpu: 100"));
    const report = await harness.apply(plan);
    expect(report.outcomes.at(-1)).toMatchObject({ status: "failed", code: "changed" });
    expect((await harness.everything()).get("shop/staging/JOB a")).toMatchObject({
      cpu: 100,
      job_type: "CRON",
    });
  });

  test("is refused for what is protected", async () => {
    await harness.reconcile(cron);
    const protections = [
      harness.plan(`${lifecycle}\nmanage: { protect: true }`, allow("**")),
      harness.plan(
        lifecycle.replace("mode: STAGING", "mode: STAGING\nmanage: { protect: true }"),
        allow("**"),
      ),
      harness.plan(lifecycle, { ...allow("**"), protect: [parsePattern("shop/staging/*")] }),
    ];
    for (const plan of await Promise.all(protections)) {
      expect(plan.problems.map(({ message }) => message)).toEqual([
        expect.stringContaining("job:shop/staging/a cannot be replaced: it is protected"),
      ]);
    }
  });
});

describe("prune and destroy", () => {
  const pruned = shop.replace("mode: STAGING", "mode: STAGING\nmanage: { prune: true }");

  test("prune needs the flag and the environment's own document", async () => {
    await harness.reconcile(shop + job("a") + job("b"));
    expect(summary(await harness.plan(pruned + job("a")))).toEqual([]);
    expect((await harness.plan(pruned + job("a"))).notes.map(({ message }) => message)).toEqual([
      "holds 1 that no document describes (Job shop/staging/b); --prune deletes them",
    ]);
    expect(summary(await harness.plan(shop + job("a"), { prune: true }))).toEqual([]);
    expect(summary(await harness.reconcile(pruned + job("a"), { prune: true }))).toEqual([
      "delete job:shop/staging/b",
    ]);
    expect([...(await harness.everything()).keys()]).toEqual(["shop", "shop/staging", "shop/staging/JOB a"]);
  });

  test("prune leaves types alone that it does not know, and what is protected", async () => {
    await harness.reconcile(shop + job("a"));
    await harness.api("POST", `/environment/${await idOf("shop/staging")}/database`, database);
    const plan = await harness.plan(pruned, { prune: true, protect: [parsePattern("job:**")] });
    expect(summary(plan)).toEqual([]);
    expect(plan.notes.map(({ message }) => message)).toEqual([
      'DATABASE "db" is left alone, as infrasync does not manage this type',
      'not pruned, as it is protected (protect "job:**" in the configuration)',
    ]);
  });

  test("prune under targets does not take what a document renames", async () => {
    await harness.reconcile(shop + job("old") + job("b"));
    const text = pruned + job("new", "manage: { renamed_from: old }") + job("b");
    const plan = await harness.plan(text, {
      prune: true,
      targets: [
        parsePattern("environment:**"),
        parsePattern("job:shop/staging/b"),
        parsePattern("job:shop/staging/old"),
      ],
    });
    expect(summary(plan)).toEqual([]);
  });

  test("more than the caps is refused", async () => {
    const names = Array.from({ length: 12 }, (_, index) => `job-${index}`);
    await harness.reconcile(shop + names.map((name) => job(name)).join(""));
    const plan = await harness.plan(
      pruned +
        names
          .slice(0, 8)
          .map((name) => job(name))
          .join(""),
      { prune: true, caps: { count: 3, percent: 30 } },
    );
    expect(plan.problems.map(({ message, advice }) => `${message} | ${advice}`)).toEqual([
      "4 resources would be deleted or replaced, more than the 3 that are allowed | check the plan; to go on, --max-deletes 4",
      "4 of the 12 services of environment:shop/staging would be deleted or replaced, more than 30 % | check the plan; to go on, --max-deletes 34%",
    ]);
  });

  test("destroy removes what is described, in reverse order, the inside of an environment with it", async () => {
    await harness.reconcile(shop + job("a") + application("api"));
    await harness.forgetRequests();
    const plan = await harness.plan(shop + job("a") + application("api"), {}, "destroy");
    expect(summary(plan)).toEqual([
      "delete application:shop/staging/api",
      "delete job:shop/staging/a",
      "delete environment:shop/staging",
      "delete project:shop",
    ]);
    const report = await harness.apply(plan);
    expect(report.outcomes.map(({ status }) => status)).toEqual(["done", "done", "done", "done"]);
    expect(
      (await harness.writes())
        .filter(({ method }) => method === "DELETE")
        .map(({ path }) => path.split("/")[1]),
    ).toEqual(["environment", "project"]);
    expect(await harness.everything()).toEqual(new Map());
  });

  test("a destroy costs what its plan says", async () => {
    await harness.reconcile(shop + job("a") + application("api"));
    const plan = await harness.plan(shop + job("a") + application("api"), {}, "destroy");
    await harness.forgetRequests();
    await harness.apply(plan);
    expect((await harness.seen()).length).toBe(plan.cost.applying);
  });

  test("destroy of services alone leaves their environment", async () => {
    await harness.reconcile(shop + job("a") + job("b"));
    const plan = await harness.plan(job("a").replace("---", ""), {}, "destroy");
    await harness.apply(plan);
    expect([...(await harness.everything()).keys()]).toEqual(["shop", "shop/staging", "shop/staging/JOB b"]);
  });

  test("destroy of an environment with what no document describes needs the consent of a prune", async () => {
    await harness.reconcile(shop + job("a") + job("b"));
    const refused = await harness.plan(shop + job("a"), {}, "destroy");
    expect(refused.problems.map(({ message }) => message)).toEqual([
      "Environment shop/staging: it holds 1 that no document describes, and they would be deleted with it: b",
    ]);
    expect((await harness.plan(pruned + job("a"), { prune: true }, "destroy")).problems).toEqual([]);
  });

  test("an environment in which something appears after the plan is not deleted", async () => {
    await harness.reconcile(shop + job("a"));
    const plan = await harness.plan(shop + job("a"), {}, "destroy");
    await harness.reconcile(shop + job("b"));
    const report = await harness.apply(plan);
    expect(report.outcomes.find(({ address }) => address === "environment:shop/staging")).toMatchObject({
      status: "failed",
      code: "changed",
    });
    expect([...(await harness.everything()).keys()]).toContain("shop/staging/JOB b");
  });

  test("waits for asynchronous deletions", async () => {
    await using slow = await Harness.start({ deleteDelay: 400 });
    await slow.reconcile(shop + job("a"));
    const report = await slow.apply(await slow.plan(shop + job("a"), {}, "destroy"));
    expect(report.outcomes.map(({ status }) => status)).toEqual(["done", "done", "done"]);
    expect(await slow.everything()).toEqual(new Map());
  });
});

describe("clone", () => {
  const copy = (rest = "") => `
---
kind: Job
environment: shop/staging
name: copy
clone: { from: shop/staging/a }
${rest}`;

  test("waits until the clone can be read, then changes what is stated", async () => {
    await using slow = await Harness.start({ cloneDelay: 400 });
    const text = shop + job("a", "cpu: 750") + copy("memory: 1024");
    await slow.reconcile(text);
    expect((await slow.everything()).get("shop/staging/JOB copy")).toMatchObject({ cpu: 750, memory: 1024 });
    expect(summary(await slow.plan(text))).toEqual([]);
  });

  test("of an environment waits for its services, and carries mode and cluster", async () => {
    await using slow = await Harness.start({ cloneDelay: 300 });
    const clone = `\n---\nkind: Environment\nproject: shop\nname: preview\nmode: PREVIEW\ncluster: us-east\nclone: { from: shop/staging }\n${job("a", "cpu: 100", "shop/preview")}`;
    const plan = await slow.reconcile(shop + job("a") + application("api") + clone);
    const everything = await slow.everything();
    expect([...everything.keys()].filter((key) => key.startsWith("shop/preview/")).toSorted()).toEqual([
      "shop/preview/APPLICATION api",
      "shop/preview/JOB a",
    ]);
    expect(everything.get("shop/preview")).toMatchObject({ mode: "PREVIEW", cluster_name: "us-east" });
    expect(everything.get("shop/preview/JOB a")).toMatchObject({ cpu: 100 });
    expect(plan.actions.filter(({ type }) => type === "clone")).toHaveLength(1);
    expect(summary(await slow.plan(shop + job("a") + application("api") + clone))).toEqual([]);
  });

  test("a clone that does not become readable in time is pending, and the next run takes it over", async () => {
    await using slow = await Harness.start({ cloneDelay: 1500 });
    await slow.reconcile(shop + job("a"));
    const plan = await slow.plan(shop + job("a") + copy("memory: 1024"));
    const report = await slow.apply(plan, { limits: { clone: 300, deletion: 300, busy: 300 } });
    expect(report.outcomes.at(-1)).toMatchObject({ status: "pending", code: "pending" });
    await slow.reconcile(shop + job("a") + copy("memory: 1024"));
    expect([...(await slow.everything()).keys()]).toEqual([
      "shop",
      "shop/staging",
      "shop/staging/JOB a",
      "shop/staging/JOB copy",
    ]);
    expect(summary(await slow.plan(shop + job("a") + copy("memory: 1024")))).toEqual([]);
  });
});

describe("a saved plan", () => {
  test("is stale when what it touches has changed, appeared or disappeared", async () => {
    await harness.reconcile(shop + job("a") + job("gone"));
    const plan = await harness.plan(shop + job("a", "cpu: 750") + job("gone", "cpu: 750") + job("new"));
    expect(await staleProblems(harness.client, plan)).toEqual([]);
    await harness.reconcile(shop + job("a", "memory: 1024") + job("new"));
    await harness.api("DELETE", `/job/${await idOf("shop/staging/JOB gone")}`);
    expect((await staleProblems(harness.client, plan)).map(({ message }) => message)).toEqual([
      "the plan is stale: job:shop/staging/a has changed since",
      "the plan is stale: job:shop/staging/gone has disappeared since",
      "the plan is stale: job:shop/staging/new has appeared since",
    ]);
  });
});

describe("apply", () => {
  test("a failure stops what depends on it, not the rest", async () => {
    await harness.api("POST", "/_emulator/faults", [
      { method: "POST", path: "/project/*/environment", status: 400, times: 1 },
    ]);
    const report = await harness.apply(
      await harness.plan(`${shop + job("a")}\n---\nkind: Project\nname: other\n`),
    );
    expect(report.outcomes.map(({ address, status }) => `${address} ${status}`)).toEqual([
      "project:shop done",
      "environment:shop/staging failed",
      "job:shop/staging/a skipped",
      "project:other done",
    ]);
    expect(report.outcomes[2]?.message).toBe("needs environment:shop/staging, which was not done");
  });

  test.each([401, 403])("a %i in the middle stops everything that has not started", async (status) => {
    await harness.api("POST", "/_emulator/faults", [
      { method: "POST", path: "/environment/*/job", status, after: 1 },
    ]);
    const report = await harness.apply(
      await harness.plan(shop + ["a", "b", "c", "d"].map((name) => job(name)).join("")),
    );
    expect(report.stopped?.reason).toBe(status === 401 ? "unauthorized" : "forbidden");
    await harness.api("DELETE", "/_emulator/faults");
    await harness.reconcile(shop + ["a", "b", "c", "d"].map((name) => job(name)).join(""));
    expect((await harness.everything()).size).toBe(6);
  });

  test("an aborted run starts nothing new and says so", async () => {
    const controller = new AbortController();
    controller.abort();
    const report = await harness.apply(await harness.plan(shop), { signal: controller.signal });
    expect(report.stopped?.reason).toBe("interrupted");
    expect(report.outcomes.map(({ status }) => status)).toEqual(["skipped", "skipped"]);
    expect(await harness.everything()).toEqual(new Map());
  });
});
