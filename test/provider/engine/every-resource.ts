import { kindOf, kinds } from "../../../core/model/kinds/index.ts";
import { type Fields, isFields, type Json } from "../../../core/values/json.ts";
import { toCamel } from "../../../provider/lifecycle/casing.ts";
import { programResources } from "../../../provider/lifecycle/program-resources.ts";
import { everything } from "../plugin/every-kind.ts";

/** The names of the clusters and credentials that the program creates, as the setting takes them. */
export const infrastructure = "aws,azure,gcp,cellar,scaleway,paris";

/** The resources of this version. */
export const everyResource = [...kinds, ...programResources].map(({ name }) => name);

/**
 * A program with every resource. Each waits for the one before it, because some name others.
 *
 * @param have which resources it has; default: all that are recorded
 * @param more inputs of each resource that can get them in an update
 */
export function programOfEveryResource(
  have: (resource: string) => boolean = () => true,
  more: Fields = {},
): string {
  const made = everything.filter(([kind]) => have(kind));
  const variables = new Map<string, string>();
  const statements = made.map(([kind, path, document], index) => {
    const { parentMember = "", fields } = kindOf(kind);
    const { [parentMember]: parent, ...declared } = document;
    const secrets = kind === "Environment" && { secrets: { KEY: { value: "a secret" } } };
    const added = Object.entries(more).filter(([member]) => {
      const field = fields.properties?.[member];
      return field && field.immutable === undefined;
    });
    const given = { ...withSecrets(declared), ...secrets, ...Object.fromEntries(added) };
    const place = parent === undefined ? "" : `, ${parentMember}: ${variables.get(String(parent))}.id`;
    const options = index === 0 ? "" : `, { dependsOn: r${index - 1} }`;
    const { name, ...inputs } = { name: document["name"], ...(toCamel(fields, given) as Fields) };
    variables.set(path, `r${index}`);
    return `const r${index} = new ${kind}("the${kind}", { ...${JSON.stringify({ name, ...inputs })}${place} }${options});`;
  });
  const job = variables.get("shop/staging/nightly");
  return `import { ${everyResource.filter(have).join(", ")} } from "infrasync/provider";
${statements.join("\n")}
new Deployment("theDeployment", { services: [${job}.id], triggers: ["1"] }, { dependsOn: r${made.length - 1} });
`;
}

/** Programs state secrets themselves. */
function withSecrets(fields: Fields): Fields {
  return Object.fromEntries(
    Object.entries(fields).map(([member, value]): [string, Json] => [
      member,
      isFields(value) && "from_env" in value ? { value: "a secret" } : value,
    ]),
  );
}
