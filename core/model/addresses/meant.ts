import { parentKindAt } from "../kinds/index.ts";
import { nearest } from "../schema/suggest.ts";
import { type AnyAddress, formatAddress, formatReference } from "./address.ts";
import { nameKey } from "./names.ts";

const mostNamed = 5;

/** What a person who typed a name or an address that matches nothing probably meant: what has that name, or else the most similar one. */
export function meantBy<Known extends Pick<AnyAddress, "names"> & Partial<AnyAddress>>(
  text: string,
  known: readonly Known[],
  written: (each: Known) => string,
): string | undefined {
  const reference = nameKey(text.slice(text.indexOf(":") + 1));
  const called = known.filter(({ names }) =>
    [names.at(-1), formatReference(names)].some((name) => nameKey(name ?? "") === reference),
  );
  if (called.length > 0) return [...new Set(called.map(written))].slice(0, mostNamed).join(" or ");
  const spelled = ({ kind, names }: Known) =>
    kind && text.includes(":") ? formatAddress({ kind, names }) : formatReference(names);
  const near = nearest(text, known.map(spelled));
  const meant = known.find((each) => spelled(each) === near);
  return meant && written(meant);
}

/** An address as people write it: that of an environment without its kind. */
export function writtenAddress(address: AnyAddress): string {
  return address.names.length > 1 && holdsOthers(address)
    ? formatReference(address.names)
    : formatAddress(address);
}

/** The pattern of a resource with all that is in it. */
export function writtenPattern(address: AnyAddress): string {
  return holdsOthers(address) ? `${formatReference(address.names)}/**` : formatAddress(address);
}

function holdsOthers({ kind, names }: AnyAddress): boolean {
  return parentKindAt(names.length - 1)?.slug === kind.slug;
}
