import { ApiError, UnexpectedAnswerError } from "./errors.ts";

const USUAL_CUTS = new Set([
  10, 15, 20, 25, 30, 40, 50, 60, 64, 75, 100, 120, 128, 150, 200, 250, 256, 300, 400, 500, 512, 1000, 1024,
  2000, 5000, 10_000,
]);

/** Whether servers cut lists to that length. */
export const isUsualCut = (length: number) => USUAL_CUTS.has(length);

/** The query of one page; empty: that of a list without pages. */
export type PageQuery = Record<string, string | number>;

/** What another operation shows of a list without a count: it proves that the list is whole, or that it is not. */
export interface Evidence {
  /** Ids of elements of the list; undefined: it shows none of them. */
  ids?: readonly string[];
  /** How many elements the list has; undefined: unknown. */
  count?: number | undefined;
  /** The length of the list of the other operation. */
  longest?: number;
}

/** Calls `load`, or returns what it has returned before for the same key. */
export type Once = <Value>(key: string, load: () => Promise<Value>) => Promise<Value>;

/** Another operation that shows the same elements. */
export interface Witness {
  path: string;
  /** It shows those of many lists, and is long in most organizations: it is read once in a run. */
  isShared?: true;
  /** It shows no element of the list, only another length. */
  showsNone?: boolean;
  /** It has all elements of the list. */
  showsAll?: boolean;
  /**
   * Reads what the witness shows of a list.
   *
   * @param list its length, and the query of its first page
   */
  read(list: { length: number; first: PageQuery; once: Once }): Promise<Evidence>;
}

/** Undefined for the error of a server that lacks an operation, or refuses it. @throws any other error */
export function unlessUnable(error: unknown): undefined {
  if (error instanceof UnexpectedAnswerError || (error instanceof ApiError && error.status !== undefined))
    return;
  throw error;
}
