/** A resource as the API answers it. */
export interface Resource {
  id: string;
  [member: string]: unknown;
}

export interface Answer<Body> {
  status: number;
  headers: Headers;
  body: Body;
}

/** A client that knows nothing of the emulator: HTTP, JSON and a token. */
export class Client {
  readonly url: string;
  readonly #authorization: string;

  constructor(url: string, token: string, scheme = "Token") {
    this.url = url;
    this.#authorization = `${scheme} ${token}`;
  }

  /** What every request carries. */
  get headers(): Record<string, string> {
    return { authorization: this.#authorization };
  }

  /** Any request; the body of the answer is parsed where it is JSON. */
  async call<Body = Resource>(method: string, path: string, body?: unknown): Promise<Answer<Body>> {
    const response = await fetch(this.url + path, {
      method,
      headers: {
        ...this.headers,
        ...(path.startsWith("/_emulator/") && { "x-emulator-control": "1" }),
        ...(body !== undefined && { "content-type": "application/json" }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    const isJson = response.headers.get("content-type")?.includes("json");
    return {
      status: response.status,
      headers: response.headers,
      body: (isJson && text !== "" ? JSON.parse(text) : text) as Body,
    };
  }

  /** The body of a request that has to succeed. */
  async ok<Body = Resource>(method: string, path: string, body?: unknown): Promise<Body> {
    const answer = await this.call<Body>(method, path, body);
    if (answer.status < 300) return answer.body;
    throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
  }

  /** The status and the message of a request that has to fail. */
  async fails(method: string, path: string, body?: unknown): Promise<{ status: number; message: string }> {
    const answer = await this.call<{ status: number; error: string; message: string }>(method, path, body);
    if (answer.status < 400) throw new Error(`${method} ${path} succeeded with ${answer.status}`);
    const { status, message } = answer.body;
    return { status, message };
  }

  get<Body = Resource>(path: string): Promise<Body> {
    return this.ok<Body>("GET", path);
  }

  async list(path: string): Promise<Resource[]> {
    return (await this.ok<{ results: Resource[] }>("GET", path)).results;
  }

  post<Body = Resource>(path: string, body?: unknown): Promise<Body> {
    return this.ok<Body>("POST", path, body);
  }

  put<Body = Resource>(path: string, body?: unknown): Promise<Body> {
    return this.ok<Body>("PUT", path, body);
  }

  async delete(path: string): Promise<void> {
    await this.ok("DELETE", path);
  }
}
