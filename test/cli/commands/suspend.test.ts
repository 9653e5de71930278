import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { GitRepository } from "../../fixtures/git-repository.ts";
import { job, shop } from "../../fixtures/manifests.ts";
import { useFixture, writesOf } from "../fixture.ts";

const fixture = useFixture();
let repository: GitRepository;
let data: string;

beforeEach(() => {
  repository = new GitRepository();
  data = join(fixture.folder, "data");
  return () => repository[Symbol.dispose]();
});

const suspend = (...args: string[]) => fixture.run(["suspend", ...args, "--data", data]);
const resume = (...args: string[]) => fixture.run(["resume", ...args, "--data", data]);
const reconcile = () =>
  fixture.run(
    [
      "reconcile",
      "--repo",
      repository.origin,
      "--path",
      "infra",
      "--allow-local-repo",
      "--once",
      "--yes",
      "--data",
      data,
    ],
    { env: { PATH: process.env["PATH"] } },
  );

test("nothing is applied in an environment that the operator has suspended, until it is resumed", async () => {
  repository.push({ "infra/shop.yaml": shop + job("a") });
  expect(await suspend("shop/staging", "--for", "2h", "--reason", "a migration by hand")).toMatchObject({
    code: 0,
    stderr: expect.stringMatching(/^Suspended shop\/staging until \d{4}-/),
  });
  const held = await reconcile();
  expect(held).toMatchObject({
    code: 0,
    stderr: expect.stringMatching(/suspended until .*: a migration by hand/),
  });
  expect(writesOf(await fixture.takeRequests())).toEqual(["POST /organization/{id}/project"]);
  expect(await resume("shop/staging")).toMatchObject({ code: 0 });
  expect((await reconcile()).stdout).toContain("Done: 2 created.");
});

test("a suspension replaces an earlier one of the same pattern, and ends by itself", async () => {
  await suspend("**", "--until", "2099-01-01T00:00:00Z", "--reason", "first");
  await suspend("**", "--for", "40s", "--reason", "second");
  const file = join(data, "suspensions.json");
  repository.push({ "infra/shop.yaml": shop });
  expect((await reconcile()).stderr).toContain(": second");
  await writeFile(
    file,
    JSON.stringify({ version: 1, suspensions: [{ pattern: "**", until: Date.now() - 1, reason: "over" }] }),
  );
  expect((await reconcile()).stdout).toContain("Done: 2 created.");
});

test("a damaged file of suspensions holds everything, instead of letting go what was suspended", async () => {
  await suspend("**", "--for", "1h", "--reason", "an audit");
  await writeFile(join(data, "suspensions.json"), '{ "suspensions": [{ "pattern": "shop/staging" }] }');
  repository.push({ "infra/shop.yaml": shop });
  expect(await reconcile()).toMatchObject({
    code: 3,
    stderr: expect.stringContaining("suspensions.json is damaged"),
  });
  expect(writesOf(await fixture.requests())).toEqual([]);
});

test.each([
  [["suspend", "shop/staging", "--reason", "x"], "the end of the suspension is not set"],
  [["suspend", "shop/staging", "--for", "2h"], "the reason is not set"],
  [["suspend", "staging", "--for", "2h", "--reason", "x"], "is not a pattern of environments"],
  [["suspend", "**", "--until", "2020-01-01T00:00:00Z", "--reason", "x"], "is over already"],
  [["suspend", "**", "--until", "2099-01-01T00:00:00Z", "--for", "2h", "--reason", "x"], "is not set"],
  [["suspend", "**", "--for", "1h30m", "--reason", "x"], '--for cannot be "1h30m"'],
  [["resume", "shop/staging"], "is not suspended"],
])("%j is refused", async (args, message) => {
  const ran = await fixture.run([...args, "--data", data]);
  expect(ran).toMatchObject({ code: 3, stderr: expect.stringContaining(message) });
});
