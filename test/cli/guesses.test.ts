import { expect, test } from "vitest";
import { commands } from "../../cli/commands/index.ts";
import { infrasync } from "./captured.ts";

/** What people type who know other tools, by the tool. */
const guesses = {
  terraform: [
    "refresh",
    "import job.nightly 123",
    "state list",
    "state show x",
    "state rm x",
    "taint x",
    "untaint x",
    "output",
    "console",
    "providers",
    "workspace select staging",
    "force-unlock 1",
    "fmt",
    "plan -var TAG=1",
    "plan -var-file x",
    "plan -target=x",
    "plan -refresh-only",
    "apply -auto-approve",
    "apply -replace=x",
    "plan -lock=false",
    "apply --lock-timeout 5s",
    "plan -state x",
    "plan -chdir infra",
    "init -upgrade",
    "init -reconfigure",
    "plan -json",
    "plan -detailed-exitcode",
    "import terraform",
    "migrate terraform.tfstate",
    "tfstate x",
  ],
  pulumi: [
    "up",
    "preview",
    "refresh",
    "down",
    "stack ls",
    "new",
    "config set x y",
    "convert",
    "whoami",
    "about",
    "console",
    "export",
    "apply --stack dev",
    "plan -s dev",
    "apply --skip-preview",
    "apply --non-interactive",
    "plan --diff",
    "plan --cwd infra",
    "plan --show-secrets",
  ],
  argocd: [
    "app sync shop",
    "app diff shop",
    "app list",
    "appset list",
    "proj list",
    "sync manifests",
    "history",
    "rollback",
    "login localhost",
    "logout",
    "apply --revision main",
    "apply --server x",
  ],
  deck: [
    "gateway sync x",
    "gateway dump",
    "sync",
    "ping",
    "reset",
    "file render",
    "lint manifests",
    "convert",
    "apply --select-tag x",
  ],
  kubectl: [
    "create -f x.yaml",
    "delete -f x.yaml",
    "edit job x",
    "describe job x",
    "patch job x",
    "replace -f x",
    "scale x",
    "set image x=y",
    "label job x a=b",
    "annotate job x a=b",
    "expose x",
    "rollout restart x",
    "exec x",
    "attach x",
    "port-forward x 80",
    "top",
    "wait x",
    "events",
    "cluster-info",
    "api-resources",
    "auth can-i x",
    "run x",
    "kustomize x",
    "config view",
    "get clusters extra",
    "apply -f x.yaml",
    "apply -k overlays/staging",
    "plan -n staging",
    "list -A",
    "list -o yaml",
    "list -o wide",
    "list -l app=x",
    "apply --dry-run",
    "apply --force",
    "apply --context x",
    "destroy --cascade",
    "list --all-namespaces",
    "list -w",
  ],
  helm: [
    "install web",
    "upgrade web",
    "uninstall web",
    "template x",
    "test",
    "apply --values x.yaml",
    "apply --set-string a=b",
    "apply --atomic",
    "apply --timeout 5m",
    "pull x",
    "push x",
    "plan --namespace x",
    "list --environment x",
  ],
  none: [
    "delete manifests",
    "rm x",
    "remove x",
    "teardown",
    "ls",
    "ps",
    "start x",
    "watch",
    "serve",
    "check",
    "build",
    "drift",
    "adopt",
    "accept",
    "install",
    "info",
    "unlock",
    "shell x",
    "tail x",
    "kinds",
    "docs",
    "man",
    "clusters",
    "registries",
    "tokens",
    "projects",
    "environments",
    "services",
    "jobs",
    "undo",
    "pause x",
    "unpause x",
    "kill x",
    "ui",
    "dashboard",
    "mock",
    "simulate",
    "secrets",
    "env",
    "bootstrap",
    "heal",
    "save",
    "prune",
    "plan --json",
    "plan --verbose",
    "plan -q",
    "plan --url x",
    "plan --org acme",
    "plan --project shop",
    "plan --token x",
    "apply -y",
    "apply --approve",
    "plan --tag 1",
    "plan --exclude x",
    "apply --no-wait",
    "plan --format json",
    "plan --save x",
    "deplyo",
    "plan -v",
    "apply --parallel 5",
  ],
} as const;

/** What a guess is answered with, beside that it is wrong. */
async function answerTo(typed: string): Promise<string> {
  const { code, stdout, stderr } = await infrasync(typed.split(" "));
  expect({ typed, code, stdout }).toEqual({ typed, code: 3, stdout: "" });
  return stderr.split("\n").slice(1).join(" ").trim();
}

const all = Object.values(guesses).flat();

test("there are more guesses than the issue lists", () => {
  expect(new Set(all).size).toBeGreaterThan(110);
});

test("each guess gets a sentence that says what does it here", async () => {
  const answers: Record<string, string> = {};
  for (const typed of all) answers[typed] = await answerTo(typed);
  expect(Object.keys(answers).filter((typed) => /^(?:see --help)?$/.test(answers[typed] ?? ""))).toEqual([]);
  expect(answers).toMatchSnapshot();
});

test("only a guess that means a deletion is led to destroy", async () => {
  const deletes = /^(?:delete|rm|remove|teardown|uninstall|down|apply --dry-run)\b/;
  for (const typed of all)
    if (!deletes.test(typed))
      expect({ typed, answer: await answerTo(typed) }).not.toEqual({
        typed,
        answer: expect.stringMatching(/infrasync destroy/),
      });
});

test("every command that an answer names exists, with the flags that it gives", async () => {
  const answers = await Promise.all(all.map(answerTo));
  const named = answers.flatMap((answer) => [...answer.matchAll(/infrasync ([a-z]+)((?: --[a-z-]+)*)/g)]);
  expect(named.length).toBeGreaterThan(100);
  for (const [, name = "", flags = ""] of named) {
    expect(commands.map((command) => command.name)).toContain(name);
    const { stdout } = await infrasync([name, "--help"]);
    for (const flag of flags.split(" ").filter(Boolean))
      expect({ name, has: stdout.includes(flag) && flag }).toEqual({ name, has: flag });
  }
});

test.each(["cluster", "registry", "repository", "token", "group"])(
  "get %s leads to the list",
  async (word) => {
    const { code, stderr } = await infrasync(["get", word], {
      env: { INFRASYNC_TOKEN: "x".repeat(20), INFRASYNC_BASE_URL: "http://127.0.0.1:9" },
    });
    expect({ code, stderr }).toEqual({
      code: 3,
      stderr: expect.stringMatching(
        /infrasync get (?:clusters|registries|repositories|tokens|groups) shows them all/,
      ),
    });
  },
);

test.each([
  ["jobs", "infrasync list 'job:**' shows several; a project of that name is project:jobs"],
  ["job", "infrasync list 'job:**' shows several"],
  ["databases", "infrasync list 'database:**' shows several"],
  ["pods", "infrasync list shows several"],
  ["all", "infrasync list shows several"],
])("get %s leads to list", async (word, advice) => {
  const { code, stderr } = await infrasync(["get", word]);
  expect({ code, stderr }).toEqual({ code: 3, stderr: expect.stringContaining(advice) });
});
