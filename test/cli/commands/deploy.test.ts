import { beforeEach, describe, expect, test } from "vitest";
import { systemClock } from "../../../core/api/index.ts";
import { documentOf } from "../captured.ts";
import { steady, useFixture, withoutRequests, writesOf } from "../fixture.ts";
import { application, job, shop } from "../../fixtures/manifests.ts";

const fixture = useFixture({ behaviour: { deploy_delay_ms: 30 } });

beforeEach(async () => {
  await fixture.write("shop.yaml", shop + job("migrate") + job("report") + application("api"));
  const { code, stderr } = await fixture.run(["apply", fixture.folder, "--yes"]);
  if (code !== 0) throw new Error(stderr);
  await fixture.takeRequests();
});

/** The requests and the output of a command. */
async function ran(...args: string[]) {
  const result = await fixture.run(args);
  return { ...result, requests: await fixture.takeRequests() };
}

const lists = [
  "GET /organization",
  "GET /organization/{id}/project",
  "GET /project/{id}/environment",
  "GET /environment/{id}/services",
];

test("deploy sends one request for several services of one environment", async () => {
  const { code, stdout, stderr, requests } = await ran("deploy", "job:shop/staging/*", "shop/staging/api");
  expect(code).toBe(0);
  expect(requests).toEqual([
    ...lists,
    "GET /environment/{id}/statuses",
    "POST /environment/{id}/service/deploy",
    // How the services stand then: their versions, their states, and a URL.
    "GET /environment/{id}/services",
    "GET /environment/{id}/statuses",
    "GET /application/{id}/link",
  ]);
  expect(`\n${steady(stdout)}`).toMatchInlineSnapshot(`
    "
    infrasync will deploy:

      > Job shop/staging/migrate
      > Job shop/staging/report
      > Application shop/staging/api

    Requests: 4 spent, 2 to deploy.

    Done: deployment of 3 services started.

    Environment shop/staging  DEPLOYMENT_QUEUED
      Job shop/staging/migrate      DEPLOYMENT_QUEUED  1         N s ago
      Job shop/staging/report       DEPLOYMENT_QUEUED  1         N s ago
      Application shop/staging/api  DEPLOYMENT_QUEUED  b0b23273  N s ago  https://z{id}.apps.internal

    Requests: 9 spent (8 reads, 1 operation); 981 of 1000 left, resets in N min.
    "
  `);
  expect(stderr).toMatchInlineSnapshot(`
    "To see its status:
      infrasync status shop/staging
    "
  `);
});

test("deploy --wait deploys a whole environment and waits for the end", async () => {
  const { code, stdout, stderr, requests } = await ran("deploy", "shop/staging", "--wait");
  expect(code).toBe(0);
  expect(writesOf(requests)).toEqual(["POST /environment/{id}/deploy"]);
  expect(`\n${withoutRequests(stdout)}`).toMatchInlineSnapshot(`
    "
    infrasync will deploy:

      > Environment shop/staging  the whole environment: 3 services
          Job shop/staging/migrate
          Job shop/staging/report
          Application shop/staging/api

    Requests: 4 spent, 2 to deploy, and one for each check while it waits.

    Done: 3 deployed.

    Environment shop/staging  DEPLOYED
      Job shop/staging/migrate      DEPLOYED  1         N s ago
      Job shop/staging/report       DEPLOYED  1         N s ago
      Application shop/staging/api  DEPLOYED  b0b23273  N s ago  https://z{id}.apps.internal

    Requests: …
    "
  `);
  expect(stderr.split("\n").toSorted()).toEqual(
    [
      "",
      "DEPLOYED Application shop/staging/api",
      "DEPLOYED Job shop/staging/migrate",
      "DEPLOYED Job shop/staging/report",
    ].toSorted(),
  );
});

