import * as pulumi from "@pulumi/pulumi";

/** As the SDK has it: with `true`, the function gets what is known of a value that is not known in part. */
interface PartlyKnown {
  apply(run: (value: unknown) => unknown, withUnknowns: true): pulumi.Output<unknown>;
}

/**
 * Makes the references among the outputs of a resource unknown in a preview, as long as they are not known: until a
 * resource has been made or changed, the engine gives its inputs for its outputs, so a text where `{id, name}` will be.
 *
 * @param paths where the references are: `source.image.registry`
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
