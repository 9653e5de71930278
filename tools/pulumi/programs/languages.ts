// The syntax of each language of Pulumi for a resource and the call of a function.
import { stringify } from "yaml";
import { isFields, type Fields, type Json } from "../../../core/values/json.ts";
import type { Spec } from "../schema/types.ts";
import { nameOfToken } from "../../../provider/plugin/types.ts";

/** A resource, or the call of a function. */
export interface Example {
  token: string;
  /** The name of its variable: `job`. */
  variable: string;
  isFunction: boolean;
  values: Fields;
  types: Record<string, Spec>;
}

/** The syntax of a language for values. */
interface Notation {
  literal(value: string | number | boolean): string;
  /** @param type the name of the type of an object: `JobSource`; undefined: it has free keys */
  object(type: string | undefined, members: readonly (readonly [string, string])[]): string;
  /**
   * @param type of its elements, if they are objects
   * @param union of its elements, if they are texts: the type of which they could be too, such as an enum
   */
  list(type: string | undefined, elements: readonly string[], union: string | undefined): string;
}

/** Writes values in a notation, with the types of a schema. */
export class Writer {
  readonly #types: Record<string, Spec>;

  constructor(schema: Spec) {
    this.#types = schema["types"] as Record<string, Spec>;
  }

  members(values: Fields, types: Record<string, Spec>, notation: Notation): [string, string][] {
    return Object.entries(values).map(([name, value]) => [
      name,
      this.#value(value, types[name] ?? {}, notation),
    ]);
  }

  #value(value: Json, type: Spec, notation: Notation): string {
    if (Array.isArray(value)) {
      const items = type["items"] as Spec;
      const elements = value.map((element) => this.#value(element, items, notation));
      const [reference] = referencesOf(items);
      const object = this.#named(items)?.name;
      if (isFields(value[0])) return notation.list(object, elements, undefined);
      return notation.list(
        undefined,
        elements,
        object ? `${object}Args` : reference && nameOfToken(reference),
      );
    }
    if (isFields(value)) {
      const named = this.#named(type);
      const types = named?.types ?? {};
      const free = type["additionalProperties"] as Spec | undefined;
      const members = Object.entries(value).map(
        ([name, inner]) => [name, this.#value(inner, types[name] ?? free ?? {}, notation)] as const,
      );
      return notation.object(named?.name, members);
    }
    return notation.literal(value ?? "");
  }

  /** The object type in a spec, alone or beside a text. */
  #named(spec: Spec): { name: string; types: Record<string, Spec> } | undefined {
    const [token = ""] = referencesOf(spec);
    const properties = this.#types[token]?.["properties"];
    return isFields(properties)
      ? { name: nameOfToken(token), types: properties as Record<string, Spec> }
      : undefined;
  }
}

function referencesOf({ $ref, oneOf }: Spec): string[] {
  const references = [$ref, ...((oneOf ?? []) as Spec[]).map((each) => each["$ref"])];
  return references.flatMap((each) => (typeof each === "string" ? [each.replace("#/types/", "")] : []));
}

const title = (name: string) => name.slice(0, 1).toUpperCase() + name.slice(1);
const snake = (name: string) => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
const quoted = (value: string | number | boolean) => JSON.stringify(value);
const indented = (text: string, by: string) => text.replaceAll("\n", `\n${by}`);
/** Lines between brackets, each with a comma. */
const block = (open: string, lines: readonly string[], close: string, by: string) =>
  lines.length === 0
    ? `${open}${close}`
    : `${open}\n${lines.map((line) => `${by}${indented(line, by)},\n`).join("")}${close}`;

/** An object or its constructor in braces, with a line for each member. */
const braces = (
  open: string,
  by: string,
  members: readonly (readonly [string, string])[],
  entry: (name: string, value: string) => string,
) => {
  const lines = members.map(([name, value]) => entry(name, value));
  return block(open, lines, "}", by);
};

const typescript: Notation = {
  literal: quoted,
  object: (_type, members) => braces("{", "  ", members, (name, value) => `${name}: ${value}`),
  list: (_type, elements) => block("[", elements, "]", "  "),
};

const python: Notation = {
  literal: (value) => (typeof value === "boolean" ? title(String(value)) : quoted(value)),
  object: (type, members) => {
    const key = type === undefined ? quoted : (name: string) => quoted(snake(name));
    return braces("{", "    ", members, (name, value) => `${key(name)}: ${value}`);
  },
  list: (_type, elements) => block("[", elements, "]", "    "),
};

