import type { Forge, ForgeComment } from "./forge.ts";

/** The invisible line that marks a comment. @param name `infrasync plan` */
export function markOf(name: string): string {
  return `<!-- ${name} -->`;
}

/** The comments of a name that this user has written, the oldest first. */
export async function findMarked(
  forge: Pick<Forge, "ownComments">,
  pullRequest: number,
  name: string,
): Promise<ForgeComment[]> {
  const all = await forge.ownComments(pullRequest);
  return all.filter(({ body }) => body.startsWith(markOf(name)));
}

/** Keeps one comment of a name with this text on a pull request, or none; removes those that simultaneous runs wrote twice. */
export async function keepComment(
  forge: Pick<Forge, "ownComments" | "addComment" | "editComment" | "removeComment">,
  pullRequest: number,
  name: string,
  text: string | undefined,
): Promise<{ did: "added" | "changed" | "removed" | "nothing"; comment?: ForgeComment }> {
  const [first, ...others] = await findMarked(forge, pullRequest, name);
  for (const { id } of text === undefined && first ? [first, ...others] : others)
    await forge.removeComment(pullRequest, id);
  if (text === undefined) return { did: first ? "removed" : "nothing" };
  const body = `${markOf(name)}\n${text}`;
  if (!first) return { did: "added", comment: await forge.addComment(pullRequest, body) };
  if (first.body.replaceAll("\r\n", "\n").trimEnd() === body.trimEnd())
    return { did: "nothing", comment: first };
  await forge.editComment(pullRequest, first.id, body);
  return { did: "changed", comment: { ...first, body } };
}
