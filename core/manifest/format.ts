import { writeYaml } from "../source/write.ts";
import { manifestMembers, type ManifestContent } from "./members.ts";

/**
 * A manifest as YAML text, without the `---` between documents: members in the order of the schema, texts of several
 * lines as blocks. Parsing the text gives the same manifest.
 */
export function formatManifest(content: ManifestContent): string {
  return writeYaml(manifestMembers(content));
}
