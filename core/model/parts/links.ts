import { path } from "../../api/index.ts";
import { type Fields, isFields, textIn } from "../../values/json.ts";
import type { Part } from "./part.ts";

/** The public addresses of services, which follow from ports and domains, and cannot be written. */
export interface Links {
  /** The addresses, by URL. */
  part: Part;
  /** Whether a service with these fields has any. */
  isPublic(fields: Fields): boolean;
  /** The place of an address among those of its service: own domains first, then the default port. */
  rank(entry: Fields): number;
}

/** @param type as in the paths of requests: `application` */
export function links(type: string): Links {
  const part: Part = {
    name: "address",
    member: "links",
    listing: (id) => ({
      path: path`/${type}/${id}/link`,
      plainIn: () => ["service_id", "service_type", "url", "internal_port", "external_port"],
    }),
    keyOf: (entry) => textIn(entry, "url"),
  };
  return {
    part,
    // Every port of a chart can be reached.
    isPublic: ({ ports }) =>
      Array.isArray(ports) && ports.some((port) => isFields(port) && port["publicly_accessible"] !== false),
    rank: ({ is_qovery_domain: isPlatforms, is_default: isDefault }) =>
      (isPlatforms === true ? 2 : 0) + (isDefault === true ? 0 : 1),
  };
}