test("a failed deployment ends with exit code 1 and shows the service, its state and its last log lines", async () => {
  await fixture.fault({ method: "POST", path: "/environment/*/service/deploy", fail_deployment: true });
  const { code, stdout } = await ran("deploy", "shop/staging/api", "job:shop/staging/migrate", "--wait");
  expect(code).toBe(1);
  expect(`\n${withoutRequests(stdout).replaceAll(/\d{4}-\S+Z/g, "TIME")}`).toMatchInlineSnapshot(`
    "
    infrasync will deploy:

      > Job shop/staging/migrate
      > Application shop/staging/api

    Requests: 4 spent, 2 to deploy, and one for each check while it waits.

    Failed:
      Job shop/staging/migrate: DEPLOYMENT_ERROR
      Application shop/staging/api: DEPLOYMENT_ERROR
          TIME  deploy of api requested
          TIME  api: DEPLOYMENT_ERROR

    Not everything was done: 2 failed.

    Environment shop/staging  DEPLOYMENT_ERROR
      Job shop/staging/migrate      DEPLOYMENT_ERROR  1         N s ago
      Application shop/staging/api  DEPLOYMENT_ERROR  b0b23273  N s ago  https://z{id}.apps.internal

    Requests: …
    "
  `);
});

test("the JSON output has the order, the outcomes and the last log lines", async () => {
  await fixture.fault({ method: "POST", path: "/environment/*/service/deploy", fail_deployment: true });
  const { code, stdout } = await ran("deploy", "shop/staging/api", "--wait", "--output", "json");
  expect(code).toBe(1);
  expect(documentOf({ stdout })).toMatchObject({
    ok: false,
    error: { code: "deployment" },
    format: "infrasync-deployment",
    action: "deploy",
    environments: [
      {
        address: "environment:shop/staging",
        whole: false,
        status: "failed",
        services: [
          {
            address: "application:shop/staging/api",
            state: "DEPLOYMENT_ERROR",
            result: "failed",
            logs: [{ message: "deploy of api requested" }, { message: "api: DEPLOYMENT_ERROR" }],
          },
        ],
      },
    ],
  });
});

test("deploy --dry-run shows the order and sends no write", async () => {
  const { code, stdout, requests } = await ran("stop", "shop/staging", "--dry-run");
  expect(code).toBe(0);
  expect(requests).toEqual(lists);
  expect(`\n${stdout}`).toMatchInlineSnapshot(`
    "
    infrasync will stop:

      x Environment shop/staging  the whole environment: 3 services
          Job shop/staging/migrate
          Job shop/staging/report
          Application shop/staging/api

    Requests: 4 spent, 2 to stop.
    "
  `);
  const { stdout: json } = await ran("deploy", "shop/staging/api", "--dry-run", "--output", "json");
  expect(documentOf({ stdout: json })).toMatchObject({ ok: true, environments: [{ status: "planned" }] });
});

describe("versions", () => {
  test("--image-tag is sent with the request and becomes the running version", async () => {
    const { code, stdout, stderr } = await ran("deploy", "job:shop/staging/migrate", "--image-tag", "2.0.0");
    expect(code).toBe(0);
    expect(stderr).toContain(
      "The next apply reverts the image tag, unless the manifests declare the new one",
    );
    expect(stdout).toContain("> Job shop/staging/migrate  image tag 1 -> 2.0.0");
    const plan = await fixture.run(["plan", fixture.folder]);
    expect(plan.stdout).toContain('source.image.tag  2.0.0 -> "1"');
  });

  test("an empty version, such as that of a variable that is not set, is refused", async () => {
    for (const tag of ["", " "]) {
      const { code, stderr, requests } = await ran("deploy", "job:shop/staging/migrate", "--image-tag", tag);
      expect({ code, writes: writesOf(requests) }).toEqual({ code: 3, writes: [] });
      expect(stderr).toContain("--image-tag has no value");
    }
  });

  test("the image tag of what is protected is overwritten only if the service is named by its address", async () => {
    await fixture.write("infrasync.config.yaml", 'protect: ["shop/staging/**"]');
    const deployed = (pattern: string) =>
      ran(
        "deploy",
        pattern,
        "--image-tag",
        "2.0.0",
        "--config",
        `${fixture.folder}/infrasync.config.yaml`,
        "--output",
        "json",
      );
    for (const pattern of ["job:*/*/*", "job:shop/staging/*", "job:**"]) {
      const { code, stdout, requests } = await deployed(pattern);
      expect({ code, writes: writesOf(requests) }).toEqual({ code: 3, writes: [] });
      expect(stdout).toContain(
        "Job shop/staging/migrate cannot lose the former value of its image tag (1 -> 2.0.0): it is protected",
      );
    }
    const named = await deployed("job:shop/staging/migrate");
    expect(named.code).toBe(0);
    expect(documentOf(named)).toMatchObject({
      environments: [
        { services: [{ losses: [{ sort: "overwritten", extent: "1 -> 2.0.0", restorable: true }] }] },
      ],
    });
  });

  test("--image-tag for a service from a git repository is refused before any request", async () => {
    const { code, stderr, requests } = await ran("deploy", "shop/staging/*", "--image-tag", "2.0.0");
    expect({ code, writes: writesOf(requests) }).toEqual({ code: 3, writes: [] });
    expect(stderr).toMatchInlineSnapshot(`
      "error: Application shop/staging/api runs no image tag, but a commit
        leave this service out
      "
    `);
  });

  test("a version for an environment is refused", async () => {
    const { code, stderr } = await ran("deploy", "shop/staging", "--commit", "abc");
    expect(code).toBe(3);
    expect(stderr).toMatchInlineSnapshot(`
      "error: only services take a version, and Environment shop/staging is an environment
        name the services to deploy with it
      "
    `);
  });
});

