import * as pulumi from "@pulumi/pulumi";
import { pointerOf } from "../lifecycle/internal.ts";

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
    Object.entries(value).map(([member, part]) => pointersIn(part, pointer + pointerOf([member]))),
  );
  return inside.flat();
}

async function isSecret(value: unknown): Promise<boolean> {
  try {
    return await pulumi.isSecret(pulumi.output(value));
  } catch {
    // The error comes where the value is used.
    return true;
  }
}

/** An input whose value the API never shows. */
export interface SecretInput {
  /** Members separated by dots; lists have none: `terraformVariablesSource.tfVars.value`. */
  path: string;
  /** The member beside it that makes it a secret; absent: it always is one. */
  when?: string;
}

/** Marks an input as secret wherever the API hides it, and wherever it is not known yet whether it does. */
export function withSecretInput(args: object, { path, when }: SecretInput): object {
  return marked(args, path.split("."), when) as object;
}

function marked(value: unknown, [member = "", ...inside]: readonly string[], when?: string): unknown {
  if (pulumi.Output.isInstance(value) || value instanceof Promise)
    return pulumi.output(value).apply((known) => pulumi.output(marked(known, [member, ...inside], when)));
  if (Array.isArray(value)) return value.map((element) => marked(element, [member, ...inside], when));
  if (typeof value !== "object" || value === null) return value;
  const fields = value as Record<string, unknown>;
  if (fields[member] === undefined) return value;
  if (inside.length > 0) return { ...fields, [member]: marked(fields[member], inside, when) };
  const isHidden = when === undefined || (fields[when] !== undefined && fields[when] !== false);
  return isHidden ? { ...fields, [member]: pulumi.secret(fields[member]) } : value;
}
