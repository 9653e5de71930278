import { repeating } from "../../redaction/credentials-in-values.ts";
import {
  type Address,
  addressKey,
  describeAddress,
  formatAddress,
  parentAddress,
  parseAddress,
  parseReference,
  nameOf,
} from "../../model/addresses/address.ts";
import { nameKey } from "../../model/addresses/names.ts";
import type { Fields } from "../../values/json.ts";
import { claimProblems } from "./claims.ts";
import { addressOf } from "./layers.ts";
import type { Manage, ManifestDocument } from "./document.ts";
import { referencesIn } from "../../model/fields/references.ts";
import {
  type Kind,
  kindsOfCatalogue,
  siblingsNamed,
  outputFaults,
  withOutputsInPlace,
} from "../../model/kinds/index.ts";
import { partFaults } from "../../model/parts/index.ts";
import type { Position, Problem } from "../../problems/problem.ts";
import { textOf } from "../../problems/say.ts";
import type { Mistake, Path } from "../../source/mistake.ts";
import { withoutPlainSecrets } from "../../secrets/index.ts";

/** A resource as the manifests declare it. */
export interface DesiredResource {
  address: Address;
  name: string;
  /** The declared fields, completed by the kind; references are still names or ids. */
  declared: Fields;
  /** The plain values of secrets in its document, by their references in the fields. */
  secretValues: ReadonlyMap<string, string>;
  manage: Manage;
  /** The paths of fields that keep their live values; absent: those of `manage.ignore`. */
  ignored?: readonly Path[];
  /** The source of its clone, if it does not exist. */
  cloneFrom: Address | undefined;
  /** The parent, the resources to which the fields refer, and the source of the clone with all its contents. */
  after: readonly DesiredResource[];
  /** A command or a source requests exactly this resource, not a similar one under another name. */
  isNew?: true;
  /** The position of a member of its document. */
  position(path: readonly (string | number)[]): Position;
}

/** An empty document for an unmanaged resource. */
export function emptyDesired(address: Address): DesiredResource {
  return {
    address,
    name: nameOf(address),
    declared: {},
    secretValues: new Map(),
    manage: {},
    cloneFrom: undefined,
    after: [],
    position: () => ({ file: "", line: 0, column: 0, text: "" }),
  };
}

/** Undefined: there is none. */
export function parentOf({ address, after }: DesiredResource): DesiredResource | undefined {
  const parent = parentAddress(address);
  return parent && after.find((other) => addressKey(other.address) === addressKey(parent));
}

/** Turns documents into desired resources. Finds duplicates, clones of themselves and circles. */
export function toDesired(documents: readonly ManifestDocument[]) {
  const problems: Problem[] = [];
  const byKey = new Map<string, DesiredResource>();
  for (const document of documents) {
    const resource = desiredOf(document);
    const key = addressKey(resource.address);
    const first = byKey.get(key);
    if (first) problems.push(duplicate(first, resource));
    else byKey.set(key, resource);
    const report = (path: Path, problem: Problem) =>
      problems.push(placed(problem, resource, document.position(path)));
    for (const { path, message, ...fault } of faultsIn(document.kind, document.fields, resource.declared))
      report(path, { ...fault, message: `${describeAddress(resource.address)}: ${textOf(message)}` });
    if (resource.cloneFrom && addressKey(resource.cloneFrom) === key)
      report(["clone", "from"], {
        code: "circle",
        message: `clone.from of ${describeAddress(resource.address)} names the resource itself`,
        advice: "name another source, or leave clone out",
      });
  }
  const all = withDependencies(byKey);
  problems.push(...renameProblems(all), ...claimProblems(all));
  const { ordered, circle } = order(all);
  const [first] = circle;
  if (first) {
    const link = linkIn(circle);
    const { resource, path } = link ?? { resource: first, path: first.cloneFrom ? ["clone", "from"] : [] };
    const problem: Problem = {
      code: "circle",
      message: `these depend on each other in a circle: ${[...circle, first].map(({ address }) => describeAddress(address)).join(" -> ")}`,
      advice: `remove ${link ? path.join(".") : "clone"} from one of them`,
    };
    problems.push(placed(problem, resource, resource.position(path)));
  }
  return { resources: ordered, problems };
}

