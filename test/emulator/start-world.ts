import { onTestFinished } from "vitest";
import { createEmulator } from "../../emulator/index.ts";
import type { Emulator, EmulatorOptions } from "../../emulator/index.ts";
import { Client } from "../fixtures/client.ts";

/** A running emulator with one environment, and clients for it. */
export interface TestWorld {
  emulator: Emulator;
  /** With the admin token. */
  client: Client;
  /** A client for the control surface, without a valid token. */
  control: Client;
  organizationPath: string;
  projectId: string;
  environmentId: string;
  /** A body for a job with the required members only. */
  job(name: string, rest?: object): object;
  /** Advances the clock. */
  advance(milliseconds: number): Promise<void>;
}

/** Starts an emulator that stops when the test ends; its clock is frozen by default. */
export async function startWorld(options: EmulatorOptions = {}): Promise<TestWorld> {
  const emulator = await createEmulator({ clock: "frozen", ...options });
  onTestFinished(() => emulator.close());
  const client = new Client(emulator.url, emulator.tokens.admin);
  const control = new Client(emulator.url, "none");
  const organizationPath = `/organization/${emulator.organization.id}`;
  const project = await client.post(`${organizationPath}/project`, { name: "shop" });
  const environment = await client.post(`/project/${project.id}/environment`, { name: "staging" });
  const registryId = emulator.registries[0]?.id;
  return {
    emulator,
    client,
    control,
    organizationPath,
    projectId: project.id,
    environmentId: environment.id,
    job: (name, rest = {}) => ({
      name,
      source: { image: { registry_id: registryId, image_name: "acme/report", tag: "1" } },
      ...rest,
    }),
    advance: async (milliseconds) => {
      await control.post("/_emulator/clock", { advance_ms: milliseconds });
    },
  };
}

/** An id without a resource. */
export const unknownId = "00000000-0000-4000-8000-000000000000";
