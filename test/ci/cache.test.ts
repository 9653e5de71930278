import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { parse } from "yaml";
import type { Harness } from "../fixtures/harness.ts";
import { readPage } from "../docs/markdown.ts";
import { job, shop } from "../fixtures/manifests.ts";
import { type ForgeKind, gitHub, gitLab, startCiBench, type Workflow } from "./runners.ts";
import { temporaryFolder } from "../fixtures/temporary-folder.ts";

const names = Array.from({ length: 13 }, (_, index) => `job-${index}`);
const jobs = (cpu: number) =>
  names.map((name, index) => job(name, `cpu: ${index === 0 ? cpu : 500}\nvariables: { A: one }`)).join("");

test.each<[string, (api: () => Harness) => Promise<ForgeKind>]>([
  ["GitHub", gitHub],
  ["GitLab", gitLab],
])(
  "on %s, ci plan costs 6 requests with the cache of an earlier job, and one more for each job without",
  async (_, make) => {
    const bench = await startCiBench(make, { "manifests/shop.yaml": shop, "manifests/jobs.yaml": jobs(500) });
    const caches = temporaryFolder("caches");
    await bench.server.advance(60_000);
    bench.open(4, { "manifests/jobs.yaml": jobs(750) });
    const planned = async (env: Record<string, string>) => {
      await bench.server.forgetRequests();
      const { code, output } = await bench.plan(4, { env });
      expect(code, output).toBe(0);
      return (await bench.server.seen()).length;
    };
    const kept = { INFRASYNC_CACHE: caches };
    // Without a cache, the page after the list shows how the server counts.
    expect([await planned(kept), await planned(kept)]).toEqual([4 + 1 + 13, 6]);
    expect(await planned({ INFRASYNC_CACHE: `${caches}/none` })).toBe(4 + 1 + 13);
  },
);

test("each job of the workflow on the page and of the template for GitLab carries the cache to the next", async () => {
  const workflow = readPage("docs/guides/pull-requests.md").blocks.find(({ file }) =>
    file?.startsWith(".github/"),
  );
  const { jobs: ofGitHub } = parse(workflow?.lines.join("\n") ?? "") as Workflow;
  expect(Object.keys(ofGitHub)).toEqual(["plan", "apply", "check"]);
  for (const [name, { steps }] of Object.entries(ofGitHub))
    expect(steps).toContainEqual({
      uses: expect.stringMatching(/^actions\/cache@/),
      with: {
        path: "~/.cache/infrasync/parts",
        key: `infrasync-${name}-\${{ github.run_id }}`,
        "restore-keys": `infrasync-${name}-`,
      },
    });
  const template = parse(await readFile("examples/ci/infrasync.gitlab-ci.yml", "utf8")) as object;
  expect(template).toMatchObject({
    variables: { INFRASYNC_CACHE: "$CI_PROJECT_DIR/.infrasync-cache" },
    ".infrasync": { cache: { key: "infrasync-$CI_JOB_NAME", paths: [".infrasync-cache"] } },
    ...Object.fromEntries(
      ["plan", "apply", "check"].map((name) => [`infrasync-${name}`, { extends: ".infrasync" }]),
    ),
  });
});
