import { parseAnyAddress } from "../../../../core/model/addresses/address.ts";
import { parsePattern } from "../../../../core/model/addresses/pattern.ts";
import { type Doc, type LiveThing, pathOf, type Scenario } from "./scenario.ts";

/**
 * Decides what a reader of the documents and flags would allow to be deleted. It knows the rules of consent from
 * `docs/` and nothing of the planner: it returns the reason why each deletion was wrong.
 *
 * @param after paths of the remaining resources, as `type:project/environment/name`
 * @param variables those that went from resources that remain: the resource of each
 */
export function wrongLosses(
  scenario: Scenario,
  gone: readonly LiveThing[],
  after: ReadonlySet<string>,
  variables: readonly LiveThing[] = [],
): string[] {
  const { live, docs, goal, caps } = scenario;
  const meant = meanings(live, docs);
  const docsOf = (thing: LiveThing) => docs.filter((doc) => meant.get(doc) === thing);
  const wrong: string[] = [];

  for (const thing of gone) {
    const name = `${thing.type}:${pathOf(thing).join("/")}`;
    const protection = protectionOf(scenario, thing, docsOf);
    if (protection !== undefined) wrong.push(`${name} went, protected by ${protection}`);
    const isRight =
      goal === "destroy"
        ? mayBeDestroyed(scenario, thing, docsOf)
        : mayBePruned(scenario, thing, docsOf) || mayBeReplaced(scenario, thing, docsOf, gone, after);
    if (!isRight) wrong.push(`${name} went without consent`);
  }

  for (const thing of variables) {
    const protection = protectionOf(scenario, thing, docsOf);
    if (protection !== undefined) wrong.push(`a variable of ${thing.name} went, protected by ${protection}`);
  }

  const count = gone.length + variables.length;
  if (count > caps.count) wrong.push(`${count} went, the cap is ${caps.count}`);
  for (const environment of live.filter(({ type }) => type === "environment")) {
    const size = live.filter(({ parent }) => parent === environment).length;
    const share = gone.filter(({ parent }) => parent === environment).length;
    if (size >= 10 && share * 100 > caps.percent * size)
      wrong.push(`${share} of ${size} went from ${environment.name}, the cap is ${caps.percent} %`);
  }
  return wrong;
}

/** The live resource that each document describes. */
function meanings(live: readonly LiveThing[], docs: readonly Doc[]): Map<Doc, LiveThing | undefined> {
  const meant = new Map<Doc, LiveThing | undefined>();
  const parentOf = (doc: Doc): LiveThing | undefined => {
    const path = doc.names.slice(0, -1).join("/");
    const document = docs.find((other) => other.names.join("/") === path);
    return document ? meaningOf(document) : live.find((thing) => pathOf(thing).join("/") === path);
  };
  const meaningOf = (doc: Doc): LiveThing | undefined => {
    const parent = parentOf(doc);
    const inside = live.filter(
      (thing) => thing.type === doc.type && thing.parent === parent && (parent || doc.names.length === 1),
    );
    if (doc.pinned) return inside.find((thing) => thing === doc.pinned);
    // A thing whose id another document declares is that document's, so its name is free for this one.
    const free = inside.filter((thing) => docs.every(({ pinned }) => pinned !== thing));
    return (
      free.find(({ name }) => name === doc.names.at(-1)) ?? free.find(({ name }) => name === doc.renamedFrom)
    );
  };
  for (const doc of docs) meant.set(doc, meaningOf(doc));
  return meant;
}

type DocsOf = (thing: LiveThing) => Doc[];

/** The patterns that protect it, by every name on the server or in documents of the resource and its parents. */
function protectionOf({ protect }: Scenario, thing: LiveThing, docsOf: DocsOf): string | undefined {
  for (let at: LiveThing | undefined = thing; at; at = at.parent) {
    if (docsOf(at).some((doc) => doc.protect)) return `the document of ${at.name}`;
  }
  const chain: LiveThing[] = [];
  for (let at: LiveThing | undefined = thing; at; at = at.parent) chain.unshift(at);
  let paths: string[][] = [[]];
  for (const link of chain) {
    const names = new Set([link.name, ...docsOf(link).map((doc) => doc.names.at(-1) ?? "")]);
    paths = paths.flatMap((path) => [...names].map((name) => [...path, name]));
  }
  return protect.find((text) =>
    paths.some((path) => parsePattern(text).matches(parseAnyAddress(`${thing.type}:${path.join("/")}`))),
  );
}

/** Whether targets choose a thing by a name of the documents, and by its name on the server as well. */
function isChosen({ targets }: Scenario, address: string, thing: LiveThing): boolean {
  return targets.length === 0 || areNamed(targets, address, thing);
}

function areNamed(patterns: readonly string[], address: string, thing: LiveThing): boolean {
  const isNamed = (each: string) =>
    patterns.some((text) => parsePattern(text).matches(parseAnyAddress(each)));
  return isNamed(address) && isNamed(`${thing.type}:${pathOf(thing).join("/")}`);
}

const addressOf = ({ type, names }: Doc) => `${type}:${names.join("/")}`;

/** The environment of a service has a document that allows pruning, and the flag is set. */
function isPrunable(scenario: Scenario, thing: LiveThing, docsOf: DocsOf): boolean {
  const { parent } = thing;
  const allows = parent?.type === "environment" && docsOf(parent).some((doc) => doc.prune);
  return scenario.prune && allows && docsOf(thing).length === 0;
}

function mayBeDestroyed(scenario: Scenario, thing: LiveThing, docsOf: DocsOf): boolean {
  const isMeant = (each: LiveThing) => docsOf(each).some((doc) => isChosen(scenario, addressOf(doc), each));
  return isMeant(thing) || (isPrunable(scenario, thing, docsOf) && !!thing.parent && isMeant(thing.parent));
}

function mayBePruned(scenario: Scenario, thing: LiveThing, docsOf: DocsOf): boolean {
  if (!isPrunable(scenario, thing, docsOf) || !thing.parent) return false;
  return docsOf(thing.parent).some((doc) =>
    isChosen(scenario, `${thing.type}:${[...doc.names, thing.name].join("/")}`, thing),
  );
}

/** Consent to the resource or its environment allows a replacement; any other deletion is a prune. */
function mayBeReplaced(
  scenario: Scenario,
  thing: LiveThing,
  docsOf: DocsOf,
  gone: readonly LiveThing[],
  after: ReadonlySet<string>,
): boolean {
  const isAllowed = (each: LiveThing) =>
    docsOf(each).some(
      (doc) =>
        doc.moves && after.has(addressOf(doc)) && areNamed(scenario.allowReplace, addressOf(doc), each),
    );
  if (isAllowed(thing)) return true;
  const { parent } = thing;
  if (!parent || !gone.includes(parent) || !isAllowed(parent)) return false;
  const isMadeAgain = docsOf(thing).some((doc) => after.has(addressOf(doc)));
  return isMadeAgain || isPrunable(scenario, thing, docsOf);
}
