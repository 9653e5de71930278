import { join } from "node:path";
import { expect, test } from "vitest";
import { LiveStore } from "../../../core/state/live/index.ts";
import { startRun } from "../../../core/execution/session/index.ts";
import { github } from "../../../adapters/forge/github.ts";
import type { PreviewCheck } from "../../../reconciler/previews/states.ts";
import {
  existingPreviews,
  makePreview,
  ownershipOf,
  PreviewKeeper,
  PreviewRecord,
  removePreview,
} from "../../../reconciler/previews/index.ts";
import {
  type Claim,
  type OtherSources,
  previewsOf,
  SourceClaims,
} from "../../../reconciler/sources/index.ts";
import { gitHostToken, type GitHubServer, repository, startGitHub } from "../../fixtures/forges/server.ts";
import { send } from "../../fixtures/send.ts";
import { type Bench, commitOf, onGitHub, policyText, startBench } from "./bench.ts";

/** Another source or service, with a repository and pull requests of its own, in the same organization. */
async function another(
  bench: Bench,
  name: string,
  claim?: OtherSources["claimPreviews"],
  its?: GitHubServer,
) {
  const forge = its ?? (await startGitHub());
  const live = new LiveStore(bench.clock);
  const context = () => ({
    ...bench.context(),
    run: startRun(bench.server.client, { live, limits: { clone: 5000, deletion: 5000, busy: 5000 } }),
  });
  let kept: PreviewCheck = { previews: [] };
  const logged: string[] = [];
  const log = (fields: object, message: string) => void logged.push(`${message} ${JSON.stringify(fields)}`);
  const keeper = new PreviewKeeper({
    forge: () =>
      Promise.resolve(
        github.connect(repository, {
          apiUrl: forge.url,
          token: gitHostToken,
          environment: {},
          clock: bench.clock,
          longestWait: 1000,
        }),
      ),
    branch: "main",
    owner: `main of github.com/acme/${name}`,
    claim,
    clock: bench.clock,
    record: new PreviewRecord(join(bench.folder, `${name}.json`)),
    slowAfter: 600_000,
    log: { debug: log, info: log, warn: log, error: log },
    watch: { previewsChecked: (given) => void (kept = given) },
  });
  return {
    forge,
    logged,
    open: (number: number, state: "open" | "closed" = "open") =>
      void forge.pulls.push({
        number,
        labels: ["preview"],
        state,
        head: { ref: `topic-${number}`, sha: commitOf(number) },
      }),
    async keep() {
      await keeper.keep(context());
      return kept;
    },
    comments: (number: number) => (forge.comments.get(number) ?? []).map(({ body }) => body),
  };
}

test("the preview that another service has made for its pull request of the number stays, whether this one's is open or closed", async () => {
  const bench = await startBench();
  const other = await another(bench, "web");
  bench.open(7);
  other.open(7, "closed");
  await bench.keep();
  const id = await bench.server.idOf("shop/pr-7");
  await bench.server.forgetRequests();
  for (let refresh = 0; refresh < 3; refresh += 1) {
    await other.keep();
    await bench.keep();
    bench.clock.advance(61_000);
  }
  expect(await bench.server.writes()).toEqual([]);
  expect(await bench.server.idOf("shop/pr-7")).toBe(id);
  // Now both have one open.
  Object.assign(other.forge.pulls[0] ?? {}, { state: "open" });
  expect(await other.keep()).toMatchObject({
    previews: [
      {
        number: 7,
        state: "failed",
        isContested: true,
        reason: expect.stringContaining(
          "shop/pr-7 stays unchanged: it is the preview of main of github.com/acme/infra",
        ),
      },
    ],
  });
  expect(other.comments(7)[0]).toContain("stays unchanged");
  expect(await bench.server.writes()).toEqual([]);
  // What it cannot have takes no room of the others that it wants.
  for (const number of [8, 9]) other.open(number);
  bench.clock.advance(61_000);
  await other.keep();
  expect(await bench.previews()).toEqual(["shop/pr-7", "shop/pr-8", "shop/pr-9"]);
});

