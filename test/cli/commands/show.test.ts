import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { cronJob, shop } from "../../fixtures/manifests.ts";
import { documentOf, infrasync } from "../captured.ts";
import { steady, useFixture } from "../fixture.ts";

const fixture = useFixture();

/** Saves a plan, and returns its file and what `plan` has shown. */
async function saved() {
  const file = join(fixture.folder, "plan.json");
  await fixture.write("manifests/shop.yaml", shop + cronJob("nightly"));
  const folder = join(fixture.folder, "manifests");
  const planned = await fixture.run(["plan", folder, "--out", file]);
  const markdown = await fixture.run(["plan", folder, "--output", "markdown"]);
  await fixture.takeRequests();
  return { file, planned, markdown };
}

/** The text without what a saved plan does not have: the quota, and the costs of another plan. */
const shown = (text: string) => steady(text).replaceAll(/Requests: [^\n]*?\.(?= |\n|$)/g, "Requests: …");

test("show shows a saved plan as plan has shown it, without a server, a token or a request", async () => {
  const { file, planned, markdown } = await saved();
  const text = await infrasync(["show", file]);
  expect(text).toMatchObject({
    code: 0,
    stderr: expect.stringContaining("To apply exactly this plan:\n  infrasync apply --plan "),
  });
  expect(text.stderr).toContain(`Made for ${fixture.emulator.url}.`);
  expect(shown(text.stdout)).toBe(shown(planned.stdout));
  const asMarkdown = await infrasync(["show", file, "--output", "markdown"]);
  expect(shown(asMarkdown.stdout)).toBe(shown(markdown.stdout));
  expect(documentOf(await infrasync(["show", file, "--output", "json"]))).toMatchObject({
    ok: true,
    format: "infrasync-plan",
    counts: { create: 3 },
  });
  expect(await fixture.requests()).toEqual([]);
});

const declared = "description: of it\n";

test.each([
  [
    "waves, and a field that the command line sets",
    "manage: { wave: 1 }\n",
    ["--set", "job:shop/staging/nightly:memory=1024"],
  ],
  ["what no manifest declares, where nothing is to change", "", ["--strict"]],
  ["a description that is removed", "description: null\n", []],
  ["what is deleted", undefined, ["--prune", "--max-deletes", "9"]],
])("show prints what plan has printed: %s", async (_what, more, flags) => {
  const file = join(fixture.folder, "plan.json");
  const before = await fixture.write("before.yaml", shop + cronJob("nightly", declared) + cronJob("other"));
  await fixture.run(["apply", before, "--yes"]);
  const job = more === undefined ? "manage: { prune: true }\n" : cronJob("nightly", more) + cronJob("other");
  const after = await fixture.write("after.yaml", shop + job);
  const planned = await fixture.run(["plan", after, ...flags, "--out", file]);
  const { code, stdout } = await infrasync(["show", file]);
  expect({ code, text: shown(stdout) }).toEqual({ code: 0, text: shown(planned.stdout) });
});

test("the file of a plan has its actions once, as JSON, and nothing that is printed of them", async () => {
  const { file } = await saved();
  const text = await readFile(file, "utf8");
  expect(Object.keys(JSON.parse(text) as object)).toEqual(
    expect.not.arrayContaining(["shown", "text", "markdown"]),
  );
  expect(text).not.toContain("infrasync will make these changes");
  expect(text.match(/"create job:/g)?.length).toBeLessThanOrEqual(2);
});

test.each(["text", "markdown", "json"])(
  "show does not show the token that stands in a manifest, in %s",
  async (output) => {
    const token = fixture.emulator.tokens.admin;
    const file = join(fixture.folder, "plan.json");
    const manifest = await fixture.write(
      "manifests/shop.yaml",
      shop + cronJob("nightly", `description: of ${token}`),
    );
    const planned = await fixture.run(["plan", manifest, "--out", file]);
    expect(planned.stdout).toContain("of [token]");
    const { code, stdout } = await infrasync(["show", file, "--output", output]);
    expect({ code, isShown: stdout.includes(token) }).toEqual({ code: 0, isShown: false });
    expect(stdout).toMatch(/of \\?\[token/);
  },
);

test("show refuses a file that is not a saved plan, or that was edited", async () => {
  const { file } = await saved();
  await fixture.write("edited.json", (await readFile(file, "utf8")).replace("nightly", "daily"));
  expect(await fixture.run(["show", join(fixture.folder, "edited.json")])).toMatchObject({
    code: 3,
    stdout: "",
    stderr: expect.stringContaining("edited.json has been changed since it was written"),
  });
  expect(await fixture.run(["show", join(fixture.folder, "manifests", "shop.yaml")])).toMatchObject({
    code: 3,
    stderr: expect.stringContaining("is not a saved plan of infrasync"),
  });
});
