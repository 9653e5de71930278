import { article } from "../../../core/values/text.ts";
import {
  encodeName,
  formatReference,
  parseAddress,
  parseReference,
} from "../../../core/model/addresses/address.ts";
import { nameKey } from "../../../core/model/addresses/names.ts";
import type { Fields } from "../../../core/values/json.ts";
import { type Kind, kindAdvice, kindCalled, kinds } from "../../../core/model/kinds/index.ts";
import { type ManifestDocument, validateManifest } from "../../../core/manifests/manifest/index.ts";
import type { Position, Problem } from "../../../core/problems/problem.ts";
import type { Path } from "../../../core/source/mistake.ts";
import {
  assign,
  bareFields,
  divideAssignment,
  hasMistakeAt,
  readAssigned,
  withTexts,
} from "../../manifests/assignments.ts";

export interface CloneRequest {
  kind: string;
  /** Reference to the source, or its address: `shop/production/migrate`. */
  source: string;
  /** Reference to the parent of the clone, or its address: `shop/staging`. */
  to: string;
  name?: string;
  /** `cpu=250`. */
  set?: string[];
}

/** The manifest that requests the clone. Mistakes go to `problems`, with positions in the command line. */
export function cloneDocument(
  request: CloneRequest,
  problems: Problem[],
): { document?: ManifestDocument; problems: Problem[] } {
  const line = new CommandLine(request);
  const kind = kindCalled(request.kind);
  const typedAt = ([member]: Path) =>
    member === "clone" ? request.source : member === kind?.parentMember ? request.to : undefined;
  const report = (path: Path, message: string, advice: string) =>
    problems.push({
      code: "argument",
      message,
      advice,
      unmatched: typedAt(path),
      position: line.position(path),
    });

  if (!kind?.clone) {
    report(
      ["kind"],
      `${kind ? `${article(kind.name)} cannot be cloned` : `unknown kind "${request.kind}"`}`,
      adviceForKind(request.kind),
    );
    return { problems };
  }
  const source = referenceFrom(request.source, kind);
  const to = referenceFrom(request.to, kind.parent);
  const name = request.name ?? parseReference(source).at(-1) ?? "";
  const fields = readAssignments(request.set ?? [], kind, report);
  const check = (declared: Fields) =>
    validateManifest({
      kind: kind.name,
      ...(kind.parentMember !== undefined && { [kind.parentMember]: to }),
      name,
      clone: { from: source },
      ...declared,
    });
  const assignments = (request.set ?? []).map(divideAssignment);
  const { manifest, mistakes } = check(
    withTexts(fields, assignments, (declared, path) => hasMistakeAt(path, check(declared).mistakes)),
  );
  for (const { path, message, advice } of mistakes) report(path, message, advice);
  if (nameKey(`${to}/${encodeName(name)}`) === nameKey(formatReference(parseReference(source)))) {
    report(
      ["name"],
      "the clone would have the same parent and name as its source",
      "choose another name with --name, or another parent with --to",
    );
  }
  if (problems.length > 0 || !manifest) return { problems };
  return { document: { ...manifest, position: (path) => line.position(path) }, problems };
}

/** The reference in an address such as `job:shop/staging/a`; any other text is a reference already. */
function referenceFrom(text: string, kind: Kind | undefined): string {
  const address = parseAddress(text);
  return address !== undefined && address.kind === kind ? formatReference(address.names) : text;
}

function adviceForKind(given: string): string {
  const names = kinds.filter(({ clone }) => clone).map(({ slug }) => slug);
  return kindCalled(given) ? `these kinds can be cloned: ${names.join(", ")}` : kindAdvice(given, names);
}

function readAssignments(
  assignments: readonly string[],
  kind: Kind,
  report: (path: Path, message: string, advice: string) => void,
): Fields {
  const fields = bareFields();
  for (const assignment of assignments) {
    const { path, value: text } = divideAssignment(assignment);
    const own = flagInstead(path[0] ?? "", kind);
    if (path.includes("") || text === undefined)
      report(
        path,
        `--set "…" is not an assignment`,
        "write FIELD=VALUE, such as --set cpu=250 or --set source.image.tag=1.4.2",
      );
    else if (own !== undefined) report(path, `--set cannot set ${path[0]}, because it is not a field`, own);
    else {
      const value = readAssigned(text);
      if ("wrong" in value) report(path, `--set "${path.join(".")}": ${value.wrong}`, value.advice);
      else assign(fields, path, value.value);
    }
  }
  return fields;
}

function flagInstead(member: string, kind: Kind): string | undefined {
  if (member === "name") return "give the name with --name";
  if (member === kind.parentMember) return "choose the parent of the clone with --to";
  return ["kind", "clone", "manage"].includes(member) ? "leave it out" : undefined;
}

/** The command line in a canonical order, with the positions of its parts. */
class CommandLine {
  readonly #parts: { text: string; path?: Path }[];

  constructor({ kind, source, to, name, set = [] }: CloneRequest) {
    const parentMember = kindCalled(kind)?.parentMember ?? "";
    this.#parts = [
      { text: "infrasync clone" },
      { text: kind, path: ["kind"] },
      { text: source, path: ["clone"] },
      { text: "--to" },
      { text: to, path: [parentMember] },
      ...(name === undefined ? [] : [{ text: "--name" }, { text: name, path: ["name"] }]),
      ...set.flatMap((text) => [
        { text: "--set" },
        { text: shownAssignment(text), path: divideAssignment(text).path },
      ]),
    ];
  }

  /** The position of the argument that set a member; else the position of the source. */
  position(path: Path): Position {
    const steps = path.map(String);
    const shared = this.#parts.map((part) => sharedLength(part.path ?? [], steps));
    const best = Math.max(...shared);
    const index = best > 0 ? shared.lastIndexOf(best) : 2;
    const before = this.#parts.slice(0, index).map(({ text }) => `${text} `);
    return {
      file: "command line",
      line: 1,
      column: [...before.join("")].length + 1,
      text: this.#parts.map(({ text }) => text).join(" "),
    };
  }
}

/** An assignment without its value, which may be a secret; so may be a text without an assignment. */
const shownAssignment = (text: string) => (text.includes("=") ? text.replace(/=.*$/s, "=…") : "…");

function sharedLength(left: Path, right: readonly string[]): number {
  const different = left.findIndex((part, index) => part !== right[index]);
  return different === -1 ? left.length : different;
}
