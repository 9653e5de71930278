import type { UserActions } from "../requests/index.ts";
import type { Board } from "./board.ts";

/** All metrics of a page as text. */
export interface ServedMetrics {
  read(): Promise<string>;
}

/** A source that pages show. */
export interface ShownSource {
  board: Board;
  metrics: ServedMetrics;
  userActions: UserActions;
}
