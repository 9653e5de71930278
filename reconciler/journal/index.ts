export { Audit } from "./audit.ts";
export { commitStateOf } from "./commit-status.ts";
export { type CycleResult, idleIn } from "./cycle-result.ts";
export { type Describe, type FailureOfCycle, failureOf, problemLines, reasonsOf } from "./describe.ts";
export { type EntryOf, type EntryType, isState, type JournalEntry, type NewEntry } from "./entry.ts";
export { Journal, type JournalSettings } from "./journal.ts";
export { journalForm, publishedJournal } from "./journal-form.ts";
export { isNews, lastOf, newsTypes, repeatable, wordsOf } from "./table.ts";
export { driftWords, predicateOf, stateWords, type BadgeTone } from "./words.ts";
