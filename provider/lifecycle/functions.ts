import { resolveReferences } from "../../core/fields/references.ts";
import { type FieldSchema, type Kind, programKinds, referenceForm } from "../../core/kinds/index.ts";
import type { Catalogue } from "../../core/schema/catalogues.ts";
import { RefusedError } from "./errors.ts";
import { factFunctions } from "./fact-functions.ts";
import { find } from "./find.ts";
import { isInternal, textOf } from "./inputs.ts";
import type { ProgramFunction } from "./program-function.ts";

const text = (description: string): FieldSchema => ({ type: "string", description });

/** `getJob`: the resource with an id or a path. */
function getter(kind: Kind): ProgramFunction {
  return {
    name: `get${kind.name}`,
    description: `Reads a ${kind.name}, in a preview too: at least one request.`,
    inputs: { id: text(`Its id, or its path: \`${referenceForm(kind)}\`.`) },
    required: ["id"],
    outputs: kind,
    async run(session, args) {
      const wanted = textOf(args, "id") ?? "";
      const { id, props } = await find(session, kind, wanted);
      if (id === "") throw new RefusedError(`there is no ${kind.name} with the id ${wanted}`);
      return { ...Object.fromEntries(Object.entries(props).filter(([name]) => !isInternal(name))), id };
    },
  };
}

/** `getCluster`: the entry of a list of the organization with a name or an id. */
function entryGetter(name: string, catalogue: Catalogue, what: string): ProgramFunction {
  return {
    name,
    description: `Finds a ${what} of the organization, in a preview too: one request for all of them.`,
    inputs: { name: text(`Name or id of the ${what}.`) },
    required: ["name"],
    outputs: { id: text(`Id of the ${what}.`), name: text(`Name of the ${what}.`) },
    present: ["id", "name"],
    async run(session, args) {
      const schema: FieldSchema = { properties: { name: { type: "string", reference: catalogue } } };
      const wanted = textOf(args, "name") ?? "";
      const entries = await session.catalogue(catalogue);
      const found = resolveReferences(schema, { name: wanted }, undefined, () => entries);
      const [problem] = found.problems;
      if (problem) throw new RefusedError(`${problem.message}; ${problem.advice}`);
      const entry = found.fields["name"];
      return typeof entry === "object" && entry !== null && !Array.isArray(entry) ? entry : {};
    },
  };
}

const getRequestBudget: ProgramFunction = {
  name: "getRequestBudget",
  description:
    "The quota of requests that the token has left, as the server last said; at most one request. What the server does not tell is missing.",
  inputs: {},
  required: [],
  outputs: {
    limit: { type: "integer", description: "Requests that the token may send in an hour." },
    remaining: { type: "integer", description: "Requests that are left." },
    resetAt: text("When the quota is full again, as ISO 8601."),
  },
  async run({ client }) {
    if (client.budget.remaining === undefined) await client.get("/organization");
    const { limit, remaining, resetAt } = client.budget;
    return {
      ...(limit !== undefined && { limit }),
      ...(remaining !== undefined && { remaining }),
      ...(resetAt && { resetAt: resetAt.toISOString() }),
    };
  },
};

const getCluster = entryGetter("getCluster", "cluster", "cluster");

/** All functions of programs. */
export const functions: readonly ProgramFunction[] = [
  // That of clusters finds them by name alone, with one request.
  ...programKinds.map(getter).filter(({ name }) => name !== getCluster.name),
  getCluster,
  entryGetter("getRegistry", "containerRegistry", "container registry"),
  getRequestBudget,
  ...factFunctions,
];

/** The function of that name. */
export function functionOf(name: string): ProgramFunction | undefined {
  return functions.find((known) => known.name === name);
}
