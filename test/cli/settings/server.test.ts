import { expect, test } from "vitest";
import { systemClock } from "../../../core/api/index.ts";
import { GitRepository } from "../../fixtures/git-repository.ts";
import { job, shop } from "../../fixtures/manifests.ts";
import { useFixture } from "../fixture.ts";

// A server whose lists lag by more than a run waits by itself, and on which names are not unique.
const fixture = useFixture({
  profile: { server: { list_delay_ms: 1_500, duplicate_names: true } },
  seed: {
    projects: [{ name: "shop", environments: [{ name: "staging", mode: "STAGING", cluster: "eu-west" }] }],
  },
});

test.each([
  ["server: { list_delay_ms: 1500 }\n", 0, 1],
  ["{}\n", 1, 2],
])("with %j, a run whose answer is lost on lists that lag ends with %i", async (settings, code, count) => {
  await fixture.write("shop.yaml", shop + job("migrate"));
  await fixture.write("infrasync.config.yaml", settings);
  await fixture.fault({ method: "POST", path: "/environment/*/job", drop: "after", times: 1 });
  const ran = await fixture.run(["apply", fixture.folder, "--yes"], { clock: systemClock });
  expect(ran.code, ran.stdout + ran.stderr).toBe(code);
  const requests = await fixture.requests();
  expect(requests.filter((request) => /POST .*\/job$/.test(request))).toHaveLength(count);
});

test("a server that answers 403 for what is missing: an environment that has just gone is not there", async () => {
  await fixture.write("shop.yaml", shop + job("migrate"));
  await fixture.fault({ method: "GET", path: "/environment/**", status: 403 });
  const refused = await fixture.run(["plan", fixture.folder]);
  expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining("the token may not do this")]);
  await fixture.write("infrasync.config.yaml", "server: { forbidden_for_missing: true }\n");
  const planned = await fixture.run(["plan", fixture.folder]);
  expect([planned.code, planned.stdout]).toEqual([0, expect.stringContaining("+ Environment shop/staging")]);
});

test.each([
  ["server: lagging", "server must be a mapping"],
  ["server: { list_delay: 5 }", 'server has no member "list_delay"'],
  ["server: { list_delay_ms: 5s }", 'server.list_delay_ms must be a whole number, not the text "5s"'],
  [
    "server: { forbidden_for_missing: 1 }",
    "server.forbidden_for_missing must be true or false, not the number 1",
  ],
])("the settings file %j is a mistake with its place", async (settings, message) => {
  await fixture.write("shop.yaml", shop);
  await fixture.write("infrasync.config.yaml", `${settings}\n`);
  const { stderr, code } = await fixture.run(["plan", fixture.folder]);
  expect([code, stderr]).toEqual([3, expect.stringContaining(message)]);
  expect(stderr).toContain("infrasync.config.yaml:1:");
});

test("the reconciler honours what its settings file says of the server", async () => {
  using repository = new GitRepository();
  repository.push({ "shop.yaml": shop + job("migrate") });
  await fixture.fault({ method: "GET", path: "/environment/**", status: 403 });
  const reconcile = async (server: string) => {
    const config = await fixture.write("reconciler.yaml", `server: ${server}\n`);
    const line = ["reconcile", "--repo", repository.origin, "--allow-local-repo", "--once", "--yes"];
    return fixture.run([...line, "--config", config], { env: { PATH: process.env["PATH"] } });
  };
  expect((await reconcile("{}")).stderr).toContain("the token may not do this");
  const { stdout } = await reconcile("{ forbidden_for_missing: true }");
  expect(stdout).toContain("+ Environment shop/staging");
});