describe("stop", () => {
  test("without --yes and without a terminal no request is sent", async () => {
    const { code, stderr, requests } = await ran("stop", "shop/staging");
    expect({ code, requests }).toEqual({ code: 3, requests: [] });
    expect(stderr).toMatchInlineSnapshot(`
      "error: stop cannot ask for confirmation, because there is no terminal
        add --yes to skip the confirmation; --dry-run shows the changes

      To allow all of this:
        infrasync stop shop/staging --yes
      "
    `);
  });

  test("a protected service is stopped only if its address names it", async () => {
    const protect = (text: string) => fixture.write("infrasync.config.yaml", `protect: ["${text}"]`);
    const stopped = async (...args: string[]) => {
      const { code, stderr, requests } = await ran(
        "stop",
        ...args,
        "--yes",
        "--config",
        `${fixture.folder}/infrasync.config.yaml`,
      );
      return { code, stderr, writes: writesOf(requests) };
    };
    await protect("job:shop/staging/migrate");
    for (const pattern of ["shop/staging", "job:shop/staging/*", "shop/staging/**"]) {
      const { code, stderr, writes } = await stopped(pattern);
      expect({ code, writes }).toEqual({ code: 3, writes: [] });
      expect(stderr).toContain(
        'Job shop/staging/migrate cannot be stopped: it is protected by the pattern "job:shop/staging/migrate"',
      );
      expect(stderr).toContain("to stop it anyway, name it: job:shop/staging/migrate");
    }
    expect(await stopped("job:shop/staging/report")).toMatchObject({ code: 0 });
    expect(await stopped("job:shop/Staging/migrate")).toMatchObject({ code: 0 });
    await protect("environment:shop/staging");
    expect(await stopped("shop/stag*")).toMatchObject({ code: 3, writes: [] });
    const { code, stderr, writes } = await stopped("shop/staging");
    expect({ code, writes }).toEqual({ code: 3, writes: [] });
    expect(stderr).toContain("to stop it anyway, name it: job:shop/staging/migrate");
    expect(await stopped("job:shop/staging/migrate")).toMatchObject({ code: 0 });
  });

  test("on a terminal stop asks, and stops nothing unless the answer is yes", async () => {
    const declined = await fixture.run(["stop", "shop/staging/api"], { columns: 80, stdin: "no\n" });
    expect(declined).toMatchObject({
      code: 3,
      stdout: expect.stringContaining("x Application shop/staging/api"),
    });
    expect(writesOf(await fixture.takeRequests())).toEqual([]);
    const agreed = await fixture.run(["stop", "shop/staging/api"], { columns: 80, stdin: "yes\n" });
    expect(agreed).toMatchObject({
      code: 0,
      stdout: expect.stringContaining("Done: stop of 1 service started."),
    });
    expect(writesOf(await fixture.takeRequests())).toEqual(["POST /environment/{id}/service/stop"]);
  });
});

test("restart skips the jobs of an environment, and refuses a job as its target", async () => {
  const { code, requests } = await ran("restart", "shop/staging");
  expect({ code, writes: writesOf(requests) }).toEqual({
    code: 0,
    writes: ["POST /environment/{id}/service/restart-service"],
  });
  const named = await ran("restart", "job:shop/staging/migrate");
  expect({ code: named.code, writes: writesOf(named.requests) }).toEqual({ code: 3, writes: [] });
  expect(named.stderr).toContain("cannot be restarted; these kinds can: Application, Container, Database");
});

