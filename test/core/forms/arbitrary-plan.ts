import fc from "fast-check";
import { type Address, type AnyAddress, foreignAddress } from "../../../core/address.ts";
import { codesOf, noteCodes, problemCodes } from "../../../core/codes.ts";
import type { FieldChange } from "../../../core/fields/compare.ts";
import { rewritings } from "../../../core/fields/rewriting.ts";
import type { Fields, Json } from "../../../core/json.ts";
import { kinds } from "../../../core/kinds/index.ts";
import {
  waitsForOthers,
  type Action,
  type ActionParts,
  deleteReasons,
  deployReasons,
  makeAction,
  type PendingClone,
  type Loss,
  lossSorts,
  type Note,
  type ParentReference,
  type Plan,
} from "../../../core/plan/index.ts";
import { type Position, type Problem } from "../../../core/problem.ts";
import type { Remedy } from "../../../core/remedy.ts";

/** Every member of a type, including optional ones: the compiler reports a new member that has no generator. */
type Members<Value> = { [Member in keyof Value]-?: fc.Arbitrary<Exclude<Value[Member], undefined>> };

type OptionalOf<Value> = {
  [Member in keyof Value]-?: undefined extends Value[Member] ? Member : never;
}[keyof Value];

/** Objects of a type, with and without their optional members. */
function objects<Value>(
  members: Members<Value>,
  ...optional: readonly OptionalOf<Value>[]
): fc.Arbitrary<Value> {
  const requiredKeys = Object.keys(members).filter((member) => !optional.some((one) => one === member));
  return fc.record(members as Record<string, fc.Arbitrary<unknown>>, { requiredKeys }) as fc.Arbitrary<Value>;
}

const text = fc.string({ maxLength: 8 });
const name = fc.string({ minLength: 1, maxLength: 8, unit: "grapheme" });
const texts = fc.array(text, { maxLength: 3 });
const flag = fc.constant(true as const);
const json = fc.jsonValue({ maxDepth: 2, noUnicodeString: false }).map(asWritten) as fc.Arbitrary<Json>;
const fields: fc.Arbitrary<Fields> = fc.dictionary(name, json, { maxKeys: 3, noNullPrototype: true });

/** The value after a conversion to JSON and back, which has no -0. */
function asWritten(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value));
}

const address: fc.Arbitrary<Address> = fc
  .constantFrom(...kinds)
  .chain((kind) =>
    fc
      .array(name, { minLength: kind.depth + 1, maxLength: kind.depth + 1 })
      .map((names) => ({ kind, names })),
  );

const anyAddress: fc.Arbitrary<AnyAddress> = fc.oneof(
  address,
  fc.array(name, { minLength: 3, maxLength: 3 }).map((names) => foreignAddress("queue", names)),
);

type SettingRemedy = Extract<Remedy, { setting: unknown }>;
type ConsentRemedy<To> = Extract<Remedy, { consent: To }>;
type AgainRemedy = Extract<Remedy, { again: unknown }>;

const remedy: fc.Arbitrary<Remedy> = fc.oneof(
  objects<SettingRemedy>(
    { setting: fc.constantFrom("base_url", "max_requests"), value: text, file: text, oneOf: texts },
    "value",
    "file",
    "oneOf",
  ),
  objects<ConsentRemedy<"replace">>(
    { consent: fc.constant("replace" as const), address: text, also: text, stated: text },
    "also",
    "stated",
  ),
  objects<ConsentRemedy<"unprotect">>({
    consent: fc.constant("unprotect" as const),
    address: text,
    stated: text,
  }),
  objects<ConsentRemedy<"prune">>({ consent: fc.constant("prune" as const), document: flag }, "document"),
  objects<AgainRemedy>({ again: fc.constantFrom("plan", "run", "later") }),
);
const remedies = fc.array(remedy, { maxLength: 3 });

const position = objects<Position>({
  file: text,
  line: fc.integer({ min: 1 }),
  column: fc.integer({ min: 1 }),
  text,
});

const problem = objects<Problem>(
  {
    code: fc.constantFrom(...codesOf(problemCodes)),
    message: text,
    advice: text,
    remedies,
    position,
    address: text,
    blocks: fc.constant("apply" as const),
  },
  "advice",
  "remedies",
  "position",
  "address",
  "blocks",
);

// A plan with a note of a lifted rule is refused, so that has no JSON form.
const note = objects<Omit<Note, "isLifted">>(
  {
    code: fc.constantFrom(...codesOf(noteCodes)),
    message: text,
    remedies,
    address,
    resources: fc.array(address),
  },
  "remedies",
  "address",
  "resources",
);

