import { expect, onTestFinished, test, vi } from "vitest";
import { gitHostToken, startGitHub } from "../../fixtures/forges/server.ts";
import { GitRepository } from "../../fixtures/git-repository.ts";
import { application, job, shop } from "../../fixtures/manifests.ts";
import { spawnInfrasync } from "../child.ts";
import { useFixture, writesOf } from "../fixture.ts";

const fixture = useFixture({ behaviour: { rate_limit: 0 } });
const policy = `previews:
  from: shop/staging
  services:
    application:api: { git_repository: { branch: "{branch}" } }
`;
const manifests = shop + application("api") + job("nightly");

async function folder(text = policy): Promise<string> {
  await fixture.write("shop.yaml", manifests);
  await fixture.write("infrasync.reconcile.yaml", text);
  expect((await fixture.run(["apply", fixture.folder, "--yes"])).code).toBe(0);
  return fixture.folder;
}

test("preview create, list and delete do manually what the reconciler does", async () => {
  const place = await folder();
  const create = ["preview", "create", "42", "--policy", place, "--from-branch", "login", "--yes"];
  const made = await fixture.run(create);
  expect(made.code).toBe(0);
  expect(made.stderr).toContain("shop/pr-42 is created.");
  expect(made.stdout).toMatch(/^infrasync will deploy:\n\n[^]*api[^]*https:\/\//);
  expect(made.stderr).toContain("To see its status:\n  infrasync status shop/pr-42");
  const listed = await fixture.run(["preview", "list", "--policy", place]);
  expect(listed.stdout).toMatch(/^shop\/pr-42 {2}ends at 20\d\d-.*Z\n$/);
  const gone = await fixture.run(["preview", "delete", "42", "--policy", place, "--yes"]);
  expect(gone).toMatchObject({ code: 0, stderr: expect.stringContaining("shop/pr-42 is deleted.") });
  const empty = await fixture.run(["preview", "list", "--policy", place]);
  expect(empty.stdout).toBe("There are no previews.\n");
});

test.each(["--wait", "INFRASYNC_WAIT"])("preview create waits with %s, as an apply does", async (by) => {
  const create = ["preview", "create", "42", "--policy", await folder(), "--from-branch", "a", "--yes"];
  const made = await fixture.run(by === "--wait" ? [...create, by] : create, { env: { [by]: "true" } });
  expect(made).toMatchObject({ code: 0, stdout: expect.stringContaining("Done: 1 deployed.") });
  expect(made.stderr).not.toContain("To see its status");
});

test("preview create fails where it waits for a deployment that fails", async () => {
  const place = await folder();
  await fixture.fault({ method: "POST", path: "/environment/*/service/deploy", fail_deployment: true });
  const create = ["preview", "create", "42", "--policy", place, "--from-branch", "a", "--yes", "--wait"];
  const { code, stdout, stderr } = await fixture.run(create);
  expect([code, stdout + stderr]).toEqual([1, expect.stringContaining("failed")]);
});

test("preview create and delete with --dry-run say what they would do, and write nothing", async () => {
  const place = await folder();
  const words = ["42", "--policy", place, "--from-branch", "login"];
  await fixture.takeRequests();
  const created = await fixture.run(["preview", "create", ...words, "--dry-run"]);
  expect(created).toMatchObject({ code: 0, stdout: "" });
  expect(created.stderr).toContain("It would create or update shop/pr-42, a clone of shop/staging.");
  expect(writesOf(await fixture.takeRequests())).toEqual([]);
  expect((await fixture.run(["preview", "create", ...words, "--yes"])).code).toBe(0);
  await fixture.takeRequests();
  const deleted = await fixture.run(["preview", "delete", ...words.slice(0, 3), "--dry-run"]);
  expect(deleted.stderr).toContain("It would delete shop/pr-42 with all that is in it.");
  expect(writesOf(await fixture.takeRequests())).toEqual([]);
});

test("preview delete reads once what the preview of six services has, and deletes it", async () => {
  const names = ["a", "b", "c", "d", "e", "f"];
  await fixture.write("shop.yaml", shop + names.map((name) => job(name, "variables: { A: x }")).join(""));
  await fixture.write("infrasync.reconcile.yaml", "previews: { from: shop/staging }\n");
  expect((await fixture.run(["apply", fixture.folder, "--yes"])).code).toBe(0);
  const create = ["preview", "create", "42", "--policy", fixture.folder, "--yes"];
  for (const number of ["41", "42"]) {
    create[2] = number;
    expect((await fixture.run(create)).code).toBe(0);
  }
  await fixture.takeRequests();
  vi.useFakeTimers({ toFake: ["Date"] });
  onTestFinished(() => void vi.useRealTimers());
  const words = ["preview", "delete", "42", "--policy", fixture.folder, "--yes"];
  expect((await fixture.run(words)).code).toBe(0);
  const requests = await fixture.takeRequests();
  expect(requests.filter((request) => request.startsWith("GET /variable"))).toHaveLength(1 + 6);
  // The organization, its projects, environments, services and stages; the deletion, a list, and a read that answers 404.
  expect(requests).toHaveLength(7 + 5 + 4);
});

test("preview delete leaves the preview of somebody else alone, and names who has made it", async () => {
  const place = await folder();
  const as = (user: string) => ({ env: { USER: user } });
  const words = ["--policy", place, "--from-branch", "login", "--yes"];
  expect((await fixture.run(["preview", "create", "42", ...words], as("anna"))).code).toBe(0);
  await fixture.takeRequests();
  for (const operation of ["delete", "create"]) {
    const { code, stderr } = await fixture.run(["preview", operation, "42", ...words], as("bob"));
    expect(code).toBe(1);
    expect(stderr).toMatch(/shop\/pr-42 stays unchanged: it is the preview of anna@\S+ manually/);
  }
  expect((await fixture.requests()).filter((line) => !line.startsWith("GET "))).toEqual([]);
  const listed = await fixture.run(["preview", "list", "--policy", place], as("bob"));
  expect(listed.stdout).toMatch(/^shop\/pr-42 {2}ends at \S+Z, of anna@\S+ manually\n$/);
});

test.each([403, 404])(
  "where the events answer %i, preview list, create and delete say that the owner of a clone is unknown, and how to delete it",
  async (status) => {
    const place = await folder();
    await fixture.write(
      "more/e.yaml",
      "kind: Environment\nproject: shop\nname: pr-42\nmode: PREVIEW\nclone: { from: shop/staging }\n",
    );
    expect((await fixture.run(["apply", `${place}/more`, "--yes"])).code).toBe(0);
    const words = ["42", "--policy", place, "--from-branch", "login", "--yes"];
    const byOther = await fixture.run(["preview", "delete", ...words]);
    expect(byOther.stderr).toContain("infrasync did not create it as a preview");
    await fixture.fault({ method: "GET", path: "/organization/*/events", status, times: 100 });
    await fixture.takeRequests();
    const listed = await fixture.run(["preview", "list", "--policy", place]);
    expect(listed.stdout).toBe("shop/pr-42  its owner is unknown, so it stays unchanged\n");
    for (const operation of ["create", "delete"]) {
      const { code, stderr } = await fixture.run(["preview", operation, ...words]);
      expect(code).toBe(1);
      expect(stderr).toMatch(/the events about its creation cannot be read; .*infrasync destroy shop\/pr-42/);
      expect(stderr).not.toContain("try again");
    }
    expect(writesOf(await fixture.takeRequests())).toEqual([]);
  },
);

test("a preview whose label no list shows yet is still that of its owner", async () => {
  const place = await folder();
  const words = ["--policy", place, "--from-branch", "login", "--yes"];
  expect((await fixture.run(["preview", "create", "42", ...words])).code).toBe(0);
  const body = { results: [] };
  await fixture.fault({ method: "GET", path: "/variable", status: 200, body, times: 2 });
  const { code, stderr } = await fixture.run(["preview", "delete", "42", ...words]);
  expect([code, stderr]).toEqual([0, expect.stringContaining("shop/pr-42 is deleted.")]);
});

test("preview delete shows what it deletes, as destroy does", async () => {
  const place = await folder();
  const words = ["42", "--policy", place, "--from-branch", "login"];
  expect((await fixture.run(["preview", "create", ...words, "--yes"])).code).toBe(0);
  for (const flag of ["--dry-run", "--yes"]) {
    const { stdout } = await fixture.run(["preview", "delete", ...words.slice(0, 3), flag]);
    expect(stdout).toContain("- Environment shop/pr-42\n");
    expect(stdout).toContain("also deletes: 1 application (api), 1 job (nightly), 1 variable");
    expect(stdout).toContain("Plan: 1 to delete; 2 more will be deleted with them.");
  }
});

test("the settings beside the policy count: what they protect is not deleted", async () => {
  const place = await folder();
  const create = ["preview", "create", "42", "--policy", place, "--from-branch", "login", "--yes"];
  expect((await fixture.run(create)).code).toBe(0);
  await fixture.write("infrasync.config.yaml", "protect: [shop/pr-42/**]\n");
  await fixture.takeRequests();
  const { code, stderr } = await fixture.run(["preview", "delete", "42", "--policy", place, "--yes"]);
  expect(code).toBe(3);
  expect(stderr).toContain('it is protected by the pattern "shop/pr-42/**"');
  expect((await fixture.requests()).filter((line) => !line.startsWith("GET "))).toEqual([]);
});

test("an environment that infrasync has not made is listed as such, and not deleted", async () => {
  const place = await folder();
  await fixture.write(
    "more/e.yaml",
    "kind: Environment\nproject: shop\nname: pr-42\nmode: DEVELOPMENT\nclone: { from: shop/staging }\n",
  );
  await fixture.run(["apply", `${place}/more`, "--yes"]);
  expect((await fixture.run(["preview", "list", "--policy", place])).stdout).toBe(
    "shop/pr-42  not made by infrasync, so it stays unchanged\n",
  );
  await fixture.takeRequests();
  const { code, stderr } = await fixture.run(["preview", "delete", "42", "--policy", place, "--yes"]);
  expect(code).toBe(1);
  expect(stderr).toContain("shop/pr-42 stays unchanged: its mode is not PREVIEW");
  expect((await fixture.requests()).filter((line) => !line.startsWith("GET "))).toEqual([]);
});

test.each([
  [["create", "x", "--yes"], policy, 'the number of the pull request is wrong: "x"'],
  [["create", "--yes"], policy, "the number of the pull request is missing"],
  [["create", "42", "--yes"], policy, "the preview policy needs --from-branch"],
  [["create", "42"], policy, "there is no terminal"],
  [["delete", "42"], policy, "there is no terminal"],
  [["list"], "on_drift: report\n", "has no section previews"],
  [["list"], "previews: { from: staging }\n", '"staging" is not an environment'],
  [
    ["list"],
    'previews: { from: shop/staging, services: { "thing:api": {} } }\n',
    "thing is not a kind of services",
  ],
  [
    ["list"],
    "previews:\n  from: shop/staging\n  services:\n    application:api: { cpuu: 1 }\n",
    "infrasync.reconcile.yaml:4:24",
  ],
  [["create", "42", "--yes"], policy.replace("api", "web"), "previews: shop/staging has no application web"],
])("preview %j: %s%s", async (args, text, message) => {
  const place = await folder(text);
  const more = message.includes("web") ? ["--from-branch", "a"] : [];
  const { code, stderr } = await fixture.run(["preview", ...args, ...more, "--policy", place]);
  expect(code).toBe(3);
  expect(stderr).toContain(message);
});

test("preview outside of the folder with the policy says what the policy is for", async () => {
  const { code, stderr } = await fixture.run(["preview", "list", "--policy", fixture.folder]);
  expect(code).toBe(3);
  expect(stderr).toMatch(
    /infrasync\.reconcile\.yaml does not exist\n {2}it declares previews; name its folder/,
  );
});

test("validate knows the policy of previews", async () => {
  const place = await folder("previews: { from: shop/staging, maxx: 3 }\n");
  const { code, stderr } = await fixture.run(["validate", place]);
  expect(code).toBe(3);
  expect(stderr).toContain('previews has no member "maxx"');
});

test("a reconciler makes previews as the policy of the branch says, sets statuses, and shows no token", async () => {
  const forge = await startGitHub();
  const repository = new GitRepository();
  onTestFinished(() => repository[Symbol.dispose]());
  const commit = repository.push({ "infra/shop.yaml": manifests, "infra/infrasync.reconcile.yaml": policy });
  const head = { ref: "login", sha: "c".repeat(40) };
  forge.pulls.push({ number: 4, labels: ["preview"], head });
  const config = await fixture.write(
    "operator.yaml",
    "reconcile: { previews: true, commit_statuses: true }\n",
  );
  const child = spawnInfrasync(
    [
      ..."reconcile --path infra --allow-local-repo --yes --listen off --interval 1s --log-level debug".split(
        " ",
      ),
      "--config",
      config,
      "--repo",
      repository.origin,
    ],
    {
      ...fixture.env,
      INFRASYNC_GIT_HOST_TOKEN: gitHostToken,
      INFRASYNC_GIT_HOST_API: forge.url,
      INFRASYNC_GIT_HOST_PROJECT: "acme/infra",
    },
  );
  const environments = async () =>
    JSON.stringify(
      await fixture.request("GET", `/organization/${fixture.emulator.organization.id}/environments`),
    );
  await child.says("the preview is created and deployed");
  expect(await environments()).toContain('"pr-4"');
  expect(forge.comments.get(4)?.[0]?.body).toContain("### Preview `shop/pr-4`");
  await vi.waitFor(() => expect(forge.statuses.get(commit)?.[0]?.["state"]).toBe("success"), {
    timeout: 60_000,
  });
  Object.assign(forge.pulls[0] ?? {}, { state: "closed" });
  await child.says("its pull request is closed");
  expect(await environments()).not.toContain('"pr-4"');
  child.process.kill("SIGTERM");
  const { code, stdout, stderr } = await child.ended;
  expect(code).toBe(0);
  expect(stdout + stderr).not.toContain(gitHostToken);
});

test("reconcile says what it lacks to work with the Git host", async () => {
  const config = await fixture.write("operator.yaml", "reconcile: { previews: true }\n");
  const args = "reconcile --repo https://git.example.com/acme/infra.git --once --yes --config".split(" ");
  const { code, stderr } = await fixture.run([...args, config]);
  expect(code).toBe(3);
  expect(stderr).toContain("the Git host of the repository is unknown: git.example.com");
  expect(stderr).toContain("no token for the Git host is set");
  expect(stderr).toContain("--once applies once");
});
