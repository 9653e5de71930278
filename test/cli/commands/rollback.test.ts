import { readFile } from "node:fs/promises";
import { beforeEach, expect, test } from "vitest";
import { application, cronJob, shop } from "../../fixtures/manifests.ts";
import { useFixture, writesOf } from "../fixture.ts";

const fixture = useFixture({ behaviour: { deploy_delay_ms: 30 } });
const report = "job:shop/staging/report";
let manifest = "";

/** A job that has run 1.4.2, and then 2.0. */
beforeEach(async () => {
  manifest = await fixture.write("shop.yaml", shop + cronJob("report"));
  await fixture.run(["apply", manifest, "--yes", "--deploy", "--wait"]);
  await fixture.run(["deploy", report, "--image-tag", "2.0", "--wait"]);
});

test("rollback deploys the version that ran before, and the next apply is said to set it back", async () => {
  await fixture.takeRequests();
  const shown = await fixture.run(["rollback", report, "--dry-run"]);
  expect(shown.stdout).toContain("> Job shop/staging/report  image tag 2.0 -> 1.4.2");
  expect(writesOf(await fixture.takeRequests())).toEqual([]);
  const back = await fixture.run(["rollback", report, "--wait", "--yes"]);
  expect(back).toMatchObject({ code: 0 });
  expect((await fixture.run(["status", report])).stdout).toContain("1.4.2");
  const again = await fixture.run(["rollback", "shop/staging", "--to", "2.0", "--wait", "--yes"]);
  expect(again.stderr).toContain("The next apply reverts the image tag");
});

test("the report of a failed deployment names the version to go back to, which costs one request", async () => {
  await fixture.write("shop.yaml", (shop + cronJob("report")).replace("1.4.2", "3.0.0"));
  await fixture.fault({ path: "/environment/*/service/deploy", fail_deployment: true });
  await fixture.takeRequests();
  const { code, stdout, stderr } = await fixture.run(["apply", manifest, "--yes", "--deploy", "--wait"]);
  expect(code).toBe(1);
  expect(stdout + stderr).toContain(
    `To find the cause, or to roll back to 2.0:\n  infrasync status ${report}\n  infrasync rollback ${report}\n`,
  );
  const read = (await fixture.takeRequests()).filter((request) => request.includes("deploymentHistory"));
  expect(read).toHaveLength(1);
});

test("rollback --update states the version in the manifests, and deploys nothing", async () => {
  const states = (tag: string) => readFile(manifest, "utf8").then((text) => text.includes(tag));
  await fixture.write("shop.yaml", shop + cronJob("report").replace("1.4.2", '"2.0"'));
  await fixture.takeRequests();
  const { code, stdout } = await fixture.run(["rollback", report, "--update", manifest, "--yes"]);
  expect(code).toBe(0);
  expect(stdout).toContain(`source.image.tag  "2.0" -> 1.4.2`);
  expect(writesOf(await fixture.takeRequests())).toEqual([]);
  expect(await states("1.4.2")).toBe(true);
});

test.each([
  [
    "a service without another version",
    ["job:shop/staging/report", "--to", "3", "--yes"],
    "it has run 2.0, 1.4.2",
  ],
  [
    "a pattern that chooses nothing",
    ["job:shop/staging/none", "--yes"],
    "matches no environment and no service",
  ],
  ["nobody to ask", [report], "rollback cannot ask for confirmation"],
  [
    "a commit in manifests",
    ["application:shop/staging/api", "--update", "shop.yaml", "--yes"],
    "has never been deployed",
  ],
])("rollback refuses %s, and sends nothing that changes", async (_case, args, message) => {
  await fixture.run(["apply", await fixture.write("api.yaml", application("api")), "--yes"]);
  await fixture.takeRequests();
  const given = args.map((each) => (each === "shop.yaml" ? manifest : each));
  const { code, stderr } = await fixture.run(["rollback", ...given]);
  expect({ code, isSaid: stderr.includes(message), stderr }).toMatchObject({ code: 3, isSaid: true });
  expect(writesOf(await fixture.takeRequests())).toEqual([]);
});

