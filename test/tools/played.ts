import { join } from "node:path";
import { onTestFinished } from "vitest";
import { DemoStage, startEmulator } from "../../tools/demo/stage.ts";
import { Captured } from "../cli/captured.ts";
import { programs } from "../fixtures/programs.ts";
import { temporaryFolder } from "../fixtures/temporary-folder.ts";

/**
 * Plays a demo against an emulator.
 *
 * @param demo the stage, and a folder that it may write
 * @param clientUrl the URL for the requests, from that of the emulator
 * @returns its output
 */
export async function played(
  demo: (stage: DemoStage, folder: string) => Promise<void>,
  {
    variables = {},
    flags = [],
    clientUrl = async (url) => url,
  }: {
    variables?: Record<string, string>;
    flags?: readonly string[];
    clientUrl?: (url: string) => Promise<string>;
  } = {},
): Promise<string> {
  const server = await startEmulator(flags, programs.commandLine);
  onTestFinished(() => server.close());
  const folder = temporaryFolder("demo");
  const output = new Captured();
  const stage = new DemoStage({ ...server, url: await clientUrl(server.url) }, output, variables);
  await demo(stage, join(folder, "adopted")).catch((error: unknown) => {
    throw new Error(`the demo has ended too early, after:\n${output.text}`, { cause: error });
  });
  return output.text;
}