test("cancel ends the deployment in progress, and reports when there is none", async () => {
  const idle = await ran("cancel", "shop/staging");
  expect(idle).toMatchObject({
    code: 0,
    stdout: expect.stringContaining("Done: nothing is under way in 1 environment."),
  });
  expect(writesOf(idle.requests)).toEqual([]);
  const one = await ran("cancel", "shop/staging/api");
  expect(one).toMatchObject({ code: 3, stderr: expect.stringContaining("for its whole environment") });
});

test.for([
  [
    "shop/stagign",
    'error: "shop/stagign" matches no environment and no service\n  did you mean shop/staging?',
  ],
  ["job:shop/staging/nope", 'error: "job:shop/staging/nope" matches no environment and no service'],
  [
    "shop",
    'error: "shop" chooses only the Project, and a Project cannot be deployed\n  name its environments, such as shop/*',
  ],
  [
    "jbo:shop/staging/a",
    'error: "jbo:shop/staging/a" begins with "jbo:", which is not a kind\n  did you mean job?',
  ],
] as const)("deploy %s chooses no service and is an error", async ([pattern, message]) => {
  const { code, stderr, requests } = await ran("deploy", pattern);
  expect({ code, writes: writesOf(requests) }).toEqual({ code: 3, writes: [] });
  expect(stderr).toContain(message);
});

test("status reads the statuses of an environment beside its services, which saves a round trip", async () => {
  await fixture.fault({ path: "/environment/*/services", status: 403 });
  const { code, requests } = await ran("status");
  expect([code, requests.toSorted()]).toEqual([1, [...lists, "GET /environment/{id}/statuses"].toSorted()]);
});

test("status shows the state of services with two requests for each environment, its statuses and its variables, and one for the URLs of a service", async () => {
  await fixture.run(["deploy", "job:shop/staging/migrate", "--wait"]);
  await fixture.takeRequests();
  const { code, stdout, requests } = await ran("status");
  expect(code).toBe(0);
  expect(requests.toSorted()).toEqual(
    [...lists, "GET /environment/{id}/statuses", "GET /application/{id}/link", "GET /variable"].toSorted(),
  );
  expect(`\n${withoutRequests(stdout).replaceAll(/(?<=\S) {2,}/g, "  ")}`).toMatchInlineSnapshot(`
    "
    Environment shop/staging  DEPLOYED
      Job shop/staging/migrate  DEPLOYED  1  N s ago
      Job shop/staging/report  READY  1  never deployed
      Application shop/staging/api  READY  https://z{id}.apps.internal  never deployed

    Requests: …
    "
  `);
  const { stdout: json } = await ran("status", "job:shop/staging/migrate", "--output", "json");
  expect(documentOf({ stdout: json })).toMatchObject({
    ok: true,
    format: "infrasync-status",
    environments: [{ state: "DEPLOYED", services: [{ state: "DEPLOYED", deployment_status: "UP_TO_DATE" }] }],
  });
});

test.each([
  ["status", /migrate {2}READY {2}1 {2}never deployed\n[^]*migrate {2}DEPLOYED {2}1 {2}\d+ s ago/],
  ["list", /migrate +READY +1 [^]*migrate +DEPLOYED +1 /],
])("%s --watch repeats the output when a state changes, until Ctrl-C", async (command, shown) => {
  const interruption = new AbortController();
  const running = fixture.run([command, "job:shop/staging/migrate", "--watch"], {
    signal: interruption.signal,
  });
  await fixture.arrival("GET /environment/{id}/statuses");
  await fixture.run(["deploy", "job:shop/staging/migrate", "--wait"]);
  // The second look after the deployment begins when the first one is shown.
  for (let refresh = 1; refresh <= 2; refresh += 1) {
    await fixture.takeRequests();
    await fixture.arrival("GET /environment/{id}/statuses");
  }
  interruption.abort("SIGINT");
  const { code, stdout } = await running;
  expect(code).toBe(130);
  expect(stdout).toMatch(shown);
});

test.each([
  ["status", "--output", "json"],
  ["list", "--output", "json"],
  ["list", "clusters"],
  ["list", "cluster-status"],
])("%s %s is not watched, and no request is sent", async (...args) => {
  const { code, stdout, stderr, requests } = await ran(...args, "--watch");
  expect(requests).toEqual([]);
  expect(code).toBe(3);
  expect(stdout + stderr).toMatch(/--watch (?:repeats the output|cannot show cluster)/);
});

