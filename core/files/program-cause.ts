const longest = 500;

/** Lines that say nothing about the cause. */
const noise =
  /^(?:@+|@\s.*@|hint:.*|Cloning into .*|Please make sure you have the correct access rights|and the repository exists\.|Someone could be eavesdropping.*|It is also possible that.*|warning: Permanently added.*|debug\d: .*)$/;

/** What git says at the end when ssh or the remote has said why. */
const general =
  /^fatal: (?:Could not read from remote repository|the remote end hung up|early EOF|index-pack failed)/i;

/** @param variable names the proxy */
export const proxyCredentials = (variable: string): string =>
  `write the user and the password of the proxy into ${variable}: http://<user>:<password>@<host>:<port>`;

/** @param variable names the proxy */
export const proxyRoute = (variable: string): string => `check ${variable}, or name the host in NO_PROXY`;

const advices: readonly [cause: RegExp, advice: string][] = [
  [
    /No user exists for uid/,
    "ssh needs an entry for this user in passwd: add one, or install libnss-wrapper, with which infrasync makes one",
  ],
  [
    /REMOTE HOST IDENTIFICATION HAS CHANGED/,
    "find out why the host has another key, and then replace it in the file of known hosts (INFRASYNC_GIT_KNOWN_HOSTS)",
  ],
  [
    /host key is known for|Host key verification failed/,
    "put the key of the host into the file of known hosts (INFRASYNC_GIT_KNOWN_HOSTS): ssh-keyscan HOST",
  ],
  [
    /Load key .*|invalid format|error in libcrypto|UNPROTECTED PRIVATE KEY/,
    "check the file of the key (INFRASYNC_GIT_SSH_KEY_FILE): a private key without a passphrase that nobody else can read",
  ],
  [
    /Permission denied \(/,
    "give the key (INFRASYNC_GIT_SSH_KEY_FILE) read access to the repository, as a deploy key of it",
  ],
  [/Could not resolve host/, "check the name of the host, and the DNS of this machine"],
  [
    /Connection refused|Connection timed out|No route to host|Network is unreachable|Operation timed out/,
    "check the port, the network and the proxy",
  ],
  [/\b407 from proxy|(?:tunnel failed|returned error).*\b407\b/, proxyCredentials("HTTPS_PROXY")],
  [/tunnel failed|from proxy|resolve proxy/, proxyRoute("HTTPS_PROXY")],
  [
    /could not read (?:Username|Password)|terminal prompts disabled/,
    "set INFRASYNC_GIT_TOKEN, or INFRASYNC_GIT_TOKEN_FILE: the repository requires a token",
  ],
  [
    /Authentication failed|Access denied|returned error: 40[13]/,
    "check the token (INFRASYNC_GIT_TOKEN): the token must be valid and allowed to read the repository; also check the proxy",
  ],
  [
    /returned error: 30\d|redirect/i,
    "the repository has moved: name its new URL; a redirect is not followed, so that the token goes nowhere else",
  ],
  [
    /could not be found|[Nn]ot found|does not (?:exist|appear to be a git repository)/,
    "check the URL and the credentials: many servers give the same answer for a missing and for a forbidden repository",
  ],
  [
    /SSL certificate problem|server certificate verification failed/,
    "name the file with the authority of the server in GIT_SSL_CAINFO for git, and in NODE_EXTRA_CA_CERTS for requests",
  ],
];

/** The cause in the errors of git, ssh and the remote: all lines that say something, the general one of git only where it is alone. */
export function causeOf(stderr: string): {
  /** One line; it may have characters that move a cursor. */
  message: string;
  /** What helps; undefined where that is not known. */
  advice?: string | undefined;
} {
  const lines = stderr.split(/\r?\n/).flatMap((line) => {
    const text = line.replace(/^remote:\s*/, "").trim();
    return text === "" || /^[=-]{3,}$/.test(text) || noise.test(text) ? [] : [text];
  });
  const reported = lines.filter((line) => !general.test(line));
  const message = (reported.length > 0 ? reported : lines).join("; ");
  const advice = advices.find(([cause]) => cause.test(stderr))?.[1];
  return { message: message === "" ? "no reason is given" : shortened(message), advice };
}

/** What a program says last is nearer to the cause. */
function shortened(text: string): string {
  return text.length <= longest ? text : `… ${text.slice(-longest)}`;
}
