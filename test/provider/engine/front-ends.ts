import { isSoak } from "../../fixtures/fault-kinds.ts";
import { packageSchema } from "../../../tools/pulumi/schema/index.ts";

/** A way in which programs use the provider. */
export interface FrontEnd {
  name: "dynamic" | "plugin";
  /** The text of a program for this front end. */
  of(program: string): string;
  /** The files of the program's folder that are not as they are by default. */
  files: Record<string, string>;
}

/** The line with which programs import the classes of the dynamic provider. */
export const importOfClasses = `import { ApiToken, Application, Database, Environment, Job, Project } from "infrasync/provider";`;

const importsOfClasses = /import \{[^}]*\} from "infrasync\/provider";/g;

/** The project file of a Node program that uses the plugin of the package that it has installed. */
export const pluginProject = (runtime: string) => `name: test
runtime: ${runtime}
plugins:
  providers:
    - name: infrasync
      path: node_modules/.bin
config:
  pulumi:autonaming: { value: { providers: { infrasync: { mode: disabled } } } }
`;

/** The properties of each resource, which a class has to know in order to have outputs. */
const outputs = Object.entries(
  packageSchema("0.0.0")["resources"] as Record<string, { properties: object }>,
).map(([token, { properties }]) => [token.split(":")[2], Object.keys(properties)] as const);

/** Classes like those of an SDK that Pulumi would make from the schema. */
const classes = outputs
  .map(
    ([kind, names]) => `class ${kind} extends sdk.CustomResource {
  [output: string]: any;
  constructor(name: string, args: object, options?: sdk.CustomResourceOptions) {
    const unset = Object.fromEntries(${JSON.stringify(names)}.map((output) => [output, undefined]));
    super("infrasync:index:${kind}", name, { ...unset, ...args }, options);
  }
}`,
  )
  .join("\n");

export const dynamicProvider: FrontEnd = { name: "dynamic", of: (program) => program, files: {} };

export const plugin: FrontEnd = {
  name: "plugin",
  of(program) {
    const rest = program.replaceAll(importsOfClasses, "");
    return rest === program ? program : `import * as sdk from "@pulumi/pulumi";\n${classes}\n${rest}`;
  },
  files: { "Pulumi.yaml": pluginProject("nodejs") },
};

export const frontEnds: readonly FrontEnd[] = [dynamicProvider, plugin];

/**
 * The front ends of most tests: the dynamic provider, because `test/provider/plugin` proves the plugin without an engine; in
 * `npm run soak -- --only pulumi` both.
 */
export const chosenFrontEnds = isSoak ? frontEnds : [dynamicProvider];
