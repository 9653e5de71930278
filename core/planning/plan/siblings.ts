import { describeAddress, parentAddress } from "../../model/addresses/address.ts";
import type { Fields, Json } from "../../values/json.ts";
import { siblingsNamed, type NamedSibling } from "../../model/kinds/index.ts";
import { field, say, type Message, type Term } from "../../problems/say.ts";
import { isDefault, ownPartFields, siblingParts, declaredParts } from "../../model/parts/index.ts";
import { type Answer, collect, open } from "./answer.ts";
import { duplicatesProblem } from "./expectations.ts";
import { expectMadeWithParent } from "./expected-resources.ts";
import type { Refusal } from "./findings.ts";
import { entriesOf, siblingKind } from "./naming.ts";
import { type Comparison, everyBase, type Overlay, type AddedState } from "./overlay.ts";
import type { Concern, Planning } from "./planning.ts";
import { nameKey } from "../../model/addresses/names.ts";
import type { Help, Remedy } from "../../problems/remedy.ts";
import { nearest } from "../../model/schema/suggest.ts";

/** The fields of an existing resource, with the siblings to which its declared parts refer. */
function withSiblings(
  { expectations }: Planning,
  { base, parent, declared, fields }: Overlay,
): Answer<AddedState> {
  if (!base) return {};
  const parts = siblingParts(declaredParts(base.kind)).filter(({ member }) =>
    Object.hasOwn(declared, member),
  );
  const entries = collect(parts, (part) => {
    const contents = expectations.contentsOf(parent, siblingKind(part));
    return contents === open ? open : entriesOf(part, base, contents, declared);
  });
  return entries === open ? open : { fields: { ...fields, ...ownPartFields(parts, entries) } };
}

function refuseMissing(
  { expectations }: Planning,
  { desired, parent, declared }: Comparison,
): Answer<Refusal[]> {
  const { address } = desired;
  const above = parentAddress(address);
  const place = above ? { resource: above.kind.name, written: describeAddress(above) } : "the organization";
  return collect(siblingsNamed(address.kind, declared), (named): Answer<Refusal[]> => {
    const { path, kind, name } = named;
    const contents = expectations.contentsOf(parent, kind);
    if (contents === open) return open;
    const [first, second] = contents.find(kind, name);
    if (first && second) {
      const { message, advice } = duplicatesProblem([first, second]);
      return [{ code: "twins", path, message: say`${field(path)}: ${message}`, help: advice }];
    }
    // The server creates it with a parent that this plan creates.
    const madeWithParent = first ? undefined : expectMadeWithParent(kind, name, parent);
    if (madeWithParent) contents.add(madeWithParent);
    const names = contents.all.filter((each) => each.kind === kind).map((each) => each.name);
    const missing = missingSibling(named, names, place);
    return missing ? [{ code: "reference", path, ...missing }] : [];
  });
}

/** The undeclared references that a replacement keeps: no defaults, and no siblings that the parent will not have. */
export function undeclaredSiblings(
  { expectations, live }: Planning,
  { base, parent, desired: { declared } }: Comparison,
): Answer<Fields> {
  if (!base) return {};
  const parts = siblingParts(declaredParts(base.kind)).filter(
    ({ member }) => !Object.hasOwn(declared, member),
  );
  const named = collect(parts, (part): Answer<[string, Json][]> => {
    const kind = siblingKind(part);
    const before = expectations.contentsOf(parent.replaced ?? parent, kind);
    if (before === open) return open;
    const value = ownPartFields([part], entriesOf(part, base, before, {}))[part.member];
    if (value === undefined || isDefault(part, live.defaults, "", value)) return [];
    const now = typeof value === "string" ? expectations.contentsOf(parent, kind) : undefined;
    if (now === open) return open;
    const isThere = typeof value !== "string" || (now?.find(kind, value) ?? []).length > 0;
    return isThere ? [[part.member, value]] : [];
  });
  return named === open ? open : Object.fromEntries(named);
}

/** References to siblings: a deployment stage, a database whose host is used. */
export const siblings: Concern = {
  name: "siblings",
  programs: true,
  state: {
    on: {
      nothing: "a new resource has no references before it exists",
      source: "the references of a clone are unknown before it exists",
      existing: true,
    },
    run: withSiblings,
  },
  refuse: { on: everyBase, run: refuseMissing },
};

/** The mistake in a sibling's name; undefined: it exists. @param names those of the siblings of its kind */
function missingSibling(
  { path, kind, name, output }: NamedSibling,
  names: readonly string[],
  place: Term | string,
): { message: Message; help: Help } | undefined {
  if (names.some((each) => nameKey(each) === nameKey(name))) return undefined;
  const near = nearest(name, names);
  const written = (each: string) => (output === undefined ? each : `${kind.slug}:${each}`);
  const where = path.length > 1 ? say`${field(path.slice(0, 2))}: ` : "";
  const others = names.map(written).toSorted();
  return {
    message: say`${where}there is no ${kind.name} "${name}" in ${place}${{ ofDocuments: ", and no document declares one" }}`,
    help:
      near === undefined
        ? { remedies: [{ declare: "missing" }, ...(others.length === 0 ? [] : [another(others)])] }
        : { advice: `did you mean ${written(near)}?` },
  };
}

const another = (names: readonly string[]): Remedy => ({ declare: "another", names });
