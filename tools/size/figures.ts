/** The highest figures that the project may have: lines of source in all and by room, and counts by their names. */
export interface Figures {
  sum: number;
  rooms: Record<string, number>;
  counts: Record<string, number>;
}
