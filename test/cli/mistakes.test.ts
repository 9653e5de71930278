import { join } from "node:path";
import { expect, test } from "vitest";
import { commands } from "../../cli/commands/index.ts";
import { application, shop } from "../fixtures/manifests.ts";
import { json, serveReplies } from "../fixtures/http-server.ts";
import { quickClock } from "../fixtures/quick-clock.ts";
import { infrasync } from "./captured.ts";
import { useFixture, writesOf } from "./fixture.ts";

// Mistakes as people made them, and what the message has to say.

const fixture = useFixture();

const web = (line: string) => `kind: Container
environment: shop/production
name: web
registry: docker-hub
image_name: acme/web
tag: 1.4.2
${line}
`;

/** What validate says of a document. */
async function validated(text: string): Promise<string> {
  const file = await fixture.write("document.yaml", text);
  const { code, stderr } = await infrasync(["validate", file]);
  expect(code).toBe(3);
  return stderr;
}

test.each<[line: string, says: string]>([
  ["memory: 512Mi", "write memory: 512"],
  ["memory: 1Gi", "write memory: 1024"],
  ["memory: 1g", "write memory: 1024"],
  ["memory: 512MB", "write memory: 512"],
  ["memory: 1.5GiB", "write memory: 1536"],
  ["memory: '512'", "write memory: 512, without quotes"],
  ["cpu: 0.5", "write cpu: 500"],
  ["cpu: '500m'", "write cpu: 500"],
  ["cpu: 2.5", "write cpu: 2500"],
  [
    "healthchecks: { liveness_probe: { type: { http: { path: / } }, period_seconds: 30s } }",
    "write period_seconds: 30",
  ],
  [
    "healthchecks: { liveness_probe: { type: { http: { path: / } }, timeout_seconds: 1m } }",
    "write timeout_seconds: 60",
  ],
  ["ephemeral_storage_in_gib: 5Gi", "write ephemeral_storage_in_gib: 5"],
  ["storage: [{ mount_point: /data, size: 10Gi, type: FAST_SSD }]", "write size: 10"],
  ["min_running_instances: '2'", "write min_running_instances: 2, without quotes"],
  ["entrypoint: [sh, -c, run]", 'write entrypoint: sh, and arguments: ["-c", "run"]'],
  ["entrypoint: [/bin/run]", 'write entrypoint: "/bin/run"'],
  ["deployment_stage: { name: early }", "write deployment_stage: early"],
  ["custom_domains: [shop.example.com]", "write custom_domains: { shop.example.com: {} }"],
  ["custom_domains: shop.example.com", "write custom_domains: { shop.example.com: {} }"],
  ["variables: [A=1, B=2]", 'write variables: { A: "1", B: "2" }'],
  ["variables: [{ name: A, value: b }]", "write variables: { A: b }"],
  ["variables: A=1", 'write variables: { A: "1" }'],
  ["ports: [8080]", "write ports: [{ internal_port: 8080, publicly_accessible: false }]"],
  ["ports: ['8080:80']", "write { internal_port: 80, publicly_accessible: false }"],
  ["ports: 8080", "write ports: [{ internal_port: 8080, publicly_accessible: false }]"],
  ["ports: { 8080: true }", "write ports: [{ internal_port: 8080, publicly_accessible: false }]"],
  ["ports: [{ internal_port: '8080' }]", "write internal_port: 8080, without quotes"],
  ["arguments: --port 80", 'write arguments: ["--port", "80"]'],
  ["arguments: sh -c 'echo a b'", 'write arguments: ["sh", "-c", "echo a b"]'],
  ["secrets: { KEY: '${KEY}' }", "KEY: { from_env: NAME }"],
  ["secrets: { KEY: plain }", "name the source of the value, such as from_env"],
  ["secrets: [KEY]", "{ from_env: "],
  ["secrets: KEY", "{ from_env: "],
  ["manage: { ignore: [image] }", "use image_name or tag"],
  ["depends_on: [db]", "from: database:db, output: host_internal"],
  ["environment_variables: { A: b }", "use variables"],
  ["replicas: 3", "use min_running_instances or max_running_instances"],
  ["image: nginx:1.25", "use image_name or tag"],
  ["volumes: [data]", "use storage"],
  ["command: run", "use entrypoint or arguments"],
  ["memroy: 512", "did you mean memory?"],
])("a Container with %s: %s", async (line, says) => {
  expect(await validated(web(line))).toContain(says);
});

