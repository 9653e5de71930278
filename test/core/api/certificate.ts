import { generateKeyPairSync, randomBytes, sign } from "node:crypto";
import { getCACertificates, setDefaultCACertificates } from "node:tls";
import { onTestFinished } from "vitest";

const hour = 3_600_000;

/**
 * A key and a certificate in PEM, for 127.0.0.1 and this host name, signed by itself. It is valid from and until so
 * many milliseconds after now.
 */
export function makeCertificate(
  host = "localhost",
  { from = -hour, until = hour } = {},
): { key: string; cert: string } {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const name = sequence(der(0x31, sequence(commonName, der(0x0c, Buffer.from("test")))));
  const validity = sequence(utcTime(Date.now() + from), utcTime(Date.now() + until));
  const names = sequence(der(0x82, Buffer.from(host)), der(0x87, Buffer.from([127, 0, 0, 1])));
  const content = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.concat([Buffer.from([1]), randomBytes(8)])),
    sequence(ecdsaWithSha256),
    name,
    validity,
    name,
    publicKey.export({ type: "spki", format: "der" }),
    der(0xa3, sequence(sequence(subjectAlternativeName, der(0x04, names)))),
  );
  const signature = der(0x03, Buffer.concat([Buffer.from([0]), sign("sha256", content, privateKey)]));
  const certificate = sequence(content, sequence(ecdsaWithSha256), signature).toString("base64");
  return {
    key: privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
    cert: `-----BEGIN CERTIFICATE-----\n${certificate.replaceAll(/.{64}/g, "$&\n")}\n-----END CERTIFICATE-----\n`,
  };
}

/** Lets a certificate count as that of an authority until the test is over. */
export function trust(certificate: string): void {
  const before = getCACertificates("default");
  setDefaultCACertificates([...before, certificate]);
  onTestFinished(() => {
    setDefaultCACertificates(before);
  });
}

// Object identifiers, encoded.
const commonName = Buffer.from("0603550403", "hex");
const subjectAlternativeName = Buffer.from("0603551d11", "hex");
const ecdsaWithSha256 = Buffer.from("06082a8648ce3d040302", "hex");

function der(tag: number, content: Buffer): Buffer {
  const { length } = content;
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
}

function sequence(...parts: Buffer[]): Buffer {
  return der(0x30, Buffer.concat(parts));
}

function utcTime(milliseconds: number): Buffer {
  const digits = new Date(milliseconds).toISOString().replaceAll(/\D/g, "").slice(2, 14);
  return der(0x17, Buffer.from(`${digits}Z`));
}
