import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync } from "node:fs";
import { chmod, link, mkdir, mkdtemp, stat } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, expect, onTestFinished, test } from "vitest";
import { FolderLock, type Holder } from "../../reconciler/lock.ts";
import { removeFolder } from "../fixtures/remove-folder.ts";

const signal = new AbortController().signal;
let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "infrasync-lock-"));
  return () => removeFolder(folder);
});

const never = () => {
  throw new Error("somebody holds the lock");
};

async function take(
  where = folder,
  onHeld: (holder: Holder | undefined) => void = never,
): Promise<{ release(): Promise<void> }> {
  const held = await new FolderLock(where).take(signal, onHeld);
  if (!held) throw new Error("interrupted");
  return held;
}

test("one process holds the lock, and the next one learns who and gets it afterwards", async () => {
  const first = await take();
  const holders: (Holder | undefined)[] = [];
  let isTaken = false;
  const second = take(folder, (holder) => holders.push(holder)).then((held) => {
    isTaken = true;
    return held;
  });
  await expect.poll(() => holders.length).toBe(1);
  expect(holders[0]).toMatchObject({ pid: process.pid, host: expect.any(String), since: expect.any(String) });
  expect(isTaken).toBe(false);
  await first.release();
  await (await second).release();
  expect(readdirSync(folder)).toEqual([]);
});

test("a data folder that others can read is for its user alone from then on, and one of everybody is refused", async () => {
  await chmod(folder, 0o755);
  await (await take()).release();
  expect((await stat(folder)).mode & 0o777).toBe(0o700);
  await chmod(folder, 0o1777);
  await expect(take()).rejects.toThrow("all users can write to the folder");
});

test("whoever does not want to wait leaves nothing behind", async () => {
  const first = await take();
  await expect(take()).rejects.toThrow("somebody holds the lock");
  const stop = new AbortController();
  const waiting = new FolderLock(folder).take(stop.signal, () => stop.abort());
  expect(await waiting).toBeUndefined();
  expect(readdirSync(folder)).toEqual([expect.stringMatching(/^lock-\w+\.sock$/)]);
  await first.release();
});

test("a lock whose process was killed is taken over", async () => {
  const child = spawn(
    process.execPath,
    [
      "--experimental-strip-types",
      "--no-warnings",
      "--input-type=module-typescript",
      "--eval",
      `import { FolderLock } from "${new URL("../../reconciler/lock.ts", import.meta.url).href}";
       await new FolderLock(process.argv[1]).take(new AbortController().signal, () => {});
       console.log("held");
       setInterval(() => {}, 1000);`,
      folder,
    ],
    { stdio: ["ignore", "pipe", "inherit"] },
  );
  onTestFinished(() => void child.kill("SIGKILL"));
  await once(child.stdout, "data");
  const holders: (Holder | undefined)[] = [];
  const taken = take(folder, (holder) => holders.push(holder));
  await expect.poll(() => holders.length).toBe(1);
  expect(holders).toMatchObject([{ pid: child.pid }]);
  child.kill("SIGKILL");
  await (await taken).release();
});

test("of many that find a lock that nobody holds, one gets it at a time", async () => {
  for (let round = 0; round < 5; round += 1) {
    // What a killed process leaves: a socket that nobody answers.
    const server = createServer().listen(join(folder, "other"));
    await once(server, "listening");
    await link(join(folder, "other"), join(folder, "lock-0000000f.sock"));
    await new Promise((resolve) => {
      server.close(resolve);
    });
    let holding = 0;
    await Promise.all(
      Array.from({ length: 8 }, async () => {
        const held = await take(folder, () => undefined);
        holding += 1;
        expect(holding).toBe(1);
        await new Promise((resolve) => {
          setTimeout(resolve, 5);
        });
        holding -= 1;
        await held.release();
      }),
    );
    expect(readdirSync(folder)).toEqual([]);
  }
});

test("a folder whose path is longer than that of a socket may be has a lock too", async () => {
  const long = join(folder, "x".repeat(100), "y".repeat(100));
  await mkdir(long, { recursive: true });
  const first = await take(long);
  expect(readdirSync(long)).toEqual([expect.stringMatching(/^lock-\w+\.sock$/)]);
  await expect(take(long)).rejects.toThrow("somebody holds the lock");
  await first.release();
  await (await take(long)).release();
});

/** Root, the user of tests in a container, may write everywhere, so another user is used then. */
const asAnyUser = `
  import { FolderLock } from ${JSON.stringify(join(import.meta.dirname, "../../reconciler/lock.ts"))};
  if (process.getuid() === 0) process.setuid(65534);
  const { signal } = new AbortController();
  await new FolderLock(process.env.FOLDER).take(signal).catch(({ message }) => console.log(message));
`;

test("a data folder to which this user cannot write is refused by its name", async () => {
  await chmod(folder, 0o555);
  const said = execFileSync(process.execPath, ["--input-type=module", "--eval", asAnyUser], {
    encoding: "utf8",
    env: { ...process.env, FOLDER: folder },
  });
  expect(said).toBe(`the folder ${folder} is not writable by this user\n`);
});
