import { describe, expect, test } from "vitest";
import { cronJob, shop } from "../../fixtures/manifests.ts";
import { mayBeMissing } from "../../fixtures/tools.ts";
import { steady, useFixture } from "../fixture.ts";
import { atPseudoTerminal, linesThatStay, script } from "./pseudo-terminal.ts";

const fixture = useFixture({ behaviour: { latency_ms: 60 } });

const escape = "\u001B";
const apply = (columns: number, env: Record<string, string> = {}) =>
  atPseudoTerminal(["apply", fixture.folder, "--yes"], { columns, env: { ...fixture.env, ...env } });
/** The lines from the first action on, without what differs from run to run. */
const recordOf = (lines: readonly string[]) =>
  lines
    .slice(lines.findIndex((line) => /^\[1\/\d\] /.test(line)))
    .map((line) => steady(line).replaceAll(/\([\d.]+ s\)/g, "(N s)"))
    .filter((line) => !line.startsWith("Requests: "));

describe.skipIf(mayBeMissing(script))("at a pseudo-terminal", () => {
  test.each([80, 120])("an apply leaves a line for each resource, at %i columns", async (columns) => {
    await fixture.write("shop.yaml", shop + cronJob("first"));
    const seen = await apply(columns);
    const lines = linesThatStay(seen);
    expect(recordOf(lines)).toEqual([
      "[1/3] created  Project shop (N s)",
      "[2/3] created  Environment shop/staging (N s)",
      "[3/3] created  Job shop/staging/first (N s)",
      "",
      "Done: 3 created.",
      "Not deployed yet: Job shop/staging/first. To deploy:",
      "  infrasync deploy job:shop/staging/first",
      "",
    ]);
    expect(seen.code).toBe(0);
    expect(seen.text).toContain(`${escape}[32mcreated `);
    // Which actions the line with the spinner shows depends on when it is drawn.
    expect(seen.text).toMatch(/\[\d\/3\] (?:creating|finishing)/);
  });

  test("failed and unstarted actions are listed at the end of the output", async () => {
    await fixture.fault({ method: "POST", path: "/project/*/environment", status: 422 });
    await fixture.write("shop.yaml", shop + cronJob("first"));
    const seen = await apply(80);
    expect(recordOf(linesThatStay(seen))).toEqual([
      "[1/3] created  Project shop (N s)",
      "[2/3] failed   Environment shop/staging (N s)",
      "",
      "Failed:",
      expect.stringMatching(/^ {2}Environment shop\/staging: 422 on POST/),
      expect.stringMatching(/^ {4}\S/),
      expect.stringMatching(/^ {4}\S/),
      expect.stringMatching(/^ {4}\S/),
      "",
      "Not started:",
      "  Job shop/staging/first: needs environment:shop/staging, which was not done",
      "",
      "Not all changes could be made. Done so far: 1 created. Run again to continue.",
      "",
    ]);
    expect(seen.code).toBe(1);
  });

  test.each<Record<string, string>>([{ CI: "true" }, { TERM: "dumb" }])(
    "no escape codes with %j",
    async (env) => {
      await fixture.write("shop.yaml", shop);
      const { code, text } = await apply(80, env);
      expect(code).toBe(0);
      expect(text).not.toContain(escape);
      expect(text).toContain("[2/2] created  Environment shop/staging\n");
    },
  );

  test("with NO_COLOR, no colours", async () => {
    await fixture.write("shop.yaml", shop);
    const { text } = await apply(80, { NO_COLOR: "1" });
    expect(text.replaceAll(`${escape}[39m`, "")).not.toContain(`${escape}[3`);
    expect(text).toContain("created  Environment shop/staging (");
  });

  test.each([80, 120])("long messages break between words, at %i columns", async (columns) => {
    await fixture.write("job.yaml", cronJob("a").replace("kind: Job", "kind: Nothing"));
    const { code, text } = await atPseudoTerminal(["plan", fixture.folder], { columns, env: fixture.env });
    expect(code).toBe(3);
    const advice = linesThatStay({ code, text }).filter(
      (line) => line.startsWith("  ") && !line.includes("|"),
    );
    expect(advice.length).toBeGreaterThan(2);
    for (const line of advice) expect(line.length).toBeLessThanOrEqual(columns);
    expect(advice.map((line) => line.trim()).join(" ")).toMatch(
      /^the kinds are AnnotationsGroup, .*, Webhook$/,
    );
  });
});
