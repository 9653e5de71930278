import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { job, shop } from "../fixtures/manifests.ts";
import { planBase, planDescription } from "../../ci/status-text.ts";
import { type Bench, gitHub, gitLab, startCiBench } from "./runners.ts";
import { temporaryFolder } from "../fixtures/temporary-folder.ts";

// Somebody who may commit tries to get around the rule before: the sources, the settings file or the history are others in the change.

type Files = Parameters<Bench["open"]>[1];

const pruning = shop.replace("mode: STAGING", "mode: STAGING\nmanage: { prune: true }");
const start = { "manifests/shop.yaml": pruning, "manifests/a.yaml": job("a"), "manifests/b.yaml": job("b") };
const settings = "infrasync.config.yaml";
const protecting = "protect: ['job:shop/staging/b']\n";
const bySettings = 'protected by the pattern "job:shop/staging/b" in the settings of the commit';
const byDocument = "protected by manage.protect of job:shop/staging/b in the commit";
const kept = job("b", "manage: { protect: true }");
const environment = (name: string) => `environments: { ${name}: { sources: [manifests] } }\n`;
const template = (rest: string) => `---
kind: Template
name: jobs
parameters: { name: { type: string } }
documents:
  - kind: Job
    environment: shop/staging
    name: \${name}
    source: { image: { registry: docker-hub, image_name: acme/report, tag: "1" } }
    schedule: { cronjob: { scheduled_at: "0 3 * * *", timezone: UTC } }
    ${rest}
---
from: jobs
`;

const withText = job(
  "b",
  "manage: { protect: true }\nvariables: { FILE: { file: { mount_path: /app.conf, from: level.txt } } }",
);

interface Way {
  before: Files;
  change: Files;
  /** The sources of the job, one a line; absent: `manifests`. */
  path?: string;
  inputs?: Record<string, string>;
  says: string;
}

const ways: Record<string, Way> = {
  "the folder with the documents has another name": {
    before: { "manifests/b.yaml": kept },
    change: {
      "manifests/shop.yaml": undefined,
      "manifests/a.yaml": undefined,
      "manifests/b.yaml": undefined,
      "infra/shop.yaml": pruning,
      "infra/a.yaml": job("a"),
    },
    path: "infra",
    says: byDocument,
  },
  "the folder has another name, and a manifest in it names a file": {
    before: { "manifests/b.yaml": withText, "manifests/level.txt": "info" },
    change: {
      "manifests/shop.yaml": undefined,
      "manifests/a.yaml": undefined,
      "manifests/b.yaml": undefined,
      "infra/shop.yaml": pruning,
      "infra/a.yaml": job("a"),
    },
    path: "infra",
    says: byDocument,
  },
  "the folder with the settings file has another name": {
    before: { [`manifests/${settings}`]: protecting },
    change: {
      [`manifests/${settings}`]: undefined,
      "manifests/shop.yaml": undefined,
      "manifests/a.yaml": undefined,
      "manifests/b.yaml": undefined,
      "infra/shop.yaml": pruning,
      "infra/a.yaml": job("a"),
    },
    path: "infra",
    says: bySettings,
  },
  "the settings file is in another folder": {
    before: { [`manifests/${settings}`]: protecting },
    change: {
      [`manifests/${settings}`]: undefined,
      [settings]: "max_deletes: 5\n",
      "manifests/b.yaml": undefined,
    },
    says: bySettings,
  },
  "the document was behind a symbolic link": {
    before: { "manifests/b.yaml": { link: ".real/b.yaml" }, "manifests/.real/b.yaml": kept },
    change: { "manifests/b.yaml": undefined },
    says: byDocument,
  },
  "the settings file was behind a symbolic link": {
    before: { [settings]: { link: "settings/all.yaml" }, "settings/all.yaml": protecting },
    change: { [settings]: undefined, "manifests/b.yaml": undefined },
    says: bySettings,
  },
  "the environment of the settings file has another name": {
    before: { [settings]: environment("staging"), "manifests/b.yaml": kept },
    change: { [settings]: environment("stage"), "manifests/b.yaml": undefined },
    path: "stage",
    says: byDocument,
  },
  "the environment of the settings file has other sources": {
    before: { [settings]: environment("staging"), "manifests/b.yaml": kept },
    change: {
      [settings]: "environments: { staging: { sources: [infra] } }\n",
      "manifests/b.yaml": undefined,
      "infra/shop.yaml": pruning,
      "infra/a.yaml": job("a"),
    },
    path: "staging",
    says: byDocument,
  },
  "the settings file beside the sources of an environment is gone": {
    before: { [settings]: environment("staging"), [`manifests/${settings}`]: protecting },
    change: { [`manifests/${settings}`]: undefined, "manifests/b.yaml": undefined },
    path: "staging",
    says: bySettings,
  },
  "the document that protects is one of another environment": {
    before: {
      [settings]: "environments: { staging: { sources: [manifests] }, other: { sources: [other] } }\n",
      "manifests/b.yaml": undefined,
      "other/b.yaml": kept,
    },
    change: { [settings]: environment("staging"), "other/b.yaml": undefined },
    path: "staging",
    says: byDocument,
  },
  "a file of variables no longer names the protected job": {
    before: { "vars.yaml": "NAME: b\n", "manifests/b.yaml": job("${NAME}", "manage: { protect: true }") },
    change: { "vars.yaml": "OTHER: b\n", "manifests/b.yaml": undefined },
    inputs: { "var-file": "vars.yaml" },
    says: byDocument,
  },
  "Defaults protect": {
    before: {
      "manifests/defaults.yaml":
        "kind: Defaults\nenvironment: shop/staging\nfor: Job\nmanage: { protect: true }\n",
    },
    change: { "manifests/defaults.yaml": undefined, "manifests/b.yaml": undefined },
    says: byDocument,
  },
  "an overlay protects": {
    before: { "top/b.yaml": "kind: Job\nenvironment: shop/staging\nname: b\nmanage: { protect: true }\n" },
    change: {
      "top/b.yaml": undefined,
      "top/a.yaml": "kind: Job\nenvironment: shop/staging\nname: a\n",
      "manifests/b.yaml": undefined,
    },
    path: "manifests\ntop",
    says: byDocument,
  },
  "a template protects": {
    before: { "manifests/b.yaml": `${template("manage: { protect: true }")}with: { name: b }\n` },
    change: { "manifests/b.yaml": undefined },
    says: byDocument,
  },
};