test("where two environments have the name of a preview, neither is changed, deployed or deleted, and both ids are shown", async () => {
  const bench = await startBench(policyText, onGitHub, { duplicate_names: true });
  bench.open(7);
  await bench.keep();
  const { server } = bench;
  const own = await server.idOf("shop/pr-7");
  const project = await server.idOf("shop");
  const { id } = (await server.api("POST", `/project/${project}/environment`, {
    name: "pr-7",
    mode: "DEVELOPMENT",
    cluster: server.emulator.clusters[0]?.id,
  })) as { id: string };
  await server.forgetRequests();
  bench.clock.advance(600_000);
  await bench.restart();
  expect(bench.kept).toMatchObject({
    previews: [{ state: "failed", reason: expect.stringContaining("have the name shop/pr-7: ") }],
  });
  for (const each of [own, id]) expect(JSON.stringify(bench.kept)).toContain(each);
  bench.close(7);
  bench.clock.advance(600_000);
  await bench.restart();
  expect(await server.writes()).toEqual([]);
});

test("two sources of a service that want one preview both say so, neither makes it, and each makes its others", async () => {
  const bench = await startBench();
  const claims = new SourceClaims(bench.clock);
  const claimOf = (name: string) => (claim: Claim) => claims.claim(previewsOf(name), claim);
  const [web, api] = [
    await another(bench, "web", claimOf("web")),
    await another(bench, "api", claimOf("api")),
  ];
  await claims.claim(previewsOf("api"), {
    organization: bench.server.organization.id,
    declared: new Set(["environment:shop/pr-7"]),
    pruned: new Set(),
  });
  web.open(7);
  api.open(7);
  api.open(8);
  expect(await web.keep()).toMatchObject({
    previews: [{ number: 7, state: "failed", isContested: true, reason: expect.stringContaining("api") }],
  });
  expect(await api.keep()).toMatchObject({
    previews: [
      { number: 7, state: "failed", isContested: true, reason: expect.stringContaining("web") },
      { number: 8, state: "waiting" },
    ],
  });
  expect(await bench.previews()).toEqual(["shop/pr-8"]);
  // One of them closes it: the other one need not wait for its next try.
  Object.assign(api.forge.pulls[0] ?? {}, { state: "closed" });
  await api.keep();
  await web.keep();
  expect(await bench.previews()).toEqual(["shop/pr-7", "shop/pr-8"]);
});

test("a preview manually is not deleted by a service whose request of that number is over, and counts for none of its room", async () => {
  const bench = await startBench();
  const owner = "anna@laptop manually";
  await makePreview(
    { ...bench.context(), owner },
    { number: 42, commit: commitOf(42), branch: "login" },
    () => Promise.resolve(true),
  );
  bench.open(42);
  bench.close(42);
  for (const number of [4, 5]) bench.open(number);
  await bench.restart();
  await bench.server.advance(4 * 86_400_000);
  await bench.restart();
  expect(await bench.previews()).toContain("shop/pr-42");
  expect(bench.kept).toMatchObject({ previews: [{ number: 4 }, { number: 5 }] });
});

test("an environment that somebody else makes after a clone was requested in vain is not taken for that clone", async () => {
  const bench = await startBench();
  bench.open(4);
  await bench.server.api("POST", "/_emulator/faults", [
    { method: "POST", path: "/environment/*/clone", status: 403 },
  ]);
  await bench.keep();
  await bench.server.api("DELETE", "/_emulator/faults");
  await bench.server.reconcile(
    "kind: Environment\nproject: shop\nname: pr-4\nmode: PREVIEW\nclone: { from: shop/staging }\n",
  );
  const id = await bench.server.idOf("shop/pr-4");
  bench.close(4);
  await bench.restart();
  expect(await bench.server.idOf("shop/pr-4")).toBe(id);
});

test.each([
  ["names no owner", "expires_after 3d: pr-4"],
  ["is of a person who has changed it", "mine"],
  [
    "was copied with its environment from another project",
    "preview store/pr-4 of main of github.com/acme/infra, for 3d",
  ],
])("a preview whose label %s is not deleted, and that is said", async (_what, description) => {
  const bench = await startBench();
  bench.open(4);
  await bench.keep();
  const variables = await bench.server.results(
    `/variable?parent_id=${await bench.server.idOf("shop/pr-4")}&scope=ENVIRONMENT`,
  );
  const label = variables.find(({ key }) => key === "INFRASYNC_EXPIRES_AT");
  await bench.server.api("PUT", `/variable/${String(label?.["id"])}`, {
    key: "INFRASYNC_EXPIRES_AT",
    value: label?.["value"],
    description,
  });
  await bench.restart();
  expect(bench.kept).toMatchObject({
    previews: [
      {
        number: 4,
        state: "failed",
        reason: expect.stringContaining("does not name the owner of the preview"),
      },
    ],
  });
  bench.close(4);
  await bench.restart();
  expect(await bench.previews()).toEqual(["shop/pr-4"]);
  await expect.poll(() => bench.log.at(-1)).toMatchObject({ level: "warn" });
});

