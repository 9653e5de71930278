import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { parse, parseAllDocuments } from "yaml";
import { syncStates } from "../../reconciler/sync-states.ts";
import { readSources } from "../../reconciler/sources/read-sources.ts";
import { withAdvice } from "../../cli/render/remedies.ts";
import { systemClock } from "../../core/api/index.ts";
import { FleetBoard, fleetMetrics, sourceMetrics } from "../../reconciler/index.ts";
import { metricTable } from "../../reconciler/show/metrics/table.ts";
import { endWith, showPage, environmentState } from "../reconciler/show/page-fixture.ts";
import { spawnInfrasync } from "../cli/child.ts";
import { useFixture } from "../cli/fixture.ts";
import { GitRepository } from "../fixtures/git-repository.ts";
import { shop } from "../fixtures/manifests.ts";
import { findTool, mayBeMissing } from "../fixtures/tools.ts";

const fixture = useFixture();
const folder = new URL("../../examples/deploy/", import.meta.url);
const read = (name: string) => readFileSync(new URL(name, folder), "utf8");
const pages = ["guides/reconcile.md", "guides/fleet.md", "reference/configuration.md", "reference/cli.md", "reference/cli/reconcile.md"]
  .map((name) => readFileSync(new URL(`../../docs/${name}`, import.meta.url), "utf8"))
  .join("\n");

/** The instructions of the Dockerfile, each as one line. */
const instructions = read("Dockerfile")
  .replaceAll(/\\\n\s*/g, "")
  .split("\n")
  .filter((line) => line !== "" && !line.startsWith("#"));
const lastStage = instructions.slice(instructions.findLastIndex((line) => line.startsWith("FROM ")));

interface Container {
  args: string[];
  ports: { name: string; containerPort: number }[];
  livenessProbe: { httpGet: { path: string } };
  readinessProbe: { httpGet: { path: string } };
  securityContext: object;
  volumeMounts: { name: string; mountPath: string; readOnly?: boolean }[];
}

interface Deployment {
  spec: { replicas: number; strategy: { type: string }; template: { spec: PodSpec } };
}

interface PodSpec {
  securityContext: object;
  automountServiceAccountToken: boolean;
  containers: [Container];
  volumes: { name: string }[];
}

const resources = parseAllDocuments(read("kubernetes.yaml")).map(
  (document) => document.toJS() as { kind: string } & Record<string, unknown>,
);
const ofKind = (kind: string) => resources.find((each) => each.kind === kind) ?? {};
const { spec } = ofKind("Deployment") as unknown as Deployment;
const pod = spec.template.spec;
const [container] = pod.containers;
const variables = (ofKind("ConfigMap") as { data: Record<string, string> }).data;

const dropIns = ["infrasync.service.d/git-over-https.conf", "infrasync.service.d/git-over-ssh.conf"];

test.each(["Dockerfile", "infrasync.service", ...dropIns, "kubernetes.yaml", "compose.yaml", "kubernetes-workers.yaml", "helm/values.yaml", "README.md"])(
  "every variable that %s sets is one that the pages explain",
  (name) => {
    const named = new Set(read(name).match(/\bINFRASYNC_[A-Z_]+\b/g));
    expect([...named].filter((variable) => !pages.includes(variable))).toEqual([]);
  },
);

