import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { spawnInfrasync } from "../cli/child.ts";
import { isSoak } from "../fixtures/fault-kinds.ts";
import { gitHostToken, repository, startGitHub } from "../fixtures/forges/server.ts";
import { GitRepository } from "../fixtures/git-repository.ts";
import { Harness } from "../fixtures/harness.ts";
import { application, shop } from "../fixtures/manifests.ts";
import { moments, Proxy } from "./stopping-proxy.ts";

const policy = "previews: { from: shop/staging, expires_after: 3d }\n";
const clone = /^POST \/environment\/[^/]+\/clone$/;
const label = /^POST \/variable$/;

const kills = [
  ["while the server makes the clone", "open", { request: clone, moment: "done" }],
  ["when the clone is there", "closed", { request: clone, moment: "answered" }],
  ["before the label of the clone", "closed", { request: label, moment: "before" }],
] as const;

const more = [
  ["before the server receives the clone", "open", { request: clone, moment: "before" }],
  ["while the server makes the clone", "closed", { request: clone, moment: "done" }],
  ["when the clone is there", "open", { request: clone, moment: "answered" }],
  ["when the label is written", "closed", { request: label, moment: "done" }],
] as const;

test.each(isSoak ? [...kills, ...more] : kills)(
  "a service that is killed %s leaves no orphaned preview; the pull request is then %s",
  async (_when, state, boundary) => {
    await using server = await Harness.start();
    await using proxy = await Proxy.open(server.emulator.url);
    using origin = new GitRepository();
    await server.reconcile(shop + application("api"));
    origin.push({ "infra/shop.yaml": shop + application("api"), "infra/infrasync.reconcile.yaml": policy });
    const forge = await startGitHub();
    const head = { ref: "topic", sha: "a".repeat(40) };
    forge.pulls.push({ number: 4, labels: ["preview"], head });
    const flags = "reconcile --path infra --allow-local-repo --yes --interval 1s --listen off";
    const config = join(origin.folder, "operator.yaml");
    writeFileSync(config, "reconcile: { previews: true }\n");
    const start = () =>
      spawnInfrasync(
        flags
          .split(" ")
          .concat("--repo", `file://${origin.origin}`, "--data", join(origin.folder, "data"))
          .concat("--config", config),
        {
          INFRASYNC_BASE_URL: proxy.url,
          INFRASYNC_TOKEN: server.emulator.tokens.admin,
          INFRASYNC_GIT_HOST_TOKEN: gitHostToken,
          INFRASYNC_GIT_HOST_API: forge.url,
          INFRASYNC_GIT_HOST_PROJECT: repository,
        },
      );
    const reached = proxy.stopAt(boundary);
    const first = start();
    await reached;
    first.process.kill("SIGKILL");
    await first.ended;
    void proxy.stopAt();
    if (state === "closed") Object.assign(forge.pulls[0] ?? {}, { state: "closed" });

    const second = start();
    if (state === "open") await second.says("the preview is created and deployed");
    else await second.says("the preview is deleted");
    second.process.kill("SIGTERM");
    await second.ended;
    const previews = [...(await server.everything()).keys()].filter((name) => /^shop\/pr-4$/.test(name));
    expect(previews).toEqual(state === "open" ? ["shop/pr-4"] : []);
    expect(forge.comments.get(4) ?? []).toHaveLength(previews.length);
  },
);

