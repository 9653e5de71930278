import { expect, test } from "vitest";
import { Lifecycle } from "../../../provider/lifecycle/lifecycle.ts";
import { useStaging } from "./staging.ts";

const staging = useStaging();

test("diff warns of storage whose data goes with it, once, and of no other change", async () => {
  const { url, tokens } = staging.server.emulator;
  const values: Record<string, string> = { "infrasync:baseUrl": url, "infrasync:token": tokens.admin };
  const config = { get: (key: string) => values[key] };
  const warnings: string[] = [];
  const lifecycle = new Lifecycle({}, (warning) => void warnings.push(warning));
  const at = (mountPoint: string, size = 1) => ({
    ...staging.api(),
    storage: [{ mountPoint, size, type: "FAST_SSD" }],
  });
  const { id, outs } = await lifecycle.create("Application", at("/data"), config);
  lifecycle.diff("Application", id, outs, at("/data", 2));
  expect(warnings).toEqual([]);
  lifecycle.diff("Application", id, outs, at("/srv"));
  lifecycle.diff("Application", id, outs, at("/srv"));
  expect(warnings).toEqual([
    'the update of the Application "api" loses the volume /data (1 GiB); nobody can restore that',
  ]);
});
