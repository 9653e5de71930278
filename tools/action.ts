// Writes action.yml, with an input for each flag of `infrasync ci`; with --check it writes nothing, and fails when the file is stale.
import { Command } from "commander";
import { stringify } from "yaml";
import { declarationOf, declareInputs } from "../cli/commands/declaration.ts";
import { writeGenerated } from "./generated-files.ts";

writeGenerated("action.yml", metadata());

function metadata(): string {
  const line = new Command();
  declareInputs(line, declarationOf("ci"));
  // A job has nobody who could answer.
  const inputs = line.options.filter(({ long }) => long !== "--auto-approve");
  const flags = inputs.map((option) => {
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
      "git-host-token": {
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
