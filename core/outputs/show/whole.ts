import { type Address, formatReference } from "../../model/addresses/address.ts";
import {
  resourcesInside,
  type DumpedDocument,
  findLive,
  servicesBeside,
  readPasswords,
  toDeclared,
  withSecretsInPlace,
} from "../../import/live/index.ts";
import { type Fields, presentIn, textIn } from "../../values/json.ts";
import { absentWhenNotFound, type LiveReader, type LiveResource, statusOf } from "../../state/live/index.ts";
import { readLinks } from "../../deployments/index.ts";
import type { ListedResource } from "./list.ts";
import type { Organization } from "../../state/organization.ts";
import { ownPartFields, type PartEntry, partReports, declaredParts } from "../../model/parts/index.ts";

export interface WholeResource extends Omit<ListedResource, "version" | "cluster"> {
  /** The start of its last deployment, as ISO 8601. */
  deployedAt: string | undefined;
  updatedAt: string | undefined;
  /** The API's reports about it and its parts, beside its fields. */
  reports: Fields;
  /** An applicable manifest with every field, also defaults, without secrets and credentials. */
  document: DumpedDocument;
  /** The omissions of the manifest: keys of secrets and domains, and texts with a credential, each by its member. */
  others: ReadonlyMap<string, readonly string[]>;
}

/** Reads one live resource with its parts and its status. @throws InvalidInputError when there is no such resource */
export async function readWhole(
  context: LiveReader,
  organization: Organization,
  address: Address,
): Promise<WholeResource> {
  const live = await findLive(context, organization, address);
  const { kind, response } = live;
  const [parts, status, links] = await Promise.all([
    context.live.partsOf(context.client, live, kind.parts),
    readStatus(context, live),
    readLinks(context, organization.id, [live]),
  ]);
  const own = (parts ?? []).filter(({ isOwn }) => isOwn);
  const readable = declaredParts(kind).filter(({ form }) => !form.isWriteOnly);
  const parentNames = address.names.slice(0, -1);
  const fields = toDeclared(kind.fields, { ...live.fields, ...ownPartFields(readable, own) }, "whole");
  const parent = parentNames.length === 0 ? undefined : formatReference(parentNames);
  const whole = { kind, parent, name: live.name, fields };
  const known = await readPasswords(context, [whole], async () => [
    ...(await servicesBeside(context, live, address.names)),
    ...(await resourcesInside(context, live, address.names)),
  ]);
  const { documents, withheld } = withSecretsInPlace([whole], known);
  return {
    address: { kind, names: [...parentNames, live.name] },
    id: live.id,
    ...status,
    urls: kind.deployment && links.byId.get(live.id),
    createdAt: textIn(response, "created_at"),
    updatedAt: textIn(response, "updated_at"),
    reports: { ...presentIn(response, Object.keys(kind.reports)), ...partReports(kind, own) },
    document: documents[0] ?? whole,
    others: new Map([
      ...othersAmong(live, own),
      ...[...Map.groupBy(withheld, ({ path: [member = ""] }) => member)].map(
        ([member, those]) =>
          [member, those.map(({ path, what }) => `${path.join(".")} is left out: ${what}`)] as const,
      ),
    ]),
  };
}

function othersAmong({ kind }: LiveResource, own: readonly PartEntry[]): Map<string, string[]> {
  const declared = new Set(
    declaredParts(kind)
      .filter(({ form }) => !form.isWriteOnly)
      .map(({ member }) => member),
  );
  const others = Map.groupBy(
    own.filter(({ part }) => !declared.has(part.member)),
    ({ part }) => part.member,
  );
  return new Map([...others].map(([member, entries]) => [member, entries.map(({ key }) => key).toSorted()]));
}

type Status = Pick<WholeResource, "state" | "deploymentStatus" | "deployedAt">;

const none: Status = { state: undefined, deploymentStatus: undefined, deployedAt: undefined };

async function readStatus(
  { client, live }: LiveReader,
  { kind, id, parentId }: LiveResource,
): Promise<Status> {
  const parent = kind.jointDeployment ? { kind, id } : kind.parent && { kind: kind.parent, id: parentId };
  if (!parent?.kind.jointDeployment || (!kind.jointDeployment && !kind.deployment)) return none;
  const statuses = await absentWhenNotFound(live.statusesOf(client, parent, 0));
  if (!statuses) return none;
  if (kind.jointDeployment) return { ...none, state: statuses.state, deployedAt: statuses.deployedAt };
  const { state, deploymentStatus, deployedAt } = statusOf(statuses, id) ?? none;
  return { state, deploymentStatus, deployedAt };
}
