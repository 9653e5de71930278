import { expect, test, vi } from "vitest";
import type { AnyAddress } from "../../../core/model/addresses/address.ts";
import { parsePattern } from "../../../core/index.ts";
import { isFields } from "../../../core/values/json.ts";
import { type Pause, environmentOf, suspendedNow, suspensionText } from "../../../reconciler/policy/index.ts";
import { shop } from "../../fixtures/manifests.ts";
import { policiesOf } from "../../fixtures/policies.ts";
import { type Bench, commitOf, forges, policyText, policyWith, startBench } from "./bench.ts";

const policiesFor = async (action: string) =>
  (await policiesOf(`policies: [{ name: none, message: not here, actions: [${action}] }]`)).policies;

test("a pause holds previews: none is made, deployed or deleted, and one that begins meanwhile is seen before the first write", async () => {
  const bench = await startBench();
  const pauses: Pause[] = [];
  const hold = (pattern: string, minutes: number) => {
    const now = bench.clock.now();
    const by = { id: "user:anna", name: "anna" };
    pauses.push({ pattern, until: now + minutes * 60_000, reason: "a migration", by, at: now });
  };
  const suspended = (address: AnyAddress) => {
    const { names } = environmentOf(address);
    const [pause] = suspendedNow(undefined, names, pauses, bench.clock.now()).suspensions ?? [];
    return pause && suspensionText(pause);
  };
  const keep = () => bench.keep({ rules: { suspended } });
  bench.open(4);
  hold("**", 60);
  await bench.server.forgetRequests();
  await keep();
  expect(await bench.server.writes()).toEqual([]);
  expect(bench.kept).toMatchObject({
    previews: [{ reason: expect.stringMatching(/paused until \S+ by anna.*: a migration/) }],
  });
  bench.clock.advance(61 * 60_000);
  await keep();
  expect(await bench.previews()).toEqual(["shop/pr-4"]);
  hold("shop/*", 60);
  bench.close(4);
  await keep();
  expect(await bench.previews()).toEqual(["shop/pr-4"]);
  bench.clock.advance(61 * 60_000);
  await keep();
  expect(await bench.previews()).toEqual([]);
});

const deployments = (bench: Bench) =>
  bench.server.writes().then((all) => all.filter(({ path }) => path.endsWith("/deploy")));

test.each(Object.entries(forges))(
  "%s: a pull request with the label gets a preview: cloned, changed, deployed without cron jobs, with its links in one comment",
  async (_forge, start) => {
    const bench = await startBench(policyText, start);
    bench.open(4, { branch: "login" });
    bench.open(5, { labels: ["bug"] });
    bench.open(6, { isFork: true });
    await bench.server.forgetRequests();
    await bench.keep();
    expect(await bench.previews()).toEqual(["shop/pr-4"]);
    const all = await bench.server.everything();
    expect(all.get("shop/pr-4/APPLICATION api")).toMatchObject({
      git_repository: { branch: "login" },
      auto_preview: false,
    });
    expect(all.get("shop/pr-4/JOB migrate")).toMatchObject({
      cpu: 250,
      source: { image: { tag: commitOf(4) } },
    });
    expect(all.has("shop/pr-4/JOB nightly")).toBe(true);
    expect(all.get("shop/staging/APPLICATION api")).toMatchObject({ auto_preview: true });

    const deployed = await deployments(bench);
    expect(deployed).toHaveLength(1);
    const idOf = (name: string) => all.get(name)?.["id"];
    expect(await deployedIn(bench, "shop/pr-4")).toEqual([
      "APPLICATION api",
      "APPLICATION other",
      "JOB migrate",
    ]);

    const [comment = "", ...others] = bench.comments(4);
    expect(others).toEqual([]);
    const links = await bench.server.results(
      `/application/${String(idOf("shop/pr-4/APPLICATION api"))}/link`,
    );
    expect(links.length).toBeGreaterThan(0);
    expect(comment).toContain(String(links[0]?.["url"]));
    expect(comment).toMatch(/ends at 20\d\d-/);
    expect(bench.log.map(({ message }) => message)).toEqual(["the preview is created and deployed"]);
    expect(bench.kept).toEqual({
      previews: [
        {
          environment: "shop/pr-4",
          number: 4,
          pullRequest: { title: expect.any(String), url: expect.stringMatching(/^https?:.*4$/) },
          commit: commitOf(4),
          state: "waiting",
          reason: "being deployed: api, other, migrate",
        },
      ],
    });
    await bench.server.advance(60_000);
    await bench.restart();
    expect(bench.kept).toMatchObject({ previews: [{ number: 4, state: "ready" }] });
  },
);

