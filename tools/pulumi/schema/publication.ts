import manifest from "infrasync/package.json" with { type: "json" };
import { packageName } from "../../../provider/plugin/types.ts";

/** Nobody can register this host, so nobody can serve a module in its name. */
const unpublished = "example.com/infrasync";

/** Where a package is published. Without a repository and a server, that is nowhere: Pulumi takes the plugin that is installed. */
export function publication({
  author,
  repository,
  config,
}: {
  author: string;
  /** The repository of the releases; absent until there is one. */
  repository?: { url: string };
  /** `plugin_server`: the URL from which Pulumi downloads the plugin, where a team serves it. */
  config?: { plugin_server?: string };
} = manifest): { publisher: string; repository?: string; pluginDownloadURL?: string; goModule: string } {
  const url = repository?.url.replace(/^git\+/, "").replace(/\.git$/, "");
  const place = url === undefined ? undefined : new URL(url);
  const server = config?.plugin_server ?? (place && `github://api.${place.host}${place.pathname}`);
  return {
    publisher: author,
    ...(url !== undefined && { repository: url }),
    ...(server !== undefined && { pluginDownloadURL: server }),
    goModule: `${place ? place.host + place.pathname : unpublished}/sdk/go/${packageName}`,
  };
}
