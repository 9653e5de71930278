import type { SettingFlags } from "../settings/names.ts";
import type { Command } from "./command.ts";
import { addConnection, addOutput } from "./options.ts";

interface Flags extends SettingFlags {
  out?: string;
  withSettings?: boolean;
}

/** `infrasync convert`: writes manifests of what a state of Terraform manages. */
export const convert: Command<[state: string], Flags> = {
  name: "convert",
  description: "Write manifests of the live resources that a Terraform state manages.",
  examples: [
    "convert terraform.tfstate --out manifests",
    "convert terraform.tfstate",
    "convert - --out manifests < state.json",
  ],

  declare(line) {
    line
      .argument(
        "<state>",
        "a state file, or the output of `terraform show -json`; - is standard input. Nothing changes it",
      )
      .option(
        "--out <path>",
        "a .yaml file, or a folder for one file per resource (default: standard output)",
      )
      .option(
        "--with-settings",
        "also advanced settings, network settings and deployment restrictions where the state has none: up to three requests more for each service",
      );
    addConnection(line);
    addOutput(line);
  },

  async run({ args: [state], flags, console }) {
    const { convertState } = await import("./convert/convert-state.ts");
    return convertState(state, flags, console);
  },
};
