import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { infrasync } from "../cli/captured.ts";
import { useFixture } from "../cli/fixture.ts";
import { job, shop } from "../fixtures/manifests.ts";
import { findTool, mayBeMissing } from "../fixtures/tools.ts";
import { useFleet } from "./fleet.ts";
import { freePort } from "./postgres.ts";
import { statusOf, type Worker } from "./workers.ts";

const quota = 6000;
// No deployment ends.
const fixture = useFixture({ clock: "real", behaviour: { rate_limit: quota, deploy_delay_ms: 3_600_000 } });
const fleet = useFleet(fixture);
const prometheus = findTool("prometheus");
const rules = new URL("../../examples/deploy/helm/files/rules.yaml", import.meta.url);
const alarms = [...readFileSync(rules, "utf8").matchAll(/- alert: (\w+)/g)].flatMap(([, name]) => name ?? []);
/** Seconds in the place of each `for` of the rules; nothing else of them is changed. */
const lasting = 20;
const wait = { timeout: 300_000, interval: 1000 };

interface Alert {
  labels: Record<string, string>;
  annotations: Record<string, string>;
  state: "pending" | "firing";
  activeAt: string;
}

/** A receiver of notifications that answers what it is told to. */
async function receiver() {
  const its = { status: 503, url: "" };
  const server = createServer((request, response) => {
    request.resume();
    response.writeHead(its.status).end();
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  its.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return its;
}

/** Starts a Prometheus with the shipped rules, which knows the workers from a file. */
async function watch(folder: string) {
  const data = join(folder, "prometheus");
  mkdirSync(data);
  writeFileSync(
    join(data, "rules.yaml"),
    readFileSync(rules, "utf8").replaceAll(/^( +for: )(?!0m).*$/gm, `$1${lasting}s`),
  );
  const targets = (workers: readonly Worker[]) => {
    const file = join(data, "workers.json");
    writeFileSync(`${file}.new`, JSON.stringify([{ targets: workers.map(({ url }) => new URL(url).host) }]));
    renameSync(`${file}.new`, file);
  };
  targets([]);
  writeFileSync(
    join(data, "prometheus.yaml"),
    JSON.stringify({
      global: { scrape_interval: "1s", evaluation_interval: "1s" },
      rule_files: [join(data, "rules.yaml")],
      scrape_configs: [
        {
          job_name: "infrasync",
          file_sd_configs: [{ files: [join(data, "workers.json")], refresh_interval: "1s" }],
        },
      ],
    }),
  );
  const port = await freePort();
  const child = spawn(
    prometheus ?? "prometheus",
    [
      `--config.file=${join(data, "prometheus.yaml")}`,
      `--storage.tsdb.path=${join(data, "tsdb")}`,
      `--web.listen-address=127.0.0.1:${port}`,
    ],
    { stdio: "ignore", cwd: data },
  );
  onTestFinished(async () => {
    child.kill("SIGKILL");
    await once(child, "exit");
  });
  return {
    targets,
    async alerts(): Promise<Alert[]> {
      const answer = await fetch(`http://127.0.0.1:${port}/api/v1/alerts`).catch(() => undefined);
      if (!answer?.ok) return [];
      return ((await answer.json()) as { data: { alerts: Alert[] } }).data.alerts;
    },
  };
}

test.skipIf(mayBeMissing(prometheus))(
  "in a live fleet, Prometheus fires each shipped alarm by its situation, also where each worker is started anew meanwhile",
  { timeout: 1_800_000 },
  async () => {
    await fleet.migrate();
    const { postgres, folder } = fleet;
    const news = await receiver();
    const tokens = `/organization/${fixture.emulator.organization.id}/apiToken`;
    const ids = new Map<string, string>();
    for (const [name, used] of [
      ["poor", 0.97],
      // The share for checking is 20 percent.
      ["scarce", 0.199],
      ["broken", 0],
    ] as const) {
      const made = await fixture.request("POST", tokens, { name, scope: "ADMIN" });
      ids.set(name, String(made["id"]));
      writeFileSync(join(folder, "files", name), String(made["token"]));
      // Somebody else uses the token.
      const headers = { authorization: `Token ${String(made["token"])}` };
      const spend = () => fetch(`${fixture.emulator.url}/organization`, { headers });
      for (let sent = 0; sent < quota * used; sent += 40)
        await Promise.all(Array.from({ length: Math.min(40, Math.ceil(quota * used - sent)) }, spend));
    }
    const containerOf = (name: string) =>
      `---\nkind: Container\nenvironment: ${name}/staging\nname: api\nregistry: docker-hub\nimage_name: acme/api\ntag: "1"\n`;
    const names = [
      ["drift", "waiting", "rolled", "looping", "held", "failed", "blocked", "mistaken"],
      ["deployed", "gone", "ended", "broken", "poor", "scarce"],
    ].flat();
    const manifest = (name: string) =>
      shop.replaceAll("shop", name).replace("mode:", "manage: { prune: true }\nmode:") +
      job("a", "cpu: 100", `${name}/staging`) +
      (name === "deployed" ? containerOf(name) : "");
    const repositories = fleet.state(names, {
      manifest,
      more: (name) =>
        (name === "drift" ? "policy: { on_drift: report }\n" : "") +
        (ids.has(name) ? `token_file: ${name}\n` : ""),
    });
    const push = (name: string, files: Record<string, string>) =>
      repositories.get(name)?.push(files) ?? expect.fail(name);
    const config = join(folder, "operator.yaml");
    writeFileSync(config, "wait_timeout: 90s\n");
    const start = () =>
      fleet.start({ INFRASYNC_NOTIFY_URL: news.url }, [
        "--interval",
        "2s",
        "--prune",
        "--on-drift",
        "apply",
        "--config",
        config,
      ]);
    const workers = [await start(), await start()];
    const server = await watch(folder);
    server.targets(workers);

    const fired = new Map<string, { seconds: number; alert: Alert }>();
    // The situations of tokens are there from the start; the others begin one after the other.
    const started = Date.now();
    let began = started;
    const look = async () => {
      const alerts = await server.alerts();
      for (const alert of alerts.filter(({ state }) => state === "firing")) {
        const { alertname = "" } = alert.labels;
        if (fired.has(alertname)) continue;
        const at =
          Date.parse(alert.activeAt) + (alertname === "InfrasyncNotificationsLost" ? 0 : lasting * 1000);
        fired.set(alertname, { seconds: (at - (at < began ? started : began)) / 1000, alert });
      }
      return alerts;
    };
    const fires = async (...which: string[]) => {
      const left = async () => {
        await look();
        return which.filter((name) => !fired.has(name));
      };
      await expect.poll(left, wait).toEqual([]);
    };
    const states = async () =>
      Object.fromEntries(
        (await statusOf(workers[0] as Worker)).sources.map(({ name, state }) => [name, state]),
      );
    const ready = new Set(names.filter((name) => name !== "poor" && name !== "scarce"));
    await expect
      .poll(
        async () =>
          Object.entries(await states()).filter(([name, state]) => ready.has(name) && state !== "synced"),
        wait,
      )
      .toEqual([]);

    const listed = async (path: string) =>
      (await fixture.request("GET", path))["results"] as { id: string; name: string }[];
    const environmentOf = async (name: string) => {
      const projects = await listed(`/organization/${fixture.emulator.organization.id}/project`);
      return (await listed(`/project/${projects.find((each) => each.name === name)?.id}/environment`))[0];
    };
    /** Somebody changes a job of a source by hand. */
    const change = async (name: string, cpu: number) => {
      const environment = await environmentOf(name);
      const [live] = await listed(`/environment/${environment?.id}/job`);
      await fixture.request("PUT", `/job/${live?.id}`, { ...live, cpu });
    };
    const ask = async (...args: string[]) => {
      const ran = await infrasync(["reconcile", ...args], { env: { INFRASYNC_DATABASE: postgres.url } });
      expect(ran).toMatchObject({ code: 0 });
    };
    began = Date.now();
    // Each source gets its situation.
    const [container] = await listed(`/environment/${(await environmentOf("deployed"))?.id}/container`);
    await fixture.request("POST", `/container/${container?.id}/deploy`, { image_tag: "1" });
    await change("drift", 200);
    await ask("pause", "waiting/staging", "--source", "waiting", "--for", "20h", "--reason", "inventory");
    push("waiting", { "infra/b.yaml": job("b", "", "waiting/staging") });
    const first = repositories.get("rolled")?.newest() ?? "";
    const second = push("rolled", { "infra/a.yaml": manifest("rolled").replace("cpu: 100", "cpu: 200") });
    push("held", { "infra/b.yaml": job("b", "", "held/staging") });
    await fixture.fault({
      method: "POST",
      path: "/environment/*/database",
      status: 400,
      body: { message: "no" },
    });
    push("failed", {
      "infra/b.yaml":
        "kind: Database\nenvironment: failed/staging\nname: db\ntype: POSTGRESQL\nversion: '16'\nmode: CONTAINER\n",
    });
    push("blocked", {
      "infra/b.yaml": "kind: Environment\nproject: blocked\nname: other\nmode: STAGING\ncluster: nowhere\n",
    });
    push("mistaken", { "infra/b.yaml": "kind: Jobb\n" });
    renameSync(repositories.get("gone")?.origin ?? "", join(folder, "gone.git"));
    rmSync(join(folder, "sources", "ended.yaml"));
    await fixture.request("DELETE", `${tokens}/${ids.get("broken")}`);
    const statusOfRolled = async () => (await fetch(`${workers[0]?.url}/sources/rolled/status.json`)).text();
    await expect.poll(statusOfRolled, wait).toContain(`"applied":"${second}"`);
    await ask("rollback", "rolled/staging", "--source", "rolled", "--to", first);
    const jobs = async () => (await listed(`/environment/${(await environmentOf("held"))?.id}/job`)).length;
    await expect.poll(jobs, wait).toBe(2);
    await expect.poll(async () => (await states())["held"], wait).toBe("synced");
    repositories.get("held")?.script(`
      git reset --quiet --hard HEAD~1
      git commit --quiet --allow-empty --message 'another history'
      git push --quiet --force origin HEAD:main`);
    for (let cpu = 201; (await states())["looping"] !== "drift_loop"; cpu += 1) {
      await change("looping", cpu);
      await sleep(3000);
      if (cpu > 240) expect.fail("nobody sets it again");
    }
    const lastingOnes = ["Drift", "Waiting", "RolledBack", "Deploying"].map(
      (name) => `InfrasyncEnvironment${name}`,
    );
    const active = async () =>
      (await look()).filter(({ labels }) => lastingOnes.includes(labels["alertname"] ?? ""));
    await expect
      .poll(async () => new Set((await active()).map(({ labels }) => labels["alertname"])).size, wait)
      .toBe(4);
    // Each worker is started anew, one after the other, while the alarms wait or fire.
    const before = await active();
    for (const index of workers.keys()) {
      workers[index]?.child.process.kill("SIGKILL");
      workers[index] = await start();
      server.targets(workers);
      await sleep(5000);
    }
    const last = /NotificationsLost|Database|NoWorker/;
    await fires(...alarms.filter((name) => !last.test(name)));
    const since = (alerts: readonly Alert[], name: string) =>
      alerts.find(({ labels }) => labels["alertname"] === name)?.activeAt;
    const after = await active();
    for (const name of lastingOnes.slice(0, 3))
      expect([name, since(after, name)]).toEqual([name, since(before, name)]);
    news.status = 400;
    began = Date.now();
    await fires("InfrasyncNotificationsLost");
    for (const { wire } of workers) wire.delay = 750;
    began = Date.now();
    await fires("InfrasyncDatabaseSlow");
    for (const { wire } of workers) wire.delay = 0;
    began = Date.now();
    await postgres.kill();
    await fires("InfrasyncDatabaseAway");
    await postgres.begin();
    began = Date.now();
    for (const { child } of workers) child.process.kill("SIGKILL");
    await fires("InfrasyncNoWorker");
    const withLabels = [...fired].map(([name, { seconds, alert }]) => {
      const { alertname: _name, severity: _severity, job: _job, ...labels } = alert.labels;
      return { name, seconds, labels, summary: alert.annotations["summary"] };
    });
    // The table of docs/explanation/reliability.md.
    for (const { name, seconds, labels } of withLabels)
      console.log(
        `| ${name} | ${Object.entries(labels)
          .map(([label, value]) => `${label} ${value}`)
          .join(", ")} | ${seconds.toFixed(0)} s |`,
      );
    for (const { name, labels, summary } of withLabels) {
      // Whoever gets the text alone knows of what it speaks.
      for (const [label, value] of Object.entries(labels))
        if (label !== "state") expect([name, summary]).toEqual([name, expect.stringContaining(value)]);
      const { environment, project, source, team, state } = labels;
      expect([name, team]).toEqual([name, source]);
      if (name.startsWith("InfrasyncEnvironment"))
        expect([name, environment ?? project, state]).toEqual([
          name,
          expect.stringContaining(source ?? "a source"),
          expect.any(String),
        ]);
    }
    expect([...fired.keys()].toSorted()).toEqual(alarms.toSorted());
  },
);