const steps = [
  ["the clone", clone],
  ["its label", label],
  ["a change of a service", /^PUT \/application\//],
  ["the deployment", /^POST \/environment\/[^/]+\/service\/deploy$/],
] as const;

test.each(
  (isSoak ? steps : steps.slice(0, 2)).flatMap(([of, request]) =>
    moments.map((moment) => [moment, of, request] as const),
  ),
)(
  "preview create that is killed (%s: the request of %s) is finished by the next, deleted by preview delete, and not touched by others",
  async (moment, _of, request) => {
    await using server = await Harness.start({ clock: "real", behaviour: { clone_delay_ms: 100 } });
    await using proxy = await Proxy.open(server.emulator.url);
    using origin = new GitRepository();
    await server.reconcile(shop + application("api") + application("web"));
    const policyText = `${policy.replace("}", ", services: { application:api: { icon_uri: app://x } } }")}`;
    writeFileSync(join(origin.folder, "infrasync.reconcile.yaml"), policyText);
    const preview = (operation: string, user: string) =>
      spawnInfrasync(["preview", operation, "4", "--policy", origin.folder, "--yes"], {
        INFRASYNC_BASE_URL: proxy.url,
        INFRASYNC_TOKEN: server.emulator.tokens.admin,
        USER: user,
        HOME: join(origin.folder, user),
      });
    const previews = async () =>
      [...(await server.everything()).keys()].filter((name) => name.startsWith("shop/pr-4"));
    const killed = async () => {
      const reached = proxy.stopAt({ request, moment });
      const first = preview("create", "anna");
      await reached;
      first.process.kill("SIGKILL");
      await first.ended;
      void proxy.stopAt();
    };

    await killed();
    // What the server has begun, it finishes.
    const isRequested = !(request === clone && moment === "before");
    if (isRequested) await expect.poll(previews).toContain("shop/pr-4/APPLICATION api");
    const other = await preview("delete", "bob").ended;
    expect(other.stderr).toMatch(isRequested ? /anna@\S+ manually/ : /There is no shop\/pr-4/);
    const next = await preview("create", "anna").ended;
    expect(next).toMatchObject({
      code: 0,
      stderr: expect.stringMatching(/shop\/pr-4 is (created|updated|up to date)/),
    });
    expect((await previews()).toSorted()).toEqual([
      "shop/pr-4",
      "shop/pr-4/APPLICATION api",
      "shop/pr-4/APPLICATION web",
    ]);
    expect(await preview("delete", "anna").ended).toMatchObject({ code: 0 });
    await expect.poll(previews).toEqual([]);

    await killed();
    const gone = await preview("delete", "anna").ended;
    expect(gone).toMatchObject({ code: 0, stderr: expect.stringMatching(/is deleted|There is no/) });
    await expect.poll(previews).toEqual([]);
  },
);

test("of two people who create one preview at once, one makes it, and the other one writes nothing into it", async () => {
  await using server = await Harness.start({ clock: "real", behaviour: { clone_delay_ms: 2000 } });
  using origin = new GitRepository();
  await server.reconcile(shop + application("api"));
  writeFileSync(
    join(origin.folder, "infrasync.reconcile.yaml"),
    policy.replace("}", ", services: { application:api: { icon_uri: app://x } } }"),
  );
  const create = async (user: string) => {
    const words = ["preview", "create", "4", "--policy", origin.folder, "--yes"];
    const run = spawnInfrasync(words, {
      INFRASYNC_BASE_URL: server.emulator.url,
      INFRASYNC_TOKEN: server.emulator.tokens.admin,
      USER: user,
      HOME: join(origin.folder, user),
    });
    return { user, ...(await run.ended) };
  };
  const [made, refused] = (await Promise.all([create("anna"), create("bob")])).toSorted(
    (one, other) => Number(one.code) - Number(other.code),
  );
  expect([made?.code, made?.stderr]).toEqual([0, expect.stringContaining("shop/pr-4 is created")]);
  expect([refused?.code, refused?.stdout]).toEqual([1, ""]);
  const whose = new RegExp(`"pr-4" .* stays unchanged: .*${made?.user ?? ""}@\\S+ manually`);
  expect(refused?.stderr).toMatch(whose);
  const events = await server.api("GET", `/organization/${server.organization.id}/events?pageSize=100`);
  expect(JSON.stringify(events)).not.toContain(`infrasync-preview of ${refused?.user ?? ""}@`);
});
