import { type Address, parseAddress, parseReference } from "../../core/model/addresses/address.ts";
import { kindAdvice, kindCalled, kindSlugs, kinds, parentKindAt } from "../../core/model/kinds/index.ts";
import type { Problem } from "../../core/problems/problem.ts";

/** `shop`, `shop/staging`, `shop/staging/api` or `job:shop/staging/migrate`. */
export function readResourceArgument(
  text: string,
): { address: Address } | { names: readonly string[] } | { problem: Problem } {
  const address = parseAddress(text);
  if (address) return { address };
  const names = parseReference(text);
  const depth = names.length - 1;
  const parentKind = parentKindAt(depth);
  const [kind, second] = parentKind ? [parentKind] : kinds.filter((each) => each.depth === depth);
  if (!kind || names.includes("") || text.includes(":")) return { problem: notAnAddress(text) };
  return second ? { names } : { address: { kind, names } };
}

function notAnAddress(text: string): Problem {
  return {
    code: "argument",
    unmatched: text,
    message: `"${text}" is not the reference or address of a resource`,
    advice: adviceFor(text),
  };
}

function adviceFor(text: string): string {
  const colon = text.indexOf(":");
  return colon > 0 && !kindCalled(text.slice(0, colon))
    ? kindAdvice(text.slice(0, colon), kindSlugs).replace(/\?$/, `${text.slice(colon)}?`)
    : "write a reference such as shop, shop/staging or shop/staging/api, or an address such as job:shop/staging/migrate";
}
