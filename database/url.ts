/** The mistake in the URL of a database; undefined if there is none. Quotes nothing of the URL, which may contain a password. */
export function urlMistake(text: string): string | undefined {
  const url = URL.parse(text);
  return url && /^postgres(?:ql)?:$/.test(url.protocol)
    ? undefined
    : "not one of PostgreSQL, such as postgres://infrasync@db.example.com/infrasync";
}
