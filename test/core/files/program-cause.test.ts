import { expect, test } from "vitest";
import { causeOf } from "../../../core/files/program-cause.ts";

const ofGit = `fatal: Could not read from remote repository.

Please make sure you have the correct access rights
and the repository exists.`;

const changedHost = `@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@
@    WARNING: REMOTE HOST IDENTIFICATION HAS CHANGED!     @
@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@
IT IS POSSIBLE THAT SOMEONE IS DOING SOMETHING NASTY!
Someone could be eavesdropping on you right now (man-in-the-middle attack)!
It is also possible that a host key has just been changed.
Host key verification failed.`;

test.each<[stderr: string, message: string, advice: RegExp | undefined]>([
  [
    `No ED25519 host key is known for [127.0.0.1]:2222 and you have requested strict checking.\r\nHost key verification failed.\r\n${ofGit}`,
    "No ED25519 host key is known for [127.0.0.1]:2222 and you have requested strict checking.; Host key verification failed.",
    /ssh-keyscan/,
  ],
  [
    `${changedHost}\r\n${ofGit}`,
    "IT IS POSSIBLE THAT SOMEONE IS DOING SOMETHING NASTY!; Host key verification failed.",
    /find out why the host has another key/,
  ],
  [
    `git@host: Permission denied (publickey).\r\n${ofGit}`,
    "git@host: Permission denied (publickey).",
    /deploy key/,
  ],
  [
    `Load key "/keys/id": error in libcrypto\r\ngit@host: Permission denied (publickey).\r\n${ofGit}`,
    'Load key "/keys/id": error in libcrypto; git@host: Permission denied (publickey).',
    /file of the key/,
  ],
  [
    `ssh: Could not resolve hostname nowhere.example: Name or service not known\r\n${ofGit}`,
    "ssh: Could not resolve hostname nowhere.example: Name or service not known",
    /name of the host/,
  ],
  [
    `ssh: connect to host 127.0.0.1 port 1: Connection refused\r\n${ofGit}`,
    "ssh: connect to host 127.0.0.1 port 1: Connection refused",
    /port/,
  ],
  [
    `remote: \nremote: ========================================================================\nremote: \nremote: ERROR: The project you were looking for could not be found or you don't have permission to view it.\nremote: \n${ofGit}`,
    "ERROR: The project you were looking for could not be found or you don't have permission to view it.",
    /check the URL and the credentials/,
  ],
  [
    "fatal: could not read Username for 'https://git.example.com': terminal prompts disabled\n",
    "fatal: could not read Username for 'https://git.example.com': terminal prompts disabled",
    /INFRASYNC_GIT_TOKEN/,
  ],
  [
    "remote: HTTP Basic: Access denied\nfatal: Authentication failed for 'https://git.example.com/a.git/'\n",
    "HTTP Basic: Access denied; fatal: Authentication failed for 'https://git.example.com/a.git/'",
    /check the token/,
  ],
  ...[
    "CONNECT tunnel failed, response 407",
    "Received HTTP code 407 from proxy after CONNECT",
    "The requested URL returned error: 407",
  ].map((said): [string, string, RegExp] => {
    const line = `fatal: unable to access 'https://git.example.com/a/': ${said}`;
    return [`${line}\n`, line, /the user and the password of the proxy into HTTPS_PROXY/];
  }),
  [
    "fatal: unable to access 'https://git.example.com/a/': CONNECT tunnel failed, response 403\n",
    "fatal: unable to access 'https://git.example.com/a/': CONNECT tunnel failed, response 403",
    /check HTTPS_PROXY/,
  ],
  [
    "fatal: unable to access 'https://git.example.com/a/': Could not resolve proxy: proxy.invalid\n",
    "fatal: unable to access 'https://git.example.com/a/': Could not resolve proxy: proxy.invalid",
    /check HTTPS_PROXY/,
  ],
  [
    "fatal: unable to access 'https://git.example.com/a/': The requested URL returned error: 301\n",
    "fatal: unable to access 'https://git.example.com/a/': The requested URL returned error: 301",
    /has moved/,
  ],
  [
    "fatal: unable to access 'https://git.example.com/a/': server certificate verification failed. CAfile: none CRLfile: none\n",
    "fatal: unable to access 'https://git.example.com/a/': server certificate verification failed. CAfile: none CRLfile: none",
    /GIT_SSL_CAINFO for git, and in NODE_EXTRA_CA_CERTS for requests/,
  ],
  [
    "The following paths are ignored by one of your .gitignore files:\nmanifests\nhint: Use -f if you really want to add them.\n",
    "The following paths are ignored by one of your .gitignore files:; manifests",
    undefined,
  ],
  [
    "Failed to get the data key required to decrypt the SOPS file.\n",
    "Failed to get the data key required to decrypt the SOPS file.",
    undefined,
  ],
  [ofGit, "fatal: Could not read from remote repository.", undefined],
  ["", "no reason is given", undefined],
])("%j is told with its cause, and with what helps", (stderr, message, advice) => {
  const cause = causeOf(stderr);
  expect(cause.message).toBe(message);
  if (advice) expect(cause.advice).toMatch(advice);
  else expect(cause.advice).toBeUndefined();
});

test("of a long text, the end is told", () => {
  expect(causeOf(`${"x".repeat(10_000)}\nthe cause`).message).toMatch(/^… x{489}; the cause$/);
});
