import { exec } from "node:child_process";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { createEmulator } from "../../../emulator/index.ts";

const line = "npm run test:conformance -- --server https://api.example.com";

test.each([
  [undefined, 0, "1 passed"],
  [
    400,
    1,
    "the second creation was refused with 400. Two runs at once can create two resources with one name",
  ],
])(
  "a case on a server that answers %s to a taken name ends with %i, and leaves nothing",
  async (taken_name_status, status, words) => {
    const { url, tokens, organization, close } = await createEmulator({
      behaviour: { ...(taken_name_status && { taken_name_status }) },
    });
    const env = { ...process.env, INFRASYNC_TOKEN: tokens.admin, VITEST: undefined };
    const command = `${line.replace("https://api.example.com", url)} -t names-are-unique`;
    const ran = await promisify(exec)(command, { env }).catch((error: unknown) => error);
    expect(ran).toMatchObject(status === 0 ? {} : { code: status });
    expect(JSON.stringify(ran)).toContain(words);
    const headers = { authorization: `Token ${tokens.admin}` };
    const projects = await fetch(`${url}/organization/${organization.id}/project`, { headers });
    expect(await projects.json()).toMatchObject({ results: [] });
    await close();
  },
);
