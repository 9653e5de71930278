// The examples of every resource and function, in the languages of Pulumi, from one source: their inputs.
import { kinds } from "../../../core/model/kinds/index.ts";
import type { Fields, Json } from "../../../core/values/json.ts";
import { functions, inputSchema, programResources } from "../../../provider/lifecycle/index.ts";
import type { Spec } from "../schema/types.ts";
import { packageSchema } from "../schema/index.ts";
import { tokenOf } from "../../../provider/plugin/types.ts";
import { exampleOf } from "./inputs.ts";
import { type Example, programsOf, Writer } from "./languages.ts";

const variableOf = (name: string) => name.slice(0, 1).toLowerCase() + name.slice(1);

const argumentsOf: Readonly<Record<string, Json>> = { cluster: "eu-west", name: "eu-west" };

/** The programs of every resource and function: token -> language -> program. */
export function examplePrograms(): Map<string, Record<string, string>> {
  const schema = packageSchema("0.0.0");
  const writer = new Writer(schema);
  const resources = schema["resources"] as Record<string, Spec>;
  const typesOf = (token: string) => (resources[token]?.["inputProperties"] ?? {}) as Record<string, Spec>;
  const ofResources = [
    ...kinds.map((kind) => ({ name: kind.name, inputs: inputSchema(kind) })),
    ...programResources,
  ].map(({ name, inputs }): Example => {
    const token = tokenOf(name);
    return {
      token,
      variable: variableOf(name),
      isFunction: false,
      values: exampleOf(name, inputs),
      types: typesOf(token),
    };
  });
  const ofFunctions = functions.map(({ name, required }): Example => {
    const isLookup = Object.hasOwn(resources, tokenOf(name.replace(/^get/, "")));
    const values: Fields = Object.fromEntries(
      required.map((argument) => [argument, argumentsOf[argument] ?? "3f0c5b0e-7a68-4c6e-9d3c-0d1f6a1f4a11"]),
    );
    return {
      token: tokenOf(name),
      variable: variableOf(name.replace(/^get/, "")),
      isFunction: true,
      values,
      types: isLookup ? { __lookup: {} } : {},
    };
  });
  return new Map([...ofResources, ...ofFunctions].map((each) => [each.token, programsOf(writer, each)]));
}

/** The text that follows a description in the schema, by the token of the resource or function. */
export function exampleSections(): Record<string, string> {
  return Object.fromEntries(
    [...examplePrograms()].map(([token, programs]) => {
      const blocks = Object.entries(programs).map(([language, text]) => `\`\`\`${language}\n${text}\`\`\``);
      return [
        token,
        `\n\n{{% examples %}}\n## Example Usage\n\n{{% example %}}\n\n${blocks.join("\n\n")}\n\n{{% /example %}}\n{{% /examples %}}`,
      ];
    }),
  );
}
