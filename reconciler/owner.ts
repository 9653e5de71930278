/**
 * Who leaves marks on the server, in the one line that all marks have: `main infra of github.com/acme/shop`. A source that is
 * renamed, or is moved into a service with many, stays the same owner.
 *
 * @param place the branch or revision that is followed; the folder in the repository, or nothing; the forge and the project
 */
export function ownerOf({ branch, path, of }: { branch: string; path: string; of: string }): string {
  return ownerText(`${branch}${path === "" ? "" : ` ${path}`} of ${of}`);
}

/** The text of a person, or of the jobs of a project, who make previews by hand. @param who `anna@laptop` */
export function ownerByHand(who: string): string {
  return ownerText(`${who} manually`);
}

/** Whether two marks have one owner: hosts and projects are compared without case. */
export function isSameOwner(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}

/** The longest text of an owner: marks and names of programs may not be longer. */
const longest = 160;

/** Characters that no mark can mistake for its own. */
function ownerText(text: string): string {
  return text.replaceAll(/[^\w .@:/#+-]/gu, encodeURIComponent).slice(0, longest);
}
