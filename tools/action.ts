// Writes what GitHub starts without a build, so it is checked in: `action.yml`, with an input for each flag of `infrasync ci`, and the bundle
// `action/index.js`. With --check it writes nothing, and fails when one of them is stale.
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { Command } from "commander";
import { stringify } from "yaml";
import { ci } from "../cli/commands/ci.ts";
import { action, bundle } from "./bundle.ts";

const checkout = path.join(import.meta.dirname, "..");
const isCheck = process.argv.includes("--check");
const into = isCheck
  ? await mkdtemp(path.join(tmpdir(), "infrasync-action-"))
  : path.join(checkout, "action");
try {
  await bundle(action, into, { form: "small", isOneFile: true });
  const files = [
    { name: "action.yml", content: metadata() },
    ...(await Promise.all(
      (await readdir(into)).map(async (name) => ({
        name: `action/${name}`,
        content: await readFile(path.join(into, name), "utf8"),
      })),
    )),
  ];
  for (const { name, content } of files) {
    const file = path.join(checkout, name);
    if (!isCheck) await writeFile(file, content);
    else if ((await readFile(file, "utf8").catch(() => "")) !== content) {
      console.error(`stale: ${name}`);
      process.exitCode = 1;
    }
  }
} finally {
  if (isCheck) await rm(into, { recursive: true });
}

function metadata(): string {
  const line = new Command();
  ci.declare(line);
  const flags = line.options.map((option) => {
    const { long, required, parseArg, description } = option;
    const form = required ? (parseArg ? "; one a line" : "") : "; true or false";
    return [long?.slice(2) ?? "", { description: `${description}${form}` }];
  });
  const content = {
    name: "infrasync",
    description: "Shows what a pull request would change, and applies after the merge what was reviewed",
    inputs: {
      mode: {
        description:
          "plan: plan the pull request, as a comment and a status; apply: apply what was merged if the plan is the one that was reviewed; check: find open pull requests whose plan is stale",
        default: "plan",
      },
      path: { description: "files and folders with manifests; one a line", default: "." },
      token: {
        description: "API token: the scope Read for plan and check, Write for apply",
        required: false,
      },
      "forge-token": {
        description: "token for GitHub; it needs pull-requests: write, statuses: write and contents: read",
        default: "${{ github.token }}",
      },
      ...Object.fromEntries(flags),
    },
    outputs: {
      changes: {
        description: "plan: whether the pull request changes anything; apply: whether anything is applied",
      },
      digest: { description: "digest of the plan, for apply and its input expect" },
      comment: { description: "address of the comment" },
    },
    runs: { using: "node24", main: "action/index.js" },
    branding: { icon: "git-pull-request", color: "blue" },
  };
  return `# Written by tools/action.ts (npm run generate).\n${stringify(content, { lineWidth: 0 })}`;
}
