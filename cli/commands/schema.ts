import { join } from "node:path";
import { escapeControl } from "../../core/values/text.ts";
import { exitCodes, CommandError } from "../exit-codes.ts";
import type { Command } from "./command.ts";
import { kindAdvice, kindCalled, kinds, kindSlugs } from "../../core/model/kinds/index.ts";
import {
  anyManifestSchema,
  defaultsManifestSchema,
  manifestSchema,
  templateManifestSchema,
} from "../../core/manifests/manifest/index.ts";
import { writeFiles } from "../files/write-files.ts";
import { policyFileSchema } from "../../reconciler/index.ts";
import { settingsFileSchema } from "../settings/file-schema.ts";
import { outputOf } from "../../core/outputs/forms/index.ts";

/** `infrasync schema`: prints the JSON Schemas that editors use to check manifests. */
export const schema: Command<[kind: string | undefined], { out?: string }> = {
  async run({ args: [kindName], flags: { out }, console }) {
    const special = { defaults: defaultsManifestSchema, template: templateManifestSchema };
    const [, schemaOf] = Object.entries(special).find(([name]) => name === kindName?.toLowerCase()) ?? [];
    if (schemaOf && out === undefined) {
      console.document(schemaOf());
      return exitCodes.done;
    }
    const kind = kindName === undefined ? undefined : kindCalled(kindName);
    if (kindName !== undefined && !kind) {
      throw new CommandError("usage", exitCodes.invalid, {
        message: `unknown kind "${kindName}"`,
        advice: kindAdvice(kindName, kindSlugs),
      });
    }
    if (out === undefined) {
      console.document(kind ? manifestSchema(kind) : anyManifestSchema());
      return exitCodes.done;
    }
    const ofAll = [
      { name: "manifest.schema.json", content: anyManifestSchema() },
      { name: "settings.schema.json", content: settingsFileSchema() },
      { name: "reconcile.schema.json", content: policyFileSchema() },
    ];
    const files = [
      ...(kind ? [] : ofAll),
      ...(kind ? [kind] : kinds).map((one) => ({
        name: `${one.slug}.schema.json`,
        content: manifestSchema(one),
      })),
    ];
    await writeFiles(
      files.map(({ name, content }) => ({
        name: join(out, name),
        text: `${JSON.stringify(content, undefined, 2)}\n`,
      })),
    );
    if (console.json) {
      console.document(outputOf("documents", { files: files.map(({ name }) => join(out, name)) }));
    } else console.note(`Written to ${escapeControl(out)}: ${files.map(({ name }) => name).join(", ")}.`);
    return exitCodes.done;
  },
};
