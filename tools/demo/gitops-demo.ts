import { createHmac } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { DemoStage } from "./stage.ts";

/** The members of an environment in the status of the service. */
interface Environment {
  name: string;
  state: string;
  reasons: string[];
  changes: { fields?: string[]; by?: string }[];
}

interface Status {
  commit?: string;
  environments: Environment[];
}

const secret = "a-secret-of-the-demo";
/** The most milliseconds for each step. */
const timeLimit = 60_000;

const shop = `kind: Project
name: shop
---
kind: Environment
project: shop
name: staging
mode: STAGING
cluster: eu-west
`;

const policy = `previews:
  from: shop/staging
  expires_after: 3d
`;

function job(schedule: string, more = ""): string {
  return `kind: Job
environment: shop/staging
name: report
cpu: 500
source: { image: { registry: docker-hub, image_name: acme/report, tag: 1.4.2 } }
schedule: { ${schedule} }
${more}`;
}

const nightly = 'cronjob: { scheduled_at: "0 3 * * *", timezone: UTC }';

/** Syncs a repository: a push, drift, a drift loop, a replacement with consent, a preview. Throws for an unexpected result. */
export async function playGitops(stage: DemoStage, folder: string): Promise<void> {
  const author = new Author(stage, folder);
  stage.title("A repository with manifests, and a service that keeps the API synced with it");
  author.push({ "shop.yaml": shop, "report.yaml": job(nightly) }, "A job");
  const secretFile = join(folder, "webhook-secret");
  writeFileSync(secretFile, secret);
  const flags = [
    "reconcile",
    "--repo",
    author.origin,
    "--allow-local-repo",
    "--path",
    "manifests",
    "--data",
    join(folder, "data"),
    "--interval",
    "1s",
    "--on-drift",
    "apply",
    "--yes",
    "--listen",
    "127.0.0.1:0",
    "--webhook-listen",
    "127.0.0.1:0",
  ];
  const service = await stage.service(flags, { INFRASYNC_WEBHOOK_SECRET_FILE: secretFile });
  try {
    const { url, webhook_url: webhook } = service.ready as { url: string; webhook_url: string };
    const watch = new Watcher(stage, url);
    await watch.until("the commit is applied", isInStep);
    await watch.show();

    stage.title("A push is applied as soon as the Git host says so");
    author.push({ "report.yaml": job(nightly, "max_duration_seconds: 600\n") }, "At most ten minutes");
    const body = JSON.stringify({ ref: "refs/heads/main" });
    const signature = `sha256=${createHmac("sha256", secret).update(body).digest("hex")}`;
    const answer = await fetch(webhook, {
      method: "POST",
      headers: { "x-hub-signature-256": signature },
      body,
    });
    stage.check("the webhook is accepted", answer.status === 202);
    await watch.until("the push is applied", (status) => isInStep(status) && status.commit === author.head);
    await watch.show();

    stage.title("Somebody changes the job manually; the service sets it back, and knows who it was");
    await changeByHand(stage, 1000);
    await watch.until("the drift is undone", async () => (await liveJob(stage))["cpu"] === 500);
    stage.see(`The page has the journal, and what each plan did: ${url}/journal`);

    stage.title("Somebody changes it again and again: a drift loop, in which the service waits");
    for (let round = 0; round < 2; round += 1) {
      await changeByHand(stage, 1000);
      await watch.until("the drift is undone", async () => (await liveJob(stage))["cpu"] === 500);
    }
    await changeByHand(stage, 1000);
    await watch.until("the drift loop is named", ({ environments }) => has(environments, "drift_loop"));
    await watch.show();
    stage.see("A new commit ends the drift loop.");

    stage.title("A change that needs a replacement is not applied without a consent");
    const lifecycle = "on_start: { arguments: [--once] }";
    author.push({ "report.yaml": job(lifecycle) }, "Run it when the environment starts");
    const blocked = await watch.until("the commit is blocked", ({ environments }) =>
      has(environments, "blocked"),
    );
    await watch.show();
    const consent = /replace-[0-9a-f]{16}/.exec(JSON.stringify(blocked))?.[0];
    stage.check("the plan prints the approval that it needs", consent !== undefined);

    stage.title("The consent is given in git, for just this replacement");
    author.push({ "report.yaml": job(lifecycle, `manage: { consent: ${consent} }\n`) }, "Replace the job");
    await watch.until(
      "the replacement is done",
      (status) => isInStep(status) && status.commit === author.head,
    );
    stage.check("the job is a lifecycle job now", (await liveJob(stage))["job_type"] === "LIFECYCLE");
    await watch.show();

    stage.title(
      "A pull request gets an environment of its own, a clone of staging, as the policy in git says",
    );
    author.push({ "infrasync.reconcile.yaml": policy }, "Previews of pull requests");
    const preview = (...args: string[]) =>
      stage.infrasync(["preview", ...args, "--policy", author.manifests], 0);
    await preview("create", "42", "--from-branch", "login", "--yes");
    const listed = await preview("list");
    stage.check("the preview is listed", listed.includes("shop/pr-42"));
    await preview("delete", "42", "--yes");
    stage.see(
      "With `previews: true` and a token for the Git host, the service does this by itself for each pull request.",
    );
  } finally {
    await service.stop();
  }
}