test("workers are several, are replaced one by one, and are as closed as the service", () => {
  const all = parseAllDocuments(read("kubernetes-workers.yaml")).map(
    (document) => document.toJS() as { kind: string; spec: Deployment["spec"] & { selector: object; maxUnavailable: number } },
  );
  const of = (kind: string) => all.find((each) => each.kind === kind)?.spec;
  const [workers, budget] = [of("Deployment"), of("PodDisruptionBudget")];
  expect(workers).toMatchObject({ replicas: 3, strategy: { type: "RollingUpdate" } });
  expect(budget).toMatchObject({ maxUnavailable: 1, selector: workers?.selector });
  // Sessions are in the database.
  expect(of("Service")).not.toHaveProperty("sessionAffinity");
  expect(of("NetworkPolicy")).toMatchObject({ policyTypes: ["Ingress"], podSelector: workers?.selector });
  expect(of("Job")?.template.spec.containers[0].args).toEqual(["reconcile", "migrate"]);
  const its = workers?.template.spec;
  expect(its?.securityContext).toEqual(pod.securityContext);
  const { args, ports, livenessProbe, readinessProbe, securityContext } = container;
  expect(its?.containers).toMatchObject([{ ports, livenessProbe, readinessProbe, securityContext }]);
  const withoutPath = (given: readonly string[] = []) => given.filter((each) => !each.startsWith("--path="));
  expect(withoutPath(its?.containers[0].args)).toEqual(withoutPath(args));
  const compose = parseAllDocuments(read("compose.yaml"))[0]?.toJS() as { services: Record<string, { command: string[] }> };
  expect(compose.services["worker"]?.command).toEqual(args.slice(0, 2));
  expect(compose.services["migrate"]?.command).toEqual(["reconcile", "migrate"]);
});

test("the image does not run as root, and its command is the single executable", () => {
  const user = lastStage.find((line) => line.startsWith("USER "));
  expect(user).toMatch(/^USER [1-9]\d+:[1-9]\d+$/);
  // What comes after cannot need root.
  expect(lastStage.slice(lastStage.indexOf(user ?? "")).filter((line) => line.startsWith("RUN "))).toEqual([]);
  const program = "/usr/local/bin/infrasync";
  expect(lastStage).toContain(`ENTRYPOINT ["${program}"]`);
  expect(lastStage).toContain(`COPY --from=build --chmod=0755 /source/infrasync ${program}`);
  expect(lastStage).toContain('CMD ["reconcile", "--yes"]');
  expect(instructions.filter((line) => line.startsWith("ADD "))).toEqual([]);
  expect(instructions.filter((line) => /^FROM \S+:latest|^FROM [^:]+$/.test(line))).toEqual([]);
  // The executable has Node in it.
  expect(lastStage[0]).not.toContain("node");
  expect(lastStage.filter((line) => /\bnode\b/.test(line))).toEqual([]);
  const { engines } = JSON.parse(readFileSync("package.json", "utf8")) as { engines: { node: string } };
  const version = Number(/^FROM node:(\d+)/.exec(instructions[0] ?? "")?.[1]);
  expect(version).toBeGreaterThanOrEqual(Number(/\d+/.exec(engines.node)?.[0]));
  const script = /^RUN npm run (\S+)/m.exec(instructions.join("\n"))?.[1] ?? "";
  const { scripts } = JSON.parse(readFileSync("package.json", "utf8")) as { scripts: Record<string, string> };
  expect(scripts).toHaveProperty([script]);
});

test("in Kubernetes nothing runs as root or can write to the image, and all that is mounted is there", () => {
  expect(spec).toMatchObject({ replicas: 1, strategy: { type: "Recreate" } });
  expect(pod).toMatchObject({
    automountServiceAccountToken: false,
    securityContext: { runAsNonRoot: true, runAsUser: 10_001, seccompProfile: { type: "RuntimeDefault" } },
  });
  expect(container.securityContext).toEqual({
    allowPrivilegeEscalation: false,
    readOnlyRootFilesystem: true,
    capabilities: { drop: ["ALL"] },
  });
  const volumes = pod.volumes.map(({ name }) => name);
  expect(container.volumeMounts.map(({ name }) => name).toSorted()).toEqual(volumes.toSorted());
  const mounts = container.volumeMounts.map(({ mountPath }) => mountPath);
  for (const value of Object.values(variables).filter((each) => each.startsWith("/")))
    expect(mounts.some((mount) => value === mount || value.startsWith(`${mount}/`))).toBe(true);
  expect(container.ports.map(({ containerPort }) => String(containerPort))).toEqual([
    variables["INFRASYNC_LISTEN"]?.split(":")[1],
    container.args.find((each) => each.startsWith("--webhook-listen="))?.split(":")[1],
  ]);
});

