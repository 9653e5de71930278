import { type Client, unexpectedAnswer, UnexpectedAnswerError } from "../api/index.ts";
import { isFields } from "../values/json.ts";
import { absentWhenNotFound } from "./live/index.ts";
import { InvalidInputError } from "../problems/problem.ts";

/** The organization that a run works in. */
export interface Organization {
  id: string;
  /** Absent if the setting is an id: the name is then not read. */
  name?: string | undefined;
}

/** The error for a setting with an id that no organization has. */
export function unknownOrganization({ id }: Organization): InvalidInputError {
  return new InvalidInputError([
    {
      code: "organization",
      message: `there is no organization ${id}`,
      remedies: [{ setting: "organization" }],
    },
  ]);
}

function baseUrlAdvice(baseUrl: string): string {
  const { origin, pathname } = new URL(baseUrl);
  return pathname === "/"
    ? "check the base URL: the API may be below a path of the server"
    : `check the path ${pathname} of the base URL; without it, the base URL is ${origin}`;
}

/** An id of the API. */
export const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/**
 * Finds the organization. An id needs no request, and nothing checks whether it exists; otherwise one request lists the
 * organizations of the token.
 *
 * @param desired id or name; undefined: the only organization that the token can see
 * @throws InvalidInputError if there is none, or more than one
 */
export async function findOrganization(client: Client, desired: string | undefined): Promise<Organization> {
  if (desired !== undefined && uuid.test(desired)) return { id: desired };
  const items = await absentWhenNotFound(client.list("/organization"));
  if (!items) {
    throw new UnexpectedAnswerError("404 on GET /organization: the server has no list of organizations", {
      method: "GET",
      path: "/organization",
      status: 404,
      advice: baseUrlAdvice(client.baseUrl),
    });
  }
  return chooseOrganization(items, desired);
}

/** Chooses an organization from a list: by name or id, or the only one. @throws InvalidInputError if there is none, or more than one */
export function chooseOrganization(items: readonly unknown[], desired: string | undefined): Organization {
  const organizations = items.flatMap((item) => {
    const { id, name } = isFields(item) ? item : {};
    return typeof id === "string" && typeof name === "string" ? [{ id, name }] : [];
  });
  const found =
    desired === undefined
      ? organizations
      : organizations.filter(
          ({ id, name }) => name.toLowerCase() === desired.toLowerCase() || id === desired.toLowerCase(),
        );
  const [first, second] = found;
  if (first && !second) return first;
  if (!first && items.length > organizations.length)
    throw unexpectedAnswer("/organization", "the server lists an organization without an id or a name");
  const names = organizations.map(({ id, name }) => `${name} (${id})`);
  const message =
    organizations.length === 0
      ? "the token has access to no organization"
      : desired === undefined
        ? `the token sees ${organizations.length} organizations`
        : `${found.length === 0 ? "the token has access to no organization" : "several organizations are"} named "${desired}"`;
  throw new InvalidInputError([
    {
      code: "organization",
      message,
      ...(names.length === 0
        ? { advice: "use a token of an organization" }
        : { remedies: [{ setting: "organization", oneOf: names }] }),
    },
  ]);
}
