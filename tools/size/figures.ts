/** The highest permitted figures: lines of source in all and by room, and counts by name. */
export interface Figures {
  sum: number;
  rooms: Record<string, number>;
  counts: Record<string, number>;
}
