import { Argument } from "commander";
import type { PreviewFlags } from "./preview/preview.ts";
import type { Command } from "./command.ts";
import { addApplying, addConnection } from "./options.ts";

/** `infrasync preview`: makes, lists and deletes environments for pull requests by hand, as the reconciler does. */
export const preview: Command<
  [operation: "create" | "list" | "delete", number: string | undefined],
  PreviewFlags
> = {
  name: "preview",
  description: "Make, list and delete preview environments of pull requests by hand.",
  examples: [
    "preview list",
    "preview create 42 --from-branch login --from-commit 3f2c1a9",
    "preview delete 42 --yes",
  ],

  declare(line) {
    line
      .addArgument(
        new Argument(
          "<operation>",
          "create: create or update a preview, and deploy it; list: show the previews; delete: delete a preview with everything in it",
        ).choices(["create", "list", "delete"]),
      )
      .argument("[number]", "number of the pull request")
      .optionsGroup("Preview:")
      .option(
        "--policy <folder>",
        "folder with infrasync.reconcile.yaml, which says what previews are made of (default: the working directory)",
      )
      .option("--from-branch <name>", "branch of the pull request, for {branch} in the policy")
      .option("--from-commit <id>", "commit of the pull request, for {sha} in the policy");
    addApplying(line);
    addConnection(line);
  },

  async run({ args: [operation, number], flags, console }) {
    const { createPreview, deletePreview, listPreviews } = await import("./preview/preview.ts");
    switch (operation) {
      case "create":
        return createPreview(number, flags, console);
      case "list":
        return listPreviews(flags, console);
      case "delete":
        return deletePreview(number, flags, console);
      default:
        return operation satisfies never;
    }
  },
};
