import { formatReference } from "../../core/address.ts";
import { type Kind, kindsInside } from "../../core/kinds/index.ts";
import { type Contents, joined } from "../../core/live/index.ts";
import { RefusedError } from "./errors.ts";
import type { Properties } from "./inputs.ts";
import type { ProviderSession } from "./session.ts";

/** How many resources a message names. */
const mostNamed = 10;

/**
 * Refuses to delete a resource that still contains others. Pulumi has deleted those of the program by then, so these are
 * resources that the program does not know, or that it leaves to the deletion of their parent. Reads one list, and
 * one of each kind of data inside.
 *
 * @param olds the outputs of the resource that is deleted
 * @throws RefusedError
 */
export async function refuseContents(
  session: ProviderSession,
  kind: Kind,
  id: string,
  olds: Properties,
): Promise<void> {
  const { live } = session.context;
  const [usual, ...data] = await Promise.all([
    live.lookAt(session.client, kind, id),
    ...kindsInside(kind)
      .filter(({ isData }) => isData)
      .map((each) => live.lookAtList(session.client, each, id)),
  ]);
  if (!usual) return;
  const contents = joined(usual, ...data);
  const inside = namesOf(contents, String(olds["name"]));
  if (inside.length === 0 && !contents.isPartial) return;
  const shown = inside.slice(0, mostNamed);
  const more = inside.length - shown.length;
  const what =
    inside.length === 0
      ? "may contain services of types that infrasync does not know"
      : `still contains ${shown.join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
  throw new RefusedError(
    `the ${kind.name} "${String(olds["name"])}" ${what}, and would be deleted with its contents; delete or move what is inside, or, if all of it is to be deleted, set \`deleteContents: true\` on the ${kind.name}, run \`pulumi up\`, and delete it then`,
  );
}

/** The resources inside, as `job:staging/nightly`, without those that the server makes and deletes with their parent. */
function namesOf({ resources, unknown }: Contents, parent: string): string[] {
  return [
    ...resources
      .filter(({ kind, name }) => kind.comesWithParent?.(name) === undefined)
      .map(({ kind, name }) => `${kind.slug}:${formatReference([parent, name])}`),
    ...unknown.map(({ type, name }) => `${type.toLowerCase()}:${formatReference([parent, name])}`),
  ];
}
