import { textIn } from "../../core/values/json.ts";
import { type FieldSchema, type Kind, referenceForm } from "../../core/model/kinds/index.ts";
import { article } from "../../core/values/text.ts";
import { uuid } from "../../core/state/organization.ts";
import { camelCase } from "./casing.ts";
import { RefusedError } from "./errors.ts";
import { findAnywhere } from "./read.ts";
import { type Properties } from "./inputs.ts";
import { listedOutputs } from "./outputs.ts";
import type { ProgramFunction } from "./program-function.ts";
import type { ProviderSession } from "./session.ts";

/** `getJobs`: all resources of a kind in a parent, as one list of the API returns them. */
export function lister(kind: Kind): ProgramFunction {
  const { parent, parentMember } = kind;
  const member = pluralOf(kind);
  const parentInput: Record<string, FieldSchema> =
    parent && parentMember !== undefined
      ? {
          [parentMember]: {
            type: "string",
            description: `The ${parent.name} that has them, by its id or its path: \`${referenceForm(parent)}\`.`,
          },
        }
      : {};
  return {
    name: `get${member}`,
    description: `Lists every ${kind.name} of ${parent ? article(parent.name) : "the organization"}, without what takes a request for each, such as variables. One request, in a preview too.`,
    inputs: parentInput,
    required: Object.keys(parentInput),
    outputs: { member: camelStart(member), each: kind },
    async run(session, args) {
      const parentId = await parentIdOf(session, kind, textIn(args, parentMember ?? ""));
      const list = await session.listOf(kind, parentId);
      if (!list) throw new RefusedError(`there is no ${parent?.name ?? "organization"} ${parentId}`);
      const listed = list.resources.filter((each) => each.kind === kind);
      return {
        [camelStart(member)]: listed.map((each): Properties => ({ id: each.id, ...listedOutputs(each) })),
      };
    },
  };
}

async function parentIdOf(
  session: ProviderSession,
  { parent }: Kind,
  idOrPath: string | undefined,
): Promise<string> {
  if (!parent || idOrPath === undefined) return session.parentIdOf(undefined);
  if (uuid.test(idOrPath)) return idOrPath;
  return (await findAnywhere(session, parent, idOrPath))?.id ?? idOrPath;
}

/** `Jobs`, `ContainerRegistries`; `AllAwsCredentials` for a plural name. */
function pluralOf({ name }: Kind): string {
  if (name.endsWith("s")) return `All${name}`;
  return name.endsWith("y") ? `${name.slice(0, -1)}ies` : `${name}s`;
}

function camelStart(name: string): string {
  return camelCase(name.slice(0, 1).toLowerCase() + name.slice(1));
}
