import { once } from "node:events";
import { chmodSync, readFileSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { GitRepository } from "../../fixtures/git-repository.ts";
import { shop } from "../../fixtures/manifests.ts";
import { findTool } from "../../fixtures/tools.ts";
import { spawnInfrasync } from "../child.ts";
import { useFixture } from "../fixture.ts";

const fixture = useFixture({ behaviour: { rate_limit: 0 } });

test("webhooks that are forged, cut off, large or repeated a thousand times leave memory flat, and make few looks", async () => {
  const secret = "webhook-secret-canary";
  using repository = new GitRepository();
  repository.push({ "infra/shop.yaml": shop });
  const bin = join(fixture.folder, "bin");
  const counted = join(fixture.folder, "looks");
  const script = `#!/bin/sh\ncase "$*" in *ls-remote*) echo look >> ${counted} ;; esac\nexec ${findTool("git") ?? "git"} "$@"\n`;
  chmodSync(await fixture.write("bin/git", script), 0o755);
  const flags =
    "reconcile --path infra --allow-local-repo --yes --interval 1h --listen off --webhook-listen 0".split(
      " ",
    );
  const child = spawnInfrasync([...flags, "--repo", repository.origin], {
    ...fixture.env,
    PATH: `${bin}:${process.env["PATH"]}`,
    INFRASYNC_WEBHOOK_SECRET: secret,
  });
  onTestFinished(() => void child.process.kill("SIGKILL"));
  const [line] = (await once(child.process.stdout, "data")) as [Buffer];
  const { webhook_url: webhook } = JSON.parse(String(line)) as { webhook_url: string };
  await child.says("the commit is applied");
  const post = async (token: string, body: string | Buffer = "{}") => {
    const sent = fetch(webhook, { method: "POST", headers: { "x-gitlab-token": token }, body });
    const answer = await sent.catch(() => undefined);
    await answer?.text();
    return answer?.status;
  };
  const large = Buffer.alloc(25 * 1024 * 1024, "x");
  // What grows at first is the runtime.
  for (let sent = 0; sent < 100; sent += 1) await post("forged");
  for (let sent = 0; sent < 4; sent += 1) await post("forged", large);
  const memory = () =>
    Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${child.process.pid}/status`, "utf8"))?.[1]) / 1024;
  const refreshes = () => readFileSync(counted, "utf8").trim().split("\n").length;
  const [before, refreshesBefore] = [memory(), refreshes()];
  for (let sent = 0; sent < 1000; sent += 1) expect(await post(secret)).toBe(202);
  await expect.poll(refreshes).toBeGreaterThan(refreshesBefore);
  // Two looks are two seconds apart, however many webhooks ask for one.
  expect(refreshes() - refreshesBefore).toBeLessThan(500);
  for (let sent = 0; sent < 200; sent += 1) expect(await post("forged")).toBe(401);
  for (let sent = 0; sent < 10; sent += 1) expect(await post("forged", large)).toBe(401);
  const { port } = new URL(webhook);
  for (let sent = 0; sent < 100; sent += 1) {
    const socket = connect(Number(port), "127.0.0.1");
    socket.on("error", () => undefined);
    await once(socket, "connect");
    socket.write(
      `POST /webhook/git HTTP/1.1\r\nhost: x\r\nx-gitlab-token: ${secret}\r\ncontent-length: 900\r\n\r\n{`,
    );
    socket.destroy();
  }
  const grown = memory() - before;
  console.log(`memory before ${before.toFixed(0)} MiB, grown by ${grown.toFixed(0)} MiB`);
  // 250 MB have come in.
  expect(grown).toBeLessThan(60);
  child.process.kill("SIGTERM");
  expect((await child.ended).code).toBe(0);
});
