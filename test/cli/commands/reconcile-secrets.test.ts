import { once } from "node:events";
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { GitRepository } from "../../fixtures/git-repository.ts";
import { httpBackend, serveHttps } from "../../fixtures/git-servers.ts";
import { serveReplies } from "../../fixtures/http-server.ts";
import { application, job, shop } from "../../fixtures/manifests.ts";
import { findTool, mayBeMissing } from "../../fixtures/tools.ts";
import { spawnInfrasync } from "../child.ts";
import { useFixture } from "../fixture.ts";

const fixture = useFixture({ behaviour: { rate_limit: 0 } });

/** The arguments of all processes of the machine, until the test ends. */
function watchArguments(): Set<string> {
  const seen = new Set<string>();
  const timer = setInterval(() => {
    for (const name of readdirSync("/proc")) {
      if (!/^\d+$/.test(name)) continue;
      try {
        seen.add(readFileSync(`/proc/${name}/cmdline`, "utf8"));
      } catch {
        // It has ended.
      }
    }
  }, 25);
  onTestFinished(() => clearInterval(timer));
  return seen;
}

/** All files below a folder, as text. */
function contentsOf(folder: string): string {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .map((name) => join(folder, name))
    .filter((file) => statSync(file).isFile())
    .map((file) => `${file}\n${readFileSync(file, "latin1")}`)
    .join("\n");
}

