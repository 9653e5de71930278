import { expect, test } from "vitest";
import { useFixture } from "../fixture.ts";
import { cronJob, shop } from "../../fixtures/manifests.ts";

const fixture = useFixture();

const jobs = ["a", "b", "c", "d"];
const documents = shop + jobs.map((name) => cronJob(name, "icon_uri: app://${ICON}\n")).join("");

/** The words of a line that a shell would read; only single quotes occur. */
const wordsOf = (line: string) =>
  [...line.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? "");

test("the command that an apply suggests is the typed one, and deploys the changed services", async () => {
  await fixture.write("my shop/shop.yaml", documents);
  await fixture.write("values.yaml", "ICON: job\n");
  const typed = [
    `${fixture.folder}/my shop`,
    "--var-file",
    `${fixture.folder}/values.yaml`,
    "--target",
    "shop/**",
    "--target",
    "shop",
    "--max-requests",
    "500",
  ];
  const { code, stdout } = await fixture.run(["apply", ...typed, "--yes", "--no-color"]);
  const [, suggested = ""] =
    /^Not deployed yet: 4 resources\. To deploy:\n {2}infrasync (.*)$/m.exec(stdout) ?? [];
  expect({ code, suggested }).toEqual({
    code: 0,
    suggested:
      "apply 'my shop' --var-file values.yaml --target 'shop/**' --target shop --yes --max-requests 500 --deploy",
  });
  const words = wordsOf(suggested).map((word) =>
    /^my |yaml$/.test(word) ? `${fixture.folder}/${word}` : word,
  );
  await fixture.takeRequests();
  const again = await fixture.run(words);
  const deployments = (await fixture.takeRequests()).filter((request) => /^POST .*\/deploy$/.test(request));
  expect({ code: again.code, deployments: deployments.length }).toEqual({ code: 0, deployments: 1 });
});

test("an apply of standard input does not suggest to read it again", async () => {
  const stdin = documents.replaceAll("${ICON}", "job");
  const { stdout } = await fixture.run(["apply", "-", "--yes"], { stdin });
  expect(stdout).toMatch(/To deploy:\n {2}infrasync deploy shop\/staging$/m);
});

test("a plan that was approved by its digest is not approved again", async () => {
  await fixture.write("shop.yaml", documents.replaceAll("${ICON}", "job"));
  const planned = await fixture.run(["plan", fixture.folder, "--output", "json"]);
  const { actions_digest: digest } = JSON.parse(planned.stdout);
  const { stdout } = await fixture.run(["apply", fixture.folder, "--yes", "--expect", digest]);
  expect(stdout).toMatch(/To deploy:\n {2}infrasync apply \S+ --yes --deploy$/m);
});

test("the suggested deployment of a few services goes to the same server", async () => {
  await fixture.write("shop.yaml", shop + cronJob("a"));
  const { INFRASYNC_BASE_URL: url = "" } = fixture.env;
  const { stdout } = await fixture.run(["apply", fixture.folder, "--yes", "--base-url", url]);
  expect(stdout).toContain(`To deploy:\n  infrasync deploy job:shop/staging/a --base-url ${url}\n`);
});
