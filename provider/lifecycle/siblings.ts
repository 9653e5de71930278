import { missingSibling } from "../../core/rules/siblings.ts";
import type { Fields } from "../../core/json.ts";
import { type Kind, siblingsNamed } from "../../core/kinds/index.ts";
import { camelCase } from "./casing.ts";
import { RefusedError } from "./errors.ts";
import type { ProviderSession } from "./session.ts";

/** Refuses fields that name a sibling that does not exist, before anything is sent. */
export async function refuseMissingSiblings(
  session: ProviderSession,
  kind: Kind,
  parentId: string,
  stated: Fields,
): Promise<void> {
  const advice = {
    place: `the ${kind.parent?.name}`,
    otherwise: "make the name of that resource an input, so that it is created first",
  };
  const missing = await Promise.all(
    siblingsNamed(kind, stated).map(async (named) => {
      const list = await session.listOf(named.kind, parentId);
      const names = (list?.resources ?? [])
        .filter((each) => each.kind === named.kind)
        .map((each) => each.name);
      return { path: named.path, ...missingSibling(named, names, advice) };
    }),
  );
  const messages = missing.flatMap(({ path: [member], message, advice: help }) =>
    message === undefined
      ? []
      : [`${message.startsWith(member) ? "" : `${camelCase(member)}: `}${message}; ${help}`],
  );
  if (messages.length > 0) throw new RefusedError(messages.join("\n"));
}
