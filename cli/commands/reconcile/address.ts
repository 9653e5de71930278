import type { Problem } from "../../../core/problem.ts";
import { escapeControl } from "../../../core/text.ts";
import { exitCodes } from "../../exit-codes.ts";
import { CommandError } from "../../command-error.ts";

/** Where something listens. */
export interface ListenAddress {
  host: string;
  /** 0: a free one. */
  port: number;
}

/** Reads `127.0.0.1:8081`, `[::1]:8081` or a port. Adds a mistake to `problems`. @param flag `--listen` */
export function readAddress(flag: string, given: string, problems: Problem[]): ListenAddress | undefined {
  const [, name, address, port] = /^(?:([^[\]:\s]+):|\[([0-9a-f:.]+)\]:)?(\d{1,5})$/i.exec(given) ?? [];
  if (port !== undefined && Number(port) <= 65_535)
    return { host: name ?? address ?? "127.0.0.1", port: Number(port) };
  problems.push({
    code: "argument",
    message: `${flag} "${escapeControl(given)}" is no address`,
    advice: "write one such as 127.0.0.1:8081, a port, or off",
  });
  return undefined;
}

/** @param what `the page`. @throws CommandError when its address cannot be used */
export function refuseAddress(
  what: string,
  flag: string,
  { host, port }: ListenAddress,
): (error: unknown) => never {
  return (error) => {
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    if (code !== "EADDRINUSE" && code !== "EACCES" && code !== "EADDRNOTAVAIL") throw error;
    throw new CommandError("port", exitCodes.invalid, {
      message: `${what} cannot listen on ${host}:${port}: ${code === "EADDRINUSE" ? "the port is in use" : "the address is not allowed, or not one of this machine"}`,
      advice: `choose another address with ${flag}, or none with ${flag} off`,
    });
  };
}