test("a look without news costs no request of the API, and a restart neither changes nor deploys anything", async () => {
  const bench = await startBench();
  bench.open(4);
  await bench.keep();
  // The first look after a deployment asks how the services fare.
  await bench.keep();
  await bench.server.forgetRequests();
  const before = bench.comments(4);
  await bench.keep();
  expect(await bench.server.seen()).toEqual([]);
  await bench.restart();
  expect(await bench.server.writes()).toEqual([]);
  expect(bench.comments(4)).toEqual(before);
});

test.each(Object.entries(forges))(
  "%s: a push changes the preview, deploys what it concerns, and changes the comment",
  async (_forge, start) => {
    const bench = await startBench(policyText, start);
    bench.open(4);
    await bench.keep();
    await vi.waitFor(async () => expect(await isQuiet(bench, "shop/pr-4")).toBe(true), { timeout: 60_000 });
    await bench.server.forgetRequests();
    bench.push(4, "b".repeat(40));
    await bench.keep();
    expect((await bench.server.everything()).get("shop/pr-4/JOB migrate")).toMatchObject({
      source: { image: { tag: "b".repeat(40) } },
    });
    expect(await deployments(bench)).toHaveLength(1);
    const times = async (name: string) => {
      const id = await bench.server.idOf(`shop/pr-4/APPLICATION ${name}`);
      return (await bench.server.results(`/application/${id}/deploymentHistoryV2`)).length;
    };
    expect([await times("api"), await times("other")]).toEqual([2, 1]);
    expect(bench.comments(4)).toHaveLength(1);
    expect(bench.comments(4)[0]).toContain(`Deployed for ${"b".repeat(40)}`);
  },
);

test.each(Object.entries(forges))(
  "%s: the preview and its comment are gone when the pull request is, or its label",
  async (_forge, start) => {
    const bench = await startBench(policyText, start);
    bench.open(4);
    bench.open(5);
    await bench.keep();
    expect(await bench.previews()).toEqual(["shop/pr-4", "shop/pr-5"]);
    bench.close(4);
    bench.unlabel(5);
    await bench.keep();
    expect(await bench.previews()).toEqual([]);
    expect([...bench.comments(4), ...bench.comments(5)]).toEqual([]);
  },
);

test.each(Object.entries(forges))(
  "%s: previews and their comments are gone when the policy has none any more, also after a restart",
  async (_forge, start) => {
    const bench = await startBench(policyText, start);
    bench.open(4);
    bench.open(5);
    await bench.keep();
    await bench.server.reconcile(
      "kind: Environment\nproject: shop\nname: pr-9\nmode: PREVIEW\nclone: { from: shop/staging }\n",
    );
    await bench.restart(() => bench.drop());
    expect(await bench.previews()).toEqual(["shop/pr-9"]);
    expect([...bench.comments(4), ...bench.comments(5)]).toEqual([]);
    await bench.server.forgetRequests();
    await bench.drop();
    expect(await bench.server.seen()).toEqual([]);
    expect(bench.kept).toEqual({ previews: [] });
  },
);

test("previews of another project go when the policy makes them elsewhere", async () => {
  const bench = await startBench();
  bench.open(4);
  await bench.keep();
  await bench.server.reconcile(shop.replaceAll("shop", "store"));
  const elsewhere = policyWith("previews: { from: store/staging }");
  await bench.restart(() => bench.keep({ policy: elsewhere }));
  expect(await bench.previews()).toEqual(["store/pr-4"]);
});

test("a preview that cannot be deleted after the policy has lost it stays on the page, and is tried again", async () => {
  const bench = await startBench();
  bench.open(4);
  await bench.keep();
  await bench.server.api("POST", "/_emulator/faults", [{ method: "DELETE", status: 403 }]);
  await bench.drop();
  expect(bench.kept).toMatchObject({ previews: [{ environment: "shop/pr-4", number: 4, state: "failed" }] });
  await bench.server.api("DELETE", "/_emulator/faults");
  bench.clock.advance(61_000);
  await bench.drop();
  expect(await bench.previews()).toEqual([]);
  expect(bench.kept).toEqual({ previews: [] });
});

