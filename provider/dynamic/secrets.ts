import * as pulumi from "@pulumi/pulumi";

/**
 * Which inputs of a resource are secret, as JSON pointers; undefined when none is. The engine hands a dynamic provider
 * their values and does not say that they are secret.
 */
export async function secretPointers(args: object): Promise<string[] | undefined> {
  const pointers = await pointersIn(args, "");
  return pointers.length === 0 ? undefined : pointers;
}

async function pointersIn(value: unknown, pointer: string): Promise<string[]> {
  if (pulumi.Output.isInstance(value) || value instanceof Promise) {
    return (await isSecret(value)) ? [pointer] : [];
  }
  if (typeof value !== "object" || value === null) return [];
  const inside = await Promise.all(
    Object.entries(value).map(([member, part]) =>
      pointersIn(part, `${pointer}/${member.replaceAll("~", "~0").replaceAll("/", "~1")}`),
    ),
  );
  return inside.flat();
}

async function isSecret(value: unknown): Promise<boolean> {
  try {
    return await pulumi.isSecret(pulumi.output(value));
  } catch {
    // Whoever uses the value is told.
    return true;
  }
}
