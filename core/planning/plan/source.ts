import {
  type Address,
  addressKey,
  describeAddress,
  formatReference,
  parentAddress,
} from "../../model/addresses/address.ts";
import { copyingEnds } from "../../rules/clone.ts";
import { type Fields, isFields } from "../../values/json.ts";
import type { DesiredResource } from "../../manifests/manifest/index.ts";
import { partsIn, declaredParts } from "../../model/parts/index.ts";
import type { Action, PendingClone, SourceReference } from "./action.ts";
import { type Answer, open } from "./answer.ts";
import type { Parent } from "./expectations.ts";
import type { ExpectedResource, ExpectedContents } from "./expected-resources.ts";
import { similar } from "./locate.ts";
import type { Planning } from "./planning.ts";

export function sourceOf(planning: Planning, desired: DesiredResource): Answer<ExpectedResource> {
  const from = desired.cloneFrom ?? desired.address;
  return planning.expectations.find(from) ?? rejectMissingSource(planning, desired, from);
}

/** The parts that come with a clone: read if it has contents, otherwise those known. @param fields the copy's fields */
export function carriedParts(
  { live, findings }: Planning,
  { kind, origin, contents }: ExpectedResource,
  fields: Fields,
): Answer<Action["carries"]> {
  const parts = declaredParts(kind).filter(
    ({ form, isConfiguration }) => !form.staysWithSource && !isConfiguration,
  );
  const entries = origin && partsIn(live.parts, origin, parts);
  if (origin && !entries && contents.all.length > 0) return findings.needParts(origin, parts);
  return parts.flatMap(({ member, name, form }) => {
    const own = (entries ?? []).flatMap(({ part, key, isOwn }) =>
      part.member === member && isOwn ? [key] : [],
    );
    const expected = fields[member];
    const keys = isFields(expected) ? Object.keys(expected) : own;
    return keys.length === 0 ? [] : [{ sort: name, keys, isReadable: !form.isWriteOnly }];
  });
}

export function referenceTo({ id, madeBy, ...source }: ExpectedResource): SourceReference {
  if (id !== undefined) return { id };
  return madeBy === undefined ? { madeWith: source.madeWith ?? "" } : { madeBy };
}

function rejectMissingSource(
  { expectations, findings }: Planning,
  desired: DesiredResource,
  from: Address,
): typeof open {
  const parent = expectations.parentOf(from);
  if (parent === open) return open;
  const before = parent?.replaced?.contents.find(from.kind, from.names.at(-1) ?? "") ?? [];
  const itsParent = parentAddress(from);
  const refuse = (message: string, help: string): typeof open =>
    findings.refuse(desired, { code: "missing_source", path: ["clone", "from"], message, help });
  const source = `its source ${describeAddress(from)}`;
  if (itsParent && before.length > 0)
    return refuse(
      `${source} is deleted with ${describeAddress(itsParent)}, which is replaced`,
      "declare the source too, so that it is created again",
    );
  const near = similar(expectations, from);
  if (near === open) return open;
  return refuse(
    `${source} does not exist, and no document declares it`,
    near === undefined ? "correct clone.from" : `did you mean ${formatReference(near)}?`,
  );
}

/** The clone that may still create a missing resource, because the server has not copied all services yet. */
export function comingWith(
  { expectations, live: { now } }: Planning,
  desired: DesiredResource,
  parent: Parent,
): Answer<PendingClone | undefined> {
  if (desired.address.kind.use === "data") return undefined;
  const clone = parent.live;
  const itsParent = parentAddress(desired.address);
  const document =
    itsParent && desired.after.find(({ address }) => addressKey(address) === addressKey(itsParent));
  if (!clone || !document?.cloneFrom) return undefined;
  const source = expectations.find(document.cloneFrom);
  if (!source || source === open) return source;
  const contents = expectations.contentsOf(source, desired.address.kind);
  if (contents === open) return open;
  const since = createdAt(clone.response);
  if (since === undefined) return undefined;
  const isInSource = contents.find(desired.address.kind, desired.name).some(({ live }) => {
    const made = live && createdAt(live.response);
    // A service that was created in the source after the request is not copied.
    return made !== undefined && Date.parse(made) <= Date.parse(since);
  });
  const last = lastCopied(parent.contents, contents);
  const coming = { address: document.address, since, ...(last !== undefined && { last }) };
  return isInSource && copyingEnds(coming, Infinity) > now ? coming : undefined;
}

/** The creation time of the newest service in both a clone and its source. */
function lastCopied(contents: ExpectedContents, source: ExpectedContents): string | undefined {
  return contents.all
    .filter(({ kind, name, live }) => live && source.find(kind, name).length > 0)
    .flatMap(({ response }) => createdAt(response) ?? [])
    .reduce<string | undefined>(
      (last, each) => (last !== undefined && Date.parse(last) > Date.parse(each) ? last : each),
      undefined,
    );
}

/** The creation time, by the server; undefined if it does not tell. */
function createdAt({ created_at: value }: { [member: string]: unknown }): string | undefined {
  return typeof value === "string" && !Number.isNaN(Date.parse(value)) ? value : undefined;
}
