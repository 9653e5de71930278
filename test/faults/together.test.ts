import { expect, test } from "vitest";
import { stringify } from "yaml";
import { Child, type Ended } from "./child-process.ts";
import { application, clone, environment, job, shop } from "../fixtures/documents.ts";
import { FaultyServer } from "../fixtures/faulty-server.ts";

const documents = [
  ...shop,
  ...[0, 1, 2, 3].map((index) => job(`shop/staging/job-${index}`)),
  application("shop/staging/api"),
  environment("shop/other"),
  clone("Job", "shop/other/copy", "shop/staging/job-0", { cpu: 250 }),
  clone("Environment", "shop/preview", "shop/staging"),
];
const manifests = documents.map((document) => stringify(document)).join("---\n");

/** The progress lines of a run for each resource: `created  Job shop/staging/job-0`. */
function said({ stderr }: Ended): string[] {
  return stderr.split("\n").flatMap((line) => /^\[\d+\/\d+\] (.*)$/.exec(line)?.[1] ?? []);
}

/** The sum of the figures in the last lines: `Done: 4 created, 2 already as planned.` */
function counted(runs: readonly Ended[], what: string): number {
  const counts = runs.map(
    ({ stdout }) => new RegExp(`^Done: .*?(\\d+) ${what}`, "m").exec(stdout)?.[1] ?? "0",
  );
  return counts.reduce((sum, count) => sum + Number(count), 0);
}

test("of two simultaneous infrasync applies, one creates each resource and reports it, and a clone of the other one is left to it", async () => {
  let met = 0;
  for (let round = 0; round < 4; round += 1) {
    // A reset server would lack, without an event, what the record of this machine names: runs would wait for it. This one is
    // slow enough for both to plan before either of them has created much.
    await using stage = await FaultyServer.open({
      clock: "real",
      behaviour: { latency_ms: 20, clone_delay_ms: 50 },
    });
    const children = [0, 1].map(() =>
      Child.cli(["apply", "-", "--yes"], {
        INFRASYNC_BASE_URL: stage.connection.url,
        INFRASYNC_TOKEN: stage.connection.token,
      }),
    );
    const runs = await Promise.all(children.map((child) => child.run(manifests)));

    // Into a clone of the other one, a run does not write.
    for (const { code, stdout } of runs)
      if (code !== 0)
        expect([code, stdout]).toEqual([1, expect.stringContaining("another run has created it")]);
    const lines = runs.flatMap(said);
    const made = lines.filter((line) => /^(?:created|cloned)/.test(line));
    const found = lines.filter((line) => line.startsWith("already as planned"));
    expect(new Set(made).size).toBe(made.length);
    expect(made).toHaveLength(documents.length);
    const done = runs.filter(({ code }) => code === 0);
    const sums = done.length === 2 ? [made.length, found.length] : [expect.any(Number), expect.any(Number)];
    expect([counted(done, "created") + counted(done, "cloned"), counted(done, "already as planned")]).toEqual(
      sums,
    );
    const names = await stage.names();
    expect(new Set(names).size).toBe(names.length);
    // The clone of the environment contains five services.
    expect(names).toHaveLength(documents.length + 5);
    met += found.length;
  }
  expect(met).toBeGreaterThan(0);
});
