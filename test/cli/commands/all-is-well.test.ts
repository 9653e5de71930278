import { beforeEach, describe, expect, test } from "vitest";
import { application, job, shop } from "../../fixtures/manifests.ts";
import { steady, useFixture } from "../fixture.ts";

// Situations in which somebody could read that all is well.
const fixture = useFixture();
const [project = "", environment = ""] = shop.split("---\n");
const both = project + "---\n" + environment;

beforeEach(async () => {
  const file = await fixture.write("all.yaml", shop + job("nightly") + application("api"));
  await fixture.run(["apply", file, "--yes"]);
});

/** Text, exit code and JSON of a plan of these manifests. */
async function plan(manifests: string, ...flags: string[]) {
  const file = await fixture.write("some.yaml", manifests);
  const { code, stdout } = await fixture.run(["plan", file, "--detailed-exitcode", ...flags]);
  const json = await fixture.run(["plan", file, "--output", "json", ...flags]);
  return { code, text: steady(stdout), json: JSON.parse(json.stdout) as { unread?: { sort: string }[] } };
}

describe("what no manifest describes inside what one describes", () => {
  test.each([
    ["an environment of which no service is described", both, ["shop/staging/nightly", "shop/staging/api"]],
    ["an environment alone", environment, ["shop/staging/nightly", "shop/staging/api"]],
    ["a project of which no environment is described", project, ["shop/staging"]],
  ])("--strict lists it: %s", async (_title, manifests, found) => {
    const { code, text } = await plan(manifests, "--strict");
    for (const each of found) expect(text).toContain(each);
    expect(text).not.toMatch(/No changes:|Not checked/);
    expect(code).toBe(2);
  });

  test.each([
    ["an environment of which no service is described", both],
    ["a project of which no environment is described", project],
  ])("a plain plan says that it has not looked: %s", async (_title, manifests) => {
    const { text, json } = await plan(manifests);
    expect(text).toContain("Not checked: ");
    expect(text).toMatch(/contents of \d/);
    expect(text).not.toMatch(/No changes:|match/);
    expect(json.unread).toContainEqual(expect.objectContaining({ sort: "contents" }));
  });

  test("--strict lists a deployment stage and a deployment rule that nobody describes", async () => {
    const stage = "---\nkind: DeploymentStage\nenvironment: shop/staging\nname: by-hand\n";
    await fixture.run(["apply", await fixture.write("stage.yaml", environment + stage), "--yes"]);
    expect((await plan(both, "--strict")).text).toContain("shop/staging/by-hand");
  });
});

describe("what somebody has set on a service that is described", () => {
  test.each([
    ["with its environment", shop + job("nightly")],
    ["alone", job("nightly").replace("---\n", "")],
  ])("--strict names its deployment stage, %s", async (_title, manifests) => {
    const stage = "---\nkind: DeploymentStage\nenvironment: shop/staging\nname: by-hand\n";
    const set = environment + stage + job("nightly", "deployment_stage: by-hand");
    await fixture.run(["apply", await fixture.write("stage.yaml", set), "--yes"]);
    const { text } = await plan(manifests, "--strict");
    expect(text).toMatch(/deployment_stage is "?by-hand/);
  });

  test("--strict names that it is left out of deployments", async () => {
    await fixture.run([
      "apply",
      await fixture.write("skip.yaml", environment + job("nightly", "is_skipped: true")),
      "--yes",
    ]);
    const { text } = await plan(shop + job("nightly"), "--strict");
    expect(text).toContain("is_skipped");
  });
});

describe("a plan with changes", () => {
  test("says what it has not looked at, in text, Markdown and JSON", async () => {
    const manifests = shop + job("nightly", "memory: 2048");
    const { text, json } = await plan(manifests);
    expect(text).toContain("Plan: 1 to update");
    expect(text).toMatch(/Not checked: .*variables and secrets of \d/);
    expect(json.unread).toContainEqual(expect.objectContaining({ sort: "variables and secrets" }));
    const { stdout } = await fixture.run(["plan", `${fixture.folder}/some.yaml`, "--output", "markdown"]);
    expect(stdout).toContain("Not checked: ");
  });
});

describe("services that do not run", () => {
  test("a plain plan says that it has not looked, and --strict names them", async () => {
    const manifests = shop + job("nightly") + application("api");
    expect((await plan(manifests)).text).toMatch(/Not checked: .*deployments of 1/);
    expect((await plan(manifests, "--strict")).text).toContain("2 services are not deployed");
    expect((await plan(manifests.replace("kind: Job", "kind: Job"), "--strict")).text).not.toContain(
      "Not checked",
    );
  });
});