const go: Notation = {
  literal: (value) =>
    typeof value === "string"
      ? `pulumi.String(${quoted(value)})`
      : `pulumi.${typeof value === "number" ? "Int" : "Bool"}(${value})`,
  object: (type, members) =>
    type === undefined
      ? braces("pulumi.Map{", "\t", members, (name, value) => `${quoted(name)}: ${value}`)
      : braces(`&infrasync.${type}Args{`, "\t", members, (name, value) => `${title(name)}: ${value}`),
  list: (type, elements, union) => {
    const untyped = union === undefined ? "pulumi.StringArray" : "pulumi.Array";
    return block(`${type === undefined ? untyped : `infrasync.${type}Array`}{`, elements, "}", "\t");
  },
};

const csharpMember = (name: string, value: string) => `${title(name)} = ${value}`;

const csharp: Notation = {
  literal: quoted,
  object: (type, members) =>
    type === undefined
      ? braces("{", "    ", members, (name, value) => `{ ${quoted(name)}, ${value} }`)
      : braces(`new ${type}Args {`, "    ", members, csharpMember),
  // A text converts to an element of a union, and an array to an input, but not both at once.
  list: (_type, elements, union) =>
    block(union === undefined ? "new[] {" : `new Union<string, ${union}>[] {`, elements, "}", "    "),
};

const builder = (type: string, members: readonly (readonly [string, string])[]) =>
  `${type}Args.builder()${members.map(([name, value]) => `\n    .${name}(${indented(value, "    ")})`).join("")}\n    .build()`;

const java: Notation = {
  literal: quoted,
  object: (type, members) =>
    type === undefined
      ? `Map.of(${members.flatMap(([name, value]) => [quoted(name), value]).join(", ")})`
      : builder(type, members),
  list: (_type, elements, union) =>
    elements.map((element) => (union === undefined ? element : `Either.ofLeft(${element})`)).join(", "),
};

export function programsOf(writer: Writer, example: Example): Record<string, string> {
  const { token, variable, isFunction, values, types } = example;
  const name = nameOfToken(token);
  const written = (notation: Notation) => writer.members(values, types, notation);
  const call = (notation: Notation) => notation.object(name, written(notation));
  // The Go SDK reads resources of the state with the names of these functions.
  const isLookup = isFunction && types["__lookup"] !== undefined;
  const goName = isLookup ? name.replace(/^get/, "Lookup") : title(name);
  const hasArguments = Object.keys(values).length > 0;
  const csharpInputs = braces("new() {", "    ", written(csharp), csharpMember);
  return {
    typescript: `import * as infrasync from "@infrasync/pulumi";

${
  isFunction
    ? `export const ${variable} = infrasync.${name}Output(${hasArguments ? call(typescript) : ""});`
    : `export const ${variable} = new infrasync.${name}("${variable}", ${call(typescript)});`
}
`,
    python: `import pulumi_infrasync as infrasync

${snake(variable)} = infrasync.${isFunction ? snake(name) : name}(${block(
      "",
      [
        ...(isFunction ? [] : [quoted(variable)]),
        ...written(python).map(([member, value]) => `${snake(member)}=${value}`),
      ],
      "",
      "    ",
    )})
`,
    go: `package main

import (
	"example.com/infrasync/sdk/go/infrasync"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		_, err := ${indented(
      isFunction
        ? `infrasync.${goName}(ctx, ${block(
            `&infrasync.${goName}Args{`,
            Object.entries(values).map(([member, value]) => `${title(member)}: ${JSON.stringify(value)}`),
            "}",
            "\t",
          )})`
        : `infrasync.New${name}(ctx, "${variable}", ${call(go)})`,
      "\t\t",
    )}
		return err
	})
}
`,
    csharp: `using Infrasync.Resources;
using Infrasync.Resources.Inputs;
using Pulumi;

return await Deployment.RunAsync(() =>
{
    var ${variable} = ${indented(
      isFunction
        ? `${title(name)}.Invoke(${hasArguments ? csharpInputs : ""})`
        : `new Infrasync.Resources.${name}("${variable}", ${csharpInputs})`,
      "    ",
    )};
});
`.replace("return await Deployment", "return await Pulumi.Deployment"),
    java: `import com.example.infrasync.*;
import com.example.infrasync.inputs.*;
import com.pulumi.Pulumi;
import com.pulumi.core.Either;
import java.util.Map;

public class App {
    public static void main(String[] args) {
        Pulumi.run(ctx -> {
            var ${variable} = ${indented(
              isFunction
                ? `InfrasyncFunctions.${name}(${hasArguments ? builder(title(name), written(java)) : ""})`
                : `new ${name}("${variable}", ${builder(name, written(java))})`,
              "            ",
            )};
        });
    }
}
`,
    yaml: stringify(
      isFunction
        ? { variables: { [variable]: { "fn::invoke": { function: token, arguments: values } } } }
        : { resources: { [variable]: { type: token, properties: values } } },
    ),
  };
}
