import * as pulumi from "@pulumi/pulumi";

/** The method of the SDK: with `true`, the function also gets values that are only partly known. */
interface PartlyKnown {
  apply(run: (value: unknown) => unknown, withUnknowns: true): pulumi.Output<unknown>;
}

/**
 * Marks references among the outputs of a resource as unknown during a preview. Until a resource has been created or
 * changed, the engine gives its inputs as its outputs, so a reference would be a text instead of `{id, name}`.
 *
 * @param paths the paths of the references: `source.image.registry`
 */
export function withholdReferences(resource: object, paths: readonly string[]): void {
  if (!pulumi.runtime.isDryRun()) return;
  const outputs = resource as Record<string, PartlyKnown | undefined>;
  for (const path of paths) {
    const [property = "", ...inside] = path.split(".");
    const output = outputs[property];
    if (output) outputs[property] = output.apply((value) => withhold(value, inside), true);
  }
}

function withhold(value: unknown, path: readonly string[]): unknown {
  if (pulumi.isUnknown(value)) return value;
  if (Array.isArray(value)) return value.map((element) => withhold(element, path));
  const [member, ...inside] = path;
  if (member === undefined) return typeof value === "string" ? pulumi.unknown : value;
  if (typeof value !== "object" || value === null || !Object.hasOwn(value, member)) return value;
  return { ...value, [member]: withhold((value as Record<string, unknown>)[member], inside) };
}
