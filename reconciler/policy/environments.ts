import { type AnyAddress, formatReference, parseAnyAddress } from "../../core/model/addresses/address.ts";
import type { DesiredResource } from "../../core/manifests/manifest/index.ts";
import { nameKey } from "../../core/model/addresses/names.ts";
import { environmentNames } from "../../core/model/addresses/scope.ts";

/**
 * What has rules of its own and is planned alone: the documents of an environment, those of a project outside its
 * environments, or those of the organization outside projects.
 */
export interface Environment {
  /** Equal for all of these documents. */
  key: string;
  /** The names of the project and the environment, of the project alone, or none. */
  names: readonly string[];
  /** Its name in messages: `shop/production`. */
  name: string;
}

/** The environment of a resource. @param given also as text, such as `job:shop/production/a` */
export function environmentOf(given: AnyAddress | string): Environment {
  const names = environmentNames(typeof given === "string" ? parseAnyAddress(given) : given);
  const name = names.length === 0 ? "the organization" : formatReference(names);
  return { key: environmentKeyOf(names), names, name };
}

/** Divides documents, in order. */
export function environmentsOf(resources: readonly Pick<DesiredResource, "address">[]): Environment[] {
  const environments = new Map<string, Environment>();
  for (const { address } of resources) {
    const environment = environmentOf(address);
    if (!environments.has(environment.key)) environments.set(environment.key, environment);
  }
  return [...environments.values()];
}

export function environmentKeyOf(names: readonly string[]): string {
  return names.map(nameKey).join("/");
}