const owner = objects<NonNullable<Loss["owner"]>>(
  { id: text, address: anyAddress, liveAddress: anyAddress },
  "liveAddress",
);

const loss = objects<Loss>(
  {
    sort: fc.constantFrom(...lossSorts),
    what: text,
    name,
    extent: text,
    content: text,
    address: anyAddress,
    liveAddress: anyAddress,
    id: text,
    owner,
    path: texts,
    described: fc.boolean(),
    restorable: fc.boolean(),
  },
  "extent",
  "content",
  "address",
  "liveAddress",
  "id",
  "owner",
  "path",
);

const change = objects<FieldChange>(
  { path: texts, before: json, after: json, replaces: text, unkept: fc.constantFrom(...rewritings) },
  "before",
  "after",
  "replaces",
  "unkept",
);

const parent: fc.Arbitrary<ParentReference> = fc.oneof(fc.record({ id: text }), fc.record({ madeBy: text }));

const pendingClone = objects<PendingClone>({ address, since: text, last: text }, "last");
const changes = fc.array(change, { maxLength: 3 });
const losses = fc.array(loss, { maxLength: 3 });
const leaving = { liveAddress: anyAddress, losses, contentIds: texts, resourceId: text, fingerprint: text };

const source: fc.Arbitrary<NonNullable<Action["source"]>> = fc
  .tuple(address, fc.oneof(parent, fc.record({ madeWith: text })))
  .map(([its, reference]) => ({ address: its, ...reference }));

/** Actions of a type with the members that concern it, and perhaps the optional ones. */
function actionsOf(
  type: Action["type"],
  members: { [Member in keyof Action]?: fc.Arbitrary<Action[Member]> },
  ...optional: (keyof Action)[]
): fc.Arbitrary<Action> {
  const base = { id: text, address, parent, after: texts, carriedOutBy: text };
  const all = { ...base, ...members } as Record<string, fc.Arbitrary<unknown>>;
  const requiredKeys = Object.keys(all).filter((member) => !["carriedOutBy", ...optional].includes(member));
  return fc.record(all, { requiredKeys }).map((parts) => makeAction({ type, ...parts } as ActionParts));
}

const action: fc.Arbitrary<Action> = fc.oneof(
  actionsOf("create", { pendingClone, expected: fields }, "pendingClone"),
  actionsOf(
    "clone",
    {
      pendingClone,
      source,
      stated: fields,
      changes,
      brings: fc.array(objects<Action["brings"][number]>({ kind: text, name })),
      carries: fc.array(
        objects<Action["carries"][number]>({ sort: text, keys: texts, isReadable: fc.boolean() }),
      ),
      expected: fields,
    },
    "pendingClone",
  ),
  actionsOf(
    "update",
    {
      resourceId: text,
      stated: fields,
      changes,
      expected: fields,
      losses,
      reaches: fc.array(address, { maxLength: 3 }),
      fingerprint: text,
    },
    "resourceId",
    "fingerprint",
  ),
  actionsOf("deploy", { subject: parent, reason: fc.constantFrom(...deployReasons) }),
  actionsOf("replace", { ...leaving, expected: fields, changes, reasons: texts }, "liveAddress"),
  actionsOf(
    "delete",
    { ...leaving, afterOthers: fc.boolean(), reason: fc.constantFrom(...deleteReasons) },
    "liveAddress",
  ),
  actionsOf("none", { resourceId: text }, "resourceId"),
);

/** The same actions in an order that can be carried out: each waits for earlier ones only. */
function inOrder(actions: readonly Action[]): Action[] {
  const named = actions.map((one, index) => ({ ...one, id: `${index} ${one.id}` }));
  return named.map((one, index) => {
    const earlier = named.slice(0, index);
    const free = earlier.filter((other) => waitsForOthers(one) || !waitsForOthers(other));
    const after = free.slice(0, one.after.length).map(({ id }) => id);
    return { ...one, after, carriedOutBy: one.carriedOutBy === undefined ? undefined : earlier[0]?.id };
  });
}

/** Any plan that can be serialised, including plans that no planner creates; values of secrets are no part of its form. */
export const plans: fc.Arbitrary<Plan> = objects<
  Omit<Plan, "secretValues" | "positionOf" | "waveOf" | "remembered" | "whole" | "consents" | "unstated">
>({
  goal: fc.constantFrom("reconcile", "destroy"),
  organization: objects<Plan["organization"]>({ id: text, name }, "name"),
  actions: fc.array(action, { maxLength: 4 }).map(inOrder),
  problems: fc.array(problem, { maxLength: 3 }),
  notes: fc.array(note, { maxLength: 3 }),
  at: fc.constant(0),
  spent: fc.nat(),
});
