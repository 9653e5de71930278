import { once } from "node:events";
import { join } from "node:path";
import { mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { afterEach, beforeEach, expect, onTestFinished, test } from "vitest";
import { type Child, spawnInfrasync } from "../child.ts";
import { infrasync } from "../captured.ts";
import { removeFolder } from "../../fixtures/remove-folder.ts";

let folder = "";
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "infrasync-emulator-"));
});
afterEach(() => removeFolder(folder));

interface Announcement {
  url: string;
  organization: { id: string; name: string };
  tokens: Record<"admin" | "read" | "deploy" | "write", string>;
  clusters: { id: string; name: string }[];
  registries: { id: string; name: string }[];
}

async function started(...args: string[]): Promise<{ child: Child; ready: Announcement }> {
  const child = spawnInfrasync(["emulator", "--port", "0", ...args]);
  onTestFinished(() => {
    child.process.kill("SIGKILL");
  });
  const [line] = (await once(child.process.stdout, "data")) as [Buffer];
  return { child, ready: JSON.parse(String(line)) as Announcement };
}

const get = (ready: Announcement, path: string) =>
  fetch(ready.url + path, { headers: { authorization: `Token ${ready.tokens.read}` } });

test.for(["SIGINT", "SIGTERM"] as const)(
  "emulator prints one line when it is ready, and ends at %s",
  async (signal) => {
    const { child, ready } = await started();
    expect(ready).toEqual({
      url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
      organization: { id: expect.any(String), name: "acme" },
      tokens: {
        admin: expect.any(String),
        read: expect.any(String),
        deploy: expect.any(String),
        write: expect.any(String),
      },
      clusters: [
        { id: expect.any(String), name: "eu-west" },
        { id: expect.any(String), name: "us-east" },
      ],
      registries: [
        { id: expect.any(String), name: "docker-hub" },
        { id: expect.any(String), name: "ecr-production" },
      ],
    });
    expect((await get(ready, "/organization")).status).toBe(200);
    child.process.kill(signal);
    expect(await child.ended).toMatchObject({ code: 0, stdout: `${JSON.stringify(ready)}\n`, stderr: "" });
  },
);

test("emulator --shell runs a shell with the variables for the CLI, ends with it, and has its exit code", async () => {
  const seed = join(folder, "seed.yaml");
  const tokens = {
    admin: "it's-$HOME-admin",
    read: "token-read",
    deploy: "token-deploy",
    write: "token-write",
  };
  await writeFile(seed, JSON.stringify({ organization: { name: "globex" }, tokens }));
  const child = spawnInfrasync(["emulator", "--port", "0", "--shell", "--seed", seed], { SHELL: "/bin/sh" });
  child.process.stdin.end(`printf '%s %s' "$INFRASYNC_BASE_URL" "$INFRASYNC_TOKEN"\nexit 7\n`);
  expect(await child.ended).toEqual({
    code: 7,
    signal: null,
    stdout: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+ it's-\$HOME-admin$/),
    stderr: "",
  });
});

test("emulator --shell says where there is no such shell", async () => {
  const child = spawnInfrasync(["emulator", "--port", "0", "--shell"], { SHELL: "/no/shell" });
  expect(await child.ended).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("the shell /no/shell cannot be started"),
  });
});

test("the flags of emulator change its behaviour", async () => {
  const { child, ready } = await started("--set", "rate_limit=2", "--set", "rate_window_s=60", "--log");
  const response = await get(ready, "/organization");
  expect(response.headers.get("x-ratelimit-limit")).toBe("2");
  await get(ready, "/organization");
  expect((await get(ready, "/organization")).status).toBe(429);
  await child.says("429");
  child.process.kill();
  expect((await child.ended).stderr).toContain("GET /organization");
});