function has(environments: readonly Environment[], state: string): boolean {
  return environments.some((each) => each.state === state);
}

function isInStep({ environments }: Status): boolean {
  return environments.length > 0 && environments.every(({ state }) => state === "synced");
}

class Author {
  readonly origin: string;
  head = "";
  readonly #stage: DemoStage;
  /** The folder of the manifests in the author's own clone. */
  readonly manifests: string;
  readonly #clone: string;

  constructor(stage: DemoStage, folder: string) {
    this.#stage = stage;
    this.origin = join(folder, "infra.git");
    this.#clone = join(folder, "author");
    this.manifests = join(this.#clone, "manifests");
    mkdirSync(this.manifests, { recursive: true });
    stage.run("git", ["init", "--quiet", "--bare", "--initial-branch=main", this.origin]);
    stage.run("git", ["init", "--quiet", "--initial-branch=main", this.#clone]);
  }

  push(files: Record<string, string>, message: string): void {
    for (const [name, content] of Object.entries(files)) writeFileSync(join(this.manifests, name), content);
    const git = (args: string[], shown?: string) =>
      this.#stage.run("git", ["-C", this.#clone, ...identity, ...args], shown);
    git(["add", "--all"]);
    git(["commit", "--quiet", "--message", message], `git commit --message '${message}' && git push`);
    git(["push", "--quiet", this.origin, "HEAD:main"]);
    this.head = this.#stage.read("git", ["-C", this.#clone, "rev-parse", "HEAD"]);
  }
}

const identity = ["-c", "user.name=dev", "-c", "user.email=dev@example.com", "-c", "commit.gpgsign=false"];

class Watcher {
  readonly #stage: DemoStage;
  readonly #url: string;

  constructor(stage: DemoStage, url: string) {
    this.#stage = stage;
    this.#url = url;
  }

  /** Waits for a status of the service, and returns it. */
  async until(what: string, isSo: (status: Status) => boolean | Promise<boolean>): Promise<Status> {
    const end = Date.now() + timeLimit;
    for (;;) {
      const status = (await (await fetch(`${this.#url}/status.json`)).json()) as Status;
      if (await isSo(status)) return status;
      this.#stage.check(what, Date.now() < end);
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
  }

  async show(): Promise<void> {
    await this.#stage.infrasync(["reconcile", "status", "--listen", this.#url.replace("http://", "")], 0);
  }
}

async function liveJob(stage: DemoStage): Promise<Record<string, unknown>> {
  const services = await stage.list(`/organization/${stage.server.organizationId}/services`);
  const report = services.find(({ name }) => name === "report");
  return stage.request("GET", `/job/${report?.id}`);
}

async function changeByHand(stage: DemoStage, cpu: number): Promise<void> {
  const live = (await liveJob(stage)) as { id: string; source: { image: { registry: { id: string } } } };
  const { image } = live.source;
  const source = { image: { ...image, registry_id: image.registry.id } };
  await stage.request("PUT", `/job/${live.id}`, { ...live, source, cpu }, { cpu });
}
