import Type from "typebox";
import { choice, form, heading, list, optional, printed, text } from "../../core/outputs/forms/forms.ts";
import type { StoredForm } from "../../core/files/stored-form.ts";
import { identityForm } from "../identity.ts";
import { type JournalEntry, listedTypes } from "./entry.ts";
import { wordsOf } from "./table.ts";

const publishedEntry = form({
  id: Type.Integer({ description: "Grows with each entry." }),
  at: Type.String({ format: "date-time", description: "When it happened." }),
  type: choice(listedTypes, "Type of the event."),
  environment: optional(text("The environment.")),
  commit: optional(text("Id of the commit.")),
  by: optional(identityForm),
  client: optional(text("The network address of the client.")),
  sentence: text("The entry as a sentence."),
  details: list(Type.String(), "Reasons, changes and the like, for people."),
});

/** The content of `GET /journal.json` and `GET /audit.json`. */
export const journalForm = form("Events of a service, or actions of people.", {
  ...heading("infrasync-journal", printed),
  entries: list(publishedEntry, "The entries, the newest first."),
  damaged: optional(Type.Integer({ description: "How many of the newest lines are damaged." })),
});

/** The members that only some entries have. */
const none = { environment: undefined, commit: undefined, by: undefined, client: undefined };

/** Entries as JSON. @param damaged how many nobody can read */
export function publishedJournal(
  entries: readonly JournalEntry[],
  damaged = 0,
): StoredForm<typeof journalForm> {
  return {
    format: "infrasync-journal",
    version: 1,
    entries: entries.map((entry) => {
      const { environment, commit, by, client } = { ...none, ...entry };
      const { sentence, details } = wordsOf(entry);
      return {
        id: entry.id,
        at: new Date(entry.at).toISOString(),
        type: entry.type,
        environment,
        commit,
        by,
        client,
        sentence,
        details,
      };
    }),
    ...(damaged > 0 && { damaged }),
  };
}