test.skipIf(mayBeMissing(httpBackend))(
  "no secret of the service is in an argument, a log, a page, a metric, a notification or a file",
  async () => {
    using origin = new GitRepository();
    const secrets = {
      git: "canary-of-git",
      webhook: "canary-of-the-webhook",
      page: "canary-of-the-page",
      notify: "canary-of-notifications",
      job: "canary-of-the-job",
      other: "canary-of-the-other-job",
    };
    const files = join(origin.folder, "secrets");
    mkdirSync(files);
    const secretFile = (name: string, content: string) => {
      writeFileSync(join(files, name), `${content}\n`);
      return join(files, name);
    };
    const given = (value: string, cpu = 500) =>
      shop +
      job("a", `cpu: ${cpu}\nsecrets: { PASSWORD: { from_env: ${value}, version: "${value}" } }`) +
      application("api");
    origin.push({ "infra/shop.yaml": given("JOB_PASSWORD") });
    const remote = await serveHttps(origin, secrets.git);
    const reported = await serveReplies((response) => void response.end());
    // Each call of git writes its arguments down, however short it is.
    const bin = join(origin.folder, "bin");
    mkdirSync(bin);
    const script = `#!/bin/sh\necho "$@" >> ${origin.folder}/arguments\nexec ${findTool("git") ?? "git"} "$@"\n`;
    writeFileSync(join(bin, "git"), script, { mode: 0o755 });

    const seen = watchArguments();
    const data = join(origin.folder, "data");
    const { INFRASYNC_TOKEN: token = "", ...env } = fixture.env;
    const start = () =>
      spawnInfrasync(
        `reconcile --listen 0 --webhook-listen 0 --log-level debug --path infra --interval 1s --on-drift apply --yes`
          .split(" ")
          .concat("--repo", remote.url, "--data", data),
        {
          ...env,
          PATH: `${bin}:${process.env["PATH"]}`,
          GIT_SSL_CAINFO: remote.authority,
          INFRASYNC_ALLOW_ENV: "JOB_PASSWORD,OTHER_PASSWORD",
          JOB_PASSWORD: secrets.job,
          OTHER_PASSWORD: secrets.other,
          INFRASYNC_TOKEN_FILE: secretFile("token", token),
          INFRASYNC_GIT_TOKEN_FILE: secretFile("git", secrets.git),
          INFRASYNC_WEBHOOK_SECRET_FILE: secretFile("webhook", secrets.webhook),
          INFRASYNC_UI_TOKEN_FILE: secretFile("page", secrets.page),
          INFRASYNC_NOTIFY_URL_FILE: secretFile("url", `${reported.url}/canary-of-the-url`),
          INFRASYNC_NOTIFY_SECRET_FILE: secretFile("notify", secrets.notify),
        },
      );
    const urlsOf = async ({ process: child }: ReturnType<typeof spawnInfrasync>) => {
      onTestFinished(() => void child.kill("SIGKILL"));
      const [line] = (await once(child.stdout, "data")) as [Buffer];
      return JSON.parse(String(line)) as { url: string; webhook_url: string };
    };
    const service = start();
    const { url, webhook_url: webhook } = await urlsOf(service);
    await service.says("the commit is applied");
    // Another secret, drift that is undone, a webhook, a forged one, and a repository that lets nobody in.
    const commit = origin.push({ "infra/shop.yaml": given("OTHER_PASSWORD") });
    const hook = (value: string) =>
      fetch(webhook, { method: "POST", headers: { "x-gitlab-token": value }, body: "{}" });
    expect((await hook(secrets.webhook)).status).toBe(202);
    expect((await hook("forged")).status).toBe(401);
    await service.says(`"commit":"${commit}"`);
    const change = await fixture.write("change.yaml", given("OTHER_PASSWORD", 750));
    const others = { OTHER_PASSWORD: secrets.other };
    expect((await fixture.run(["apply", change, "--yes"], { env: others })).code).toBe(0);
    await service.says("is reverted to");
    // A service that fails, and writes into its log what it has got.
    const fails = { fail_deployment: `no login with ${secrets.other}` };
    await fixture.fault({ method: "POST", path: "/environment/*/service/deploy", ...fails });
    await fixture.run(["deploy", "application:shop/staging/api", "--wait"]);
    await service.says("api failed: ");
    await service.says("no login with [");
    remote.token = "another";
    await service.says('"type":"repository_away"');

    const authorization = `Bearer ${secrets.page}`;
    const paths = ["/", "/journal", "/status.json", "/metrics", "/healthz", "/readyz"];
    const pagesOf = async (from: string, isReady = true) => {
      const journal = await fetch(`${from}/journal`, { headers: { authorization } });
      const plans = (await journal.text()).match(/plans\/\d+/g) ?? [];
      expect(plans.length > 1 || !isReady).toBe(true);
      return Promise.all(
        [...paths, ...plans.map((plan) => `/${plan}`)].map(async (path) => {
          const answer = await fetch(from + path, { headers: { authorization } });
          expect(answer.status === 200 || !isReady, path).toBe(true);
          return answer.text();
        }),
      );
    };
    const pages = await pagesOf(url);
    await expect.poll(() => reported.received.length).toBeGreaterThan(0);
    service.process.kill("SIGTERM");
    const { code, stdout, stderr } = await service.ended;
    expect(code).toBe(0);
    // Restarted, its repository still lets nobody in: what it knows, it has read from its folder.
    const again = start();
    const { url: anew } = await urlsOf(again);
    pages.push(...(await pagesOf(anew, false)));
    await again.says('"type":"repository_away"');
    pages.push(...(await pagesOf(anew, false)));
    again.process.kill("SIGTERM");
    const restarted = await again.ended;

    const places = {
      arguments: [...seen, readFileSync(join(origin.folder, "arguments"), "utf8")].join("\n"),
      log: stdout + stderr + restarted.stdout + restarted.stderr,
      pages: pages.join("\n"),
      notifications: reported.received.map(({ headers, body }) => JSON.stringify(headers) + body).join("\n"),
      files: contentsOf(data),
    };
    // What is looked at is what it should be.
    expect(places.arguments).toContain("ls-remote --exit-code -- https://");
    expect(places.pages).toContain("infrasync_build_info");
    expect(places.files).toContain("journal.jsonl");
    const spreadOf = (secret: string) => [
      secret,
      encodeURIComponent(secret),
      btoa(secret),
      Buffer.from(secret).toString("hex"),
    ];
    for (const [place, text] of Object.entries(places))
      for (const [name, secret] of Object.entries({ ...secrets, url: "canary-of-the-url", token }))
        for (const form of spreadOf(secret)) expect(text.includes(form), `${name} in ${place}`).toBe(false);
  },
);