test("a clone whose label could not be written is deleted and made again", async () => {
  const bench = await startBench();
  bench.open(4);
  await bench.server.api("POST", "/_emulator/faults", [{ method: "POST", path: "/variable", status: 403 }]);
  await bench.keep();
  expect(bench.kept).toMatchObject({ previews: [{ number: 4, state: "failed" }] });
  await bench.server.api("DELETE", "/_emulator/faults");
  const started = await bench.server.idOf("shop/pr-4");
  await bench.restart();
  expect(bench.kept).toMatchObject({
    previews: [{ number: 4, reason: expect.stringMatching(/^being deployed/) }],
  });
  expect(await bench.server.idOf("shop/pr-4")).not.toBe(started);
});

test("no more previews than the policy allows; the next gets one when there is room", async () => {
  const bench = await startBench();
  for (const number of [9, 7, 8]) bench.open(number);
  await bench.keep();
  expect(await bench.previews()).toEqual(["shop/pr-7", "shop/pr-8"]);
  expect(bench.kept).toMatchObject({
    previews: [
      { number: 9, state: "waiting", reason: "the limit is 2 previews" },
      { number: 7, state: "waiting", reason: expect.stringMatching(/^being deployed/) },
      { number: 8, state: "waiting", reason: expect.stringMatching(/^being deployed/) },
    ],
  });
  bench.open(3);
  await bench.keep();
  expect(await bench.previews()).toEqual(["shop/pr-7", "shop/pr-8"]);
  bench.close(7);
  await bench.keep();
  await bench.keep();
  expect(await bench.previews()).toEqual(["shop/pr-3", "shop/pr-8"]);
});

test("a pull request that is closed while its preview is cloned leaves none behind", async () => {
  const bench = await startBench();
  bench.open(4);
  const refreshes = bench.forge.requests;
  const timer = setInterval(() => {
    // Closed right after the look before the first write.
    if (refreshes.some(({ line }) => line.endsWith("/pulls/4"))) bench.close(4);
  }, 1);
  await bench.keep();
  clearInterval(timer);
  expect((await bench.server.writes()).some(({ path }) => path.endsWith("/clone"))).toBe(true);
  expect(await bench.previews()).toEqual([]);
  expect(await deployments(bench)).toEqual([]);
  expect(bench.comments(4)).toEqual([]);
});

test("a pull request that is closed before the first write gets no clone", async () => {
  const bench = await startBench();
  bench.open(4);
  bench.forge.faults.push({
    match: /\/pulls\/4$/,
    status: 200,
    body: { number: 4, state: "closed", head: {} },
  });
  await bench.server.forgetRequests();
  await bench.keep();
  expect(await bench.server.writes()).toEqual([]);
});

test("a preview whose time is over is deleted, and comes back with the next commit only", async () => {
  const bench = await startBench();
  bench.open(4);
  await bench.keep();
  await bench.server.advance(3 * 86_400_000 + 120_000);
  await bench.restart();
  expect(await bench.previews()).toEqual([]);
  expect(bench.comments(4)[0]).toContain("The preview has expired");
  expect(bench.kept).toMatchObject({ previews: [{ number: 4, state: "ended" }] });
  await bench.keep();
  await bench.restart();
  expect(await bench.previews()).toEqual([]);
  bench.push(4, "c".repeat(40));
  await bench.keep();
  expect(await bench.previews()).toEqual(["shop/pr-4"]);
});

test.each([
  ["its mode", { mode: "DEVELOPMENT" }, "its mode is not PREVIEW"],
  ["its label", undefined, "it has no variable INFRASYNC_EXPIRES_AT"],
])("an environment of that name is left alone where %s does not agree", async (_what, change, reason) => {
  const bench = await startBench();
  bench.open(4);
  await bench.server.reconcile(
    change
      ? "kind: Environment\nproject: shop\nname: pr-4\nmode: DEVELOPMENT\nclone: { from: shop/staging }\n"
      : "kind: Environment\nproject: shop\nname: pr-4\nmode: PREVIEW\nclone: { from: shop/staging }\n",
  );
  await bench.server.forgetRequests();
  await bench.keep();
  expect(bench.log).toMatchObject([{ level: "warn", fields: { reason: expect.stringContaining(reason) } }]);
  bench.close(4);
  await bench.keep();
  expect(await bench.server.writes()).toEqual([]);
  expect((await bench.server.everything()).has("shop/pr-4")).toBe(true);
});

