import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { documentOf } from "../captured.ts";
import { useFixture, writesOf } from "../fixture.ts";
import { cronJob, shop } from "../../fixtures/manifests.ts";

const fixture = useFixture();

describe("--max-requests limits every command that sends requests:", () => {
  beforeEach(begin);

  test.each([
    ["plan", ["plan", "FOLDER"]],
    ["plan --destroy", ["plan", "FOLDER", "--destroy"]],
    ["apply", ["apply", "FOLDER", "--yes"]],
    ["apply of a saved plan", ["apply", "--plan", "FOLDER/plan.json", "--yes"]],
    ["destroy", ["destroy", "FOLDER", "--yes"]],
    ["clone", ["clone", "job", "shop/staging/job-0", "--to", "shop/staging", "--name", "copy", "--yes"]],
    [
      "clone --dry-run",
      ["clone", "job", "shop/staging/job-0", "--to", "shop/staging", "--name", "copy", "--dry-run"],
    ],
    ["dump", ["dump", "shop"]],
  ])("%s", async (_name, args) => {
    const given = args.map((argument) => argument.replace("FOLDER", fixture.folder));
    const { code } = await fixture.run([...given, "--max-requests", "2"]);
    expect(code).toBe(4);
    const requests = await fixture.takeRequests();
    expect(requests.length).toBeLessThanOrEqual(2);
    expect(writesOf(requests)).toEqual([]);
  });

  test.each([
    ["apply", true, 4, ["apply", "FOLDER", "--yes"]],
    ["destroy", true, 9, ["destroy", "FOLDER", "--yes"]],
    ["apply of a saved plan", false, 4, ["apply", "--plan", "FOLDER/plan.json", "--yes"]],
    [
      "clone",
      false,
      6,
      ["clone", "job", "shop/staging/job-0", "--to", "shop/staging", "--name", "copy", "--yes"],
    ],
  ] as [string, boolean, number, string[]][])(
    "a message advises --target only for commands that have --target: %s %s",
    async (_name, canTarget, limit, args) => {
      const given = args.map((argument) => argument.replace("FOLDER", fixture.folder));
      const { code, stderr } = await fixture.run([...given, "--max-requests", String(limit)]);
      expect(code).toBe(4);
      expect(stderr).toMatch(/the plan needs about .*\n {2}.*raise --max-requests to \d+/);
      expect(stderr.includes("--target")).toBe(canTarget);
    },
  );

  const cloneWith = (limit: number, style: string) => {
    const args = ["clone", "job", "shop/staging/job-0", "--to", "shop/staging", "--name", "copy", "--yes"];
    return fixture.run([...args, "--max-requests", String(limit), "--output", style]);
  };

  test("--max-requests counts the final reads of clone", async () => {
    expect(await cloneWith(13, "json")).toMatchObject({ code: 4 });
    expect(writesOf(await fixture.takeRequests())).toEqual([]);
    expect(await cloneWith(14, "json")).toMatchObject({ code: 0 });
  });

  test.each(["text", "json"])(
    "clone reports the clone as created when its manifest can no longer be read (%s)",
    async (style) => {
      await fixture.fault({ method: "GET", path: "/environment/*/services", status: 403, after: 3 });
      const ran = await cloneWith(14, style);
      expect(ran.code).toBe(1);
      expect(await fixture.takeFaults()).toBe(1);
      if (style === "text") expect(ran.stderr).toContain("Done: 1 cloned.");
      else
        expect(documentOf(ran)).toMatchObject({
          ok: false,
          error: { code: "forbidden" },
          report: { complete: true, outcomes: [{ type: "clone", status: "done" }] },
        });
    },
  );
});

/** Creates an environment with a job, and a saved plan that changes the job. */
async function begin(): Promise<void> {
  await fixture.write("shop.yaml", shop + cronJob("job-0"));
  await fixture.run(["apply", fixture.folder, "--yes"]);
  await fixture.write("shop.yaml", shop + cronJob("job-0").replace("1.4.2", "1.5.0"));
  await fixture.run(["plan", fixture.folder, "--out", join(fixture.folder, "plan.json")]);
  await fixture.takeRequests();
}