/** Lets the default branch be at another commit. */
function reset({ repository }: Bench, commit: string): void {
  repository.atOrigin("update-ref", "refs/heads/main", commit);
}

/** A pull request that a job has to refuse, and whose merge a job applies as if its plan had been approved. */
async function refuses(
  bench: Bench,
  way: string,
  head: string,
  { path = "manifests", inputs, says }: Pick<Way, "path" | "inputs" | "says">,
  merged: Parameters<Bench["merge"]>[1] = "merge",
): Promise<void> {
  const given = { inputs: { prune: "true", path, ...inputs } };
  const planned = await bench.plan(4, given);
  expect.soft(planned.output, way).toContain(says);
  expect.soft(planned.code, way).toBe(3);
  const [status = {}] = bench.forge.statuses.get(head) ?? [];
  expect(String(status["description"])).toMatch(
    /^The plan is refused: an approval is missing\.(?!.*No changes)/,
  );
  const record = {
    verdict: "apply",
    digest: "0".repeat(64),
    base: planBase("main", "0".repeat(40)),
  } as const;
  const description = planDescription("Forged.", record, 140);
  bench.forge.statuses.set(head, [{ ...status, state: "success", description }]);
  const applied = await bench.apply(bench.merge(4, merged), given);
  expect.soft(applied.output, way).toContain(says);
  expect.soft(await bench.server.writes(), way).toEqual([]);
}

test("a job does nothing that a rule before forbids, wherever the change moves it", async () => {
  const bench = await startCiBench(gitHub, start);
  const first = bench.repository.newest();
  await bench.server.forgetRequests();
  for (const [way, { before, change, ...given }] of Object.entries(ways)) {
    reset(bench, first);
    reset(bench, bench.open(3, before));
    await refuses(bench, way, bench.open(4, change), given);
  }
});

test.each(["merge", "squash", "rebase"] as const)(
  "a pull request whose first commit lifts the rule and whose second breaks it, by a %s",
  async (merged) => {
    const bench = await startCiBench(gitHub, { ...start, "manifests/b.yaml": kept });
    await bench.server.forgetRequests();
    bench.open(4, { "manifests/b.yaml": job("b") });
    const head = bench.push(4, { "manifests/b.yaml": undefined });
    await refuses(bench, merged, head, { says: byDocument }, merged);
  },
);

