import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { PluginClient } from "./plugin-client.ts";

const main = path.join(import.meta.dirname, "..", "..", "..", "provider", "plugin", "main.ts");

async function firstLine(child: ChildProcess): Promise<string> {
  if (!child.stdout) throw new Error("the process has no standard output");
  const [line] = (await once(createInterface(child.stdout), "line")) as [string];
  return line;
}

/** A module that runs something as soon as the process has written its first line. */
function afterFirstLine(work: string): string {
  return `const write = process.stdout.write;
    process.stdout.write = (...args) => {
      process.stdout.write = write;
      ${work}
      return write.apply(process.stdout, args);
    };`;
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

test("a plugin prints its port first, and answers with its version and its schema before it is configured", async () => {
  const child = spawn(process.execPath, [main], { stdio: ["ignore", "pipe", "ignore"] });
  onTestFinished(() => void child.kill());
  const port = await firstLine(child);
  expect(port).toMatch(/^\d+$/);
  const plugin = new PluginClient(Number(port));
  onTestFinished(() => plugin.close());
  expect(await plugin.version()).toMatch(/^\d+\.\d+\.\d+/);
  expect(await plugin.schema()).toMatchObject({
    name: "infrasync",
    resources: { "infrasync:index:Job": { requiredInputs: ["environment", "name"] } },
    provider: { inputProperties: { token: { secret: true } } },
  });
});

test("an error that nothing catches is reported, and the plugin goes on", async () => {
  const thrower = `setTimeout(() => { throw new Error("thrown by a timer"); }, 100);
    setTimeout(() => { void Promise.reject(new Error("rejected by nobody")); }, 200);`;
  const child = spawn(
    process.execPath,
    ["--import", `data:text/javascript,${encodeURIComponent(afterFirstLine(thrower))}`, main],
    { stdio: ["ignore", "pipe", "pipe"], env: { ...process.env, NODE_OPTIONS: "" } },
  );
  onTestFinished(() => void child.kill());
  const said: string[] = [];
  child.stderr?.on("data", (data: Buffer) => said.push(data.toString()));
  const plugin = new PluginClient(Number(await firstLine(child)));
  onTestFinished(() => plugin.close());
  for (let tries = 0; tries < 600 && !said.join("").includes("rejected by nobody"); tries += 1)
    await sleep(100);
  expect(said.join("")).toContain("infrasync has a bug: Error: thrown by a timer");
  expect(said.join("")).toContain("infrasync has a bug: Error: rejected by nobody");
  expect(await plugin.version()).toMatch(/^\d+\.\d+\.\d+/);
});

test.each([
  ["later", `child.stdout.once("data", () => console.log(child.pid));`],
  ["before it has printed its port", "console.log(child.pid);"],
])("a plugin ends when the process that started it is killed %s", async (_when, tell) => {
  const starter = spawn(
    process.execPath,
    [
      "--input-type=module",
      "--eval",
      `import { spawn } from "node:child_process";
       import { createServer } from "node:net";
       createServer().listen(0, "127.0.0.1", function () {
         const child = spawn(process.execPath, [${JSON.stringify(main)}, "127.0.0.1:" + this.address().port], {
           stdio: ["ignore", "pipe", "ignore"],
         });
         ${tell}
       });`,
    ],
    { stdio: ["ignore", "pipe", "inherit"] },
  );
  const pid = Number(await firstLine(starter));
  expect(isAlive(pid)).toBe(true);
  starter.kill("SIGKILL");
  for (let tries = 0; tries < 600 && isAlive(pid); tries += 1) await sleep(100);
  expect(isAlive(pid)).toBe(false);
});
