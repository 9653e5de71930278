import type { UserActions } from "../requests/index.ts";
import type { Board } from "./board.ts";

export interface ServedMetrics {
  read(): Promise<string>;
}

export interface ShownSource {
  board: Board;
  metrics: ServedMetrics;
  userActions: UserActions;
}
