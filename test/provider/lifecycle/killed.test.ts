import { mkdtemp, readdir, readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import type { Properties } from "../../../provider/lifecycle/inputs.ts";
import { Lifecycle } from "../../../provider/lifecycle/lifecycle.ts";
import { useStaging } from "./staging.ts";
import { removeFolder } from "../../fixtures/remove-folder.ts";

const staging = useStaging();

/** What a folder has of lists. */
async function kept(folder: string): Promise<string> {
  const file = (await readdir(join(folder, "parts"))).find((name) => name.startsWith("parts-"));
  return readFile(join(folder, "parts", file ?? "missing"), "utf8");
}

test("a refresh reads no variables again that a run has written which was killed before it could say that it was over", async () => {
  const folder = await mkdtemp(join(tmpdir(), "killed-"));
  try {
    const { server } = staging;
    const values: Record<string, string> = {
      "infrasync:baseUrl": server.emulator.url,
      "infrasync:token": server.emulator.tokens.admin,
    };
    const config = { get: (key: string) => values[key] };
    const process = () => new Lifecycle({ INFRASYNC_CACHE: folder }, () => {}, server.clock);
    const made: { id: string; outs: Properties }[] = [];
    const writing = process();
    const create = async (kind: string, declared: Properties) => {
      const { inputs } = await writing.check(kind, {}, declared, config);
      return writing.create(kind, inputs, config, String(declared["name"]));
    };
    const project = await create("Project", { name: "depot" });
    const { id } = await create("Environment", { project: project.id, name: "one", mode: "STAGING" });
    for (let count = 0; count < 5; count += 1) {
      const variables = { LEVEL: "info" };
      const declared = { ...staging.nightly(), environment: id, name: `job-${count}`, variables };
      const job = await create("Job", declared);
      made.push(job);
      await vi.waitFor(async () => expect(await kept(folder)).toContain(job.id), { timeout: 20_000 });
      await server.advance(5_000);
    }
    await server.advance(60_000);
    await server.forgetRequests();
    const reading = process();
    for (const entry of made) await reading.read("Job", entry.id, entry.outs, config);
    const seen = (await server.seen()).map(({ path }) => path.split("/").at(-1));
    expect(seen.filter((path) => path === "variable").length).toBeLessThanOrEqual(1);
  } finally {
    await removeFolder(folder);
  }
});
