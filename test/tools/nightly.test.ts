import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { parse } from "yaml";

test("each nightly run draws another seed, far from that of the night before, and its title names it", () => {
  const workflow = parse(readFileSync(".github/workflows/nightly.yml", "utf8")) as {
    "run-name": string;
    jobs: { soak: { steps: { run?: string; env?: Record<string, string> }[] } };
  };
  const step = workflow.jobs.soak.steps.find(({ run }) => run?.includes("npm run soak"));
  const seed = "${{ inputs.seed || format('{0}000', github.run_number) }}";
  expect(workflow["run-name"]).toBe(`nightly, seed ${seed}`);
  expect(step).toMatchObject({ run: expect.stringContaining('--seed "$SEED"'), env: { SEED: seed } });
});
