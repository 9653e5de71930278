/** The ids of a live service, or of an environment and what it is in. */
export interface ConsoleIds {
  organization: string;
  project: string;
  environment: string;
  /** Absent: the page of the environment. */
  service?: string | undefined;
}

/** A page of the console, such as `https://console.example.com/{organization}/{project}/{environment}/{service}`; undefined: it has none. */
export function consoleUrl(pattern: string | undefined, ids: ConsoleIds): string | undefined {
  const last = ids.service === undefined ? "{environment}" : "{service}";
  const end = pattern?.indexOf(last) ?? -1;
  if (pattern === undefined || end < 0) return undefined;
  const whole = ids.service === undefined ? pattern.slice(0, end + last.length) : pattern;
  return Object.entries(ids).reduce(
    (url, [name, id]) => url.replaceAll(`{${name}}`, encodeURIComponent(String(id))),
    whole,
  );
}
