import { readFile } from "node:fs/promises";
import { Type } from "typebox";
import { validateStrictly } from "../http/validation.ts";
import { Behaviour } from "../world/behaviour.ts";
import { HttpError } from "../world/errors.ts";

/** The behaviour of a server, as `infrasync probe --profile FILE` writes it; the emulator reads the member `server`. */
export interface Profile {
  server: Behaviour;
}

const ProfileFile = Type.Object({ server: Behaviour });

/** Checks a profile, or reads it from its file. */
export async function readProfile(given: Profile | string): Promise<Profile> {
  const where = typeof given === "string" ? `the profile ${given}` : "the profile";
  try {
    const profile =
      typeof given === "string" ? (JSON.parse(await readFile(given, "utf8")) as unknown) : given;
    const { server } = (profile ?? {}) as { server?: unknown };
    validateStrictly(ProfileFile, { server });
    return { server: server as Behaviour };
  } catch (error) {
    const reason =
      error instanceof HttpError || error instanceof SyntaxError ? error.message : "it cannot be read";
    throw new Error(`${where} is not valid: ${reason}`, { cause: error });
  }
}
