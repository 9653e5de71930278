export function scalar(text: string): string {
  return /^[A-Za-z][\w./:-]*$/.test(text) && !/^(?:true|false|null)$/i.test(text) && !text.endsWith(":")
    ? text
    : JSON.stringify(text);
}