test("the service starts with the arguments and variables of the Deployment, and answers its probes", async () => {
  const repository = new GitRepository();
  onTestFinished(() => repository[Symbol.dispose]());
  repository.push({ "manifests/shop.yaml": shop });
  // The same variables, with what only a cluster has put elsewhere.
  const secret = async (name: string, content: string) => fixture.write(`secrets/${name}`, content);
  const elsewhere: Record<string, string> = {
    INFRASYNC_BASE_URL: fixture.env["INFRASYNC_BASE_URL"] ?? "",
    INFRASYNC_REPO: repository.origin,
    INFRASYNC_DATA: join(repository.folder, "data"),
    INFRASYNC_LISTEN: "127.0.0.1:0",
    INFRASYNC_TOKEN_FILE: await secret("token", fixture.emulator.tokens.admin),
    INFRASYNC_GIT_TOKEN_FILE: await secret("git-token", "unused"),
    INFRASYNC_UI_TOKEN_FILE: await secret("ui-token", "page-token"),
    INFRASYNC_WEBHOOK_SECRET_FILE: await secret("webhook-secret", "hook-secret"),
  };
  const { INFRASYNC_TOKEN: _token, ...env } = fixture.env;
  const args = [...container.args, "--webhook-listen=127.0.0.1:0", "--allow-local-repo"];
  const child = spawnInfrasync(args, { ...env, ...variables, ...elsewhere });
  onTestFinished(() => void child.process.kill("SIGKILL"));
  const [line] = (await once(child.process.stdout, "data")) as [Buffer];
  const { url, webhook_url: webhook } = JSON.parse(String(line)) as { url: string; webhook_url: string };
  await child.says("the commit is applied");
  for (const { httpGet } of [container.livenessProbe, container.readinessProbe])
    expect((await fetch(url + httpGet.path)).status).toBe(200);
  expect((await fetch(`${url}/`)).status).toBe(401);
  const pushed = await fetch(webhook, { method: "POST", headers: { "x-gitlab-token": "hook-secret" } });
  expect(pushed.status).toBe(202);
  child.process.kill("SIGTERM");
  expect((await child.ended).code).toBe(0);
});

test("the documents of sources are right", () => {
  const files = ["shop.yaml", "teams.yaml"].map((name) => ({ name, text: read(`sources/${name}`) }));
  expect(readSources(files)).toMatchObject({
    problems: [],
    sources: [{ name: "shop" }],
    sets: [{ name: "teams" }],
  });
});

