/** The mistake in the URL of a database; undefined: none. Quotes nothing of the URL, which may contain a password. */
export function urlMistake(text: string): string | undefined {
  const url = URL.parse(text);
  if (!url || !/^postgres(?:ql)?:$/.test(url.protocol))
    return "not one of PostgreSQL, such as postgres://infrasync@db.example.com/infrasync";
  return isEncoded(url.username + url.password)
    ? undefined
    : "wrong: its user or password has a percent sign, which has to be written as %25";
}

function isEncoded(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}
