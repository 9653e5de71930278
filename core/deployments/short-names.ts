import { type Address, formatAddress, formatReference } from "../model/addresses/address.ts";
import { servicesOf } from "../state/live/index.ts";
import { nameKey } from "../model/addresses/names.ts";
import type { Run } from "../operations/index.ts";
import type { Organization } from "../state/organization.ts";
import { parsePattern, type Pattern } from "../model/addresses/pattern.ts";
import { refusal } from "../problems/problem.ts";
import type { Fields } from "../values/json.ts";
import { addressIn } from "./by-id.ts";

/**
 * Patterns in which a name alone, such as `api`, is the address of the only service with it.
 * @param ofProject what the name of a project stands for: the project, or where nothing is changed, its environments
 * @throws InvalidInputError for several services
 */
export async function withShortNames(
  { client, live }: Pick<Run, "client" | "live">,
  organization: Organization,
  patterns: readonly Pattern[],
  ofProject: "itself" | "environments" = "itself",
): Promise<Pattern[]> {
  if (!patterns.some(isName)) return [...patterns];
  const projects = await live.contentsOf(client, undefined, organization.id);
  const isProject = ({ text }: Pattern) =>
    projects?.resources.some(({ name }) => nameKey(name) === nameKey(text)) ?? true;
  const isService = (pattern: Pattern) => isName(pattern) && !isProject(pattern);
  const services = patterns.some(isService) ? await servicesOf(client, organization.id) : [];
  return patterns.map((pattern) => {
    if (!isService(pattern))
      return isName(pattern) && ofProject === "environments" ? parsePattern(`${pattern.text}/*`) : pattern;
    const found = services.flatMap((service) => {
      const address = wholeAddress(service);
      return address && nameKey(address.names.at(-1) ?? "") === nameKey(pattern.text) ? [address] : [];
    });
    const [only, second] = found;
    if (only && second)
      throw refusal(
        "argument",
        `${pattern.text} can mean ${found.slice(0, 5).map(formatAddress).join(" or ")}`,
        "name one of them",
      );
    return only ? parsePattern(formatAddress(only)) : pattern;
  });
}

/** The projects, environments and services that have a name, as `PROJECT/ENVIRONMENT` and addresses. */
export async function liveNames(
  { client, live }: Pick<Run, "client" | "live">,
  organization: Organization,
  name: string,
): Promise<string[]> {
  const isIt = (other = "") => nameKey(other) === nameKey(name);
  const projects = (await live.contentsOf(client, undefined, organization.id))?.resources ?? [];
  const environments = await Promise.all(
    projects.slice(0, mostProjects).map(async (project) => {
      const inside = await live.contentsOf(client, project.kind, project.id);
      return (inside?.resources ?? []).flatMap((each) =>
        isIt(each.name) ? [formatReference([project.name, each.name])] : [],
      );
    }),
  );
  const services = (await servicesOf(client, organization.id)).flatMap((service) => {
    const address = wholeAddress(service);
    return address && isIt(address.names.at(-1)) ? [formatAddress(address)] : [];
  });
  const called = projects.filter((project) => isIt(project.name));
  return [
    ...called.map(({ kind, name: its }) => formatAddress({ kind, names: [its] })),
    ...environments.flat(),
    ...services,
  ];
}

/** The most projects whose environments are read for advice. */
const mostProjects = 20;

function isName({ text }: Pattern): boolean {
  return !/[/:*]/.test(text);
}

/** The address of a service in the list of the organization, if the list names its project and its environment. */
function wholeAddress(service: Fields): Address | undefined {
  const address = addressIn(service);
  return address?.names.includes("") ? undefined : address;
}
