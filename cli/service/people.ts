import { systemClock } from "../../core/api/index.ts";
import {
  type AccessFile,
  type Access,
  PeopleGate,
  type Log,
  SignIn,
  type PagePeople,
} from "../../reconciler/index.ts";
import { readSecretFile, readSecretText } from "../repository/secret-text.ts";
import type { Console } from "../terminal/console.ts";

/** The secret of the client by which people sign in. */
const clientSecret = "INFRASYNC_OIDC_CLIENT_SECRET";

/** The access of people to the page. @param file with the roles; undefined: nobody may act over HTTP @throws InvalidInputError */
export async function readPeople(
  access: Access,
  file: AccessFile | undefined,
  signed: PagePeople["signed"],
  log: Log,
  console: Console,
): Promise<PagePeople> {
  const { roles = [] } = (await file?.rules()) ?? {};
  const tokens = roles.flatMap((role) => ("tokenFile" in role ? role.tokenFile : []));
  for (const each of access.type === "token" ? [access.file, ...tokens] : tokens)
    await readSecretFile(each, console);
  let made: { settings: string; signIn: SignIn } | undefined;
  return {
    gate: new PeopleGate(access, file),
    clock: console.io.clock ?? systemClock,
    signed,
    async signIn() {
      const { signIn: settings } = (await file?.rules()) ?? {};
      if (!settings) return undefined;
      const key = JSON.stringify(settings);
      if (made?.settings !== key) {
        const secret = () => readSecretText(clientSecret, console);
        made = { settings: key, signIn: new SignIn(settings, secret, console.io.env) };
      }
      return made.signIn;
    },
    redact: (text) => console.redact(text),
    onError(error) {
      log.warn({ reason: causesOf(error).join(": ") }, "a request to the page has failed");
    },
  };
}

function causesOf(error: unknown): string[] {
  if (!(error instanceof Error)) return [String(error)];
  return [error.message, ...(error.cause === undefined ? [] : causesOf(error.cause))];
}