test("rollback without a token, and with a server that is down, says so", async () => {
  const down = await fixture.run(["rollback", report, "--yes"], {
    env: { INFRASYNC_BASE_URL: "http://127.0.0.1:1" },
  });
  expect(down).toMatchObject({ code: 1, stderr: expect.stringContaining("no connection to") as string });
  const nobody = await fixture.run(["rollback", report, "--yes"], { env: { INFRASYNC_TOKEN: "wrong" } });
  expect(nobody).toMatchObject({ code: 1, stderr: expect.stringContaining("401") as string });
});

test("an application goes back to the commit that it ran before", async () => {
  const api = "application:shop/staging/api";
  await fixture.run(["apply", await fixture.write("api.yaml", application("api")), "--yes"]);
  for (const commit of ["a".repeat(40), "b".repeat(40)])
    expect(await fixture.run(["deploy", api, "--commit", commit, "--wait"])).toMatchObject({ code: 0 });
  const { stdout } = await fixture.run(["rollback", api, "--wait", "--yes"]);
  expect(stdout).toContain(`commit ${"a".repeat(40)}`);
  const inFiles = await fixture.run(["rollback", api, "--update", manifest, "--yes"]);
  expect(inFiles.stderr).toContain("manifests declare no commit");
});

test("an application that was deployed without a commit goes back to the commit of its former branch, and deploy without a version keeps it", async () => {
  const api = "application:shop/staging/api";
  for (const branch of ["main", "next"]) {
    const text = application("api").replace("branch: main", `branch: ${branch}`);
    const file = await fixture.write("api.yaml", text);
    await fixture.run(["apply", file, "--yes", "--deploy", "--wait"]);
  }
  const target = async () => {
    const { stdout } = await fixture.run(["rollback", api, "--dry-run"]);
    return /commit ([0-9a-f]{40})\n/.exec(stdout)?.[1] ?? stdout;
  };
  const main = await target();
  expect(await fixture.run(["rollback", api, "--wait", "--yes"])).toMatchObject({ code: 0 });
  expect(await fixture.run(["deploy", api, "--wait"])).toMatchObject({ code: 0 });
  const { stderr } = await fixture.run(["rollback", api, "--dry-run"]);
  expect(stderr).toContain(`Application shop/staging/api was rolled back already: it runs ${main} again`);
});

test("after a rollback, --update states what runs, and a second rollback wants --to", async () => {
  await fixture.fault({ path: "/environment/*/service/deploy", fail_deployment: true, times: 1 });
  await fixture.run(["deploy", report, "--image-tag", "3.0", "--wait"]);
  expect(await fixture.run(["rollback", report, "--wait", "--yes"])).toMatchObject({ code: 0 });
  await fixture.write("shop.yaml", shop + cronJob("report").replace("1.4.2", "3.0.0"));
  const inFiles = await fixture.run(["rollback", report, "--update", manifest, "--yes"]);
  expect(inFiles.stdout).toContain('+  image: { registry: docker-hub, image_name: acme/report, tag: "2.0" }');
  const again = await fixture.run(["rollback", report, "--yes"]);
  expect(again).toMatchObject({ code: 3 });
  expect(again.stderr).toContain("was rolled back already: it runs 2.0 again");
  expect(again.stderr).toContain("name another version; earlier versions are 2.0, 1.4.2");
  expect((await fixture.run(["rollback", report, "--to", "1.4.2", "--yes"])).code).toBe(0);
});

test("an environment of which no service has another version is not rolled back, and each service is named", async () => {
  await fixture.reset();
  await fixture.run(["apply", await fixture.write("other.yaml", shop + cronJob("other")), "--yes"]);
  const { code, stderr } = await fixture.run(["rollback", "shop/staging", "--yes"]);
  expect(stderr).toContain("nothing is rolled back: Job shop/staging/other has never been deployed");
  expect(code).toBe(1);
});

test("a service of the environment that stays broken is named, and the rollback has not succeeded", async () => {
  await fixture.fault({ path: "/environment/*/service/deploy", fail_deployment: true, times: 1 });
  const file = await fixture.write("other.yaml", cronJob("other"));
  await fixture.run(["apply", file, "--yes", "--deploy", "--wait"]);
  const { code, stderr } = await fixture.run(["rollback", "shop/staging", "--wait", "--yes"]);
  expect(stderr).toContain("Not rolled back: Job shop/staging/other has run no other version");
  expect(code).toBe(1);
});