test.each([
  ["a file of variables behind a link that leads out of the repository", "vars.yaml is a symbolic link"],
  ["a template of a repository on the runner", "the repository is on this machine"],
])("a pull request reads nothing else on the runner: %s", async (way, says) => {
  const bench = await startCiBench(gitHub, start);
  const folder = temporaryFolder("elsewhere");
  await writeFile(join(folder, "vars.yaml"), "NAME: canary-of-the-runner\n");
  const isLink = way.startsWith("a file");
  const git = JSON.stringify(folder);
  bench.open(
    4,
    isLink
      ? { "vars.yaml": { link: join(folder, "vars.yaml") }, "manifests/b.yaml": job("${NAME}") }
      : {
          "manifests/b.yaml": `kind: Template\nname: t\ngit: ${git}\ncommit: "${"0".repeat(40)}"\npath: t.yaml\n---\nfrom: t\n`,
        },
  );
  const { code, output } = await bench.plan(4, {
    inputs: { path: "manifests", ...(isLink && { "var-file": "vars.yaml" }) },
  });
  expect(output).toContain(says);
  expect(output).not.toContain("canary-of-the-runner");
  expect(code).toBe(3);
});

test("a merge that the author of a merge request has made names no base", async () => {
  const bench = await startCiBench(gitLab, { ...start, "manifests/b.yaml": kept });
  const base = bench.repository.newest();
  bench.open(4, { "manifests/b.yaml": job("b") });
  const head = bench.repository.script(`
    git checkout --quiet --detach origin/topic-4
    git rm --quiet manifests/b.yaml
    tree=$(git write-tree)
    head=$(git commit-tree "$tree" -p origin/topic-4 -p ${base} -m 'Merge main')
    git push --quiet --force origin "$head":refs/heads/topic-4
    echo "$head"`);
  const { output, code } = await bench.plan(4, { inputs: { prune: "true" }, head });
  expect(output).toContain(byDocument);
  expect(code).toBe(3);
});

/** A merge that the job refuses, since it lifts the rule and breaks it, on a commit that the job has applied. */
async function refusedMerge(bench: Bench) {
  const { repository, forge } = bench;
  reset(bench, bench.open(3, { "manifests/b.yaml": kept }));
  await bench.plan(3, { inputs: { prune: "true" } });
  const applied = repository.newest();
  const [status = {}] = forge.statuses.get(applied) ?? [];
  const tried = (commit: string, state: string, description: string) =>
    forge.statuses.set(commit, [{ ...status, context: "infrasync/apply", state, description }]);
  tried(applied, "success", "Done.");
  const refused = bench.open(4, { "manifests/b.yaml": undefined });
  tried(refused, "failure", "Not applied.");
  return { refused, tried };
}

test("many merges of nothing after a refused one lift no rule", async () => {
  const bench = await startCiBench(gitHub, start);
  const { refused, tried } = await refusedMerge(bench);
  const merges = bench.repository.script(`
    commit=${refused}
    for number in 1 2 3 4 5 6 7 8 9 10 11; do
      commit=$(git commit-tree ${refused}^{tree} -p "$commit" -m "$number")
      echo "$commit"
    done`);
  for (const commit of merges.split("\n")) {
    tried(commit, "failure", "Not applied: the apply of 1a2b3c4 has failed");
    reset(bench, commit);
  }
  bench.open(5, { "manifests/a.yaml": job("a", "cpu: 750") });
  const { output, code } = await bench.plan(5, { inputs: { prune: "true" } });
  expect(output).toContain(byDocument);
  expect(code).toBe(3);
});

test.each([
  ["other files", "code.txt", 3, byDocument],
  ["manifests", "manifests/c.txt", 0, "it prunes no resource that none of them declares"],
])("many commits of %s for which no job runs let nothing be deleted", async (_what, file, ends, says) => {
  const bench = await startCiBench(gitHub, start);
  const { refused } = await refusedMerge(bench);
  const last = bench.repository.script(`
    git checkout --quiet --detach ${refused}
    for number in 1 2 3 4 5 6 7 8 9 10 11; do
      echo "$number" >${file}
      git add --all
      git commit --quiet --message "$number"
    done
    git push --quiet origin HEAD:refs/heads/main
    git rev-parse HEAD`);
  reset(bench, last);
  bench.open(5, { "manifests/a.yaml": job("a", "cpu: 750") });
  const { output, code } = await bench.plan(5, { inputs: { prune: "true" } });
  expect(output).toContain(says);
  expect(output).toContain("1 to update");
  if (ends === 0) expect(output).not.toContain("to delete");
  expect(code).toBe(ends);
});

test("a target of a job that matches nothing fails", async () => {
  const bench = await startCiBench(gitHub, start);
  bench.open(4, { "manifests/a.yaml": job("a", "cpu: 750") });
  const inputs = { target: "job:shop/staging/nigthly" };
  const says = { code: 3, output: expect.stringContaining("nigthly") as string };
  expect(await bench.plan(4, { inputs })).toMatchObject(says);
  expect(await bench.apply(bench.merge(4), { inputs: { ...inputs, expect: "0".repeat(64) } })).toMatchObject(
    says,
  );
});