test("two sources of one repository keep a comment each on a pull request, and neither reads that of the other as its own", async () => {
  const bench = await startBench();
  const other = await another(bench, "web", undefined, bench.forge as GitHubServer);
  bench.open(4);
  await bench.keep();
  const [comment = ""] = bench.comments(4);
  await other.keep();
  expect(bench.comments(4)).toEqual([comment, expect.stringContaining("stays unchanged")]);
});

const requestOf = (number: number) => ({ number, commit: commitOf(number), branch: `topic-${number}` });

async function found(bench: Bench, number: number) {
  const { run, organization } = bench.context();
  const fresh = { ...run, live: new LiveStore(bench.clock) };
  return (await existingPreviews(fresh, organization, "shop", number))[0];
}

test("the owner of a preview stands in its label", async () => {
  const bench = await startBench();
  bench.open(4);
  await bench.keep();
  expect((await found(bench, 4))?.label).toMatchObject({
    of: "shop/pr-4",
    owner: "main of github.com/acme/infra",
    lifetime: "3d",
  });
});

test("of two that make one preview at once, the second one stops before its first write, also where the clone is there already", async () => {
  const bench = await startBench();
  const planned = [Promise.withResolvers<true>(), Promise.withResolvers<true>()];
  const make = (index: number) => {
    const run = startRun(bench.server.client, { live: new LiveStore(bench.clock) });
    const owner = `${index} of github.com/acme/infra`;
    return makePreview({ ...bench.context(), run, owner }, requestOf(4), async () => {
      planned[index]?.resolve(true);
      await planned[1 - index]?.promise;
      return true;
    });
  };
  const results = await Promise.allSettled([make(0), make(1)]);
  expect(results.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
  const { reason } = results.find(({ status }) => status === "rejected") as PromiseRejectedResult;
  expect(String(reason)).toMatch(/"pr-4".* stays unchanged: .*\d of github.com\/acme\/infra/);
  const winner = results.findIndex(({ status }) => status === "fulfilled");
  expect((await found(bench, 4))?.label).toMatchObject({ owner: `${winner} of github.com/acme/infra` });
});

test.each([
  ["403", { status: 403 }],
  ["404", { status: 404 }],
])(
  "a clone is not written into where the events answer %s and the clone's answer was lost",
  async (_how, fault) => {
    const bench = await startBench();
    await bench.server.api("POST", "/_emulator/faults", [
      { method: "GET", path: "/organization/*/events", times: 100, ...fault },
      { method: "POST", path: "/environment/*/clone", status: 504, carry_out: true, times: 1 },
    ]);
    await bench.server.forgetRequests();
    bench.open(4);
    await bench.keep();
    expect((await bench.server.writes()).filter(({ path }) => !path.endsWith("/clone"))).toEqual([]);
    expect(bench.kept).toMatchObject({
      previews: [{ number: 4, state: "failed", reason: expect.stringContaining("cannot be read") }],
    });
  },
);

test("a clone whose answer was lost is finished where its event comes late", async () => {
  const bench = await startBench();
  const late = { status: 200, body: { links: {}, events: [] } };
  await bench.server.api("POST", "/_emulator/faults", [
    { method: "POST", path: "/environment/*/clone", status: 504, carry_out: true, times: 1 },
    { method: "GET", path: "/organization/*/events", times: 4, ...late },
  ]);
  bench.open(4);
  await bench.keep();
  expect(bench.kept).toMatchObject({ previews: [{ number: 4, state: expect.not.stringMatching("failed") }] });
  expect((await found(bench, 4))?.label).toMatchObject({ owner: "main of github.com/acme/infra" });
});

test.each(["imitates the program", "repeats the proof of another preview"])(
  "a clone whose event %s of the service is nobody's: it is neither finished nor deleted",
  async (how) => {
    const bench = await startBench();
    bench.open(4);
    await bench.keep();
    const { url, tokens } = bench.server.emulator;
    const headers = { authorization: `Token ${tokens.admin}` };
    const where = `${url}/organization/${bench.server.organization.id}/events`;
    const { text } = await send(where, { method: "GET", headers });
    const agent = /"(infrasync-preview of [^"]* \(run [^"]*\))"/.exec(text)?.[1] ?? "";
    expect(agent).toContain(" proved ");
    const imitated = how.startsWith("repeats") ? agent : "infrasync-preview of main of github.com/acme/infra";
    const source = await bench.server.idOf("shop/staging");
    const project = await bench.server.idOf("shop");
    await send(`${url}/environment/${source}/clone`, {
      method: "POST",
      headers: { ...headers, "user-agent": imitated },
      body: { name: "pr-5", project_id: project, mode: "PREVIEW" },
    });
    await bench.server.advance(10_000);
    await bench.server.forgetRequests();
    bench.open(5);
    await bench.restart();
    const reason = expect.stringContaining("does not prove it with this token");
    expect(bench.kept).toMatchObject({
      previews: expect.arrayContaining([expect.objectContaining({ number: 5, state: "failed", reason })]),
    });
    bench.close(5);
    await bench.restart();
    expect(await bench.server.writes()).toEqual([]);
    expect(await bench.server.idOf("shop/pr-5")).toEqual(expect.any(String));
  },
);

test("an unfinished preview that its owner deploys is still its owner's", async () => {
  const bench = await startBench();
  bench.open(4);
  await bench.server.api("POST", "/_emulator/faults", [{ method: "POST", path: "/variable", status: 403 }]);
  await bench.keep();
  await bench.server.api("DELETE", "/_emulator/faults");
  const id = await bench.server.idOf("shop/pr-4");
  const { url, tokens } = bench.server.emulator;
  const headers = {
    authorization: `Token ${tokens.admin}`,
    "user-agent": "infrasync (run abcdefghijklmnop)",
  };
  expect(await send(`${url}/environment/${id}/deploy`, { method: "POST", headers })).toMatchObject({
    ok: true,
  });
  await bench.server.advance(120_000);
  await bench.restart();
  expect((await found(bench, 4))?.label).toMatchObject({ owner: "main of github.com/acme/infra" });
});

test("a preview that loses its label while a person is asked whether to delete it stays", async () => {
  const bench = await startBench();
  bench.open(4);
  await bench.keep();
  const preview = await found(bench, 4);
  const { id = "" } = preview?.live ?? {};
  if (!preview) throw new Error("there is no preview");
  const removing = removePreview(
    { ...bench.context(), owner: "main of github.com/acme/infra" },
    preview,
    async () => {
      const variables = await bench.server.results(`/variable?parent_id=${id}&scope=ENVIRONMENT`);
      const label = variables.find(({ key }) => key === "INFRASYNC_EXPIRES_AT");
      await bench.server.api("DELETE", `/variable/${String(label?.["id"])}`);
      return "yes, after a question";
    },
  );
  await expect(removing).rejects.toThrow(/shop\/pr-4 stays unchanged/);
  expect(await bench.server.idOf("shop/pr-4")).toBe(id);
});

test("a preview whose label somebody has removed stays: it is neither finished nor deleted", async () => {
  const bench = await startBench();
  bench.open(4);
  await bench.keep();
  const id = await bench.server.idOf("shop/pr-4");
  const variables = await bench.server.results(`/variable?parent_id=${id}&scope=ENVIRONMENT`);
  const label = variables.find(({ key }) => key === "INFRASYNC_EXPIRES_AT");
  await bench.server.api("DELETE", `/variable/${String(label?.["id"])}`);
  await bench.server.forgetRequests();
  await bench.restart();
  const preview = await found(bench, 4);
  expect(preview && ownershipOf(preview, "main of github.com/acme/infra")).toBe("unknown");
  expect(bench.kept).toMatchObject({
    previews: [{ number: 4, state: "failed", reason: expect.stringContaining("its owner is unknown") }],
  });
  bench.close(4);
  await bench.server.advance(8 * 86_400_000);
  await bench.restart();
  expect(await bench.server.writes()).toEqual([]);
  expect(await bench.server.idOf("shop/pr-4")).toBe(id);
});
