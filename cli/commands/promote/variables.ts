import { readFile } from "node:fs/promises";
import { addressKey, describeAddress } from "../../../core/model/addresses/address.ts";
import { formatPath } from "../../../core/model/fields/compare.ts";
import { type Fields, sameJson, withValueAt } from "../../../core/values/json.ts";
import {
  type AcceptedDifference,
  type UpdatedFile,
  withVariable,
} from "../../../core/import/manifest-update/index.ts";
import type { DesiredResource } from "../../../core/manifests/manifest/index.ts";
import { parseVariableFile } from "../../../core/source/variable-file.ts";
import type { SourceFlags } from "../../flags.ts";
import type { DeclaredEnvironment } from "../../manifests/environment-documents.ts";
import { readSources } from "../../manifests/manifests.ts";
import type { Io } from "../../terminal/io.ts";

/** Changes a variable of the target in `tag: "${TAG}"`, if only these versions follow from it. Writes nothing. */
export async function byVariables(
  target: DeclaredEnvironment,
  taken: readonly AcceptedDifference[],
  flags: SourceFlags,
  io: Io,
): Promise<{
  files: UpdatedFile[];
  /** The versions that the manifests will declare. */
  rest: AcceptedDifference[];
  /** Variables that no longer set a version. */
  notes: string[];
}> {
  const files = new Map<string, UpdatedFile>();
  const notes: string[] = [];
  const named = Map.groupBy(taken, (difference) => variableOf(target, difference));
  const rest = [...(named.get(undefined) ?? [])];
  for (const [name, uses] of named) {
    if (name === undefined) continue;
    const place = await placeOf(name, target);
    const [value, second] = new Set(uses.map(({ undeclared }) => String(undeclared[0]?.before)));
    if (place && value !== undefined && second === undefined && (await changesOnly(uses, name, value))) {
      const before = files.get(place.file)?.before ?? (await readFile(place.file, "utf8"));
      const after = withVariable(files.get(place.file)?.after ?? before, place.path, value);
      files.set(place.file, { name: place.file, before, after });
      continue;
    }
    rest.push(...uses);
    for (const { desired, undeclared } of uses)
      notes.push(
        `The variable ${name} no longer sets ${formatPath(undeclared[0]?.path ?? [])} of ${describeAddress(desired.address)}: something else follows from it too, so the manifest declares the version`,
      );
  }
  return { files: [...files.values()], rest, notes };

  /** Whether another value of a variable changes these versions and nothing else. */
  async function changesOnly(uses: readonly AcceptedDifference[], name: string, value: string) {
    const { environment, sources } = target;
    const variables = new Map([...environment.variables, [name, value]]);
    const { resources, problems } = await readSources(
      { sources, environment: { ...environment, variables } },
      flags,
      io,
    );
    const before = new Map(target.resources.map((resource) => [addressKey(resource.address), resource]));
    const used = new Set(uses.map(({ desired }) => addressKey(desired.address)));
    return (
      problems.length === 0 &&
      resources.length === before.size &&
      resources.every((resource) => {
        const key = addressKey(resource.address);
        const same = before.get(key);
        return (
          same !== undefined &&
          sameJson(used.has(key) ? withVersion(same, value) : same.declared, resource.declared)
        );
      })
    );
  }
}

function withVersion({ address, declared }: DesiredResource, value: string): DesiredResource["declared"] {
  return withValueAt(declared, address.kind.deployment?.versionField ?? [], value) as Fields;
}

/** The variable with the version of a service of the target; undefined: its document declares it. */
function variableOf(
  { resources }: DeclaredEnvironment,
  { desired, undeclared: [change] }: AcceptedDifference,
): string | undefined {
  const key = addressKey(desired.address);
  const resource = resources.find(({ address }) => addressKey(address) === key);
  if (!resource || !change) return undefined;
  const { text, column } = resource.position(change.path);
  return /^(["']?)\$\{(\w+)\}\1(?=[\s,}\]]|$)/.exec(text.slice(column - 1))?.[2];
}

async function placeOf(
  name: string,
  { environment }: DeclaredEnvironment,
): Promise<{ file: string; path: readonly string[] } | undefined> {
  if (environment.variables.has(name))
    return { file: environment.placeOf(name).file, path: ["environments", environment.name, "vars", name] };
  for (const file of environment.variableFiles.toReversed())
    if (parseVariableFile(await readFile(file, "utf8"), file).values.has(name)) return { file, path: [name] };
  return undefined;
}
