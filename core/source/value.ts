import {
  type Alias,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  type ParsedNode,
  type Scalar,
  type YAMLMap,
} from "yaml";
import { type Fields, type Json, setOwn } from "../values/json.ts";
import type { ProblemCode } from "../problems/codes.ts";
import { maximumAliasedValues, maximumDepth } from "./limits.ts";
import { type Mistake, type Path, type PlacedMistake, quote, show, showPath } from "./mistake.ts";
import { fillIn, plainValue, type Variables, wholeParameter } from "./variables.ts";

/** Converts nodes to JSON: expands aliases, up to a limit, and reports duplicate keys; without `variables`, texts stay. */
export function valueOf(
  root: ParsedNode,
  variables?: Variables,
): {
  value: Json;
  mistakes: PlacedMistake[];
  /** Whether an alias could not be expanded, so that the value cannot be used. */
  incomplete: boolean;
  /** The paths of texts and numbers that could not be converted and have become null. */
  holes: readonly Path[];
  targets: ReadonlyMap<Alias, ParsedNode>;
} {
  const mistakes: PlacedMistake[] = [];
  const targets = new Map<Alias, ParsedNode>();
  const anchors = new Map<string, ParsedNode>();
  const open = new Set<ParsedNode>();
  let incomplete = false;
  const holes: Path[] = [];
  const path: (string | number)[] = [];
  let aliased = 0;
  let inAlias = false;
  let excess: Mistake | undefined;

  const report = (node: ParsedNode, mistake: Mistake, code: ProblemCode = "syntax") => {
    // Mistakes in the value of an alias have been reported at its anchor.
    if (!inAlias) mistakes.push({ ...mistake, code, offset: node.range[0] });
  };
  const without = (node: ParsedNode, mistake: Mistake, code?: ProblemCode): null => {
    report(node, mistake, code);
    if (isAlias(node)) incomplete = true;
    else holes.push([...path]);
    return null;
  };

  const read = (node: ParsedNode, depth: number): Json => {
    if (inAlias) {
      if (++aliased > maximumAliasedValues) excess ??= tooManyAliases;
      else if (depth > maximumDepth) excess ??= tooDeep;
      if (excess) return null;
    }
    if (isAlias(node)) return readAlias(node, depth);
    open.add(node);
    // Expanding an alias must not restore an anchor that has been redefined since.
    if (node.anchor !== undefined && !inAlias) anchors.set(node.anchor, node);
    const value = isMap(node)
      ? readMap(node, depth)
      : isSeq(node)
        ? node.items.map((item, index) =>
            isEmpty(item) ? nothingAt(index, item) : readAt(index, item, depth + 1),
          )
        : readScalar(node);
    open.delete(node);
    return value;
  };

  const readAt = (part: string | number, node: ParsedNode, depth: number): Json => {
    path.push(part);
    const value = read(node, depth);
    path.pop();
    return value;
  };

  /** An omitted value does not mean that it shall be removed. */
  const nothingAt = (part: string | number, place: ParsedNode): null => {
    report(place, withoutValue([...path, part]));
    holes.push([...path, part]);
    return null;
  };

  const readAlias = (alias: Alias.Parsed, depth: number): Json => {
    const target = targets.get(alias) ?? anchors.get(alias.source);
    if (!target) return without(alias, noAnchor(show(alias.source)));
    if (open.has(target)) return without(alias, insideItself(show(alias.source)));
    targets.set(alias, target);
    if (inAlias) return read(target, depth);
    if (excess) return null;
    inAlias = true;
    const value = read(target, depth);
    inAlias = false;
    return excess ? without(alias, excess) : value;
  };

  const readMap = (map: YAMLMap.Parsed, depth: number): Fields => {
    const fields: Fields = {};
    for (const { key, value } of map.items) {
      const member = isScalar(key) && typeof key.value === "string" ? key.value : "";
      if (Object.hasOwn(fields, member)) {
        report(key, duplicate(member));
        // The rest is the next document, with a missing line before it.
        if (member === "kind" && path.length === 0) break;
        if (value) readAt(member, value, depth + 1);
      } else
        setOwn(
          fields,
          member,
          value && !isEmpty(value) ? readAt(member, value, depth + 1) : nothingAt(member, key),
        );
    }
    return fields;
  };

  const readScalar = (node: ParsedNode): Json => {
    if (!isScalar(node)) return null;
    const value: unknown = node.value;
    switch (typeof value) {
      case "string":
        if (!value.isWellFormed()) return without(node, illFormed);
        return variables && value.includes("${") ? readFilled(node, value, variables) : value;
      case "number":
        return isExact(value, node.source) ? value : without(node, inexact(value));
      case "boolean":
        return value;
      default:
        return null;
    }
  };

  const readFilled = (node: Scalar.Parsed, text: string, given: Variables): Json => {
    const parameter = wholeParameter(text, given);
    if (parameter !== undefined) return parameter;
    const filled = fillIn(text, given);
    if ("mistake" in filled) return without(node, filled.mistake, "variable");
    return node.type === "PLAIN" ? plainValue(filled.text) : filled.text;
  };

  return { value: read(root, 1), mistakes, incomplete, holes, targets };
}

/** Whether a node is empty but for a tag, an anchor, a `|` or a comment; `null`, `~` and quotes are not empty. */
export function isEmpty(node: ParsedNode): boolean {
  return isScalar(node) && node.source === "" && node.type !== "QUOTE_DOUBLE" && node.type !== "QUOTE_SINGLE";
}

/** Whether a number is sent exactly as written. Every reader rounds fractions; an integer must not be rounded. */
function isExact(value: number, source: string | undefined): boolean {
  if (Number.isSafeInteger(value)) return true;
  if (source !== undefined && /^[+-]?\d+$/.test(source)) return String(value) === source;
  return Number.isFinite(value);
}

const tooDeep: Mistake = {
  message: `nested more than ${maximumDepth} levels deep`,
  advice: "a manifest has fewer than ten levels; write out the values of the aliases",
};

const tooManyAliases: Mistake = {
  message: `the aliases expand to more than ${maximumAliasedValues.toLocaleString("en")} values`,
  advice: "use fewer aliases, or aliases of smaller values",
};

const illFormed: Mistake = {
  message: "half of a surrogate pair is not a character",
  advice: "write the character itself, or \\U and its eight digits",
};

function withoutValue(path: Path): Mistake {
  return {
    message: `${showPath(path)} has no value`,
    advice: "write one, or remove the line: quote a text that begins with #, and write null to reset a field",
  };
}

function noAnchor(name: string): Mistake {
  return {
    message: `there is no anchor &${name} above the alias *${name}`,
    advice: `write &${name} before the value that is meant, in the same document, or put quotes around a text that begins with *`,
  };
}

function insideItself(name: string): Mistake {
  return { message: `the alias *${name} refers to a value that contains it`, advice: "write the value out" };
}

function duplicate(member: string): Mistake {
  return {
    message: `duplicate key ${quote(member)}`,
    advice:
      member === "kind"
        ? "keep one of them, or put --- on a line of its own before it: there the next document begins"
        : "keep one of them",
  };
}

function inexact(value: number): Mistake {
  return Number.isFinite(value)
    ? { message: "the number is too large to be exact", advice: "put quotes around it if it is a text" }
    : {
        message: `${value} is not a number that the API knows`,
        advice: "write a number, or put quotes around it if it is a text",
      };
}