test("a preview of another name that was cloned from one, label and all, is not deleted", async () => {
  const bench = await startBench();
  bench.open(4);
  await bench.keep();
  await bench.server.reconcile(
    "kind: Environment\nproject: shop\nname: pr-77\nmode: PREVIEW\nclone: { from: shop/pr-4 }\n",
  );
  bench.open(77);
  bench.close(77);
  await bench.restart();
  expect(await bench.previews()).toEqual(["shop/pr-4", "shop/pr-77"]);
});

test("a protected preview is not deleted", async () => {
  const bench = await startBench();
  bench.open(4);
  await bench.keep();
  bench.close(4);
  await bench.keep({ rules: { protect: [parsePattern("shop/pr-*")] } });
  expect(await bench.previews()).toEqual(["shop/pr-4"]);
  expect(bench.log.at(-1)).toMatchObject({ level: "warn" });
});

test.for([
  ["clone", []],
  ["update", []],
  ["deploy", ["shop/pr-4"]],
] as const)("a policy forbids to %s in a preview", async ([action, made]) => {
  const bench = await startBench();
  const policies = await policiesFor(action);
  bench.open(4);
  await bench.keep({ rules: { policies } });
  expect(bench.kept).toMatchObject({ previews: [{ state: "failed" }] });
  expect(bench.log.at(-1)).toMatchObject({ level: "warn" });
  expect(await bench.previews()).toEqual(made);
  expect(await deployments(bench)).toEqual([]);
});

test("a policy forbids to delete a preview", async () => {
  const bench = await startBench();
  bench.open(4);
  await bench.keep();
  bench.close(4);
  await bench.keep({ rules: { policies: await policiesFor("delete") } });
  expect(await bench.previews()).toEqual(["shop/pr-4"]);
  expect(bench.log.at(-1)).toMatchObject({ level: "warn" });
});

test("a run that may delete nothing deletes no preview", async () => {
  const bench = await startBench();
  bench.open(4);
  await bench.keep();
  bench.close(4);
  await bench.keep({ rules: { caps: { count: 0, percent: 100 } } });
  expect(await bench.previews()).toEqual(["shop/pr-4"]);
});

test("nothing is concluded from a Git host that cannot be reached, or that hides a pull request", async () => {
  const bench = await startBench();
  bench.open(4);
  await bench.keep();
  bench.forge.faults.push(...Array.from({ length: 4 }, () => ({ match: /\/pulls\?/, status: 503 })));
  await bench.keep();
  expect(bench.kept).toEqual({ failure: expect.stringContaining("503") });
  bench.forge.faults.push(
    { match: /\/pulls\?/, status: 200, body: [] },
    { match: /\/pulls\/4$/, status: 404, body: { message: "Not Found" } },
  );
  await bench.keep();
  expect(await bench.previews()).toEqual(["shop/pr-4"]);
  expect(bench.log.filter(({ level }) => level === "warn")).toHaveLength(2);
  expect(bench.kept).toEqual({
    previews: [
      { environment: "shop/pr-4", number: 4, state: "failed", reason: expect.stringContaining("4") },
    ],
  });
});

test("one that fails leaves the others alone, is told once and in its comment, and is tried again after a pause", async () => {
  const bench = await startBench();
  bench.open(4);
  bench.open(5);
  await bench.server.reconcile(
    "kind: Environment\nproject: shop\nname: pr-4\nmode: DEVELOPMENT\nclone: { from: shop/staging }\n",
  );
  await bench.keep();
  expect(await bench.previews()).toEqual(["shop/pr-5"]);
  expect(bench.comments(4)[0]).toContain("stays unchanged: its mode is not PREVIEW");
  expect(bench.kept).toMatchObject({
    previews: [
      { number: 4, state: "failed", reason: expect.stringContaining("its mode is not PREVIEW") },
      { number: 5, reason: expect.stringMatching(/^being deployed/) },
    ],
  });
  bench.clock.advance(61_000);
  await bench.keep();
  expect(bench.log.filter(({ level }) => level === "warn")).toHaveLength(1);
});

