import { shareOf } from "../policy/index.ts";
import type { NewsEvent } from "./events.ts";
import type { RouteRules } from "./routes-file.ts";
import type { NewsItem } from "./transitions.ts";

/** The news that a route is for: of its environments and events, and of no environment in particular. */
export function routed(
  news: readonly NewsItem[],
  { environments, events }: Pick<RouteRules, "environments" | "events">,
): NewsItem[] {
  const hears = (event: NewsEvent) => events?.includes(event) ?? true;
  const concerns = (names: readonly string[]) =>
    environments?.some((pattern) => pattern.matches(names)) ?? true;
  const isOf = (environment: string) => concerns(environment.split("/"));
  return news.flatMap((item): NewsItem[] => {
    switch (item.type) {
      case "transitions": {
        const transitions = item.transitions.filter(({ environment, to }) => hears(to) && isOf(environment));
        return transitions.length === 0 ? [] : [{ ...item, transitions }];
      }
      case "set_back": {
        const changes = item.changes.filter(({ resource }) => concerns(shareOf(resource).names));
        return changes.length === 0 || !hears(item.type) ? [] : [{ ...item, changes }];
      }
      case "stale":
      case "read": {
        const concerned = item.environments.filter(isOf);
        return concerned.length === 0 || !hears(item.type) ? [] : [{ ...item, environments: concerned }];
      }
      case "mistakes":
      case "mended":
      case "outage":
      case "recovered":
        return hears(item.type) ? [item] : [];
      default:
        return item satisfies never;
    }
  });
}
