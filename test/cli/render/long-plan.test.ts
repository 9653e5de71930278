import { expect, test } from "vitest";
import { cronJob, shop } from "../../fixtures/manifests.ts";
import { useFixture } from "../fixture.ts";

const fixture = useFixture();
const names = Array.from({ length: 16 }, (_, index) => `job-${index}`);
const title = "Deleted, or deleted and created again (±):";

/** The plan of manifests that change some jobs and replace or delete others. */
async function planOf(changed: readonly string[]): Promise<string> {
  const jobs = (names_: readonly string[], extra = "") => names_.map((name) => cronJob(name, extra)).join("");
  await fixture.write("all.yaml", shop + jobs(names));
  expect((await fixture.run(["apply", fixture.folder, "--yes"])).code).toBe(0);
  const rest = names.filter((name) => !changed.includes(name));
  await fixture.write("all.yaml", shop + jobs(changed, "max_nb_restart: 2\n") + jobs(rest));
  return (await fixture.run(["plan", fixture.folder])).stdout;
}

test("a long plan repeats what it deletes right above its summary, one resource a line", async () => {
  await planOf([]);
  const prune = shop.replace("name: staging", "name: staging\nmanage: { prune: true }");
  await fixture.write(
    "all.yaml",
    prune +
      names
        .slice(2)
        .map((name) => cronJob(name, "max_nb_restart: 2\n"))
        .join(""),
  );
  const plan = await fixture.run(["plan", fixture.folder, "--prune"]);
  const [, end = ""] = plan.stdout.split(`${title}\n`);
  expect(end.split("\n").slice(0, 4)).toEqual([
    "  - Job shop/staging/job-0",
    "  - Job shop/staging/job-1",
    "",
    expect.stringMatching(/^Plan: 14 to update, 2 to delete; 2 unchanged\.$/),
  ]);
});

test("a short plan with a deletion repeats nothing", async () => {
  await planOf([]);
  const prune = shop.replace("name: staging", "name: staging\nmanage: { prune: true }");
  await fixture.write(
    "all.yaml",
    prune +
      names
        .slice(2)
        .map((name) => cronJob(name))
        .join(""),
  );
  const { stdout } = await fixture.run(["plan", fixture.folder, "--prune"]);
  expect(stdout).toContain("Plan: 2 to delete");
  expect(stdout).not.toContain(title);
});

test("a short plan, and a long one without a deletion, repeat nothing", async () => {
  expect(await planOf(names)).not.toContain(title);
  expect(await planOf(names.slice(0, 2))).not.toContain(title);
});

test("a summary has one line for changes that are alike, and each deletion and replacement in full", async () => {
  const changed = names.slice(0, 12);
  await planOf(changed);
  const jobs = changed.map((name) => cronJob(name, "max_nb_restart: 2\n")).join("");
  const prune = shop.replace("name: staging", "name: staging\nmanage: { prune: true }");
  await fixture.write("all.yaml", prune + jobs + cronJob("new-a") + cronJob("new-b"));
  const { stdout } = await fixture.run(["plan", fixture.folder, "--prune", "--summary"]);
  expect(stdout.slice(0, stdout.indexOf("\nRequests:"))).toMatchInlineSnapshot(`
    "infrasync will make these changes in acme:

      ~ 12 Jobs in shop/staging: job-0, job-1, job-2 and 9 more
          max_nb_restart
      + 2 Jobs in shop/staging: new-a, new-b
          cpu, memory, source, schedule
      - Job shop/staging/job-12  no manifest declares it (prune)
      - Job shop/staging/job-13  no manifest declares it (prune)
      - Job shop/staging/job-14  no manifest declares it (prune)
      - Job shop/staging/job-15  no manifest declares it (prune)

    Plan: 2 to create, 12 to update, 4 to delete; 2 unchanged.
    Not checked: settings of 14 resources, variables and secrets of 12, deployments of 1 (use --strict)."
  `);
});
