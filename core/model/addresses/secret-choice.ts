import type { Address, AnyAddress } from "./address.ts";
import { parsePattern, type Pattern } from "./pattern.ts";
import { kinds } from "../kinds/index.ts";

/** Chooses secrets that a run writes again: those of some resources, or one by its key. */
export interface SecretChoice {
  text: string;
  /** Whether the choice includes a secret. @param key of the secret, or the path of a field: `PASSWORD`, `terraform_variables_source.tf_vars[password]` */
  matches(address: AnyAddress, key: string): boolean;
}

export interface DeclaredSecret {
  address: Address;
  key: string;
}

/** Reads `job:shop/staging/*` for all secrets of resources, `job:shop/staging/api:PASSWORD` for one. @throws InvalidInputError */
export function parseSecretChoice(text: string): SecretChoice {
  const [, resource, chosen] = /^(.+):([^:/]+)$/.exec(text) ?? [];
  // `job:name` is a kind and a name, not a resource and a key.
  if (resource === undefined || chosen === undefined || isKind(resource)) return parsePattern(text);
  const owner = parsePattern(resource);
  const whole = patternOf(text);
  return {
    text,
    matches: (address, key) =>
      (owner.matches(address) && (key === chosen || key.endsWith(`[${chosen}]`))) ||
      whole?.matches(address) === true,
  };
}

function isKind(text: string): boolean {
  return text === "*" || kinds.some(({ slug }) => slug === text.toLowerCase());
}

/** The pattern of a text, which may end with a name with a colon; undefined if it is none. */
function patternOf(text: string): Pattern | undefined {
  try {
    return parsePattern(text);
  } catch {
    return undefined;
  }
}
