import { readFile } from "node:fs/promises";
import { Type, type Static } from "typebox";
import { type Document, isNode, LineCounter, parseDocument } from "yaml";
import { GitRepositorySeed } from "../bodies/git.ts";
import { OrganizationRequest } from "../bodies/organization.ts";

/** A request body of the API, with an optional `id`. */
export type Item = Record<string, unknown>;

const items = Type.Optional(Type.Array(Type.Unsafe<Item>({ type: "object" })));
const secret = Type.Optional(Type.String({ minLength: 8 }));

// Every member of a request for an organization; `plan` has a default here.
const { plan, ...members } = OrganizationRequest.properties;
const organizationMembers = {
  id: Type.Optional(Type.String({ format: "uuid" })),
  ...members,
  plan: Type.Optional(plan),
};

const closed = { additionalProperties: false };

/** The schema of a seed. */
export const SeedFile = Type.Object(
  {
    organization: Type.Optional(Type.Object(organizationMembers, closed)),
    tokens: Type.Optional(
      Type.Object({ admin: secret, read: secret, deploy: secret, write: secret }, closed),
    ),
    clusters: items,
    registries: items,
    helm_repositories: items,
    git_tokens: items,
    annotations_groups: items,
    labels_groups: items,
    /** Each with the `provider` of its path: aws, scaleway, gcp, azure or onPremise. */
    credentials: items,
    webhooks: items,
    custom_roles: items,
    invitations: items,
    /** Each member counts as an accepted invitation. */
    members: items,
    /** Their default branches, branches and commits. */
    git_repositories: Type.Optional(Type.Array(GitRepositorySeed)),
    projects: items,
  },
  closed,
);

/** An organization to start from. Each item is a request body of the API, with an optional `id`. */
export type Seed = Static<typeof SeedFile>;

/** A seed, and how a mistake in it is told: with its file and its line, if it comes from a file. */
export interface SeedReading {
  seed: Seed;
  told(message: string): string;
}

/** Reads a seed: YAML or JSON. */
export async function readSeed(path: string): Promise<SeedReading> {
  const text = await readFile(path, "utf8").catch((error: unknown) => {
    throw new Error(`the seed ${path} cannot be read`, { cause: error });
  });
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines });
  const [error] = document.errors;
  if (error) throw new Error(`the seed ${path} is not YAML: ${error.message}`, { cause: error });
  const told = (message: string) => `${path}:${lineOf(message, document, lines)}: ${message}`;
  return { seed: document.toJS() as Seed, told };
}

/** The line of the place with which a message begins: `projects[0].environments[0]: name is required`. */
function lineOf(message: string, document: Document, lines: LineCounter): number {
  const [place = ""] = /^[\w.[\]]+(?:: [\w.[\]]+)?/.exec(message.replace(/^seed: /, "")) ?? [];
  const steps = place.split(/[.[\]: ]+/).filter((step) => step !== "");
  const known = steps.map((_step, index) => document.getIn(steps.slice(0, index + 1), true));
  const node = known.findLast((each) => isNode(each)) ?? document.contents;
  return lines.linePos(isNode(node) ? (node.range?.[0] ?? 0) : 0).line;
}