test("with latency_ms, emulator answers late", async () => {
  const { ready } = await started("--set", "latency_ms=3600000");
  const slow = get(ready, "/organization").catch(() => "cut off when the emulator ends");
  const journal = async () => {
    const answer = await fetch(`${ready.url}/_emulator/requests`, { headers: { "x-emulator-control": "1" } });
    return (await answer.json()) as { total: number };
  };
  await expect.poll(journal).toMatchObject({ total: 1 });
  expect(await Promise.race([slow, journal().then(() => "still waiting")])).toBe("still waiting");
});

test("emulator --data keeps resources across restarts, --seed starts from a file", async () => {
  const seed = join(folder, "seed.yaml");
  await writeFile(seed, "organization: { name: globex }\n");
  const data = join(folder, "state.json");
  const first = await started("--seed", seed, "--data", data);
  expect(first.ready.organization.name).toBe("globex");
  first.child.process.kill();
  await first.child.ended;
  const second = await started("--data", data);
  expect(second.ready.organization).toEqual(first.ready.organization);
});

test("emulator --seed shop starts from the shop of the guides, without a file", async () => {
  const { ready } = await started("--seed", "shop");
  const list = (await (await get(ready, `/organization/${ready.organization.id}/project`)).json()) as {
    results: object[];
  };
  expect(list.results).toMatchObject([{ name: "shop" }]);
});

test("emulator reports a port in use", async () => {
  const { ready } = await started();
  const port = new URL(ready.url).port;
  const { code, stdout, stderr } = await infrasync(["emulator", "--port", port]);
  expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
  expect(stderr).toBe(
    `error: port ${port} is in use\n  choose another port with --port; 0 picks a free one\n`,
  );
});

test("emulator reports invalid flags and files", async () => {
  const { code, stderr } = await infrasync(["emulator", "--port", "70000", "--set", "slow"]);
  expect(code).toBe(3);
  expect(`\n${stderr}`).toMatchInlineSnapshot(`
    "
    error: --port cannot be "70000"
      write a whole number from 0 to 65535

    error: --set cannot be "slow"
      write name=value, such as rate_limit=150

    2 problems; nothing has been changed
    "
  `);
  const unknown = await infrasync(["emulator", "--port", "0", "--set", "rate_limits=1"]);
  expect([unknown.code, unknown.stderr]).toEqual([3, expect.stringContaining("--set rate_limits")]);
  const seed = join(folder, "seed.yaml");
  const missing = await infrasync(["emulator", "--port", "0", "--seed", seed]);
  expect([missing.code, missing.stderr]).toEqual([3, expect.stringContaining("seed.yaml does not exist")]);
  await writeFile(seed, "organization: [1]\n");
  const refused = await infrasync(["emulator", "--port", "0", "--seed", seed]);
  expect(refused.code).toBe(3);
  expect(refused.stderr.replaceAll(folder, "")).toMatchInlineSnapshot(`
    "error: /seed.yaml:1: seed: organization must be object
      correct the file given with --seed
    "
  `);
  await writeFile(
    seed,
    "projects:\n  - name: shop\n    environments:\n      - name: a\n        mode: NONE\n",
  );
  const deep = await infrasync(["emulator", "--port", "0", "--seed", seed]);
  expect(deep.stderr).toContain(`error: ${seed}:5: projects[0].environments[0]: mode must be one of`);
  await writeFile(seed, "projects:\n  - name: shop\n    varibles: []\n    environments: 5\n");
  const several = await infrasync(["emulator", "--port", "0", "--seed", seed]);
  expect(several.stderr).toContain(`error: ${seed}:3: projects[0]: varibles is unknown; the known members`);
  expect(several.stderr).toContain("; did you mean variables?\n");
  expect(several.stderr).toContain(`error: ${seed}:4: projects[0]: environments must be array`);
  const data = join(folder, "broken.json");
  await writeFile(data, '{\n  "format": 1,\n}\n');
  const broken = await infrasync(["emulator", "--port", "0", "--seed", "shop", "--data", data]);
  expect(broken.stderr).toContain(
    `the data file ${data} is not a state of this emulator: line 3 is not JSON`,
  );
  expect(broken.stderr).toContain("correct the file given with --data\n");
});
