import { type ChildProcessByStdio, spawn } from "node:child_process";
import { once } from "node:events";
import type { Readable } from "node:stream";
import type { Image } from "./build-image.ts";

/** How a container is started. */
export interface ContainerOptions {
  /** The command; by default that of the image. */
  command?: readonly string[];
  /** The user and the group, as numbers; by default those of the image. */
  user?: string;
  env?: Record<string, string>;
  /** A folder of this machine that is mounted as /run/secrets, owned by root and readable by the group, as Kubernetes mounts a secret. */
  secrets: string;
}

/** A process in a container. */
export interface Container {
  process: ChildProcessByStdio<null, Readable, Readable>;
  ended: Promise<{ code: number | null; output: string }>;
}

/**
 * Starts a process as `docker run --read-only --tmpfs /tmp --tmpfs /data` does: with the root of the image, which is read only; with
 * data and temporary files where no program may be executed; without rights, and as a user of whom only the number is known. It shares
 * the network of this machine.
 */
export function startContainer(
  image: Image,
  { command, user = image.user, env, secrets }: ContainerOptions,
): Container {
  const [uid = "", gid = ""] = user.split(":");
  const { root } = image;
  const tmpfs = "mount -t tmpfs -o noexec,nosuid,nodev";
  const script = `
    mount --bind "${root}" "${root}"
    mount -o remount,bind,ro "${root}"
    mount -t proc proc "${root}/proc"
    mount --rbind /dev "${root}/dev"
    ${tmpfs},mode=1777 tmpfs "${root}/tmp"
    ${tmpfs},mode=0700,uid=${uid},gid=${gid} tmpfs "${root}/data"
    ${tmpfs} tmpfs "${root}/run/secrets"
    cp --recursive "${secrets}/." "${root}/run/secrets"
    chown --recursive 0:${gid} "${root}/run/secrets"
    chmod --recursive u=rX,g=rX,o= "${root}/run/secrets"
    exec chroot "${root}" setpriv --reuid ${uid} --regid ${gid} --clear-groups --no-new-privs --bounding-set=-all "$@"`;
  const namespaces = ["--mount", "--pid", "--fork", "--kill-child"];
  const child = spawn("unshare", [...namespaces, "sh", "-ec", script, "sh", ...(command ?? image.command)], {
    env: { PATH: "/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", ...image.env, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (output += String(chunk)));
  return { process: child, ended: once(child, "close").then(() => ({ code: child.exitCode, output })) };
}
