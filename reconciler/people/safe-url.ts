/** Whether an address, with or without a port, is this machine as it calls itself. */
export function isLoopbackName(host: string): boolean {
  const name = host.replace(/:\d+$/, "").toLowerCase();
  return name === "localhost" || name === "[::1]" || name === "::1" || /^127(?:\.\d{1,3}){3}$/.test(name);
}

/** Whether the connection is private: TLS, or this machine. */
export function isSafeUrl(url: URL | null): url is URL {
  return url?.protocol === "https:" || (url?.protocol === "http:" && isLoopbackName(url.host));
}