describe("logs", () => {
  test("shows the last lines of an application", async () => {
    await fixture.run(["deploy", "shop/staging/api", "--wait"]);
    const { code, stdout } = await ran("logs", "shop/staging/api", "--tail", "1");
    expect(code).toBe(0);
    expect(stdout.replaceAll(/\d{4}-\S+Z/g, "TIME")).toBe("TIME  api: DEPLOYED\n");
  });

  test("says of a service that has never run that it has no log lines", async () => {
    const { code, stdout, stderr } = await ran("logs", "shop/staging/api");
    expect({ code, stdout }).toEqual({ code: 0, stdout: "" });
    expect(stderr).toBe("Application shop/staging/api has no log lines\n");
  });

  test("--follow prints new lines until Ctrl-C", async () => {
    await fixture.run(["deploy", "shop/staging/api", "--wait"]);
    const interruption = new AbortController();
    const running = fixture.run(["logs", "shop/staging/api", "--follow"], { signal: interruption.signal });
    await fixture.arrival("GET /application/{id}/log");
    await fixture.run(["deploy", "shop/staging/api", "--wait"]);
    interruption.abort("SIGINT");
    const { code, stdout } = await running;
    expect(code).toBe(130);
    expect(stdout.match(/deploy of api requested/g)?.length).toBeGreaterThanOrEqual(1);
    expect(new Set(stdout.split("\n")).size).toBe(stdout.split("\n").length);
  });

  test("a job has no logs in the API", async () => {
    const { code, stderr } = await ran("logs", "job:shop/staging/migrate");
    expect(code).toBe(3);
    expect(stderr).toContain("the API has no log lines of Job shop/staging/migrate");
  });
});

/** A deployment that is under way for ever. */
const neverDone = {
  method: "GET",
  path: "/environment/*/statuses",
  body: { environment: { id: "x", state: "DEPLOYING", last_deployment_state: "DEPLOYING" } },
  status: 200,
};

/** Has Ctrl-C pressed in the first wait after a request, however fast the time of waits passes. */
function interruptedAfter(request: string) {
  const interruption = new AbortController();
  const sleep = async () => {
    if ((await fixture.requests()).includes(request)) interruption.abort("SIGINT");
  };
  return { signal: interruption.signal, clock: { ...systemClock, sleep } };
}

test("Ctrl-C during the wait leaves the deployment running, and the output says so", async () => {
  await fixture.fault(neverDone);
  const { code, stdout, stderr } = await fixture.run(
    ["deploy", "shop/staging", "--wait"],
    interruptedAfter("POST /environment/{id}/deploy"),
  );
  expect(code).toBe(130);
  expect(stdout).toContain("Environment shop/staging: interrupted; the deployment continues");
  expect(stderr).toContain("Interrupted: infrasync no longer waits. The deployment continues.");
  expect(stderr).toContain("To see its status:\n  infrasync status shop/staging");
  await fixture.takeFaults();
  expect((await ran("status", "shop/staging")).stdout).not.toContain("CANCEL");
});

test("an interrupted deployment with an unknown outcome is not reported as not sent", async () => {
  await fixture.fault({ method: "POST", path: "/environment/*/deploy", status: 200, body: {} });
  const { stdout } = await fixture.run(
    ["deploy", "shop/staging"],
    interruptedAfter("POST /environment/{id}/deploy"),
  );
  expect(stdout).toContain(
    "Perhaps started:\n  Environment shop/staging: it may or may not have been started, and the run was interrupted",
  );
});

test("a deployment that exceeds the time limit ends with exit code 1 and stays in progress", async () => {
  await fixture.fault(neverDone);
  const config = await fixture.write("settings.yaml", "wait_timeout: 3s\n");
  const { code, stdout } = await ran("deploy", "shop/staging/api", "--wait", "--config", config);
  expect(code).toBe(1);
  expect(stdout).toContain("Environment shop/staging: still running when wait_timeout ended");
});

test.for([["deplyo"], ["distroy"], ["destiny"], ["stap"]])(
  "%s, which is no slip of the keyboard, does not suggest a command that stops or deletes",
  async ([typed]) => {
    const { stderr } = await fixture.run([typed ?? ""]);
    expect(stderr).toContain("unknown command");
    expect(stderr).not.toMatch(/destroy|stop|cancel/);
  },
);
