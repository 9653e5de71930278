/** What can go wrong with a request, as the emulator is asked to do it. */
export const faultKinds = {
  "500": { status: 500 },
  "500 after the work": { status: 500, carry_out: true },
  "dropped before": { drop: "before" },
  "dropped after": { drop: "after" },
  "cut off": { truncate: 10 },
  "a page of a proxy": { status: 502, body: "<html>", carry_out: true },
  "429": { status: 429, headers: { "retry-after": "1" } },
  "400": { status: 400 },
  "403": { status: 403 },
  "404": { status: 404 },
  "409": { status: 409 },
} as const;

export type FaultKind = keyof typeof faultKinds;

/** Every kind of fault at each of the first requests of a run. */
export function faultGrid(positions: number): { position: number; kind: FaultKind }[] {
  const kinds = Object.keys(faultKinds) as FaultKind[];
  return Array.from({ length: positions }, (_unused, position) =>
    kinds.map((kind) => ({ position, kind })),
  ).flat();
}

/** Whether all is to be tried, as by `npm run soak`, and not a part. */
export const isSoak = process.env["INFRASYNC_SOAK"] === "true";

/** Chooses the part that is tried: another seed, another part. */
export const seed = Number(process.env["INFRASYNC_SEED"] ?? "1");
