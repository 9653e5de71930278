import { Cron } from "croner";
import { cronMistake } from "./cron.ts";

// Values that the API accepts and that nobody means. Each function completes a sentence that begins with the value: its
// effect, and the probable meaning.

/** The usual range of each unit. */
const usual = {
  millicores: { from: 10, to: 1_000_000, least: "; 1000 is one CPU", most: "; 1000 is one CPU" },
  MB: { from: 32, to: 33_554_432, least: "; 1 GB is 1024", most: ", not of bytes" },
  GB: { from: 1, to: 65_536, least: "; 1 is 1024 MB", most: ", not of MB or bytes" },
  GiB: { from: 0, to: 65_536, least: "; 1 is 1024 MiB", most: ", not of MiB or bytes" },
} as const;

/** The doubt about a number; undefined: it is usual. */
export function doubtOfNumber(value: number, unit: keyof typeof usual): string | undefined {
  const { from, to, least, most } = usual[unit];
  if (value < from) return `is a number of ${unit}${least}`;
  return value > to ? `is a number of ${unit}${most}` : undefined;
}

export const textDoubts = {
  cron: doubtOfCron,
  image: doubtOfImage,
  tag: (text: string) =>
    /[:/@\s]/.test(text) ? "is not a tag: declare the name of the image in image_name" : undefined,
  repository: doubtOfRepository,
  branch: (text: string) => {
    const [, branch] = /^(?:refs\/heads|origin)\/(.+)$/.exec(text) ?? [];
    return branch === undefined ? undefined : `is not the name of a branch: write ${branch}`;
  },
  mountPoint: (text: string) =>
    text === "/"
      ? "hides all other files of the container: name a folder, such as /data"
      : text.startsWith("/")
        ? undefined
        : `does not begin with /: write /${text.replace(/^\.?\//, "")}`,
} as const satisfies Record<string, (text: string) => string | undefined>;

export type TextDoubt = keyof typeof textDoubts;

/** The registry in the name of an image, which has a dot or a port: `ghcr.io/acme/api`. */
const registryInImage = /^(?:https?:\/\/)?(?<registry>localhost|[^/]*[.:][^/]*)\/(?<image>.+)$/;

/** The tag or digest at the end of the name of an image. */
const versionOfImage = /^(?<image>[^:@]+)[:@](?<version>.+)$/;

function doubtOfImage(text: string): string | undefined {
  const { registry, image = text } = registryInImage.exec(text)?.groups ?? {};
  const { image: name = image, version } = versionOfImage.exec(image)?.groups ?? {};
  const elsewhere = [
    ...(registry === undefined ? [] : [`the registry ${registry} in registry`]),
    ...(version === undefined ? [] : [`${version} in tag`]),
  ];
  if (elsewhere.length === 0 && /[A-Z\s]/.test(name))
    return `is not the name of an image, which is in lower case: write ${name.toLowerCase().replaceAll(/\s/g, "")}`;
  return elsewhere.length === 0
    ? undefined
    : `contains more than a name: declare ${elsewhere.join(", ")}, and here ${name}`;
}

/** The host and the path of a repository in a URL for SSH or Git, or without a scheme. */
const repositoryPlace =
  /^(?:(?:git\+)?(?:ssh|git):\/\/)?(?:[^@/\s]*@)?(?<host>[\w-]+(?:\.[\w-]+)+)(?::\d+(?=\/))?[:/]\/?(?<path>.+)$/i;

/** A URL that the API does not take, or a page of a Git host in place of a repository. */
function doubtOfRepository(text: string): string | undefined {
  if (!/^https?:\/\//i.test(text)) {
    const { host, path } = repositoryPlace.exec(text)?.groups ?? {};
    const meant = host ? `https://${host}/${path}` : "one such as https://github.com/acme/api";
    return `is not an https URL, which the API needs: write ${meant}`;
  }
  const [, url] = /^(https?:\/\/.+?)\/(?:-\/)?(?:tree|blob|src|raw|commits?)\/.+$/.exec(text) ?? [];
  return url === undefined
    ? undefined
    : `is a page of a repository: write ${url}, and the branch and the folder in their own fields`;
}

/** An expression that never matches, or every minute of an hour. */
function doubtOfCron(text: string): string | undefined {
  const [minute, hour = "*", day, month] = text.trim().split(/\s+/);
  if (minute === "*" && /^\d+$/.test(hour)) {
    const one = text.trim().replace("*", "0");
    return `runs in each of the 60 minutes of hour ${hour}: for one run, write ${one}`;
  }
  if (day === "*" || month === "*" || cronMistake(text)) return undefined;
  // Eight years contain each day of each month.
  const next = new Cron(text, { paused: true, mode: "5-part" }).nextRun(new Date("2024-01-01T00:00:00Z"));
  return next ? undefined : "never runs: none of its months has such a day";
}
