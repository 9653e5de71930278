import type { Json } from "./values/json.ts";
import { type ManifestDocument, loadManifests, toDesired, manifestsOf } from "./manifests/manifest/index.ts";
import type { ResourceDocument } from "./manifests/manifest/document-types.ts";
import type { PlanPolicy } from "./rules/policies/index.ts";
import { readPolicies } from "./manifests/settings/policies.ts";
import type { Organization } from "./state/organization.ts";
import { defaultPolicy, type Goal, type Policy } from "./planning/plan/index.ts";
import { InvalidInputError, refusal, type Problem } from "./problems/problem.ts";
import { propose as proposeResources, type Proposal, type Run } from "./execution/session/index.ts";
import { Variables } from "./source/variables.ts";

// What a program uses instead of the command line: the same documents, the same checks, the same way to a change.

/** Documents without mistakes, each from a manifest or from a program. */
export type Documents = readonly ManifestDocument[];

/** Options for reading manifests. */
export interface ReadOptions {
  /** The values of `${NAME}` in manifests; default: none is set. */
  variables?: Readonly<Record<string, string>>;
  /** Ends the wait for input from pipes. */
  signal?: AbortSignal;
}

/** Options of a proposal. */
export interface ProposeOptions {
  /** Default: `reconcile`. */
  goal?: Goal;
  /** Permissions of the run beyond changing declared resources; default: none (`defaultPolicy`). */
  policy?: Partial<Policy>;
}

/**
 * Reads manifests from files and folders, as the command line does. Documents of a later path override fields of documents
 * with the same address in earlier paths.
 *
 * @param paths files, folders, or `-` for standard input
 * @throws InvalidInputError with every mistake, and its file, line and column
 */
export async function readManifests(
  paths: readonly string[],
  { variables = {}, signal }: ReadOptions = {},
): Promise<Documents> {
  if (variables instanceof Map)
    throw refusal(
      "argument",
      "variables is a Map, and its values would be ignored",
      "write an object: variables: Object.fromEntries(map)",
    );
  const loaded = await loadManifests(paths, {
    variables: new Variables(new Map(Object.entries(variables))),
    signal,
  });
  return withoutProblems(loaded.documents, loaded.problems);
}

/**
 * Takes documents that a program declares, and checks them like manifests.
 *
 * @param values each with the members that a manifest has: `{ kind: "Project", name: "shop" }`
 * @throws InvalidInputError with every mistake, and the number of the document as its line
 */
export function documents(values: readonly ResourceDocument[]): Documents {
  const checked = manifestsOf(values as unknown as readonly Json[], "documents");
  return withoutProblems(checked.documents, checked.problems);
}

/**
 * Reads policies that a program declares in the form of the settings file. `propose` takes them in its option `policy`.
 *
 * @param values each with the members that a policy has: `{ built_in: "no-public-database" }`
 * @throws InvalidInputError with every mistake, and the number of the policy as its line
 */
export function policies(values: readonly Json[]): readonly PlanPolicy[] {
  const positionOf = ([index = 0]: readonly (string | number)[]) => {
    const text = JSON.stringify(values[Number(index)] ?? null);
    return { file: "policies", line: Number(index) + 1, column: 1, text };
  };
  const read = readPolicies({ value: [...values], positionOf, spelling: () => "" });
  return withoutProblems(read.policies, read.problems);
}

/**
 * Reads live state and proposes the plan that makes the organization match the documents, or deletes what they describe.
 * Sends only reads. The reasons that forbid the plan are among its problems.
 *
 * @throws InvalidInputError for documents that contradict each other
 * @throws ApiError if a read fails
 */
export async function propose(
  run: Run,
  organization: Organization,
  declared: Documents,
  { goal = "reconcile", policy = {} }: ProposeOptions = {},
): Promise<Proposal> {
  const { resources, problems } = toDesired(declared);
  return proposeResources(run, organization, goal, withoutProblems(resources, problems), {
    ...defaultPolicy,
    ...policy,
  });
}

function withoutProblems<Value>(values: readonly Value[], problems: readonly Problem[]): readonly Value[] {
  if (problems.length > 0) throw new InvalidInputError(problems);
  return values;
}