/** A problem of the document of a resource. */
function placed(problem: Problem, { address }: DesiredResource, position: Position): Problem {
  return { ...problem, position, address: formatAddress(address) };
}

/** The mistakes of the parts and the outputs in fields. @param declared the fields, completed by the kind */
export function faultsIn(kind: Kind, fields: Fields, declared = fields) {
  const ofOutputs = outputFaults(kind, fields).map((fault) => ({ code: "invalid" as const, ...fault }));
  return [...partFaults(kind, declared), ...ofOutputs];
}

/** The first resource of a circle that has a link into it, and the linking member. */
function linkIn(
  circle: readonly DesiredResource[],
): { resource: DesiredResource; path: string[] } | undefined {
  const keys = new Set(circle.map(({ address }) => addressKey(address)));
  for (const resource of circle) {
    const named = siblingsOf(resource).find(({ address }) => keys.has(addressKey(address)));
    if (named) return { resource, path: named.path };
  }
  return undefined;
}

/** The resources to which fields refer: siblings, and entries of the organization. */
function namedAddresses(resource: DesiredResource): Address[] {
  const { address, declared } = resource;
  return [
    ...siblingsOf(resource).map((sibling) => sibling.address),
    ...referencesIn(address.kind.fields, declared).flatMap(({ catalogue, desired }) =>
      kindsOfCatalogue(catalogue).map((kind) => ({ kind, names: [desired] })),
    ),
  ];
}

export function namedDocuments(desired: DesiredResource): DesiredResource[] {
  const named = new Set(namedAddresses(desired).map(addressKey));
  return desired.after.filter(({ address }) => named.has(addressKey(address)));
}

/** The siblings to which fields refer, each with the referring member. */
function siblingsOf({ address, declared }: DesiredResource): { path: string[]; address: Address }[] {
  return siblingsNamed(address.kind, declared).map(({ path, kind, name }) => ({
    path: path.slice(0, 2),
    address: { kind, names: [...address.names.slice(0, -1), name] },
  }));
}

function desiredOf(document: ManifestDocument): DesiredResource {
  const { kind } = document;
  const address = addressOf(document);
  const inPlace = withOutputsInPlace(kind, document.fields);
  const declared = kind.form?.complete?.(inPlace.fields) ?? inPlace.fields;
  const { fields, values } = withoutPlainSecrets(kind.fields, declared, formatAddress(address));
  return {
    address,
    name: document.name,
    declared: fields,
    secretValues: values,
    manage: document.manage,
    cloneFrom: document.clone && { kind, names: parseReference(document.clone.from) },
    after: [],
    position: (path) => {
      const [member, key, ...inside] = path;
      const declaredIn = inPlace.declaredIn.get(`${member}.${key}`);
      return document.position(
        declaredIn === undefined || key === undefined ? path : [declaredIn, key, ...inside],
      );
    },
  };
}

function duplicate(first: DesiredResource, second: DesiredResource): Problem {
  const place = first.position(["name"]);
  const sameName = first.name === second.name;
  const problem: Problem = {
    code: "duplicate",
    message: `${describeAddress(second.address)} is declared twice, first at ${place.file}:${place.line}:${place.column}${sameName ? "" : ` as "${first.name}"`}`,
    advice: sameName
      ? "merge the two documents"
      : "names that differ only in case or in the form of Unicode are the same; merge the two documents",
  };
  return placed(problem, second, second.position(["name"]));
}

/** The address of a resource before its declared rename. */
export function formerAddress({
  address,
  manage,
}: Pick<DesiredResource, "address" | "manage">): Address | undefined {
  const { renamed_from: name } = manage;
  return name === undefined ? undefined : { ...address, names: [...address.names.slice(0, -1), name] };
}

function renameProblems(all: readonly DesiredResource[]): Problem[] {
  const renamed = all.filter(({ manage }) => manage.renamed_from !== undefined);
  if (renamed.length === 0) return [];
  const taken = new Set(all.map((resource) => addressKey(resource.address)));
  return renamed.flatMap((resource) => {
    const mistake = renameMistake(resource, taken);
    const position = resource.position(["manage", "renamed_from"]);
    return mistake ? [placed({ code: "rename", ...mistake }, resource, position)] : [];
  });
}

