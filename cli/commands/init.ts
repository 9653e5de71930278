import { Option } from "commander";
import { escapeControl } from "../../core/text.ts";
import type { CiSystem } from "./init/files.ts";
import { exitCodes } from "../exit-codes.ts";
import { counted } from "../render/text.ts";
import type { SettingFlags } from "../settings/names.ts";
import type { Command } from "./command.ts";
import { addConnection, addOutput } from "./options.ts";

interface Flags extends SettingFlags {
  ci?: CiSystem;
}

/** `infrasync init`: writes what a repository needs. */
export const init: Command<[folder: string | undefined], Flags> = {
  name: "init",
  description:
    "Set up a repository: settings, schema, and manifests of the live resources. Asks at a terminal, and overwrites no file.",
  examples: ["init", "init infrastructure --base-url https://api.example.com --ci github"],

  declare(line) {
    line
      .argument("[folder]", "the folder of the repository (default: the working directory)")
      .addOption(
        new Option("--ci <system>", "also write a file for CI, which plans and applies").choices([
          "github",
          "gitlab",
          "none",
        ]),
      );
    addConnection(line);
    addOutput(line);
  },

  async run({ args: [folder = "."], flags, console }) {
    const { begin } = await import("./init/init.ts");
    const { organization, described, example, written, kept } = await begin(folder, flags, console);
    if (console.json) {
      const { outputOf } = await import("../../core/forms/index.ts");
      console.document(outputOf("documents", { files: written, kept }));
      return exitCodes.done;
    }
    const shown = (names: readonly string[]) => names.map((name) => `  ${escapeControl(name)}`).join("\n");
    if (written.length > 0) console.data(`Written:\n${shown(written)}`);
    if (kept.length > 0) console.data(`Left as they were:\n${shown(kept)}`);
    const what = described === 0 ? "it is empty" : `the manifests describe ${counted(described, "resource")}`;
    const toBegin =
      example === undefined
        ? ""
        : ` ${escapeControl(example)} is one to begin with: choose other names in it, or delete it.`;
    console.note(
      `\nOrganization ${escapeControl(organization)}: ${what}.${toBegin} To see what an apply would change: infrasync plan ${escapeControl(manifestsIn(folder))}`,
    );
    return exitCodes.done;
  },
};

function manifestsIn(folder: string): string {
  return folder === "." ? "manifests" : `${folder.replace(/\/+$/, "")}/manifests`;
}
