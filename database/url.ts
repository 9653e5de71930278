/** What is wrong with the URL of a database, without a word of it, as it may have a password. Undefined: nothing. */
export function urlMistake(text: string): string | undefined {
  const url = URL.parse(text);
  return url && /^postgres(?:ql)?:$/.test(url.protocol)
    ? undefined
    : "not one of PostgreSQL, such as postgres://infrasync@db.example.com/infrasync";
}
