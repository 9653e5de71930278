import { expect, test } from "vitest";
import { cronJob, shop } from "../../fixtures/manifests.ts";
import { useFixture } from "../fixture.ts";

const fixture = useFixture();

test("apply reports as Markdown what became of each action, also of those that failed", async () => {
  await fixture.write("shop.yaml", shop + cronJob("a") + cronJob("b"));
  await fixture.fault({
    method: "POST",
    path: "/environment/*/job",
    times: 1,
    status: 400,
    body: { status: 400, error: "Bad Request", message: "not ``` today" },
  });
  const { code, stdout, stderr } = await fixture.run([
    "apply",
    fixture.folder,
    "--yes",
    "--output",
    "markdown",
  ]);
  expect(stdout).toMatch(/^### Plan: 4 to create/);
  // No text of the server can end the code.
  const [, fence = "", report = ""] = /\*\*Result:\*\*\n\n(`+)\n([^]*)\n\1\n$/.exec(stdout) ?? [];
  expect(fence.length).toBeGreaterThan(3);
  expect(report).toContain("not ``` today");
  expect(report).toContain("3 created");
  expect(stderr).toContain("infrasync will make these changes");
  expect(code).toBe(1);
});
