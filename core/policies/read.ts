import { findKind, type Kind, kinds } from "../kinds/index.ts";
import { type Fields, isFields, type Json, stableJson } from "../json.ts";
import { parsePattern, type Pattern } from "../pattern.ts";
import { InvalidInputError, type Position, type Problem } from "../problem.ts";
import { type FieldSchema, memberOf } from "../schema/field-schema.ts";
import { nearest } from "../schema/suggest.ts";
import type { PlacedValue } from "../source/environments.ts";
import { show } from "../source/mistake.ts";
import { StepBudget } from "./budget.ts";
import { conditionNames, readCondition } from "./condition.ts";
import { ConditionError } from "./condition-error.ts";
import { type PlanPolicy, policyActions, policyEffects } from "./policy.ts";
import { readyPolicies } from "./ready.ts";

/** The policies of the settings, and the problems of their files. */
export interface StatedPolicies {
  policies: PlanPolicy[];
  problems: Problem[];
}

const ownMembers = ["name", "when", "message", "effect", "kinds", "actions", "fields", "environments"];
const readyMembers = ["ready", "with", "message", "effect", "kinds", "actions", "fields", "environments"];

/** The default effects that a policy matches: all that create or change something. */
const usualActions = ["create", "clone", "update", "replace"] as const;

/** Reads the policies of a settings file. Every mistake is a problem with its position. */
export function readPolicies(member: PlacedValue): StatedPolicies {
  const problems: Problem[] = [];
  if (!Array.isArray(member.value)) {
    const message = "policies is not a list";
    const advice = "write - name: NAME, when: CONDITION and message: TEXT for each policy";
    problems.push({ code: "setting", message, advice, position: member.positionOf([]) });
    return { policies: [], problems };
  }
  const budget = new StepBudget();
  const policies = member.value.flatMap((stated, index) => {
    const reader = new PolicyReader(stated, index, member, budget);
    const policy = reader.read();
    problems.push(...reader.problems);
    return policy && reader.problems.length === 0 ? [policy] : [];
  });
  const names = policies.map(({ name }) => name);
  for (const [index, name] of names.entries())
    if (names.indexOf(name) !== index)
      problems.push({
        code: "setting",
        message: `two policies have the name ${show(name)}`,
        advice: "give each its own name",
        position: member.positionOf([index]),
      });
  return { policies, problems };
}

class PolicyReader {
  readonly problems: Problem[] = [];
  readonly #stated: Json;
  readonly #index: number;
  readonly #member: PlacedValue;
  readonly #budget: StepBudget;

  constructor(stated: Json, index: number, member: PlacedValue, budget: StepBudget) {
    this.#budget = budget;
    this.#stated = stated;
    this.#index = index;
    this.#member = member;
  }

  read(): PlanPolicy | undefined {
    if (!isFields(this.#stated))
      return this.#wrong([], "is not a mapping", "write name: NAME, when: CONDITION and message: TEXT");
    const isReady = Object.hasOwn(this.#stated, "ready");
    const members = isReady ? readyMembers : ownMembers;
    for (const unknown of Object.keys(this.#stated).filter((key) => !members.includes(key)))
      this.#wrong([unknown], `has an unknown member ${show(unknown)}`, didYouMean(unknown, members));
    const ready = isReady ? this.#ready(this.#stated["ready"] ?? null) : undefined;
    if (isReady && !ready) return undefined;
    const stated = { ...ready?.states, ...this.#stated };
    const name = this.#text(stated, isReady ? "ready" : "name", "a name such as no-public-database");
    const message = this.#text(stated, "message", "what is wrong, and what to do instead");
    const [effect = "deny"] = this.#words(
      { effect: stated["effect"] === undefined ? ["deny"] : [stated["effect"]] },
      "effect",
      policyEffects,
    );
    const kindNames = this.#words(
      stated,
      "kinds",
      kinds.map((kind) => kind.name),
    );
    const actions = this.#words(stated, "actions", policyActions);
    const fields = this.#fields(stated, kindNames);
    const environments = this.#texts(stated, "environments").flatMap((text, at) =>
      this.#pattern(text, ["environments", at]),
    );
    const parameters = this.#parameters(ready?.with ?? {});
    const when = this.#condition(stated["when"], parameters);
    if (["when", "kinds", "actions", "fields"].every((key) => stated[key] === undefined))
      this.#wrong([], "is about everything", "state when, kinds, actions or fields");
    return {
      name,
      effect,
      message,
      actions: actions.length > 0 ? actions : usualActions,
      ...(kindNames.length > 0 && { kinds: kindNames.flatMap((kind) => findKind(kind)?.slug ?? []) }),
      ...(fields.length > 0 && { fields }),
      ...(stated["environments"] !== undefined && { environments }),
      ...(when && { when }),
      text: stableJson({ ...stated, with: parameters }),
    };
  }

  #ready(name: Json) {
    const ready = typeof name === "string" && Object.hasOwn(readyPolicies, name) && readyPolicies[name];
    if (ready) return ready;
    const known = Object.keys(readyPolicies);
    return this.#wrong(["ready"], "names no ready policy", didYouMean(String(name), known));
  }

  /** The values of `with`: those of the ready policy, and in their places those that are stated. */
  #parameters(known: Fields): Fields {
    const given = isFields(this.#stated) ? (this.#stated["with"] ?? {}) : {};
    if (!isFields(given)) {
      this.#wrong(["with"], "is not a mapping", "write NAME: VALUE");
      return known;
    }
    for (const [name, value] of Object.entries(given)) {
      const usual = known[name];
      if (usual === undefined)
        this.#wrong(["with", name], "is not a value of this policy", didYouMean(name, Object.keys(known)));
      else if (typeOf(usual) !== typeOf(value))
        this.#wrong(["with", name], `is not ${typeOf(usual)}`, `its usual value is ${JSON.stringify(usual)}`);
    }
    return { ...known, ...given };
  }

  #condition(text: Json | undefined, parameters: Fields): PlanPolicy["when"] {
    if (text === undefined) return undefined;
    if (typeof text !== "string") return this.#wrong(["when"], "is not a text", "write a condition in CEL");
    try {
      return readCondition(text, parameters, this.#budget);
    } catch (error) {
      if (!(error instanceof ConditionError)) throw error;
      return this.#wrong(
        ["when"],
        `is not a condition: ${error.message}`,
        `a condition is true or false, in CEL; it knows ${conditionNames}`,
        this.#placeIn(text, error.offset),
      );
    }
  }

  /** The position of a character of a condition, where it stands on one line. */
  #placeIn(text: string, offset: number): Position {
    const position = this.#member.positionOf([this.#index, "when"]);
    const start = position.text.indexOf(text);
    return start === -1 ? position : { ...position, column: start + offset + 1 };
  }

