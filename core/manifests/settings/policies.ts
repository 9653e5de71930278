import {
  findKind,
  type Kind,
  kindAdvice,
  kindNames as allKindNames,
  kinds,
} from "../../model/kinds/index.ts";
import { type Fields, type Json, stableJson } from "../../values/json.ts";
import { type EnvironmentScope, readEnvironmentScope } from "../../model/addresses/scope.ts";
import { StepBudget } from "../../rules/policies/budget.ts";
import { conditionNames, readCondition } from "../../rules/policies/condition.ts";
import { ConditionError } from "../../rules/policies/condition-error.ts";
import { type PlanPolicy, policyActions, policyEffects } from "../../rules/policies/policy.ts";
import { builtInPolicies } from "../../rules/policies/built-in.ts";
import type { Position, Problem } from "../../problems/problem.ts";
import { type FieldSchema, memberOf } from "../../model/schema/field-schema.ts";
import { meantOr, nearest } from "../../model/schema/suggest.ts";
import type { PlacedValue } from "../../source/environments.ts";
import { show } from "../../source/mistake.ts";
import { readSection } from "./read-section.ts";
import type { PolicySetting } from "./schema.ts";

export interface DeclaredPolicies {
  policies: PlanPolicy[];
  problems: Problem[];
}

const usualActions = ["create", "clone", "update", "replace"] as const;