test.each<[what: string, text: string, says: string]>([
  [
    "a file of docker compose",
    "services:\n  web:\n    image: nginx\n    depends_on: [db]\n",
    "docs/guides/coming-from.md",
  ],
  [
    "an Application of Argo CD",
    "apiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata: { name: a }\n",
    "docs/guides/reconcile.md",
  ],
  [
    "a Deployment of Kubernetes",
    "apiVersion: apps/v1\nkind: Deployment\nmetadata: { name: a }\n",
    "the kind Application or Container",
  ],
  ["a CronJob of Kubernetes", "apiVersion: batch/v1\nkind: CronJob\nmetadata: { name: a }\n", "the kind Job"],
  [
    "a Secret of Kubernetes",
    "apiVersion: v1\nkind: Secret\nmetadata: { name: a }\n",
    "secrets: { KEY: { from_env: KEY } }",
  ],
  [
    "a ConfigMap of Kubernetes",
    "apiVersion: v1\nkind: ConfigMap\nmetadata: { name: a }\n",
    "variables: { KEY: value }",
  ],
  [
    "an Ingress of Kubernetes",
    "apiVersion: v1\nkind: Ingress\nmetadata: { name: a }\n",
    "publicly_accessible: true",
  ],
  [
    "a Kustomization",
    "apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\n",
    "docs/guides/overlays.md",
  ],
  ["a kustomization", "resources:\n  - base\n", "docs/guides/overlays.md"],
  ["a file of Terraform", 'resource "aws_instance" "a" {\n}\n', "docs/guides/moving-from-terraform.md"],
  [
    "a state of Terraform",
    '{ "version": 4, "terraform_version": "1.9.0", "resources": [] }\n',
    "docs/guides/moving-from-terraform.md",
  ],
  ["the description of a Helm chart", "apiVersion: v2\nname: shop\nversion: 1.0.0\n", "the kind Helm"],
])("%s is one mistake, which says what does its work", async (what, text, says) => {
  const stderr = await validated(text);
  expect(stderr).toContain(`this is ${what}, not a manifest`);
  expect(stderr).toContain(says);
  expect(stderr.match(/error: /g)).toHaveLength(1);
});

/** Words of docker compose, Terraform, Argo CD, kubectl, fly, gh and others. */
const words =
  "url shell output taint untaint unlock force-unlock console providers app argocd kubeconfig tokens costs audit config stages build pull push kill pause unpause exec port images top get-contexts api-resources rollout annotate label cordon drain wait replace scale autoscale attach workspace graph test import state metadata repo cluster account appset admin cert launch machine volumes ips certs dashboard regions orgs postgres redis checks services info pr issue release run workflow secret variable browse gist alias auth extension ssh-key cache ruleset project search api codespace events up down ps logs-all login whoami fmt refresh";

test.each(words.split(" ").filter((word) => word !== "logs-all"))(
  "infrasync %s says what does it here",
  async (word) => {
    const { code, stderr } = await infrasync([word]);
    expect(code).toBe(3);
    expect(stderr).not.toMatch(/see --help|did you mean/);
  },
);

test("infrasync alone lists the commands, and says where to begin", async () => {
  const { stdout, stderr } = await infrasync([]);
  expect(stdout + stderr).toMatch(/validate[^]*infrasync init begins/);
});

/** A word for each argument that a command needs. */
const needed: Record<string, string[]> = {
  clone: ["job:a/b/c", "--to", "a/d"],
  completion: ["bash"],
  explain: ["job"],
  preview: ["list"],
  promote: ["a", "b"],
  reconcile: ["status"],
  ci: ["plan"],
  show: ["plan.json"],
};
const lines = commands
  .filter(({ group, name }) => group !== undefined && name !== "emulator")
  .map(({ name }) => [name, ...(needed[name] ?? ["a/b"])]);

test.each([
  "--dryrun",
  "--only",
  "--tag",
  "--namespace",
  "--auto-approve",
  "-auto-approve",
  "--prune",
  "--detach",
  "--context",
])("%s has an answer in every command", async (flag) => {
  for (const line of lines) {
    const { stderr } = await infrasync([...line, flag]);
    if (stderr.includes("unknown option"))
      expect(stderr, line.join(" ")).not.toMatch(/see --help|for example/);
  }
});

test.each(["deploy --tag 1", "plan --only x", "apply --dryrun"])("%s names the right flag", async (line) => {
  expect((await infrasync(line.split(" "))).stderr).toMatch(/did you mean --(?:image-tag|target|dry-run)\?/);
});

test.each([
  "deploy",
  "stop --yes",
  "restart",
  "cancel",
  "status",
  "logs",
  "open",
  "rollback --yes",
  "list",
  "get",
  "history",
  "dump",
])("%s of a name without its project names the environment", async (line) => {
  await fixture.write("shop.yaml", shop + application("web"));
  await fixture.run(["apply", join(fixture.folder, "shop.yaml"), "--yes"]);
  const [command = "", ...flags] = line.split(" ");
  const { code, stderr } = await fixture.run([command, "staging", ...flags]);
  expect(code).toBe(3);
  expect(stderr).toContain("did you mean shop/staging?");
});

