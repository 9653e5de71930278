import { join } from "node:path";
import { readState } from "./state.ts";

/** The live resources that a source has applied, by their addresses. @param folder its data folder */
export async function leftLive(folder: string): Promise<string[]> {
  const { inventory = {} } = await readState(join(folder, "state.json"));
  return [...new Set(Object.values(inventory).map(({ address }) => address))].toSorted();
}
