import type { AnyAddress } from "../../core/address.ts";
import type { Action } from "../../core/plan/index.ts";

/** Actions that are shown together; `title`: that of their section, undefined where there are no sections. */
interface Section {
  title: string | undefined;
  actions: Action[];
}

/** The section that has a resource, where a plan is shown in sections. */
export type SectionOf = (address: AnyAddress) => string;

/** Actions by section, in the order of the actions. What several environments share comes first. */
export function inSections(actions: readonly Action[], sectionOf: SectionOf | undefined): Section[] {
  if (!sectionOf) return [{ title: undefined, actions: [...actions] }];
  const isShared = (title: string) => title.includes(", ");
  return [...Map.groupBy(actions, ({ address }) => sectionOf(address))]
    .map(([title, inside]) => ({ title, actions: inside }))
    .toSorted((one, other) => Number(isShared(other.title)) - Number(isShared(one.title)));
}
