/** What is asked of a running service: how it stands, or to do something. */
export type Question = { type: "status" } | { type: "action"; action: object };

/** The answer of a service: a status as of HTTP, and what it says. */
export interface DoorAnswer {
  status: number;
  body: unknown;
}
