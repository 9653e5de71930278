import { join } from "node:path";
import type { Problem } from "../../../core/problems/problem.ts";
import type { Source } from "../../../reconciler/index.ts";
import type { Io } from "../../terminal/io.ts";

/** The variables for the repository of a service without sources: a source declares its own. */
const ofOneSource = [
  "REPO",
  "BRANCH",
  "REVISION",
  "PATH",
  "DATA",
  "REQUIRE_SIGNED",
  "PREVIEWS",
  "COMMIT_STATUSES",
  "GIT_HOST_PROJECT",
].map((name) => `INFRASYNC_${name}`);

const secretsFolder = "INFRASYNC_SECRETS_DIR";

/** The environment variables of a source: its own token and folder of secrets, so that no team reads the secrets of another. */
export function sourceEnvironment(
  source: Source,
  files: string | undefined,
  { env }: Pick<Io, "env">,
  problems: Problem[],
): Io["env"] {
  const { name, token, token_file: tokenFile, git_token_file: gitTokenFile } = source;
  const named = [
    tokenFile,
    gitTokenFile,
    source.webhook_secret_file,
    source.notify_file,
    source.require_signed,
  ];
  if (files === undefined && named.some((each) => each !== undefined))
    problems.push({
      code: "setting",
      message: `the source ${name} names files, and the folder of these files is not set`,
      advice: "name the folder with INFRASYNC_SOURCE_FILES",
    });
  const file = (given: string) => join(files ?? "", given);
  const own = token === undefined ? {} : tokenOf(token, env, problems);
  const { [secretsFolder]: secrets } = env;
  return {
    ...env,
    ...Object.fromEntries(ofOneSource.map((each) => [each, undefined])),
    ...((token !== undefined || tokenFile !== undefined) && {
      INFRASYNC_TOKEN: undefined,
      INFRASYNC_TOKEN_FILE: undefined,
      INFRASYNC_APPLY_TOKEN: undefined,
      INFRASYNC_APPLY_TOKEN_FILE: undefined,
    }),
    ...own,
    ...(tokenFile !== undefined && { INFRASYNC_TOKEN_FILE: file(tokenFile) }),
    ...(gitTokenFile !== undefined && {
      INFRASYNC_GIT_TOKEN: undefined,
      INFRASYNC_GIT_TOKEN_FILE: file(gitTokenFile),
    }),
    ...(secrets && { [secretsFolder]: join(secrets, name) }),
  };
}

function tokenOf(token: string, env: Io["env"], problems: Problem[]): Io["env"] {
  const variable = `INFRASYNC_SOURCE_TOKEN_${token.toUpperCase().replaceAll("-", "_")}`;
  const [value, file] = [env[variable], env[`${variable}_FILE`]];
  if (!value && !file)
    problems.push({
      code: "setting",
      message: `there is no token ${token}`,
      advice: `set ${variable}, or ${variable}_FILE to a file that contains it`,
    });
  return value ? { INFRASYNC_TOKEN: value } : { INFRASYNC_TOKEN_FILE: file };
}