test.each([
  {
    what: "has failed",
    async spoil(bench: Bench) {
      const states = async () => [...(await statusesIn(bench, "shop/pr-4")).values()];
      await vi.waitFor(async () => expect(await states()).toContain("DEPLOYMENT_ERROR"), { timeout: 60_000 });
    },
    faults: [
      { method: "POST", path: "/environment/*/service/deploy", times: 1, fail_deployment: true },
    ] as object[],
  },
  {
    what: "was cancelled, or its service was uninstalled",
    async spoil({ server }: Bench) {
      const id = await server.idOf("shop/pr-4");
      await server.api("POST", `/environment/${id}/cancelDeployment`, { force_cancel: true });
    },
    faults: [],
  },
  {
    what: "takes too long",
    async spoil({ server }: Bench) {
      const path = `/environment/${await server.idOf("shop/pr-4")}/statuses`;
      const reported = JSON.stringify(await server.api("GET", path));
      const date = new Date(Date.now() - 700_000).toISOString();
      const late = reported.replaceAll(/"last_deployment_date":"[^"]*"/g, `"last_deployment_date":"${date}"`);
      await server.api("POST", "/_emulator/faults", [
        { method: "GET", path, status: 200, body: JSON.parse(late) as object },
      ]);
    },
    faults: [],
  },
])(
  "a preview whose deployment $what is not ready, and is not deployed again by itself",
  async ({ what, spoil, faults }) => {
    const bench = await startBench();
    bench.open(4);
    if (faults.length > 0) await bench.server.api("POST", "/_emulator/faults", faults);
    await bench.keep();
    await spoil(bench);
    await bench.server.forgetRequests();
    await bench.restart();
    const { previews: [preview] = [] } = bench.kept as { previews?: { state: string; reason?: string }[] };
    expect(preview).toMatchObject({ number: 4, state: "failed" });
    expect(preview?.reason).toContain("api");
    expect(preview?.reason?.endsWith(what)).toBe(true);
    expect(await bench.server.writes()).toEqual([]);
  },
);

test("a preview whose health the API does not return is neither ready nor made again", async () => {
  const bench = await startBench();
  bench.open(4);
  await bench.keep();
  const comments = bench.comments(4);
  await bench.server.api("POST", "/_emulator/faults", [
    { method: "GET", path: "/environment/*/statuses", status: 403 },
  ]);
  await bench.server.forgetRequests();
  await bench.restart();
  expect(bench.kept).toMatchObject({
    previews: [{ number: 4, state: "waiting", reason: "the health of its services has not been read yet" }],
  });
  expect(bench.comments(4)).toEqual(comments);
  expect(await bench.server.writes()).toEqual([]);
});

test("changes wait where the share for them does not suffice", async () => {
  const bench = await startBench();
  bench.open(4);
  await bench.server.forgetRequests();
  await bench.keep({ affordable: 0 });
  expect(await bench.server.writes()).toEqual([]);
  expect(bench.comments(4)).toEqual([]);
  expect(bench.kept).toMatchObject({ previews: [{ number: 4, state: "waiting" }] });
  bench.clock.advance(61_000);
  await bench.keep();
  expect(await bench.previews()).toEqual(["shop/pr-4"]);
});

test("cron jobs and auto_preview stay as they are where the policy wants them", async () => {
  const bench = await startBench(`${policyText}  cron_jobs: true\n  auto_preview: true\n`);
  bench.open(4);
  await bench.keep();
  const all = await bench.server.everything();
  expect(all.get("shop/pr-4/APPLICATION api")).toMatchObject({ auto_preview: true });
  expect(await deployedIn(bench, "shop/pr-4")).toEqual([
    "APPLICATION api",
    "APPLICATION other",
    "JOB migrate",
    "JOB nightly",
  ]);
});

/** The statuses of an environment and of its services, by id. */
async function statusesIn(bench: Bench, environment: string): Promise<Map<string, string>> {
  const id = await bench.server.idOf(environment);
  const answer = await bench.server.api("GET", `/environment/${id}/statuses`);
  const all = Object.values(isFields(answer) ? answer : {}).flatMap((each) =>
    Array.isArray(each) ? each : [each],
  );
  return new Map(
    all.flatMap((each) => (isFields(each) ? [[String(each["id"]), String(each["state"])]] : [])),
  );
}

/** The services of an environment that were deployed. */
async function deployedIn(bench: Bench, environment: string): Promise<string[]> {
  const statuses = await statusesIn(bench, environment);
  return [...(await bench.server.everything())]
    .filter(([path]) => path.startsWith(`${environment}/`))
    .filter(([, { id }]) => statuses.get(String(id)) !== "READY")
    .map(([path]) => path.slice(environment.length + 1))
    .toSorted();
}

async function isQuiet(bench: Bench, environment: string): Promise<boolean> {
  return [...(await statusesIn(bench, environment)).values()].every((state) => /READY|DEPLOYED/.test(state));
}
