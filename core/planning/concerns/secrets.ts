import { type Address, type AnyAddress, formatAddress } from "../../model/addresses/address.ts";
import { compare, formatPath } from "../../model/fields/compare.ts";
import { type Fields, isFields, type Json, own } from "../../values/json.ts";
import type { Kind } from "../../model/kinds/index.ts";
import type { DesiredResource } from "../../manifests/manifest/index.ts";
import { entriesIn, declaredParts } from "../../model/parts/index.ts";
import type { Problem } from "../../problems/problem.ts";
import { meantBy } from "../../model/addresses/meant.ts";
import type { DeclaredSecret } from "../../model/addresses/secret-choice.ts";
import { hiddenSecrets, secretField, secretsInFields, withRotated } from "../../secrets/index.ts";
import { isTarget } from "../plan/documents.ts";
import type { Refusal } from "../plan/findings.ts";
import { addressesOf } from "../plan/inventory.ts";
import type { Comparison, Overlay } from "../plan/overlay.ts";
import type { Concern, Planning, Whole } from "../plan/planning.ts";
import { covers, withLiveAddress } from "./both-addresses.ts";

/** The declared fields, with `rotate: true` on each secret that this run writes again. A note names the others. */
function withRotations(
  { policy, findings, inventory }: Planning,
  { on, base, desired: { address }, declared, fields: current }: Overlay,
): Fields {
  const both = withLiveAddress(inventory, address, on === "existing" ? base?.id : undefined);
  const isRotated = (key: string) =>
    covers(
      policy.rotate.map((choice) => ({ matches: (each) => choice.matches(each, key) })),
      both,
    );
  const note = (name: string, keys: readonly string[]): void => {
    if (keys.length > 0)
      findings.note({
        code: "values_not_compared",
        message:
          keys.length === 1
            ? `the ${name} ${keys.join()} exists; infrasync cannot compare its value`
            : `the ${name}s ${keys.join(", ")} exist; infrasync cannot compare their values`,
        address,
      });
  };
  const { rotated = [], left = [] } = Object.groupBy(secretsInBoth(address, declared, current), (path) =>
    isRotated(formatPath(path)) ? "rotated" : "left",
  );
  note(secretField, left.map(formatPath));
  let result = withRotated(address.kind.fields, declared, rotated);
  for (const { member, name, form } of declaredParts(address.kind)) {
    if (!form.isWriteOnly) continue;
    const entries = entriesIn(declared, member);
    const there = Object.entries(entries).filter(
      ([key, entry]) => isFields(entry) && Object.hasOwn(entriesIn(current, member), key),
    );
    const again = there.filter(([key]) => isRotated(key));
    if (again.length > 0)
      result = {
        ...result,
        [member]: {
          ...entries,
          ...Object.fromEntries(
            again.map(([key, entry]) => [key, { ...(isFields(entry) && entry), rotate: true }]),
          ),
        },
      };
    // A secret with a new version is written anyway.
    const isWritten = (key: string, entry: Json) => {
      const before = fieldsOf(own(entriesIn(current, member), key));
      return compare(form.schema.entries ?? {}, before, { ...before, ...fieldsOf(entry) }).length > 0;
    };
    note(
      name,
      there.flatMap(([key, entry]) => (isRotated(key) || isWritten(key, entry) ? [] : [key])),
    );
  }
  return result;
}

/** Refuses `--rotate` patterns that match only one of the two addresses of a resource. */
function refuseHalfChosen(
  { policy, inventory }: Planning,
  { desired: { address, declared }, base }: Comparison,
): Refusal[] {
  const { liveAddress } = withLiveAddress(inventory, address, base?.id);
  if (!liveAddress) return [];
  const keys = secretKeys(address.kind, declared);
  const isChosen = (each: AnyAddress) =>
    keys.filter((key) => policy.rotate.some((choice) => choice.matches(each, key)));
  const [written, live] = [isChosen(address), isChosen(liveAddress)];
  const half = keys.filter((key) => written.includes(key) !== live.includes(key));
  if (half.length === 0) return [];
  const [is, other] = [address, liveAddress].map(formatAddress);
  return [
    {
      code: "target",
      path: ["name"],
      message: `${half.join(", ")} would be written again under one of two names only: the resource is ${is} in the documents, and ${other} on the server`,
      help: "name both",
    },
  ];
}

const fieldsOf = (entry: Json | undefined): Fields => (isFields(entry) ? entry : {});

function secretsInBoth({ kind }: Address, declared: Fields, current: Fields): string[][] {
  const there = new Set(hiddenSecrets(kind.fields, current).map(formatPath));
  return secretsInFields(kind.fields, declared)
    .map(({ path }) => path)
    .filter((path) => there.has(formatPath(path)));
}

/** Problems of `--rotate` choices that match no declared secret: the user would believe that it is written. */
function idleRotations({ planning: { policy, resources, inventory }, goal }: Whole): Problem[] {
  if (goal !== "reconcile") return [];
  const { rotate, targets } = policy;
  if (rotate.length === 0) return [];
  const chosen = resources.filter(({ address }) => isTarget(policy, address));
  const all = chosen.flatMap((desired) => secretsOf(desired, desired.address));
  const live = [...inventory.byId.values()].flatMap((identity) =>
    identity.documents
      .filter((document) => chosen.includes(document))
      .flatMap((document) => addressesOf(identity).flatMap((address) => secretsOf(document, address))),
  );
  return rotate
    .filter((choice) => ![...all, ...live].some(({ address, key }) => choice.matches(address, key)))
    .map(({ text }) => {
      const key = text.slice(text.lastIndexOf(":") + 1);
      const meant =
        meantBy(
          key,
          all.map((each) => ({ ...each, names: [each.key] })),
          writtenSecret,
        ) ??
        meantBy(
          text,
          all.map((each) => ({ ...each, names: each.address.names })),
          writtenSecret,
        );
      return {
        code: "target",
        unmatched: text,
        message: `"${text}" chooses no secret that a ${targets.length > 0 ? "targeted " : ""}document declares, so no secret would be written again`,
        advice: `${meant === undefined ? "" : `did you mean ${meant}? `}name a resource, such as job:shop/staging/*, or one of its secrets, such as job:shop/staging/api:PASSWORD`,
      };
    });
}

function writtenSecret({ address, key }: DeclaredSecret): string {
  return `${formatAddress(address)}:${key}`;
}

function secretsOf({ declared }: DesiredResource, address: Address): DeclaredSecret[] {
  return secretKeys(address.kind, declared).map((key) => ({ address, key }));
}

function secretKeys(kind: Kind, declared: Fields): string[] {
  const inFields = secretsInFields(kind.fields, declared).map(({ path }) => formatPath(path));
  const inParts = declaredParts(kind).flatMap(({ member, form }) =>
    form.isWriteOnly
      ? Object.entries(entriesIn(declared, member)).flatMap(([key, entry]) => (isFields(entry) ? [key] : []))
      : [],
  );
  return [...inFields, ...inParts];
}

/** Existing secrets: a run writes them again only on request. */
export const secrets: Concern = {
  name: "rotation",
  programs: "the state of a program has the values that were written last, so they are compared",
  object: idleRotations,
  state: {
    on: { nothing: "every secret of a new resource is written", source: true, existing: true },
    run: (planning, overlay) => ({ declared: withRotations(planning, overlay) }),
  },
  refuse: {
    on: {
      nothing: "it has no name on the server yet",
      source: "the copy has no name on the server yet",
      existing: true,
    },
    run: refuseHalfChosen,
  },
};
