import { setFlagsFromString } from "node:v8";
import { InvalidInputError, type Problem } from "../../core/problems/problem.ts";
import { escapeControl } from "../../core/values/text.ts";
import { leftOutForm, leftOutText } from "../render/skipped-items.ts";
import { CommandError, exitCodes } from "../exit-codes.ts";
import { type UpdateFlags, updateManifestFiles } from "./dump/update.ts";
import { counted } from "../render/text.ts";
import type { Command } from "./command.ts";
import { chooseDumps, readDumps } from "./dump/choose.ts";
import { readSettings } from "../session/read-settings.ts";
import { readNamedEnvironments } from "../manifests/named-environments.ts";
import { ensureManifestsWritable, manifestTexts, writeManifests } from "../files/write-files.ts";
import { withSession } from "../session/session.ts";
import { importBlocks } from "../../core/import/terraform/import-blocks.ts";
import { manifestMembers } from "../../core/manifests/manifest/index.ts";
import { outputOf } from "../../core/outputs/forms/index.ts";
import { encodeName } from "../../core/model/addresses/address.ts";
import type { DumpedDocument } from "../../core/import/live/index.ts";

interface Flags extends UpdateFlags {
  out?: string;
  format?: (typeof formats)[number];
  allFields?: boolean;
}

const formats = ["pulumi-import", "terraform-import"] as const;

/** `infrasync dump`: writes manifests of live resources. */
export const dump: Command<[addresses: string[]], Flags> = {
  async run({ args: [addresses], flags, console }) {
    if (flags.update !== undefined) return updateManifestFiles(addresses, flags, console);
    // Answers are many and short-lived: without this, half of the memory would be garbage.
    setFlagsFromString("--heap-growing-percent=25");
    const mistakes: Problem[] = [];
    const { patterns, isDeclared, suggesting } = await readNamedEnvironments(
      addresses,
      flags,
      console.io,
      mistakes,
    );
    refuseWithoutUpdate(flags, isDeclared);
    if (flags.out !== undefined) await ensureManifestsWritable(flags.out);
    const { choices, problems } = chooseDumps(patterns);
    const orders = flags.out === undefined ? [] : [flags.out];
    const settings = await readSettings(flags, console, { orders, problems: [...mistakes, ...problems] });
    const { documents, leftOut, organization } = await suggesting(() =>
      withSession({ settings, console }, async ({ run, organization: chosen }) => {
        const dumps = await readDumps(choices, run, chosen, {
          configuration: flags.withSettings === true,
          isAlone: choices.length === 1,
          ...(flags.allFields && { extent: "all" as const }),
        });
        return { ...dumps, organization: chosen };
      }),
    );
    if (documents.length + leftOut.length === 0) throw new InvalidInputError([nothing]);
    const files = flags.out === undefined ? undefined : await writeManifests(flags.out, documents);

    for (const each of leftOut) console.note(leftOutText(each));
    if (flags.format === "pulumi-import") console.data(JSON.stringify(pulumiImport(documents), undefined, 2));
    else if (flags.format === "terraform-import") {
      console.data(importBlocks(documents, organization.id));
    } else if (console.json) {
      console.document(
        outputOf("documents", {
          ...(files ? { files } : { documents: documents.map(manifestMembers) }),
          left_out: leftOut.map(leftOutForm),
        }),
        { isManifest: true },
      );
    } else if (files)
      console.note(
        `${counted(documents.length, "document")} written to ${counted(files.length, "file")} in ${escapeControl(flags.out ?? "")}.`,
      );
    else for (const text of manifestTexts(documents)) console.data(text);
    return exitCodes.done;
  },
};

/** Collects sources; `--update` alone stands for the working directory. */
/** @throws CommandError for flags that need `--update`, or a named environment of the settings file */
function refuseWithoutUpdate(
  { all, strict, dryRun, autoApprove, var: given, varFile }: Flags,
  isDeclared: boolean,
): void {
  const idle = [
    ...(all ? ["--all"] : []),
    ...(strict ? ["--strict"] : []),
    ...(dryRun ? ["--dry-run"] : []),
    ...(autoApprove ? ["--yes"] : []),
    ...(given && !isDeclared ? ["--var"] : []),
    ...(varFile && !isDeclared ? ["--var-file"] : []),
  ];
  if (idle.length === 0) return;
  throw new CommandError("usage", exitCodes.invalid, {
    message: `${idle.join(", ")} ${idle.length === 1 ? "needs" : "need"} --update: without it, dump reads no manifests and changes none`,
    advice: "name the manifests, such as --update manifests",
  });
}

const nothing: Problem = {
  code: "nothing_found",
  message: "none of the named resources has a manifest of its own",
  advice: "name its parent, or leave out the address to dump the whole organization",
};

/** Resources for an import by Pulumi. The id is a path, so that one request finds all resources of an environment. */
export function pulumiImport(documents: readonly DumpedDocument[]) {
  const byName = Map.groupBy(documents, ({ kind, name }) => `${kind.slug} ${name}`);
  return {
    resources: documents.map(({ kind, parent, name }) => {
      const id = parent === undefined ? encodeName(name) : `${parent}/${encodeName(name)}`;
      const isAlone = byName.get(`${kind.slug} ${name}`)?.length === 1;
      return { type: `infrasync:index:${kind.name}`, name: isAlone ? name : id.replaceAll("/", "-"), id };
    }),
  };
}
