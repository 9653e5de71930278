import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { useFixture } from "../cli/fixture.ts";
import { job, shop } from "../fixtures/manifests.ts";
import { useFleet } from "./fleet.ts";
import { statusOf, type Worker } from "./workers.ts";

const fixture = useFixture({ clock: "real", behaviour: { rate_limit: 0 } });
const fleet = useFleet(fixture);
const wait = { timeout: 90_000, interval: 100 };
const stateOf = async (of: Worker) => (await statusOf(of)).sources[0]?.state;

/** A folder of secrets as Kubernetes mounts it: each version is a folder of its own, and a link is renamed over the last one. */
function mountOf(folder: string): (value: string) => void {
  mkdirSync(folder, { recursive: true });
  symlinkSync("..data/key", join(folder, "key"));
  let version = 0;
  return (value) => {
    const name = `..${(version += 1)}`;
    mkdirSync(join(folder, name));
    writeFileSync(join(folder, name, "key"), value);
    symlinkSync(name, join(folder, "..data_tmp"));
    renameSync(join(folder, "..data_tmp"), join(folder, "..data"));
    if (version > 1) rmSync(join(folder, `..${version - 1}`), { recursive: true });
  };
}

test("a secret that rotates by the swap of a link is written once, also by a worker that has taken the source over", async () => {
  await fleet.migrate();
  const rotate = mountOf(join(fleet.folder, "secrets", "one"));
  rotate("first-canary");
  fleet.state(["one"], {
    manifest: (name) =>
      shop.replaceAll("shop", name) + job("a", "secrets: { KEY: { from_file: key } }", `${name}/staging`),
  });
  const start = () => fleet.start({ INFRASYNC_SECRETS_DIR: join(fleet.folder, "secrets") });
  const puts = () =>
    fleet.api.writes.filter(({ line }) => line.startsWith("PUT /variable")).map(({ worker }) => worker);
  const first = await start();
  await expect.poll(() => stateOf(first), wait).toBe("synced");
  expect(puts()).toEqual([]);
  rotate("second-canary");
  await expect.poll(puts, wait).toEqual([first.name]);

  // Nothing has rotated: the worker that takes over writes nothing.
  const second = await start();
  first.child.process.kill("SIGKILL");
  await expect.poll(() => fleet.ownerOf("one"), wait).toBe(second.child.process.pid);
  await expect.poll(() => stateOf(second), wait).toBe("synced");
  expect(puts()).toEqual([first.name]);

  // It rotates while no worker runs.
  second.child.process.kill("SIGKILL");
  await second.child.ended;
  rotate("third-canary");
  const third = await start();
  await expect.poll(puts, wait).toEqual([first.name, third.name]);
  await expect.poll(() => stateOf(third), wait).toBe("synced");
  rotate("fourth-canary");
  await expect.poll(puts, wait).toEqual([first.name, third.name, third.name]);
  const stored = JSON.stringify(await fleet.postgres.query("select content from infrasync.source_file"));
  expect(stored).not.toContain("canary");
}, 300_000);
