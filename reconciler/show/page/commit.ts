import { html, type Html } from "../../../adapters/web/html.ts";
import { shorten } from "../../../core/values/text.ts";
import type { ShownCommits } from "../commits.ts";
import { moment } from "./words.ts";

const longestSubject = 72;

export function shortCommit(commit: string): string {
  return commit.slice(0, 7);
}

/** The id of a commit, with a link to its page on the Git host, if known. */
export function renderCommitId(id: string, commits: ShownCommits = new Map()): Html {
  const { url, subject, author } = commits.get(id) ?? {};
  const code = html`<code${subject !== undefined && html` title="${subject} · ${author}"`}>${shortCommit(id)}</code>`;
  return url === undefined ? code : html`<a href="${url}">${code}</a>`;
}

/** The id of a commit, the first line of its message, its author, and its time. */
export function renderCommit(id: string, commits: ShownCommits, now: number): Html {
  const note = commits.get(id);
  return html`${renderCommitId(id, commits)}${note && html` ${note.subject} <span class="faint">· ${note.author}, ${moment(note.at, now)}</span>`}`;
}

/** A commit in a list of a form: `3f2c1a9 Raise the memory of the report, anna, 2026-11-27 14:02 UTC`. */
export function commitText(id: string, commits: ShownCommits): string {
  const note = commits.get(id);
  if (!note) return shortCommit(id);
  const at = new Date(note.at).toISOString().slice(0, 16).replace("T", " ");
  return `${shortCommit(id)} ${shorten(note.subject, longestSubject)}, ${note.author}, ${at} UTC`;
}
