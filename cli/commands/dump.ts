import { Option } from "commander";
import { InvalidInputError, type Problem } from "../../core/problem.ts";
import { escapeControl } from "../../core/text.ts";
import { CommandError } from "../command-error.ts";
import { exitCodes } from "../exit-codes.ts";
import type { UpdateFlags } from "../engine/update-manifests.ts";
import { counted } from "../render/text.ts";
import type { Command } from "./command.ts";
import { addConnection, addOutput, addVariables } from "./options.ts";

interface Flags extends UpdateFlags {
  out?: string;
  format?: "pulumi-import";
}

/** `infrasync dump`: writes manifests of live resources. */
export const dump: Command<[addresses: string[]], Flags> = {
  name: "dump",
  description: "Write manifests of live resources, or let manifests take over what is live.",
  examples: [
    "dump --out manifests",
    "dump shop/staging",
    "dump job:shop/staging/migrate --out migrate.yaml",
    "dump --update manifests",
    "dump shop/staging --update base --update overlays/staging --dry-run",
    "dump shop/staging --format pulumi-import > import.json",
  ],

  declare(line) {
    line
      .argument(
        "[addresses...]",
        "resources to write, each with its contents: shop, shop/staging, job:shop/staging/migrate (default: the whole organization)",
      )
      .option(
        "--out <path>",
        "a .yaml file, or a folder for one file per resource (default: standard output)",
      )
      .option(
        "--with-settings",
        "also advanced settings, network settings and deployment restrictions: up to three requests more for each service",
      );
    line.addOption(
      new Option(
        "--format <format>",
        "pulumi-import: a file for `pulumi import --file` in place of manifests",
      )
        .choices(["pulumi-import"])
        .conflicts("out"),
    );
    line
      .optionsGroup("How to update manifests:")
      .addOption(
        new Option(
          "--update [source]",
          "change these manifests where live resources differ from them: values change where they are stated, comments and order stay (default: the working directory); repeatable, later sources overlay earlier ones",
        )
          .argParser(collectSources)
          .conflicts(["out", "format"]),
      )
      .option("--all", "with --update: also write new files for live resources that no manifest describes")
      .option("--dry-run", "with --update: show what would change; write nothing")
      .option("--yes, --auto-approve", "with --update: do not ask for confirmation");
    addVariables(line);
    addConnection(line);
    addOutput(line);
  },

  async run({ args: [addresses], flags, console }) {
    const engine = await import("../engine/index.ts");
    if (flags.update !== undefined) return engine.updateManifestFiles(addresses, flags, console);
    refuseWithoutUpdate(flags);
    const { withStatus } = await import("../progress/with-status.ts");
    if (flags.out !== undefined) await engine.ensureManifestsWritable(flags.out);
    const { choices, problems } = engine.chooseDumps(addresses);
    const settings = await engine.readSettings(flags, console, problems);
    const { documents, leftOut } = await withStatus(console, async (status) => {
      status.working("reading live resources");
      const { operations, organization } = await engine.openSession(settings, console, status);
      return engine.readDumps(choices, operations, organization, {
        configuration: flags.withSettings === true,
      });
    });
    if (documents.length + leftOut.length === 0) throw new InvalidInputError([nothing]);
    const files = flags.out === undefined ? undefined : await engine.writeManifests(flags.out, documents);

    for (const { address, type, why } of leftOut)
      console.note(`Left out: ${escapeControl(type)} ${escapeControl(address)}, because ${why}.`);
    if (flags.format === "pulumi-import")
      console.data(JSON.stringify(engine.pulumiImport(documents), undefined, 2));
    else if (console.json) {
      const { manifestMembers } = await import("../../core/manifest/index.ts");
      const { outputOf } = await import("../../core/codec/index.ts");
      console.document(
        outputOf("documents", {
          ...(files ? { files } : { documents: documents.map(manifestMembers) }),
          left_out: leftOut.map(({ address, type, why }) => ({ address, type, why })),
        }),
      );
    } else if (files)
      console.note(
        `${counted(documents.length, "document")} written to ${counted(files.length, "file")} in ${escapeControl(flags.out ?? "")}.`,
      );
    else console.data(engine.manifestsText(documents));
    return exitCodes.done;
  },
};

/** Collects sources; `--update` alone stands for the working directory. */
function collectSources(source: string, earlier: string[] | true | undefined): string[] {
  return [...(Array.isArray(earlier) ? earlier : []), source];
}

/** @throws CommandError for flags that have an effect with `--update` only */
function refuseWithoutUpdate({ all, dryRun, autoApprove, var: given, varFile }: Flags): void {
  const idle = [
    ...(all ? ["--all"] : []),
    ...(dryRun ? ["--dry-run"] : []),
    ...(autoApprove ? ["--yes"] : []),
    ...(given ? ["--var"] : []),
    ...(varFile ? ["--var-file"] : []),
  ];
  if (idle.length === 0) return;
  throw new CommandError("usage", exitCodes.invalid, {
    message: `${idle.join(", ")} ${idle.length === 1 ? "needs" : "need"} --update: without it, dump reads no manifests and changes none`,
    advice: "name the manifests, such as --update manifests",
  });
}

const nothing: Problem = {
  code: "nothing_found",
  message: "nothing that was named needs a document",
  advice: "name a parent of it, or leave out the address for the whole organization",
};
