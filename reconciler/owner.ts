/** Who leaves labels on the server, such as `main infra of github.com/acme/shop`: a renamed or moved source stays the same owner. */
export function ownerOf({ branch, path, of }: { branch: string; path: string; of: string }): string {
  return ownerText(`${branch}${path === "" ? "" : ` ${path}`} of ${of}`);
}

/** The text of a person, or of the jobs of a project, who make previews manually. @param who `anna@laptop` */
export function ownerByHand(who: string): string {
  return ownerText(`${who} manually`);
}

/** Whether two labels have one owner: hosts and projects are compared without case. */
export function isSameOwner(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}

/** The longest text of an owner: labels and names of programs may not be longer. */
const longest = 160;

/** Characters that no label can mistake for its own. */
function ownerText(text: string): string {
  return text.replaceAll(/[^\w .@:/#+-]/gu, encodeURIComponent).slice(0, longest);
}
