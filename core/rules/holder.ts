import type { Kind } from "../model/kinds/index.ts";
import type { Help, HolderKind } from "../problems/remedy.ts";
import { article } from "../values/text.ts";

/** Why a resource of a program cannot adopt a live one. */
export function refusalOfHolder(
  holder: HolderKind,
  kind: Pick<Kind, "name">,
  { name, id }: { name: string; id: string },
  isRename = false,
): { message: string; help: Help } {
  const messages: Record<HolderKind, string> = {
    nobody: `the name is taken: there is ${article(kind.name)} "${name}" (${id}) already`,
    another: `another resource of this program manages the ${kind.name} ${id} already`,
    predecessor: `"${name}" cannot be created before the ${kind.name} that it replaces (${id}) is deleted, because names are unique`,
  };
  const remedy = { declare: "holder", holder, kind: kind.name, ...(isRename && { isRename }) } as const;
  return { message: messages[holder], help: { remedies: [remedy] } };
}
