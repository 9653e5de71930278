export interface RequestLine {
  method: "GET" | "POST" | "PUT" | "DELETE";
  /** Below the base URL, with encoded ids, without the query. */
  path: string;
}

/** The counted name, without ids: `GET /job/{id}`. */
export function operationName({ method, path }: RequestLine): string {
  return `${method} ${path.replaceAll(uuid, "{id}")}`;
}

const uuid = /(?<=\/)[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}(?=\/|$)/gi;
