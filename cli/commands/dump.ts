import { Option } from "commander";
import { InvalidInputError, type Problem } from "../../core/problem.ts";
import { escapeControl } from "../../core/text.ts";
import { exitCodes } from "../exit-codes.ts";
import type { SettingFlags } from "../settings/names.ts";
import { counted } from "../render/text.ts";
import type { Command } from "./command.ts";
import { addConnection, addOutput } from "./options.ts";

interface Flags extends SettingFlags {
  out?: string;
  withSettings?: boolean;
  format?: "pulumi-import";
}

/** `infrasync dump`: writes manifests of live resources. */
export const dump: Command<[addresses: string[]], Flags> = {
  name: "dump",
  description: "Write manifests of live resources.",
  examples: [
    "dump --out manifests",
    "dump shop/staging",
    "dump job:shop/staging/migrate --out migrate.yaml",
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
    addConnection(line);
    addOutput(line);
  },

  async run({ args: [addresses], flags, console }) {
    const engine = await import("../engine/index.ts");
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

const nothing: Problem = {
  code: "nothing_found",
  message: "the organization is empty",
  advice: "check --organization",
};