/** Reads the policies of a settings file. Every mistake is a problem with its position. */
export function readPolicies(member: PlacedValue): DeclaredPolicies {
  const { value, problems = [] } = readSection("policies", member);
  if (!value) return { policies: [], problems };
  const budget = new StepBudget();
  const policies = value.flatMap((declared, index) => {
    const reader = new PolicyReader(index, member, budget);
    const policy = reader.read(declared);
    problems.push(...reader.problems);
    return reader.problems.length === 0 ? [{ ...policy, position: member.positionOf([index]) }] : [];
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

/** What a built-in policy has already, and the advice for a policy that declares it beside. */
const besideBuiltIn = {
  name: "leave name out: the policy has the name of the built-in policy",
  when: "leave when out, or write a policy of your own",
} as const;

/** A message of a built-in policy with the values of `with` in place of their names: `{max}`. */
const filled = (message = "", parameters: Fields) =>
  message.replaceAll(/\{(\w+)\}/g, (_, name: string) => [parameters[name]].flat().join(", "));

class PolicyReader {
  readonly problems: Problem[] = [];
  readonly #index: number;
  readonly #member: PlacedValue;
  readonly #budget: StepBudget;

  constructor(index: number, member: PlacedValue, budget: StepBudget) {
    this.#index = index;
    this.#member = member;
    this.#budget = budget;
  }

  read(given: PolicySetting): PlanPolicy {
    const [builtInName = ""] = inTheirCase([given.built_in ?? ""], Object.keys(builtInPolicies));
    const builtIn = builtInPolicies[builtInName];
    // A built-in policy has the form of the settings file.
    const declared: PolicySetting = { ...(builtIn?.states as PolicySetting | undefined), ...given };
    const { name = given.built_in, message, effect = "deny", fields = [], environments } = declared;
    const kindNames = inTheirCase(declared.kinds ?? [], allKindNames);
    const actions = inTheirCase(declared.actions ?? [], policyActions);
    if (name === undefined) this.#wrong([], "has no name", "write name: NAME, such as no-public-database");
    for (const member of ["name", "when"] as const)
      if (builtIn && given[member] !== undefined)
        this.#wrong([member], "is not allowed together with built_in", besideBuiltIn[member]);
    if (!builtIn && given.with !== undefined)
      this.#wrong(["with"], "needs built_in", "leave with out, and write the values in when");
    if (message === undefined)
      this.#wrong([], "has no message", "write message: with the mistake and its correction");
    const parameters = this.#parameters(given.with ?? {}, builtIn?.with ?? {});
    const patterns = (environments ?? []).flatMap((text, at) => this.#scope(text, ["environments", at]));
    const when = this.#condition(declared.when, parameters, kindNames);
    if (
      [declared.when, declared.kinds, declared.actions, declared.fields].every((each) => each === undefined)
    )
      this.#wrong([], "applies to everything", "set when, kinds, actions or fields");
    const [effectInCase = "deny"] = inTheirCase([effect], policyEffects);
    return {
      name: name ?? "",
      effect: effectInCase,
      message: given.message ?? filled(message, parameters),
      actions: actions.length > 0 ? actions : usualActions,
      ...(kindNames.length > 0 && { kinds: kindNames.flatMap((kind) => findKind(kind)?.slug ?? []) }),
      ...(fields.length > 0 && { fields: fields.map((field, at) => this.#field(field, at, kindNames)) }),
      ...(environments && { environments: patterns }),
      ...(when && { when }),
      text: stableJson({ ...(declared as Fields), with: parameters }),
    };
  }

  /** The values of `with`: the declared ones over those of the built-in policy. */
  #parameters(given: Fields, known: Fields): Fields {
    for (const [name, value] of Object.entries(given)) {
      const usual = known[name];
      if (usual === undefined)
        this.#wrong(
          ["with", name],
          "is not a value of this policy",
          meantOr(name, Object.keys(known), `write one of: ${Object.keys(known).join(", ")}`),
        );
      else if (typeOf(usual) !== typeOf(value))
        this.#wrong(["with", name], `is not ${typeOf(usual)}`, `its usual value is ${JSON.stringify(usual)}`);
    }
    return { ...known, ...given };
  }

  /** @param kindNames the kinds to which it applies; none: all */
  #condition(text: string | undefined, parameters: Fields, kindNames: readonly string[]): PlanPolicy["when"] {
    if (text === undefined) return undefined;
    try {
      const { requested, holds } = readCondition(text, parameters, this.#budget);
      const chosen = chosenKinds(kindNames);
      for (const field of requested.fields)
        if (!chosen.some((kind) => hasField(kind, field.path)))
          this.#wrong(
            ["when"],
            `checks ${show(field.text)}, and ${noneOf(kindNames)} has that field`,
            fieldAdvice(chosen, field.path),
            this.#placeIn(text, field.start),
          );
      for (const kind of requested.kinds)
        if (!kinds.some(({ name }) => name === kind.text))
          this.#wrong(
            ["when"],
            `checks the kind ${show(kind.text)}, which no resource has`,
            kindAdvice(kind.text),
            this.#placeIn(text, kind.start),
          );
      return holds;
    } catch (error) {
      if (!(error instanceof ConditionError)) throw error;
      return this.#wrong(
        ["when"],
        `is not a condition: ${error.message}`,
        `a condition is true or false, in CEL; it can use ${conditionNames}`,
        this.#placeIn(text, error.offset),
      );
    }
  }

  /** The position of a character of a condition, if that is on one line. */
  #placeIn(text: string, offset: number): Position {
    const position = this.#member.positionOf([this.#index, "when"]);
    const start = position.text.indexOf(text);
    return start === -1 ? position : { ...position, column: start + offset + 1 };
  }

  /** The path of a field, which one of the kinds has. @param kindNames the kinds; none: all */
  #field(field: string, at: number, kindNames: readonly string[]): string[] {
    const chosen = chosenKinds(kindNames);
    const path = field.split(".");
    if (!chosen.some((kind) => hasField(kind, path)))
      this.#wrong(
        ["fields", at],
        `names ${show(field)}, which is a field of ${noneOf(kindNames)}`,
        fieldAdvice(chosen, path),
      );
    return path;
  }

  #scope(text: string, path: (string | number)[]): EnvironmentScope[] {
    const member = `policies[${this.#index}].environments`;
    const scope = readEnvironmentScope(text, {
      member,
      position: this.#member.positionOf([this.#index, ...path]),
    });
    if ("matches" in scope) return [scope];
    this.#wrong(path, scope.message, scope.advice);
    return [];
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

function inTheirCase<Word extends string>(given: readonly string[], known: readonly Word[]): Word[] {
  return given.flatMap((text) => known.find((each) => each.toLowerCase() === text.toLowerCase()) ?? []);
}

function chosenKinds(names: readonly string[]): Kind[] {
  return kinds.filter(({ name }) => names.length === 0 || names.includes(name));
}

function noneOf(kindNames: readonly string[]): string {
  return kindNames.length === 0 ? "no kind" : `no ${kindNames.join(" or ")}`;
}

/** Whether documents of a kind can have a field, or an entry under free keys. */
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

function typeOf(value: Json): string {
  if (Array.isArray(value)) return "a list";
  return typeof value === "number" ? "a number" : typeof value === "string" ? "a text" : "a mapping";
}
