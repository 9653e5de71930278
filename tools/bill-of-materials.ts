import own from "../package.json" with { type: "json" };

export interface BundledPackage {
  name: string;
  version: string;
  /** As in its package.json, such as `MIT`. */
  license: string;
  licenceText: string;
}

/** The licence texts that must accompany the code of bundled packages, each text once. */
export function licencesOf(packages: readonly BundledPackage[]): string {
  const names = new Map<string, string[]>();
  for (const { name, version, license, licenceText } of packages) {
    const of = `${name} ${version}: ${license}`;
    names.set(licenceText, [...(names.get(licenceText) ?? []), of]);
  }
  const texts = [...names].map(([text, those]) => `${those.join("\n")}\n\n${text}`);
  return `The files in this folder contain these packages.\n\n${texts.join("\n")}`;
}

/** In CycloneDX: the packages in a bundle. @param node the version of the Node in the same file, if there is one */
export function billOfMaterials(packages: readonly BundledPackage[], node?: string): string {
  const libraries = packages.map(({ name, version, license }) => ({
    "bom-ref": `${name}@${version}`,
    type: "library",
    name,
    version,
    purl: `pkg:npm/${name.replace("@", "%40")}@${version}`,
    licenses: [{ license: { id: license } }],
  }));
  const platform = {
    "bom-ref": `node@${node}`,
    type: "platform",
    name: "node",
    version: node,
    purl: `pkg:generic/node@${node}`,
  };
  const bill = {
    bomFormat: "CycloneDX",
    specVersion: "1.5",
    version: 1,
    metadata: { component: { type: "application", name: "infrasync", version: own.version } },
    components: [...libraries, ...(node === undefined ? [] : [platform])],
  };
  return `${JSON.stringify(bill, null, 2)}\n`;
}
