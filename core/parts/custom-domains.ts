import { path } from "../api/path.ts";
import { textIn } from "../json.ts";
import type { Part } from "./part.ts";

/** The custom domains of a service. `type` is as in paths: `application`. */
export const customDomains = (type: string): Part => ({
  name: "custom domain",
  member: "custom_domains",
  listing: (id) => ({ path: path`/${type}/${id}/customDomain` }),
  keyOf: (entry) => textIn(entry, "domain"),
  isOwn: () => true,
  isReadable: () => true,
});
