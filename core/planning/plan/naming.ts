import { type Fields, own } from "../../values/json.ts";
import { type Kind, kindOf } from "../../model/kinds/index.ts";
import {
  listingKey,
  ownPartFields,
  type PartEntry,
  partsIn,
  siblingKindOf,
  siblingParts,
  type DeclaredPart,
  declaredParts,
} from "../../model/parts/index.ts";
import { become, type ExpectedResource, type ExpectedContents } from "./expected-resources.ts";

/** Records in the siblings of a resource that its fields refer to them. */
export function expectNaming(resource: ExpectedResource, contents: ExpectedContents): void {
  for (const part of siblingParts(declaredParts(resource.kind))) {
    const expected = own(resource.fields, part.member);
    if (expected === undefined) continue;
    const entries = entriesOf(part, resource, contents, resource.fields);
    if (own(ownPartFields([part], entries), part.member) === expected) continue;
    const listed = entries.map(({ response }) => response);
    const request = part.form.nextRequest(resource.key, [{ key: "", desired: expected }], entries, "parent");
    const after = new Map(
      request?.listedAfter?.(undefined, listed)?.map((response) => [response["id"], response]),
    );
    for (const sibling of contents.all)
      become(sibling, { response: after.get(sibling.key) ?? sibling.response });
  }
}

export function siblingKind(part: DeclaredPart): Kind {
  return kindOf(siblingKindOf(part) ?? "");
}

/** The expected siblings, as the entries of a part that refers to one. */
export function entriesOf(
  part: DeclaredPart,
  { key }: ExpectedResource,
  { all }: ExpectedContents,
  declared: Fields,
): PartEntry[] {
  const siblings = all.filter(({ kind }) => kind === siblingKind(part));
  const listed = siblings.map((each) => ({ ...each.response, id: each.key, name: each.name }));
  const owner = { id: key, parentId: "parent" };
  return partsIn(new Map([[listingKey(part.listing(key, "parent")), listed]]), owner, [part], declared) ?? [];
}
