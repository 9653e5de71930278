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
import { type Fields, type Json, setOwn } from "../json.ts";
import type { ProblemCode } from "../codes.ts";
import { maximumAliasedValues, maximumDepth } from "./limits.ts";
import { type Mistake, type Path, type PlacedMistake, quote, show } from "./mistake.ts";
import { fillIn, plainValue, type Variables, wholeParameter } from "./variables.ts";

/** The JSON value of YAML nodes. */
export interface NodeValue {
  value: Json;
  mistakes: PlacedMistake[];
  /** Whether an alias could not be expanded, so that the value cannot be used. */
  incomplete: boolean;
  /** The paths of texts and numbers that could not be converted and have become null. */
  holes: readonly Path[];
  /** The nodes that the aliases stand for. */
  targets: ReadonlyMap<Alias, ParsedNode>;
}

/**
 * Converts nodes to a JSON value: expands aliases, up to a limit, and reports duplicate keys.
 *
 * @param variables the values of `${NAME}`; without them, texts stay as they are
 */
export function valueOf(root: ParsedNode, variables?: Variables): NodeValue {
  return new NodeReader(variables).readRoot(root);
}

class NodeReader {
  readonly #variables: Variables | undefined;
  readonly #mistakes: PlacedMistake[] = [];
  readonly #targets = new Map<Alias, ParsedNode>();
  readonly #anchors = new Map<string, ParsedNode>();
  /** The nodes around the one that is read. */
  readonly #open = new Set<ParsedNode>();
  readonly #holes: Path[] = [];
  readonly #path: (string | number)[] = [];
  #incomplete = false;
  /** How many values aliases have expanded to. */
  #aliased = 0;
  #inAlias = false;
  #excess: Mistake | undefined;

  constructor(variables: Variables | undefined) {
    this.#variables = variables;
  }

  readRoot(root: ParsedNode): NodeValue {
    const value = this.#read(root, 1);
    return {
      value,
      mistakes: this.#mistakes,
      incomplete: this.#incomplete,
      holes: this.#holes,
      targets: this.#targets,
    };
  }

  #report(node: ParsedNode, mistake: Mistake, code: ProblemCode = "syntax"): void {
    // Mistakes in the value of an alias have been reported at its anchor.
    if (!this.#inAlias) this.#mistakes.push({ ...mistake, code, offset: node.range[0] });
  }

  #without(node: ParsedNode, mistake: Mistake, code?: ProblemCode): null {
    this.#report(node, mistake, code);
    if (isAlias(node)) this.#incomplete = true;
    else this.#holes.push([...this.#path]);
    return null;
  }

  #read(node: ParsedNode, depth: number): Json {
    if (this.#inAlias) {
      if (++this.#aliased > maximumAliasedValues) this.#excess ??= tooManyAliases;
      else if (depth > maximumDepth) this.#excess ??= tooDeep;
      if (this.#excess) return null;
    }
    if (isAlias(node)) return this.#readAlias(node, depth);
    this.#open.add(node);
    // Expanding an alias must not restore an anchor that has been redefined since.
    if (node.anchor !== undefined && !this.#inAlias) this.#anchors.set(node.anchor, node);
    const value = isMap(node)
      ? this.#readMap(node, depth)
      : isSeq(node)
        ? node.items.map((item, index) => this.#readAt(index, item, depth + 1))
        : this.#readScalar(node);
    this.#open.delete(node);
    return value;
  }

  #readAt(part: string | number, node: ParsedNode, depth: number): Json {
    this.#path.push(part);
    const value = this.#read(node, depth);
    this.#path.pop();
    return value;
  }

  #readAlias(alias: Alias.Parsed, depth: number): Json {
    const target = this.#targets.get(alias) ?? this.#anchors.get(alias.source);
    if (!target) return this.#without(alias, noAnchor(show(alias.source)));
    if (this.#open.has(target)) return this.#without(alias, insideItself(show(alias.source)));
    this.#targets.set(alias, target);
    if (this.#inAlias) return this.#read(target, depth);
    if (this.#excess) return null;
    this.#inAlias = true;
    const value = this.#read(target, depth);
    this.#inAlias = false;
    return this.#excess ? this.#without(alias, this.#excess) : value;
  }

  #readMap(map: YAMLMap.Parsed, depth: number): Fields {
    const fields: Fields = {};
    for (const { key, value } of map.items) {
      const member = isScalar(key) && typeof key.value === "string" ? key.value : "";
      if (Object.hasOwn(fields, member)) {
        this.#report(key, duplicate(member));
        // The rest is the next document, of which the line before it is missing.
        if (member === "kind" && this.#path.length === 0) break;
        if (value) this.#readAt(member, value, depth + 1);
      } else setOwn(fields, member, value ? this.#readAt(member, value, depth + 1) : null);
    }
    return fields;
  }

  #readScalar(node: ParsedNode): Json {
    if (!isScalar(node)) return null;
    const value: unknown = node.value;
    switch (typeof value) {
      case "string":
        if (!value.isWellFormed()) return this.#without(node, illFormed);
        return this.#variables && value.includes("${")
          ? this.#readFilled(node, value, this.#variables)
          : value;
      case "number":
        return isExact(value, node.source) ? value : this.#without(node, inexact(value));
      case "boolean":
        return value;
      default:
        return null;
    }
  }

  #readFilled(node: Scalar.Parsed, text: string, given: Variables): Json {
    const parameter = wholeParameter(text, given);
    if (parameter !== undefined) return parameter;
    const filled = fillIn(text, given);
    if ("mistake" in filled) return this.#without(node, filled.mistake, "variable");
    return node.type === "PLAIN" ? plainValue(filled.text) : filled.text;
  }
}

/** Whether a number is sent exactly as it is written. Every reader rounds fractions; an integer must not be rounded. */
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

function noAnchor(name: string): Mistake {
  return {
    message: `there is no anchor &${name} above the alias *${name}`,
    advice: `write &${name} before the value that is meant, in the same document, or put quotes around a text that begins with *`,
  };
}

function insideItself(name: string): Mistake {
  return {
    message: `the alias *${name} refers to a value that contains it`,
    advice: "write the value out",
  };
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
    ? {
        message: "the number is too large to be exact",
        advice: "put quotes around it if it is a text",
      }
    : {
        message: `${value} is not a number that the API knows`,
        advice: "write a number, or put quotes around it if it is a text",
      };
}
