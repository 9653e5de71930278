import { meantBy, writtenPattern } from "../../model/addresses/meant.ts";
import type { Concern, Whole } from "../plan/planning.ts";
import type { Problem } from "../../problems/problem.ts";
import { knownAddresses } from "./restrictions.ts";

/** Consents that match nothing, such as mistyped ones: nobody would notice that they allow nothing. */
export const unusedConsents: Concern = {
  name: "unused approvals",
  programs: "a program declares one resource at a time, so settings cannot be compared with all resources",
  object: problemsOfUnused,
};

function problemsOfUnused({ planning }: Whole): Problem[] {
  const { allowReplace } = planning.policy;
  if (allowReplace.length === 0) return [];
  const addresses = [...knownAddresses(planning)];
  const patterns = allowReplace.filter((pattern) => !addresses.some((address) => pattern.matches(address)));
  return patterns.map(({ text }) => problemOf(text, meantBy(text, addresses, writtenPattern)));
}

function problemOf(text: string, near: string | undefined): Problem {
  return {
    code: "target",
    unmatched: text,
    message: `the approval "${text}" matches no declared or live resource`,
    advice: `${near === undefined ? "" : `did you mean ${near}? `}name a resource of the plan, or leave the flag out`,
  };
}
