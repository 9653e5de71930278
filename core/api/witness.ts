import { ApiError, UnexpectedAnswerError } from "./errors.ts";
/** The query of one page; empty: that of a list without pages. */
export type PageQuery = Record<string, string | number>;

/** What another operation shows of a list without pages: it proves that the list is whole, or that it is not. */
export interface Evidence {
  /** Ids of elements of the list; undefined: it shows none of them. */
  ids?: readonly string[];
  /** How many elements the list has; undefined: unknown. */
  count?: number | undefined;
  /** The length of another list: the server cuts none to fewer elements. */
  longest?: number | undefined;
}

/** Another operation that shows the same elements. It is read without pages, while this list waits. */
export interface Witness {
  path: string;
  /** It is long in most organizations, so that it can show for every list that the server does not cut it. */
  isLong?: true;
  /**
   * Reads what the witness shows of a list.
   *
   * @param length that of the list: what is shorter was not cut to it
   * @param first the query of the first page of the list
   */
  read(length: number, first: PageQuery): Promise<Evidence>;
}

/** Undefined for the error of a server that lacks an operation, or refuses it. @throws any other error */
export function unlessUnable(error: unknown): undefined {
  if (error instanceof UnexpectedAnswerError || (error instanceof ApiError && error.status !== undefined))
    return;
  throw error;
}
