import { type Fields, isFields } from "../../values/json.ts";

const providersByHost: Record<string, string> = {
  "github.com": "GITHUB",
  "gitlab.com": "GITLAB",
  "bitbucket.org": "BITBUCKET",
};

/** The provider by the host in a repository's URL: `https://github.com/…`, `git@gitlab.com:…`. */
export function gitProviderOf(url: string): string | undefined {
  const host = /^(?:[a-z+]+:\/\/)?(?:[^@/]*@)?([^:/]+)/i.exec(url)?.[1]?.toLowerCase();
  const provider = Object.entries(providersByHost).find(
    ([known]) => host === known || host?.endsWith(`.${known}`),
  );
  return provider?.[1];
}

/** Sets the provider of a `git_repository` from its URL, so that a new URL changes the provider too. */
export function completeGitRepository(fields: Fields): Fields {
  const repository = fields["git_repository"];
  if (
    !isFields(repository) ||
    repository["provider"] !== undefined ||
    typeof repository["url"] !== "string"
  ) {
    return fields;
  }
  const provider = gitProviderOf(repository["url"]);
  return provider === undefined ? fields : { ...fields, git_repository: { ...repository, provider } };
}
