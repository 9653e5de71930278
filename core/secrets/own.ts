import { realpath } from "node:fs/promises";
import { sep } from "node:path";
import { holdsToken } from "../api/index.ts";
import { configuredCredentials, credentialFiles } from "../redaction/credentials.ts";
import { isOwnVariable } from "../redaction/environment-variables.ts";
import { systemFolders } from "../model/schema/secret-source.ts";
import { SecretSourceError } from "./value.ts";

/** Variables and files of infrasync are no sources of secrets: a manifest could put the run's token into a service. */
export class OwnSecrets {
  readonly #environment: NodeJS.ProcessEnv;
  readonly #holdsOther: (text: string) => boolean;

  /** @param holdsOther whether a text has a token that the environment does not tell of */
  constructor(environment: NodeJS.ProcessEnv, holdsOther: (text: string) => boolean = () => false) {
    this.#environment = environment;
    this.#holdsOther = holdsOther;
  }

  /** @throws SecretSourceError for a variable of infrasync */
  refuseVariable(name: string): void {
    if (isOwnVariable(name))
      throw new SecretSourceError(
        `the environment variable ${name} is infrasync's own, and no secret may come from it`,
        "give the value another variable",
      );
  }

  /** @throws SecretSourceError for a file of infrasync, and for one that the system makes up, also behind links */
  async refuseFile(file: string): Promise<void> {
    const target = await realpath(file).catch(() => file);
    if (systemFolders.some((folder) => target.startsWith(folder + sep)))
      throw new SecretSourceError(
        `the file ${file} is in ${systemFolders.join(", ")}, and no secret may come from there`,
        "name a file that contains the value and nothing else",
      );
    const own = await Promise.all(
      credentialFiles(this.#environment).map((each) => realpath(each).catch(() => each)),
    );
    if (own.includes(target))
      throw new SecretSourceError(
        `the file ${file} is infrasync's own, and no secret may come from it`,
        "name another file",
      );
  }

  /** @throws SecretSourceError for a value that has a token in use */
  async refuseToken(value: string): Promise<void> {
    const tokens = await configuredCredentials(this.#environment);
    if (this.#holdsOther(value) || tokens.some((token) => holdsToken(value, token)))
      throw new SecretSourceError(
        "its value contains a token that infrasync itself uses",
        "name a source with another value",
      );
  }
}
