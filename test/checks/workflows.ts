/** npm run check:workflows: actionlint checks the workflows, those of guides and `init --ci github`, and action.yml. Needs Go. */
import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempDisposableSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { parse, stringify } from "yaml";
import { githubText } from "../../cli/commands/init/pipelines.ts";

const actionlint = "github.com/rhysd/actionlint/cmd/actionlint@v1.7.12";
const checkout = path.join(import.meta.dirname, "..", "..");

/** GitHub accepts `queue` since May 2026, this actionlint does not yet. */
const newerThanActionlint = 'unexpected key "queue" for "concurrency" section';

/** A workflow that uses the action in the folder with all of its inputs and outputs: actionlint reads an action only then. */
function useOfAction(): string {
  const action = parse(readFileSync(path.join(checkout, "action.yml"), "utf8")) as {
    inputs: Record<string, object>;
    outputs: Record<string, object>;
  };
  const outputs = Object.keys(action.outputs).map((name) => `\${{ steps.action.outputs.${name} }}`);
  const inputs = Object.keys(action.inputs).map((name) => [name, "a value"]);
  const steps = [
    { id: "action", uses: "./", with: Object.fromEntries(inputs) as object },
    { run: 'echo "$OUTPUTS"', env: { OUTPUTS: outputs.join(" ") } },
  ];
  return stringify({ on: "push", permissions: {}, jobs: { use: { "runs-on": "ubuntu-latest", steps } } });
}

function workflowsOf(page: string): string[] {
  const blocks = readFileSync(page, "utf8").matchAll(/^```yaml\n(# file: \.github\/workflows\/[^]*?)^```$/gm);
  return [...blocks].map(([, workflow = ""]) => workflow);
}

using temporary = mkdtempDisposableSync(path.join(tmpdir(), "infrasync-workflows-"));
const folder = temporary.path;
const workflows = path.join(folder, ".github", "workflows");
cpSync(path.join(checkout, ".github", "workflows"), workflows, { recursive: true });
writeFileSync(path.join(workflows, "use-of-action.yml"), useOfAction());
const guides = path.join(checkout, "docs", "guides");
for (const page of readdirSync(guides).filter((name) => name.endsWith(".md")))
  for (const [index, workflow] of workflowsOf(path.join(guides, page)).entries())
    writeFileSync(path.join(workflows, `${path.basename(page, ".md")}-${index}.yml`), workflow);
const written = { scope: "@acme", name: "infrasync", version: "0.1.0" };
writeFileSync(
  path.join(workflows, "init.yml"),
  githubText({ baseUrl: "https://api.example.com", ciPackage: written }),
);
cpSync(path.join(checkout, "action.yml"), path.join(folder, "action.yml"));
// A release builds it.
mkdirSync(path.join(folder, "action"));
writeFileSync(path.join(folder, "action", "index.js"), "");
mkdirSync(path.join(folder, ".git"));
execFileSync("go", ["run", actionlint, "-ignore", newerThanActionlint], { cwd: folder, stdio: "inherit" });
console.log(`actionlint finds no mistake in ${readdirSync(workflows).length} workflows and in action.yml.`);