  /** The paths of fields, each of which one of the kinds has. @param kindNames the kinds; none: all */
  #fields(stated: Fields, kindNames: readonly string[]): string[][] {
    const chosen = kinds.filter(({ name }) => kindNames.length === 0 || kindNames.includes(name));
    return this.#texts(stated, "fields").map((field, at) => {
      const path = field.split(".");
      if (!chosen.some((kind) => hasField(kind, path)))
        this.#wrong(
          ["fields", at],
          `names ${show(field)}, which is a field of ${kindNames.length === 0 ? "no kind" : `no ${kindNames.join(" or ")}`}`,
          fieldAdvice(chosen, path),
        );
      return path;
    });
  }

  #pattern(text: string, path: (string | number)[]): Pattern[] {
    try {
      const member = `policies[${this.#index}].environments`;
      const position = this.#member.positionOf([this.#index, ...path]);
      return [parsePattern(`environment:${text}`, { member, text, position })];
    } catch (error) {
      if (!(error instanceof InvalidInputError)) throw error;
      this.#wrong(path, "is not an environment", "write one such as shop/production, or */production");
      return [];
    }
  }

  #text(stated: Fields, key: string, what: string): string {
    const value = stated[key];
    if (typeof value === "string" && value.trim() !== "") return value;
    this.#wrong([key], "is missing, or not a text", `write ${what}`);
    return "";
  }

  #texts(stated: Fields, key: string): string[] {
    const value = stated[key];
    if (value === undefined) return [];
    if (Array.isArray(value) && value.length > 0 && value.every((each) => typeof each === "string"))
      return value;
    this.#wrong([key], "is not a list of texts", `write ${key}: [TEXT]`);
    return [];
  }

  #words<Word extends string>(stated: Fields, key: string, known: readonly Word[]): Word[] {
    return this.#texts(stated, key).flatMap((text) => {
      const word = known.find((each) => each.toLowerCase() === text.toLowerCase());
      if (word === undefined) this.#wrong([key], `cannot be ${show(text)}`, didYouMean(text, known));
      return word ?? [];
    });
  }

  #wrong(path: (string | number)[], message: string, advice: string, position?: Position): undefined {
    const where = [`policies[${this.#index}]`, ...path.filter((part) => typeof part === "string")].join(".");
    this.problems.push({
      code: "setting",
      message: `${where} ${message}`,
      advice,
      position: position ?? this.#member.positionOf([this.#index, ...path]),
    });
  }
}

/** Whether documents of a kind can have a field, or a part of one that has any names. */
function hasField(kind: Kind, path: readonly string[]): boolean {
  if (path.join(".") === "name") return true;
  let schema: FieldSchema | undefined = kind.fields;
  for (const member of path) {
    while (schema?.items) schema = schema.items;
    if (!schema || schema.opaque) return schema !== undefined;
    schema = memberOf(schema, member);
  }
  return schema !== undefined;
}

function fieldAdvice(chosen: readonly Kind[], path: readonly string[]): string {
  const [first = ""] = path;
  const members = [...new Set(chosen.flatMap(({ fields }) => Object.keys(fields.properties ?? {})))];
  const near = members.includes(first) ? undefined : nearest(first, members);
  return near === undefined
    ? "write the path of a field, such as source.image.tag"
    : `did you mean ${[near, ...path.slice(1)].join(".")}?`;
}

function didYouMean(text: string, known: readonly string[]): string {
  const near = nearest(text, known);
  return near === undefined ? `write one of: ${known.join(", ")}` : `did you mean ${near}?`;
}

function typeOf(value: Json): string {
  if (Array.isArray(value)) return "a list";
  return typeof value === "number" ? "a number" : typeof value === "string" ? "a text" : "a mapping";
}
