import { inspect } from "node:util";
import { expect, test } from "vitest";
import { policyForCommit } from "../../cli/repository/repository.ts";
import { job, shop } from "../fixtures/manifests.ts";
import { startBench } from "./fixture.ts";

const words = (value: unknown) => inspect(value, { depth: 20, breakLength: Infinity, maxArrayLength: null });
type Bench = Awaited<ReturnType<typeof startBench>>;
const kept = job("b", "manage: { protect: true }");
const start = {
  "infra/shop.yaml": shop.replace("mode: STAGING", "mode: STAGING\nmanage: { prune: true }"),
  "infra/a.yaml": job("a"),
  "infra/b.yaml": kept,
};
const settings = "infra/infrasync.config.yaml";

const ways: Record<string, (bench: Bench) => void> = {
  "several commits of one push": ({ repository }) => {
    repository.push({ "infra/b.yaml": job("b") });
    repository.push({ "infra/b.yaml": undefined });
  },
  "a merge whose first parent lifts the rule": ({ repository }) => {
    repository.script(`
      base=$(git rev-parse HEAD)
      printf '%s' '${job("b")}' > infra/b.yaml
      git add --all
      git commit --quiet --message lift
      lift=$(git rev-parse HEAD)
      git rm --quiet infra/b.yaml
      commit=$(git commit-tree "$(git write-tree)" -p "$lift" -p "$base" -m merge)
      git reset --quiet --hard "$commit"
      git -C ../origin.git update-ref refs/heads/main "$commit"`);
  },
  "an environment with another name and other sources": ({ repository }) => {
    repository.push({
      [settings]: "environments: { other: { sources: [new] } }\n",
      "infra/new/shop.yaml": start["infra/shop.yaml"],
      "infra/new/a.yaml": job("a"),
      "infra/shop.yaml": undefined,
      "infra/a.yaml": undefined,
      "infra/b.yaml": undefined,
    });
  },
  "another folder": ({ repository }) => {
    repository.push({ "infra/b.yaml": undefined, "infra/new/b.yaml": job("b") });
    repository.push({ "infra/new/b.yaml": undefined });
  },
  Defaults: ({ repository }) => {
    repository.push({
      "infra/b.yaml": job("b"),
      "infra/defaults.yaml":
        "kind: Defaults\nenvironment: shop/staging\nfor: Job\nmanage: { protect: true }\n",
    });
    repository.push({ "infra/defaults.yaml": undefined, "infra/b.yaml": undefined });
  },
};

test.each(Object.entries(ways))("nothing is lifted by %s", async (_way, push) => {
  const operator = { protect: [], policies: [], maxDeletes: {}, strict: false } as never;
  const console = { io: { env: {}, stderr: {} } } as never;
  const bench = await startBench({}, "admin", {}, {}, undefined, {
    policyFor: (commit) => policyForCommit(commit, { prune: true }, operator, console),
  });
  bench.repository.push(start);
  await bench.cycle();
  push(bench);
  const ends = [await bench.cycle(), await bench.cycle()];
  expect(words(ends.map(({ end }) => end))).toContain("manage.protect of job:shop/staging/b in the commit");
  expect((await bench.server.everything()).has("shop/staging/JOB b")).toBe(true);
});
