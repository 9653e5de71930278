import { createHmac, type Hmac } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import { isEqual } from "../equal.ts";

/**
 * Checks a webhook of GitHub (`X-Hub-Signature-256`), Gitea (`X-Gitea-Signature`), GitLab (`X-Gitlab-Token`), or of
 * whoever follows Standard Webhooks. Undefined if it is not signed.
 *
 * The age of a webhook does not matter: to repeat one costs a look at the repository, and the clock may be wrong.
 */
export function signatureCheck(
  headers: IncomingHttpHeaders,
  secret: string,
):
  | {
      update(chunk: Buffer): void;
      /** Whether one of the signatures is right. To be called once, at the end of the body. */
      isRight(): boolean;
    }
  | undefined {
  const token = one(headers, "x-gitlab-token");
  const schemes = schemesIn(headers, secret);
  if (token === undefined && schemes.length === 0) return undefined;
  return {
    update(chunk) {
      for (const { hmac } of schemes) hmac.update(chunk);
    },
    isRight() {
      const isSigned = schemes.map(({ hmac, encoding, given }) => {
        const expected = hmac.digest(encoding);
        return given.map((each) => isEqual(each, expected)).includes(true);
      });
      const isKnown = token !== undefined && isEqual(token, secret);
      return isSigned.includes(true) || isKnown;
    },
  };
}

/** The most signatures of one webhook that are looked at: a sender has two while it changes its secret. */
const mostSignatures = 5;

function schemesIn(
  headers: IncomingHttpHeaders,
  secret: string,
): { hmac: Hmac; encoding: "hex" | "base64"; given: readonly string[] }[] {
  const github = /^sha256=([0-9a-f]{64})$/i.exec(one(headers, "x-hub-signature-256") ?? "")?.[1];
  const gitea = /^[0-9a-f]{64}$/i.exec(one(headers, "x-gitea-signature") ?? "")?.[0];
  const hex = [github, gitea].filter((each) => each !== undefined).map((each) => each.toLowerCase());
  const [id, time] = [one(headers, "webhook-id"), one(headers, "webhook-timestamp")];
  const standard = (one(headers, "webhook-signature") ?? "")
    .split(" ")
    .flatMap((each) => (each.startsWith("v1,") ? [each.slice(3)] : []))
    .slice(0, mostSignatures);
  const isStandard = id !== undefined && time !== undefined && standard.length > 0;
  return [
    ...(hex.length > 0 ? [{ hmac: createHmac("sha256", secret), encoding: "hex" as const, given: hex }] : []),
    ...(isStandard
      ? [
          {
            hmac: createHmac("sha256", standardKey(secret)).update(`${id}.${time}.`),
            encoding: "base64" as const,
            given: standard,
          },
        ]
      : []),
  ];
}

/** The key of a secret as Standard Webhooks write it: `whsec_` and Base64. */
export function standardKey(secret: string): Buffer {
  return secret.startsWith("whsec_") ? Buffer.from(secret.slice(6), "base64") : Buffer.from(secret);
}

function one(headers: IncomingHttpHeaders, name: string): string | undefined {
  const value = headers[name];
  return typeof value === "string" ? value : undefined;
}
