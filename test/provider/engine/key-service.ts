import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";

/** Encrypts the keys of stacks. */
export interface KeyService extends AsyncDisposable {
  /** The variables with which Pulumi reaches it. */
  environment: Record<string, string>;
}

/** The secrets provider of a stack whose key the service encrypts. */
export const secretsProvider = "hashivault://tests";

/**
 * Starts what Pulumi needs of HashiCorp Vault to encrypt the key of a stack: with the key, Pulumi encrypts the secrets itself.
 * Of a passphrase, Pulumi derives the key in a million rounds, which takes half of the processor's time of each run.
 */
export async function startKeyService(): Promise<KeyService> {
  const server = createServer(async (request, response) => {
    const { plaintext, ciphertext } = JSON.parse(String(await buffer(request))) as Record<string, string>;
    const data =
      plaintext === undefined
        ? { plaintext: ciphertext?.slice(prefix.length) }
        : { ciphertext: prefix + plaintext };
    response.setHeader("content-type", "application/json").end(JSON.stringify({ data }));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    environment: { VAULT_ADDR: `http://127.0.0.1:${port}`, VAULT_TOKEN: "tests" },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const prefix = "vault:v1:";
