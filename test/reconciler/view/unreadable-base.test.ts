import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { useFixture, writesOf } from "../../cli/fixture.ts";
import { GitRepository } from "../../fixtures/git-repository.ts";
import { job, shop } from "../../fixtures/manifests.ts";

// What another version has applied, and nobody can read, may have protected anything: nothing is deleted.

const fixture = useFixture();

type Files = Parameters<GitRepository["push"]>[0];

const settings = "infra/infrasync.config.yaml";
const protecting = "protect: ['job:shop/staging/b']\n";
const pointer = `version https://git-lfs.github.com/spec/v1\noid sha256:${"4d7a".repeat(16)}\nsize 12345\n`;
const start = {
  "infra/shop.yaml": shop.replace("mode: STAGING", "mode: STAGING\nmanage: { prune: true }"),
  "infra/a.yaml": job("a"),
  "infra/b.yaml": job("b"),
};

const forms: Record<string, Files | undefined> = {
  "a setting that this version does not know": { [settings]: `${protecting}protect_more: [a]\n` },
  "another min_version": { [settings]: `min_version: 99.0.0\n${protecting}` },
  "a pointer of LFS in place of the settings": { [settings]: pointer },
  "a manifest with a field of another version": {
    "infra/b.yaml": job("b", "manage: { protect: true }\nanother_field: 1"),
  },
  "a pointer of LFS in place of a manifest": { "infra/b.yaml": pointer },
  "a history that is gone": undefined,
};

test.each(Object.entries(forms))(
  "reconcile deletes nothing after an applied commit with %s",
  async (_form, files) => {
    using repository = new GitRepository();
    const data = join(fixture.folder, "data");
    const line = ["--repo", repository.origin, "--path", "infra", "--allow-local-repo", "--data", data];
    const run = () =>
      fixture.run(["reconcile", ...line, "--once", "--yes", "--prune"], {
        env: { PATH: process.env["PATH"] },
      });
    const treeOf = (commit: string) => repository.git("rev-parse", `${commit}:infra`);
    const first = repository.push(start);
    expect(await run()).toMatchObject({ code: 0 });
    // Another version has applied the commit.
    const base = files ? repository.push(files) : undefined;
    const [other, tree] = base ? [base, treeOf(base)] : ["1".repeat(40), "2".repeat(40)];
    for (const name of readdirSync(data).filter((each) => each.endsWith(".json"))) {
      const text = readFileSync(join(data, name), "utf8");
      writeFileSync(join(data, name), text.replaceAll(first, other).replaceAll(treeOf(first), tree));
    }
    await fixture.takeRequests();
    repository.push({ [settings]: undefined, "infra/b.yaml": undefined });
    const { code, stdout, stderr } = await run();
    expect(stdout + stderr).toContain("cannot be read");
    expect(code).toBe(3);
    expect(writesOf(await fixture.takeRequests())).toEqual([]);
  },
);