function renameMistake(resource: DesiredResource, taken: ReadonlySet<string>): Mistake | undefined {
  const old = resource.manage.renamed_from;
  if (old === undefined || old === resource.name) return undefined;
  if (nameKey(old) === nameKey(resource.name))
    return {
      message: `manage.renamed_from: "${old}" is the same name as "${resource.name}", because names that differ only in case or in the form of Unicode are the same`,
      advice: "remove renamed_from",
    };
  if (isPath(old, resource.address))
    return {
      message: `manage.renamed_from: "${old}" is a path, and only the name of a resource can change, not its place`,
      advice: `${repeating(old, `write the old name alone, such as ${parseReference(old).at(-1)}`, "write the old name alone")}; to move a resource, clone it to the new place, and delete the old one`,
    };
  const oldAddress = formerAddress(resource);
  return oldAddress && taken.has(addressKey(oldAddress))
    ? {
        message: `${describeAddress(oldAddress)} is declared by a document of its own, so it cannot be renamed to "${resource.name}"`,
        advice: "remove renamed_from, or the other document",
      }
    : undefined;
}

/** Whether a text is the address or the whole reference of a resource, not a name with slashes. */
function isPath(text: string, { names }: Address): boolean {
  const reference = parseReference(text);
  const isOfProject = nameKey(reference[0] ?? "") === nameKey(names[0] ?? "");
  return (
    parseAddress(text) !== undefined ||
    (reference.length > 1 && reference.length === names.length && isOfProject)
  );
}

/** Depth first, so that each comes after its dependencies; parents first, else in the order of the documents. */
function order(all: readonly DesiredResource[]): { ordered: DesiredResource[]; circle: DesiredResource[] } {
  const ordered: DesiredResource[] = [];
  const state = new Map<DesiredResource, "open" | "done">();
  let circle: DesiredResource[] = [];

  for (const start of all) {
    // A stack of our own, because a long chain of clones would overflow the call stack.
    const stack: { resource: DesiredResource; rest: DesiredResource[] }[] = [];
    const enter = (resource: DesiredResource) => {
      state.set(resource, "open");
      stack.push({ resource, rest: [...resource.after] });
    };
    if (!state.has(start)) enter(start);
    for (let top = stack.at(-1); top; top = stack.at(-1)) {
      const next = top.rest.shift();
      if (next === undefined) {
        state.set(top.resource, "done");
        ordered.push(top.resource);
        stack.pop();
      } else if (state.get(next) === "open") {
        const open = stack.map((entry) => entry.resource);
        circle = open.slice(open.indexOf(next));
      } else if (!state.has(next)) enter(next);
    }
  }
  return { ordered, circle };
}

/** Each resource with its contents at all levels, by the key of its address. */
function contentsByAddress(all: readonly DesiredResource[]): Map<string, DesiredResource[]> {
  const within = new Map<string, DesiredResource[]>();
  for (const resource of all) {
    for (let at: Address | undefined = resource.address; at; at = parentAddress(at)) {
      const key = addressKey(at);
      const list = within.get(key);
      if (list) list.push(resource);
      else within.set(key, [resource]);
    }
  }
  return within;
}

/** Fills in `after` by look-up, because there may be many documents. */
function withDependencies(byKey: ReadonlyMap<string, DesiredResource>): DesiredResource[] {
  const all = [...byKey.values()];
  const within = all.some(({ cloneFrom }) => cloneFrom) ? contentsByAddress(all) : undefined;
  for (const resource of all) {
    const itsParent = parentAddress(resource.address);
    const parent = itsParent && byKey.get(addressKey(itsParent));
    const source = resource.cloneFrom ? (within?.get(addressKey(resource.cloneFrom)) ?? []) : [];
    const named = namedAddresses(resource).flatMap((address) => byKey.get(addressKey(address)) ?? []);
    resource.after = [...(parent ? [parent] : []), ...source.filter((other) => other !== resource), ...named];
  }
  return all;
}
