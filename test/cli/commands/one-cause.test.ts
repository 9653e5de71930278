import { expect, test } from "vitest";
import { cronJob, shop } from "../../fixtures/manifests.ts";
import { useFixture } from "../fixture.ts";

const fixture = useFixture();

const jobs = Array.from({ length: 6 }, (_, index) =>
  cronJob(`job-${index}`, "secrets: { KEY: { from_env: KEY } }\n"),
);
const env = { KEY: "s3cret-of-the-test" };

test.each([
  [
    "a protected environment is",
    shop.replace("mode: STAGING", "mode: STAGING\nmanage: { protect: true }"),
    "environment:shop/staging cannot be deleted: it is protected by manage.protect of environment:shop/staging, as are job:shop/staging/job-0, job:shop/staging/job-1, job:shop/staging/job-2, 3 more",
  ],
  [
    "defaults that protect all jobs are",
    `${shop}---\nkind: Defaults\nenvironment: shop/staging\nfor: "*"\nmanage: { protect: true }\n`,
    "job:shop/staging/job-0 cannot be deleted: it is protected by manage.protect of its document, as are job:shop/staging/job-1, job:shop/staging/job-2, job:shop/staging/job-3, 2 more",
  ],
])("%s one reason not to destroy, whatever is in it", async (_, around, reason) => {
  await fixture.write("shop.yaml", around + jobs.join(""));
  await fixture.run(["apply", fixture.folder, "--yes"], { env });
  const { code, stderr } = await fixture.run(["destroy", fixture.folder, "--yes", "--output", "json"], {
    env,
  });
  expect(code, stderr).toBe(3);
  const shown = await fixture.run(["destroy", fixture.folder, "--yes"], { env });
  const reasons = shown.stderr.split("\n").filter((line) => line.includes("is protected by"));
  expect(reasons).toEqual([`error: ${reason}`]);
});

test("secrets that cannot be compared take one line, and one note each in JSON", async () => {
  await fixture.write("shop.yaml", shop + jobs.join(""));
  await fixture.run(["apply", fixture.folder, "--yes"], { env });
  const { stdout } = await fixture.run(["plan", fixture.folder], { env });
  expect(stdout.split("\n").filter((line) => line.includes("cannot compare"))).toEqual([
    "  the secrets of 6 resources exist, and infrasync cannot compare their values: Job shop/staging/job-0, Job shop/staging/job-1, Job shop/staging/job-2, 3 more",
  ]);
  const json = await fixture.run(["plan", fixture.folder, "--output", "json"], { env });
  expect(JSON.parse(json.stdout).notes).toHaveLength(6);
});

test.each(["shop/staging/old", "SHOP/elsewhere/old", "job:shop/staging/old"])(
  "renamed_from: %s is a path, and is refused at its place",
  async (path) => {
    await fixture.write("shop.yaml", shop + cronJob("new", `manage: { renamed_from: "${path}" }\n`));
    const { code, stderr } = await fixture.run(["validate", fixture.folder]);
    expect({ code, lines: stderr.split("\n") }).toEqual({
      code: 3,
      lines: expect.arrayContaining([
        `shop.yaml:19:25: error: manage.renamed_from: "${path}" is a path, and only the name of a resource can change, not its place`,
        "  write the old name alone, such as old; to move a resource, clone it to the new place, and delete the old one",
      ]),
    });
  },
);

test("renamed_from: NEW is the same name as new, so nothing would be renamed, and it is refused", async () => {
  await fixture.write("shop.yaml", shop + cronJob("new", "manage: { renamed_from: NEW }\n"));
  expect(await fixture.run(["validate", fixture.folder])).toMatchObject({
    code: 3,
    stderr: expect.stringContaining('manage.renamed_from: "NEW" is the same name as "new"'),
  });
  await fixture.write("shop.yaml", shop + cronJob("new", "manage: { renamed_from: new }\n"));
  expect(await fixture.run(["validate", fixture.folder])).toMatchObject({ code: 0 });
});

test("an old name may have a slash in it", async () => {
  await fixture.write("shop.yaml", shop + cronJob("new", 'manage: { renamed_from: "feature/old" }\n'));
  expect(await fixture.run(["validate", fixture.folder])).toMatchObject({ code: 0 });
});
