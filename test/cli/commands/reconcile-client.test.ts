import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { GitRepository } from "../../fixtures/git-repository.ts";
import { shop } from "../../fixtures/manifests.ts";
import { inTurn, undeclared } from "../../fixtures/service-api.ts";
import { useClient } from "../../fixtures/service-client.ts";
import { spawnInfrasync } from "../child.ts";
import { useFixture } from "../fixture.ts";

const fixture = useFixture({ behaviour: { rate_limit: 0 } });
const client = useClient();

test.each([
  ["one source", "one.ts"],
  ["many sources", "many.ts"],
] as const)(
  "a client generated from the OpenAPI document waits, pauses, resumes and reads the status, journal and audit of a service with %s",
  async (_name, file) => {
    const repository = new GitRepository();
    const data = mkdtempSync(join(tmpdir(), "infrasync-client-data-"));
    onTestFinished(() => {
      repository[Symbol.dispose]();
      rmSync(data, { recursive: true, force: true, maxRetries: 10 });
    });
    const commit = repository.push({ "infra/shop.yaml": shop });
    await fixture.write("ci-token", "the-token-of-the-ci\n");
    const access = await fixture.write(
      "access.yaml",
      "roles: [{ role: operate, name: ci, token_file: ci-token }]",
    );
    mkdirSync(join(data, "sources"));
    writeFileSync(
      join(data, "sources", "all.yaml"),
      `kind: Source\nname: shop\nrepository: ${repository.origin}\npath: infra\n`,
    );
    const which =
      file === "many.ts"
        ? ["--sources", join(data, "sources")]
        : ["--repo", repository.origin, "--path", "infra"];
    const child = spawnInfrasync(
      [
        "reconcile",
        "--allow-local-repo",
        "--yes",
        "--interval",
        "1s",
        "--listen",
        "0",
        "--access-file",
        access,
        "--data",
        join(data, "data"),
        ...which,
      ],
      fixture.env,
    );
    onTestFinished(() => void child.process.kill("SIGKILL"));
    const first = await Promise.race([once(child.process.stdout, "data"), child.ended]);
    if (!Array.isArray(first)) throw new Error(first.stderr);
    const { url } = JSON.parse(String(first[0])) as { url: string };
    const service = await inTurn([url]);
    const answer = JSON.parse(await client.run(file, service.url, "the-token-of-the-ci", commit)) as {
      journal: string[];
      audit: object[];
    };
    expect(answer).toMatchObject({
      paused: 200,
      reason: expect.stringContaining("a release"),
      again: 409,
      refused: 401,
    });
    expect(answer.journal).toContain("applied");
    expect(service.answers.map(undeclared).filter((mistake) => mistake !== "")).toEqual([]);
    const from = { client: "127.0.0.1" };
    expect(answer.audit).toMatchObject([
      { type: "refused", ...from, sentence: expect.stringContaining("no pause of yours") },
      { type: "requested", ...from, sentence: "ci asks for resume in shop/staging" },
      { type: "requested", ...from, sentence: "ci asks for pause in shop/staging" },
    ]);
  },
);
