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
    stderr: expect.stringContaining("is not a plan of infrasync"),
  });
});
