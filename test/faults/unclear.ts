import type { FaultRequest } from "../../emulator/control/faults.ts";

const page = { body: "<html><body>Bad gateway</body></html>", headers: { "content-type": "text/html" } };

/** Answers after which nobody knows whether a write has been carried out. */
export const unclearAnswers: [name: string, fault: FaultRequest][] = [
  ["a 500", { status: 500 }],
  ["a 502 with an HTML page", { status: 502, ...page }],
  ["a 503", { status: 503 }],
  ["a 408", { status: 408 }],
  ["a 200 with an HTML page", { status: 200, ...page }],
  ["an answer of another shape", { status: 200, body: [] }],
];

/** What goes wrong after the server has done what was asked. */
export const doneAndUnclear: [name: string, fault: FaultRequest][] = [
  ...unclearAnswers.map(([name, fault]): [string, FaultRequest] => [name, { ...fault, carry_out: true }]),
  ["a connection that breaks", { drop: "after" }],
  ["an answer that is cut off", { truncate: 10 }],
  ["no answer in time", { delay_ms: 2_000 }],
];

/** What goes wrong before the server has done anything, and looks the same. */
export const notDoneAndUnclear: [name: string, fault: FaultRequest][] = [
  ...unclearAnswers,
  ["a connection that breaks", { drop: "before" }],
];
