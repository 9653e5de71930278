import { path } from "../../api/index.ts";
import { type Fields, isFields, textIn } from "../../values/json.ts";
import { flag, keyed, object, oftenChanged, text } from "../schema/field.ts";
import { keepingUnknown } from "./unknown-members.ts";
import type { Part, PartChange, PartEntry, PartRequest } from "./part.ts";

/** The members of an answer that no document declares. */
const facts = ["id", "created_at", "updated_at", "domain", "status", "validation_domain"];

/** The valid names of a domain; the API ignores case, so only lower case is valid. */
const domainNames = {
  pattern: String.raw`^(\*\.)?([a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?\.)+[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$`,
  message: "cannot be a domain",
  advice: "write a domain such as shop.example.com, in lower case, without https:// and without a path",
};

const schema = keyed(
  domainNames,
  object({
    generate_certificate: flag("Whether the platform obtains a certificate for the domain.", {
      default: true,
    }),
    use_cdn: oftenChanged(
      flag("Whether the domain is behind a CDN, so that it does not resolve to the cluster.", {
        default: false,
      }),
    ),
  }),
  "Custom domains by their names; only those that are declared are changed.",
);

/** @param type as in paths: `application` */
export function customDomains(type: string): Part {
  const listPath = (id: string) => path`/${type}/${id}/customDomain`;
  return {
    name: "custom domain",
    member: "custom_domains",
    listing: (id) => ({ path: listPath(id), plainIn: () => facts }),
    keyOf: domainIn,
    reports: {
      member: "custom_domain_validation",
      description:
        "Whether the platform has validated each custom domain, and to which name its DNS record has to lead.",
      schema: object({
        status: text("State of the validation, as the API has it: `VALIDATION_PENDING`."),
        validation_domain: text("The name to which a DNS record of the domain has to lead."),
      }),
    },
    form: {
      schema,
      isUnique: true,
      staysWithSource: true,
      declaredAs: ({ generate_certificate: certificate, use_cdn: cdn }) => ({
        ...(typeof certificate === "boolean" && { generate_certificate: certificate }),
        ...(typeof cdn === "boolean" && { use_cdn: cdn }),
      }),
      nextRequest: (id, [first], listed) => first && requestFor(listPath(id), first, listed),
    },
  };
}

function domainIn(entry: Fields): string | undefined {
  return textIn(entry, "domain")?.toLowerCase();
}

function requestFor(
  list: string,
  { key, desired }: PartChange,
  listed: readonly PartEntry[],
): PartRequest | undefined {
  const there = listed.find(({ part, key: other }) => part.member === "custom_domains" && other === key);
  const id = there && textIn(there.response, "id");
  const one = id === undefined ? undefined : `${list}${path`/${id}`}`;
  const others = (all: readonly Fields[]) => all.filter((entry) => domainIn(entry) !== key);
  if (!isFields(desired)) {
    return one === undefined
      ? undefined
      : {
          method: "DELETE",
          path: one,
          keys: [key],
          isAnsweredBy: (answer) => isFields(answer) && answer["status"] !== 202,
          listedAfter: (_answer, all) => others(all),
        };
  }
  const isAnsweredBy = (answer: unknown): answer is Fields => isFields(answer) && domainIn(answer) === key;
  return {
    ...(one === undefined ? { method: "POST", path: list } : { method: "PUT", path: one }),
    body: { domain: key, generate_certificate: true, ...desired },
    ...(one !== undefined && keepingUnknown(there?.response, [...facts, "generate_certificate", "use_cdn"])),
    keys: [key],
    isAnsweredBy,
    listedAfter: (answer, all) =>
      isAnsweredBy(answer) && textIn(answer, "id") !== undefined ? [...others(all), answer] : undefined,
  };
}
