import * as client from "openid-client";
import { type PlainRequest, sendOnce } from "../../core/api/index.ts";
import { escapeControl } from "../../core/values/text.ts";
import { identityOfPerson } from "../identity.ts";
import type { SignedIn } from "./gate.ts";
import type { SignInSettings } from "./access-file.ts";

/** Where the provider sends people back to. */
export const callbackPath = "/signed-in";

/** The state of one sign-in until the person comes back. */
export interface PendingSignIn {
  state: string;
  nonce: string;
  verifier: string;
}

/** The longest list of groups that is stored, and the longest name. */
const mostGroups = 500;
const longestName = 200;

/** Signs people in by OpenID Connect: authorization code, with PKCE, state and nonce, and a signature of the id token. */
export class SignIn {
  readonly #settings: SignInSettings;
  readonly #secret: () => Promise<string | undefined>;
  #found: { secret: string | undefined; configuration: client.Configuration } | undefined;

  readonly #environment: PlainRequest["environment"];

  /** @param secret the client's, read each time; undefined if it has none @param environment names the proxy */
  constructor(
    settings: SignInSettings,
    secret: () => Promise<string | undefined>,
    environment: PlainRequest["environment"],
  ) {
    this.#settings = settings;
    this.#secret = secret;
    this.#environment = environment;
  }

  async begin(): Promise<{ url: URL; started: PendingSignIn }> {
    const configuration = await this.#configuration();
    const knowsGroups = configuration.serverMetadata().scopes_supported?.includes("groups") === true;
    const started: PendingSignIn = {
      state: client.randomState(),
      nonce: client.randomNonce(),
      verifier: client.randomPKCECodeVerifier(),
    };
    const url = client.buildAuthorizationUrl(configuration, {
      redirect_uri: this.#settings.url + callbackPath,
      scope: ["openid", "email", "profile", ...(knowsGroups ? ["groups"] : [])].join(" "),
      state: started.state,
      nonce: started.nonce,
      code_challenge: await client.calculatePKCECodeChallenge(started.verifier),
      code_challenge_method: "S256",
    });
    return { url, started };
  }

  /** Whom the provider has sent back. Only the query comes from the request. @throws Error when anything is not as it has to be */
  async end(query: string, { state, nonce, verifier }: PendingSignIn): Promise<SignedIn> {
    const configuration = await this.#configuration();
    const url = new URL(`${this.#settings.url}${callbackPath}?${query}`);
    const tokens = await client.authorizationCodeGrant(configuration, url, {
      expectedState: state,
      expectedNonce: nonce,
      pkceCodeVerifier: verifier,
      idTokenExpected: true,
    });
    const claims = tokens.claims();
    if (!claims) throw new Error("the provider has sent no id token");
    const { groupsClaim } = this.#settings;
    const reported =
      claims[groupsClaim] === undefined && configuration.serverMetadata().userinfo_endpoint !== undefined
        ? await client.fetchUserInfo(configuration, tokens.access_token, claims.sub)
        : claims;
    const groups: unknown = reported[groupsClaim];
    const readable = [reported["email"], reported["preferred_username"], reported["name"]].find(
      (each) => typeof each === "string",
    );
    const name = readable === undefined ? claims.sub : `${String(readable)} (${claims.sub})`;
    return {
      identity: identityOfPerson(claims.iss, claims.sub, escapeControl(name.slice(0, longestName))),
      groups: (Array.isArray(groups) ? groups : [])
        .filter((each) => typeof each === "string")
        .slice(0, mostGroups),
    };
  }

  async #configuration(): Promise<client.Configuration> {
    const secret = await this.#secret();
    if (this.#found && this.#found.secret === secret) return this.#found.configuration;
    const { issuer, clientId } = this.#settings;
    const configuration = await client.discovery(
      issuer,
      clientId,
      undefined,
      secret === undefined ? client.None() : client.ClientSecretBasic(secret),
      {
        [client.customFetch]: (url, options) => this.#fetch(url, options),
        // An http URL is accepted in the access file for this machine alone.
        ...(issuer.protocol === "http:" && { execute: [client.allowInsecureRequests] }),
      },
    );
    client.enableNonRepudiationChecks(configuration);
    this.#found = { secret, configuration };
    return configuration;
  }

  /** @throws Error where not the provider answers */
  async #fetch(url: string, { method, headers, body, signal }: client.CustomFetchOptions): Promise<Response> {
    const { answer, error } = await sendOnce(url, {
      method: method === "POST" ? "POST" : "GET",
      headers,
      ...(body && { text: String(body) }),
      ...(signal && { signal }),
      environment: this.#environment,
    });
    if (!answer) throw error;
    const given = Object.entries(answer.headers).flatMap(([name, value]): [string, string][] =>
      value === undefined ? [] : [[name, value]],
    );
    return new Response(new Uint8Array(answer.body), { status: answer.status, headers: given });
  }
}
