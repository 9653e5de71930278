import { formatAddress } from "../../model/addresses/address.ts";
import type { Concern, Whole } from "../plan/planning.ts";
import type { Problem } from "../../problems/problem.ts";
import { nearest } from "../../model/schema/suggest.ts";
import { knownAddresses } from "./restrictions.ts";

/** Consents that match nothing, such as mistyped ones: nobody would notice that they allow nothing. */
export const idleConsents: Concern = {
  name: "idle consents",
  programs: "a program declares one resource at a time, so that nobody knows what its settings could match",
  object: problemsOfIdle,
};

function problemsOfIdle({ planning }: Whole): Problem[] {
  const { allowReplace } = planning.policy;
  if (allowReplace.length === 0) return [];
  const addresses = [...knownAddresses(planning)];
  const texts = addresses.map((address) => formatAddress(address));
  const patterns = allowReplace.filter((pattern) => !addresses.some((address) => pattern.matches(address)));
  return patterns.map(({ text }) => problemOf(text, nearest(text, texts)));
}

function problemOf(text: string, near: string | undefined): Problem {
  return {
    code: "target",
    message: `the approval "${text}" matches nothing that is declared or live`,
    advice: `${near === undefined ? "" : `perhaps ${near}? `}name what the plan shows, or leave it out`,
  };
}
