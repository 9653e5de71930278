import { buildPrograms } from "./fixtures/programs.ts";

/** Builds what tests start as processes of their own. */
export default async function setup(): Promise<void> {
  await buildPrograms();
}