test.each([
  ["plan staging", "--target 'shop/staging/**'"],
  ["apply staging --yes", "--target 'shop/staging/**'"],
  ["plan web", "--target application:shop/staging/web"],
  ["destroy staging --yes", "shop/staging"],
  ["destroy shop --yes", "project:shop"],
  ["plan shop", "--target 'shop/**'"],
  ["destroy web --yes", "application:shop/staging/web"],
  ["clone staging --to shop --name copy --yes", "environment:shop/staging"],
  ["clone environment staging --to shop --name copy --yes", "environment:shop/staging"],
  ["clone application:shop/staging/web --to staging --name copy --yes", "shop/staging"],
  ["diff staging shop/production", "shop/staging"],
  ["diff shop/production staging", "shop/staging"],
  ["diff staging production", "shop/staging"],
  ["diff web application:shop/staging/web", "application:shop/staging/web"],
])(
  "%s, a name without its project, is refused before anything is written, with the address",
  async (line, meant) => {
    await fixture.write("shop.yaml", shop + application("web"));
    await fixture.run(["apply", join(fixture.folder, "shop.yaml"), "--yes"]);
    await fixture.takeRequests();
    const { code, stderr } = await fixture.run(line.split(" "));
    expect(code).toBe(3);
    expect(stderr).toContain(`did you mean ${meant}?`);
    expect(writesOf(await fixture.takeRequests())).toEqual([]);
    const offline = await fixture.run(line.split(" "), { env: { INFRASYNC_TOKEN: "" } });
    expect(offline.stderr).not.toContain("did you mean");
  },
);

test.each(
  ["plan", "apply --yes", "destroy --yes"].flatMap((line) =>
    [
      ["--target staging", "shop/staging/**"],
      ["--target web", "application:shop/staging/web"],
      ["--target shop/stagign", "shop/staging/**"],
      ["--allow-replace staging", "shop/staging/**"],
      ["--rotate-secrets web", "application:shop/staging/web:KEY"],
      ["--rotate-secrets KEY", "application:shop/staging/web:KEY"],
    ].flatMap(([flag = "", meant = ""]): [line: string, meant: string][] =>
      line.startsWith("destroy") && !flag.startsWith("--target") ? [] : [[`${line} ${flag}`, meant]],
    ),
  ),
)("%s, a name in place of a pattern, is refused with the pattern", async (line, meant) => {
  const secret = "secrets: { KEY: { from_env: KEY } }\n";
  await fixture.write("shop.yaml", shop + application("web", secret));
  const [command = "", ...flags] = line.split(" ");
  const { code, stderr } = await fixture.run([command, fixture.folder, ...flags], { env: { KEY: "a1b2c3" } });
  expect({ code, stderr }).toEqual({ code: 3, stderr: expect.stringContaining(`did you mean ${meant}?`) });
  expect(writesOf(await fixture.takeRequests())).toEqual([]);
});

test.each(
  Object.entries({
    fails: json(503, {}),
    "wants no requests now": json(429, {}, { "retry-after": "30" }),
    "does not answer": () => undefined,
  }),
)(
  "every command asks a server that %s once what a name means, and waits for nothing",
  async (_what, reply) => {
    const commandLines = [
      "plan staging",
      "apply staging --yes",
      "destroy staging --yes",
      "clone staging --to shop --name copy --yes",
      "list --unmanaged staging",
      "dump --update staging --yes",
    ];
    const found = await Promise.all(
      commandLines.map(async (line) => {
        const { url, received } = await serveReplies(reply);
        const clock = quickClock();
        const ran = await fixture.run(line.split(" "), { env: { INFRASYNC_BASE_URL: url }, clock });
        return [line, ran.code, ran.stderr.includes("staging"), clock.slept, received.length];
      }),
    );
    expect(found).toEqual(commandLines.map((line) => [line, 3, true, [], 1]));
  },
);

test("validate asks no server what a name means, and names no flag that it lacks", async () => {
  const { code, stderr } = await fixture.run(["validate", "staging"]);
  expect(code).toBe(3);
  expect(stderr).toMatch(/staging does not exist\n +name files or folders that exist\n/);
  expect(await fixture.requests()).toEqual([]);
});

test("a path that nearly exists is named, and a name leads to a target", async () => {
  await fixture.write("manifests/shop.yaml", shop);
  expect((await fixture.run(["plan", join(fixture.folder, "manifest")])).stderr).toContain(
    "did you mean manifests?",
  );
  expect((await fixture.run(["plan", "production"])).stderr).toContain("PROJECT/production/**");
});

test("beside a mistake, only its own advice names the flag that skips the confirmation", async () => {
  const { code, stderr } = await fixture.run(["apply", "nowhere.yaml"]);
  expect({ code, flags: stderr.split("--yes").length - 1 }).toEqual({ code: 3, flags: 1 });
});

test("a list that get does not have is named", async () => {
  const { stderr } = await infrasync(["get", "events"]);
  expect(stderr).toContain("infrasync history shows who did what");
  expect(stderr).not.toContain("undefined");
});

test("a URL of the settings file that differs from that of the environment is called different", async () => {
  await fixture.write("shop.yaml", shop);
  await fixture.write("infrasync.config.yaml", "base_url: https://api.example.com\n");
  const { stderr } = await fixture.run(["plan", fixture.folder]);
  expect(stderr).toContain("base_url in the settings file and INFRASYNC_BASE_URL differ");
});

test("a manifest that does not exist is refused without a request", async () => {
  const { code, stderr } = await fixture.run(["plan", "nowhere.yaml"]);
  expect({ code, requests: await fixture.takeRequests() }).toEqual({ code: 3, requests: [] });
  expect(stderr).not.toContain("PROJECT/nowhere.yaml");
});
