import { expect, test } from "vitest";
import { cronJob, shop } from "../../fixtures/manifests.ts";
import { useFixture } from "../fixture.ts";

const fixture = useFixture();

test("diff shows how live environments differ, and of secrets only their keys", async () => {
  const env = { KEY: "s3cret-of-the-test" };
  const production =
    `---\n${shop.slice(shop.indexOf("kind: Environment")).replaceAll("staging", "production")}` +
    cronJob("report", "max_nb_restart: 3\nsecrets: { KEY: { from_env: KEY } }\n", "shop/production");
  await fixture.write("shop.yaml", shop + cronJob("report") + cronJob("old") + production);
  expect(await fixture.run(["apply", fixture.folder, "--yes"], { env })).toMatchObject({ code: 0 });
  const { code, stdout } = await fixture.run(["diff", "shop/staging", "shop/production"]);
  expect(code).toBe(0);
  expect(`\n${stdout}`).toMatchInlineSnapshot(`
    "
    shop/staging -> shop/production:

      ~ Job report
          max_nb_restart  0 -> 3
          secrets.KEY     (none) -> (secret)
      - Job old  only in shop/staging

    1 differs, 1 only in shop/staging, 1 the same.
    "
  `);
  const json = await fixture.run(["diff", "shop/staging", "shop/production", "--output", "json"]);
  expect(JSON.parse(json.stdout)).toMatchObject({
    format: "infrasync-difference",
    differences: expect.arrayContaining([
      {
        kind: "Job",
        first: "job:shop/staging/report",
        second: "job:shop/production/report",
        fields: [
          { field: "max_nb_restart", first: 0, second: 3 },
          { field: "secrets.KEY", second: "(secret)" },
        ],
      },
    ]),
  });
});

test.each([
  [["diff", "shop/staging"], "diff compares two environments, and one is named"],
  [["diff", "shop/staging", "job:shop/staging/a"], "are not of the same kind"],
])("%j is refused without a request", async (args, message) => {
  const { code, stderr } = await fixture.run(args);
  expect({ code, requests: await fixture.takeRequests() }).toEqual({ code: 3, requests: [] });
  expect(stderr).toContain(message);
});

test.each([
  [["diff", "staging", "production"], "staging is not an environment of the settings file"],
  [["diff", "staging", "production"], "environments: { NAME: { sources: [base, overlays/NAME] } }"],
  [["diff", "shop/staging", "shop"], "shop is not the address of a live resource"],
])("%j is refused, when the server has said what the names mean", async (args, message) => {
  const { code, stderr } = await fixture.run(args);
  expect(code).toBe(3);
  expect(stderr).toContain(message);
});
