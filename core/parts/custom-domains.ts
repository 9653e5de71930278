import { path } from "../api/path.ts";
import { textIn } from "../json.ts";
import type { Part } from "./part.ts";

/** The custom domains of an application. */
export const customDomains: Part = {
  name: "custom domain",
  member: "custom_domains",
  listing: (id) => ({ path: path`/application/${id}/customDomain` }),
  keyOf: (entry) => textIn(entry, "domain"),
  isReadable: () => true,
};
