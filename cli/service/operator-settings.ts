import path from "node:path";
import type { Problem } from "../../core/problems/problem.ts";
import type { DeclaredSections } from "../../core/manifests/settings/schema.ts";
import { readSettingsFile } from "../settings/file.ts";
import type { Console } from "../terminal/console.ts";

/** The section `reconcile` of the file of `--config`, with paths from its folder: other files may come from the synced repository. */
export async function readOperatorSettings(
  config: string | undefined,
  console: Pick<Console, "io" | "note">,
  problems: Problem[],
): Promise<DeclaredSections["reconcile"]> {
  // The reader of all settings reports the other mistakes of the file.
  const file = await readSettingsFile(config, { orders: [] }, console.io);
  const { members, guards } = file;
  const others = config === undefined ? [file, ...guards] : guards;
  for (const other of others)
    if (other.members.has("reconcile"))
      console.note(
        `Note: the section reconcile of ${other.name} is ignored: only the file of --config may have one.`,
      );
  const member = members.get("reconcile");
  if (config === undefined || !member) return {};
  const { readSection } = await import("../../core/manifests/settings/read-section.ts");
  const { value, problems: mistakes = [] } = readSection("reconcile", member);
  problems.push(...mistakes);
  const files = ["notify_file", "require_signed"] as const;
  const resolved = files.flatMap((name) =>
    value?.[name] === undefined ? [] : [[name, path.resolve(path.dirname(config), value[name])]],
  );
  return { ...value, ...Object.fromEntries(resolved) };
}
