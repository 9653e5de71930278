import { type Loss, wordsFor } from "../../model/loss.ts";

/** The losses of an action that its changes do not show, by headings: counted by sort, and the others in words. */
export function lossLists(losses: readonly Loss[]) {
  const hidden = losses.filter(({ sort, path }) => sort !== "part" || path === undefined);
  const gone = hidden.filter(({ sort }) => sort === "resource" || sort === "part" || sort === "data");
  return [
    listOf(
      "also deletes",
      gone.filter(({ recreated }) => !recreated),
    ),
    listOf(
      "also deletes and creates again",
      gone.filter(({ recreated }) => recreated),
    ),
    listOf(
      "also loses",
      hidden.filter((loss) => !gone.includes(loss) && !loss.recreated),
    ),
  ].filter(({ groups, words }) => groups.length + words.length > 0);
}

function listOf(heading: string, losses: readonly Loss[]) {
  const countable = losses.filter(
    ({ sort, what, name }) => name !== "" && what !== "data" && sort !== "size" && sort !== "version",
  );
  const others = losses.filter((loss) => !countable.includes(loss));
  return {
    heading,
    groups: [...Map.groupBy(countable, ({ what }) => what)].map(([what, members]) => ({
      what,
      names: members.map(({ name, of, extent }) =>
        [of === undefined ? name : `${name} of ${of}`, extent].filter(Boolean).join(", "),
      ),
    })),
    words: others.map((loss) => wordsFor(loss)),
  };
}