test("a service with one source and one with many have every metric of the table between them, and every state that is not well has an alarm", async () => {
  const { get, ended, board: shown } = await showPage();
  await ended(endWith(environmentState("shop/dev", "synced"), environmentState("shop", "synced")));
  const one = (await get("/metrics")).text;
  const board = new FleetBoard({
    clock: systemClock,
    members: () => [],
    describe: withAdvice,
    answerTime: () => 1500,
  });
  const measures = sourceMetrics({
    board: shown,
    version: "1",
    named: { name: "shop" },
    quota: () => ({ token: "a", budget: {} }),
    deliveries: () => undefined,
  });
  const many = await fleetMetrics({
    board,
    version: "1",
    running: () => new Map([["shop", measures]]),
    deliveries: () => undefined,
  }).read();
  const namesIn = (text: string) => new Set([...text.matchAll(/^# TYPE (\w+) /gm)].map(([, name]) => name));
  expect(many).toContain('infrasync_environment_state{environment="shop/dev",state="synced",source="shop",team=""} 1');
  expect(many).toContain('infrasync_project_state{project="shop",state="synced",source="shop",team=""} 1');
  expect(namesIn(many)).toEqual(new Set(Object.keys(metricTable)));
  expect(namesIn(one)).toEqual(
    new Set(
      Object.keys(metricTable).filter((name) => !/^infrasync_(?:fleet|database)_/.test(name)),
    ),
  );
  const states = read("helm/files/rules.yaml").matchAll(/infrasync_environment_state\{state="(\w+)"\}/g);
  expect([...states].map(([, state]) => state).toSorted()).toEqual(
    syncStates.filter((state) => state !== "synced" && state !== "unwatched").toSorted(),
  );
  const used = [...(read("helm/files/rules.yaml") + read("helm/files/dashboard.json")).matchAll(/\binfrasync_\w+/g)];
  expect(Object.keys(metricTable)).toEqual(expect.arrayContaining(used.map(([name]) => name)));
});

const promtool = findTool("promtool");

test.skipIf(mayBeMissing(promtool))("promtool finds no mistake in the rules and in the queries of the dashboard", async () => {
  const rules = new URL("helm/files/rules.yaml", folder).pathname;
  const alarms = read("helm/files/rules.yaml").match(/- alert:/g) ?? [];
  expect(execFileSync(promtool ?? "promtool", ["check", "rules", rules], { encoding: "utf8" })).toContain(`SUCCESS: ${alarms.length} rules found`);
  const { panels } = JSON.parse(read("helm/files/dashboard.json")) as { panels: { targets: { expr: string }[] }[] };
  const queries = panels.flatMap(({ targets }) => targets.map(({ expr }) => expr));
  expect(queries.length).toBeGreaterThan(8);
  const recorded = queries.map((expr, index) => ({ record: `query:${index}`, expr }));
  const file = await fixture.write("dashboard.json", JSON.stringify({ groups: [{ name: "dashboard", rules: recorded }] }));
  const checked = execFileSync(promtool ?? "promtool", ["check", "rules", file], { encoding: "utf8" });
  expect(checked).toContain(`SUCCESS: ${queries.length} rules found`);
});

test.skipIf(mayBeMissing(promtool))("an alarm of a lasting state fires although workers restart and a source changes hands, and one fires where no worker is left", async () => {
  const state = (worker: string, name: string, values: string) => ({
    series: `infrasync_environment_state{source="a",team="t",environment="shop/production",state="${name}",instance="${worker}"}`,
    values,
  });
  // A restart takes two minutes, after which another worker has the source.
  const moves = (name: string, minutes: number) => [
    state("one", name, `1x30 _x2 _x${minutes}`),
    state("two", name, `_x32 1x40 _x2 _x${minutes}`),
    state("three", name, `_x74 1x${minutes}`),
  ];
  const fires = (alertname: string, at: string, labels: object = {}) => ({
    alertname,
    eval_time: at,
    exp_alerts: [{ exp_labels: { severity: "warning", ...labels } }],
  });
  const where = { source: "a", team: "t", environment: "shop/production" };
  const tests = [
    {
      interval: "1m",
      input_series: moves("drift", 120),
      alert_rule_test: [fires("InfrasyncEnvironmentDrift", "70m", { ...where, state: "drift" })],
    },
    {
      interval: "1m",
      input_series: moves("rolled_back", 3 * 1440),
      alert_rule_test: [
        fires("InfrasyncEnvironmentRolledBack", "26h", { ...where, state: "rolled_back" }),
      ],
    },
    {
      interval: "1m",
      input_series: moves("waiting", 3 * 1440),
      alert_rule_test: [fires("InfrasyncEnvironmentWaiting", "26h", { ...where, state: "waiting" })],
    },
    {
      interval: "1m",
      input_series: moves("deploying", 120),
      alert_rule_test: [fires("InfrasyncEnvironmentDeploying", "70m", { ...where, state: "deploying" })],
    },
    {
      interval: "1m",
      input_series: [{ series: 'infrasync_source_state{source="a",state="synced"}', values: "1x10 stale" }],
      alert_rule_test: [fires("InfrasyncNoWorker", "30m", { severity: "critical" })],
    },
  ];
  const { groups } = parse(read("helm/files/rules.yaml")) as {
    groups: { name: string; rules: { alert: string; annotations: Record<string, string> }[] }[];
  };
  // Their texts are looked at elsewhere.
  const bare = groups.map((group) => ({ ...group, rules: group.rules.map(({ annotations: _text, ...rule }) => rule) }));
  await fixture.write("rules.json", JSON.stringify({ groups: bare }));
  const file = await fixture.write("alarms.json", JSON.stringify({ rule_files: ["rules.json"], evaluation_interval: "1m", tests }));
  expect(execFileSync(promtool ?? "promtool", ["test", "rules", file], { encoding: "utf8", cwd: fixture.folder })).toContain("SUCCESS");
});

test("the text of each alarm makes sense alone: it names each of its labels, and leads to an anchor of a page", async () => {
  const { groups } = parse(read("helm/files/rules.yaml")) as {
    groups: { rules: { alert: string; expr: string; annotations: Record<string, string> }[] }[];
  };
  for (const { alert, expr, annotations } of groups.flatMap(({ rules }) => rules)) {
    const { summary = "", description = "", runbook_url: runbook = "" } = annotations;
    const by = [...expr.matchAll(/ by \(([\w, ]+)\)/g)].flatMap(([, labels = ""]) => labels.split(", "));
    const labels = by.length > 0 ? by : expr.startsWith("absent") ? [] : ["instance"];
    // The name of the alarm says the state.
    const named = [...summary.matchAll(/\$labels\.(\w+)/g)].map(([, label]) => label ?? "");
    expect([alert, new Set(named)]).toEqual([alert, new Set(labels.filter((label) => label !== "state"))]);
    for (const text of [summary.replaceAll(/\{\{.*?\}\}/g, ""), description]) {
      expect(text.length).toBeGreaterThan(20);
      expect(text).not.toMatch(/\b(?:this|these|them)\b/i);
    }
    const [page = "", anchor] = runbook.split("#");
    expect(readFileSync(new URL(page, new URL("../../", folder)), "utf8")).toContain(`<a id="${anchor}"></a>${alert} `);
  }
});

test("the unit of systemd starts the same command, without root and with a file system that is read only", () => {
  const unit = read("infrasync.service");
  expect(unit).toContain(`\nExecStart=/usr/local/bin/infrasync ${container.args.slice(0, 2).join(" ")}\n`);
  for (const setting of ["DynamicUser=yes", "ProtectSystem=strict", "NoNewPrivileges=yes", "StateDirectory="])
    expect(unit).toContain(`\n${setting}`);
});

test("the unit wants a credential of git only with the drop-in that uses it", () => {
  expect(read("infrasync.service")).not.toContain("INFRASYNC_GIT_");
  for (const name of ["infrasync.service", ...dropIns]) {
    const loaded = [...read(name).matchAll(/^LoadCredential=([\w-]+):/gm)].map(([, credential]) => credential);
    const used = [...read(name).matchAll(/^Environment=\w+=%d\/([\w-]+)$/gm)].map(([, credential]) => credential);
    expect(loaded).not.toEqual([]);
    expect(used).toEqual(loaded);
  }
});

test.skipIf(mayBeMissing(findTool("systemd-analyze")))("systemd finds no mistake in the unit", () => {
  const unit = new URL("infrasync.service", folder).pathname;
  const security = execFileSync("systemd-analyze", ["security", "--offline=true", unit], {
    encoding: "utf8",
    stdio: ["ignore", "pipe", "pipe"],
  });
  expect(Number(/exposure level for infrasync\.service: ([\d.]+)/.exec(security)?.[1])).toBeLessThan(3);
});
