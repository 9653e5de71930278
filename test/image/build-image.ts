import { execFileSync } from "node:child_process";
import { chmodSync, cpSync, existsSync, mkdirSync, symlinkSync } from "node:fs";
import path from "node:path";
import { example, type Instruction, isLetThrough, stagesOf, textsOf } from "./dockerfile.ts";

const checkout = path.join(import.meta.dirname, "../..");

/** An image without a daemon: a folder that becomes the root of a process, and how the process is started. */
export interface Image {
  root: string;
  env: Record<string, string>;
  /** The user and the group, as numbers. */
  user: string;
  command: string[];
  healthCheck: string[];
}

/**
 * Does what `docker build` does with the Dockerfile and a clone of this repository, with two differences: the first stage runs on this
 * machine, and the packages of the last one are copied from this machine, which has to have them.
 *
 * @param folder an empty one
 */
export function buildImage(folder: string): Image {
  if (process.getuid?.() !== 0) throw new Error("run this as root: it mounts the file system of the image");
  const [build = [], last = []] = stagesOf(example("Dockerfile"));
  const [context, root] = [path.join(folder, "context"), path.join(folder, "root")];
  copyContext(context);
  const built = path.join(folder, "build");
  runBuild(build, context, built);
  const packages = textsOf(last, "RUN").flatMap(
    (text) => /apt-get install (.*?)(?: &&|$)/.exec(text)?.[1]?.split(" ") ?? [],
  );
  copyPackages(
    packages.filter((name) => !name.startsWith("-")),
    root,
  );
  for (const { name, text } of last) {
    // `apt-get` has done its work.
    if (name === "RUN") inRoot(root, ["bash", "-ec", `apt-get() { :; }; ${text}`]);
    if (name === "COPY") copyFromBuild(text, built, root);
  }
  const json = (name: string) => JSON.parse(textsOf(last, name)[0] ?? "[]") as string[];
  return {
    root,
    env: Object.fromEntries(
      textsOf(last, "ENV")
        .flatMap((text) => text.split(/\s+/))
        .map((each) => each.split("=", 2)),
    ) as Record<string, string>,
    user: textsOf(last, "USER")[0] ?? "0:0",
    command: [...json("ENTRYPOINT"), ...json("CMD")],
    healthCheck: JSON.parse(/CMD (.*)$/.exec(textsOf(last, "HEALTHCHECK")[0] ?? "")?.[1] ?? "[]") as string[],
  };
}

/** What a clone has and the ignore file lets through. */
function copyContext(to: string): void {
  const files = execFileSync("git", ["ls-files", "-z"], { cwd: checkout, encoding: "utf8" }).split("\0");
  const ignoreFile = example("Dockerfile.dockerignore");
  for (const file of files.filter((each) => each !== "" && isLetThrough(each, ignoreFile)))
    cpSync(path.join(checkout, file), path.join(to, file));
}

function runBuild(stage: readonly Instruction[], context: string, root: string): void {
  let work = root;
  mkdirSync(work);
  for (const { name, text } of stage) {
    if (name === "WORKDIR") mkdirSync((work = path.join(root, text)), { recursive: true });
    if (name === "COPY") {
      const names = text.split(" ");
      const to = names.pop() ?? ".";
      for (const each of names)
        cpSync(path.join(context, each), path.join(work, to, each), { recursive: true });
    }
    // The node of the Dockerfile's first stage is the one that runs this test; `apt-get` needs a machine of its own.
    if (name === "RUN")
      execFileSync("bash", ["-ec", `apt-get() { :; }; ${text}`], {
        cwd: work,
        env: {
          HOME: process.env["HOME"],
          npm_config_prefer_offline: "true",
          PATH: `${path.dirname(process.execPath)}:/usr/local/bin:/usr/bin:/bin`,
        },
        stdio: ["ignore", "ignore", "inherit"],
      });
  }
}

function copyFromBuild(text: string, built: string, root: string): void {
  const parts = text.split(" ");
  const mode = parts.find((part) => part.startsWith("--chmod="))?.slice("--chmod=".length);
  const files = parts.filter((part) => !part.startsWith("--"));
  const to = files.pop() ?? "";
  for (const file of files) {
    const target = path.join(root, to, to.endsWith("/") ? path.basename(file) : "");
    mkdirSync(path.dirname(target), { recursive: true });
    cpSync(path.join(built, file), target);
    if (mode !== undefined) chmodSync(target, Number.parseInt(mode, 8));
  }
}

/** Fills a folder with what Debian has without any choice, with apt, with packages, and with those that they need. */
function copyPackages(names: readonly string[], root: string): void {
  const read = (command: string, ...args: string[]) =>
    execFileSync(command, args, {
      encoding: "utf8",
      maxBuffer: 2 ** 28,
      env: { ...process.env, LC_ALL: "C" },
    });
  const installed = read("dpkg-query", "--show", "--showformat=${Package} ${Essential} ${db:Status-Status}\n")
    .split("\n")
    .filter((line) => line.endsWith(" installed"));
  const there = new Set(installed.map((line) => line.split(" ")[0] ?? ""));
  const missing = names.filter((name) => !there.has(name));
  if (missing.length > 0) throw new Error(`install the packages of the image here: ${missing.join(" ")}`);
  const essential = installed.flatMap((line) => /^(\S+) yes/.exec(line)?.[1] ?? []);
  const needed = read(
    "apt-cache",
    "depends",
    "--recurse",
    "--installed",
    "--important",
    ...essential,
    "apt",
    ...names,
  )
    .split("\n")
    .filter((line) => there.has(line));
  const files = read("dpkg-query", "--listfiles", ...new Set(needed))
    .split("\n")
    .filter(
      (file) =>
        /^\/\w/.test(file) && !/^\/usr\/share\/(?:doc|man|locale|perl)\//.test(file) && existsSync(file),
    );
  for (const folder of [
    "usr/bin",
    "usr/sbin",
    "usr/lib",
    "usr/lib64",
    "etc",
    "tmp",
    "proc",
    "dev",
    "run/secrets",
  ])
    mkdirSync(path.join(root, folder), { recursive: true });
  for (const name of ["bin", "sbin", "lib", "lib64"]) symlinkSync(`usr/${name}`, path.join(root, name));
  const archive = execFileSync("tar", ["--create", "--no-recursion", "--directory=/", "--files-from=-"], {
    input: [...new Set(files)].map((file) => `.${file}`).join("\n"),
    maxBuffer: 2 ** 31,
  });
  execFileSync("tar", ["--extract", "--keep-directory-symlink", `--directory=${root}`], { input: archive });
  // What the packages write when they are installed.
  for (const [from, to] of [
    ["usr/share/base-passwd/passwd.master", "etc/passwd"],
    ["usr/share/base-passwd/group.master", "etc/group"],
  ] as const)
    cpSync(path.join(root, from), path.join(root, to));
  cpSync("/etc/nsswitch.conf", path.join(root, "etc/nsswitch.conf"));
  inRoot(root, ["ldconfig"]);
}

function inRoot(root: string, command: readonly string[]): void {
  execFileSync("chroot", [root, ...command], { env: { PATH: "/usr/sbin:/usr/bin:/sbin:/bin" } });
}
