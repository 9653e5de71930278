import { afterAll, beforeAll, expect, test } from "vitest";
import { stringify } from "yaml";
import { Child } from "./child-process.ts";
import { grid } from "./kill-scenario.ts";
import { type Boundary, Proxy } from "./stopping-proxy.ts";
import type { FaultyServer } from "../fixtures/faulty-server.ts";
import { ReferenceComparison } from "./reference-comparison.ts";

const comparison = new ReferenceComparison();
let proxy: Proxy | undefined;
beforeAll(() => comparison.compare(grid, async () => {}));
afterAll(async () => {
  await proxy?.[Symbol.asyncDispose]();
  await comparison[Symbol.asyncDispose]();
});

const manifests = grid.after.map((document) => stringify(document)).join("---\n");

async function apply({ connection }: FaultyServer, boundary?: Boundary) {
  proxy ??= await Proxy.open(connection.url);
  const reached = proxy.stopAt(boundary);
  const child = Child.cli(["apply", "-", "--yes", "--prune"], {
    INFRASYNC_BASE_URL: proxy.url,
    INFRASYNC_TOKEN: connection.token,
    INFRASYNC_ORGANIZATION: connection.organization.id,
  });
  void reached.then(() => child.kill());
  return child.run(manifests);
}

test.each<Boundary>([
  { request: 14, moment: "done" },
  { request: 26, moment: "answered" },
])(
  "infrasync apply, killed $moment at request $request: the next infrasync apply completes the state",
  async (boundary) => {
    await comparison.compare(grid, async (stage) => {
      expect(await apply(stage, boundary)).toMatchObject({ code: null });
      expect(await apply(stage)).toMatchObject({ code: 0 });
    });
  },
);
