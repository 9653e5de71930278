import { existsSync, rmSync } from "node:fs";
import { mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";

/** Where systems have the library that answers for passwd. Source: nss_wrapper(1). */
const libraries = ["x86_64-linux-gnu", "aarch64-linux-gnu", "../lib64", "."].map((folder) =>
  join("/usr/lib", folder, "libnss_wrapper.so"),
);

type Variables = Readonly<Record<string, string>>;
let made: Promise<Variables> | undefined;

/**
 * The variables that give this user an entry in passwd, if it has none: ssh and ssh-keygen refuse to run without one, and
 * a container may run as any user. Where the library is missing, there are none.
 */
export function userEntry(): Promise<Variables> {
  return (made ??= makeEntry());
}

async function makeEntry(): Promise<Variables> {
  const { LD_PRELOAD: preloaded, NSS_WRAPPER_PASSWD: passwd, NSS_WRAPPER_GROUP: group } = process.env;
  // The image has given this user an entry in the same way.
  if (preloaded && passwd && group)
    return { LD_PRELOAD: preloaded, NSS_WRAPPER_PASSWD: passwd, NSS_WRAPPER_GROUP: group };
  const library = hasEntry() ? undefined : libraries.find((file) => existsSync(file));
  if (library === undefined) return {};
  const folder = await mkdtemp(join(tmpdir(), "infrasync-user-"));
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
  const [uid, gid] = [process.getuid?.(), process.getgid?.()];
  const write = async (name: string, line: string) => {
    await writeFile(join(folder, name), `${line}\n`);
    return join(folder, name);
  };
  return {
    LD_PRELOAD: library,
    NSS_WRAPPER_PASSWD: await write("passwd", `infrasync:x:${uid}:${gid}::${tmpdir()}:/bin/sh`),
    NSS_WRAPPER_GROUP: await write("group", `infrasync:x:${gid}:`),
  };
}

function hasEntry(): boolean {
  try {
    userInfo();
    return true;
  } catch {
    return false;
  }
}
