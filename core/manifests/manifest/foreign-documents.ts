import { isFields, type Json, own, textIn } from "../../values/json.ts";
import type { DocumentMistake } from "../../source/mistake.ts";
import { kindsCalled } from "../../model/kinds/index.ts";
import { article } from "../../values/text.ts";

// Documents of other tools, each with a sentence about its counterpart here.

interface ForeignDocument {
  /** Its noun with an article. */
  what: string;
  /** Its `kind`, in lower case, or a test. */
  is: readonly string[] | ((document: Json) => boolean);
  advice: string;
}

const mapping = "docs/guides/coming-from.md maps its fields";

const hasAny = (document: Json, ...members: string[]) =>
  isFields(document) && members.some((member) => Object.hasOwn(document, member));

const begins = (pattern: RegExp) => (document: Json) =>
  typeof document === "string" && pattern.test(document);

/** Documents of Argo CD and Flux with the place of manifests. */
const gitOps: ForeignDocument = {
  what: "a resource of a GitOps tool",
  is: ["applicationset", "appproject", "gitrepository", "helmrelease"],
  advice: `the reconciler follows the manifests of a repository: docs/guides/reconcile.md; ${mapping}`,
};

const ofKubernetes: readonly ForeignDocument[] = [
  { ...gitOps, what: "an Application of Argo CD", is: ["application"] },
  gitOps,
  {
    what: "a Kustomization",
    is: ["kustomization"],
    advice: `later folders overlay earlier ones: docs/guides/overlays.md; ${mapping}`,
  },
  {
    what: "a Secret of Kubernetes",
    is: ["secret"],
    advice: "a service has its secrets in its own document: secrets: { KEY: { from_env: KEY } }",
  },
  {
    what: "a ConfigMap of Kubernetes",
    is: ["configmap"],
    advice:
      "a service, or its environment, has its configuration in its own document: variables: { KEY: value }",
  },
  {
    what: "an Ingress of Kubernetes",
    is: ["ingress", "gateway", "httproute"],
    advice:
      "a service publishes its own ports: ports: [{ internal_port: 8080, publicly_accessible: true }], and custom_domains: { shop.example.com: {} }",
  },
];

/** Documents without a kind, and files that are no YAML. */
const others: readonly ForeignDocument[] = [
  {
    what: "a file of docker compose",
    is: (document) => isFields(document) && isFields(own(document, "services")),
    advice: `each service becomes a document of the kind Container, Application or Database: docs/guides/coming-from.md maps each member`,
  },
  {
    what: "a kustomization",
    is: (document) =>
      hasAny(document, "resources", "patches", "configMapGenerator") &&
      !hasAny(document, "terraform_version"),
    advice: `later folders overlay earlier ones: docs/guides/overlays.md; ${mapping}`,
  },
  {
    what: "a state of Terraform",
    is: (document) => hasAny(document, "terraform_version"),
    advice: "manifests are made from the live resources: docs/guides/moving-from-terraform.md has the steps",
  },
  {
    what: "a file of Terraform",
    is: begins(/^\s*(?:resource|provider|terraform|variable|module|data|output|locals|import)\b[^\n]*\{/),
    advice: "manifests are made from the live resources: docs/guides/moving-from-terraform.md has the steps",
  },
  {
    what: "a Dockerfile",
    is: begins(/^\s*FROM\s/i),
    advice: "an Application builds it: name its repository in git_repository",
  },
  {
    what: "the description of a Helm chart",
    is: (document) => isFields(document) && /^v[12]$/.test(textIn(document, "apiVersion") ?? ""),
    advice: "a document of the kind Helm installs a chart of a repository",
  },
  {
    what: "a workflow of a Git host",
    is: (document) => hasAny(document, "jobs", "stages"),
    advice: "name the folder that has the manifests",
  },
];

/** The mistake of a document that is another tool's; undefined for other documents. */
export function foreignDocument(document: Json): DocumentMistake | undefined {
  const found =
    isFields(document) && own(document, "kind") !== undefined
      ? kubernetes(document)
      : others.find(({ is }) => typeof is === "function" && is(document));
  return (
    found && { path: [], at: "value", message: `this is ${found.what}, not a manifest`, advice: found.advice }
  );
}

/** By their `apiVersion`: some kinds have the same name here. */
function kubernetes(document: Json): Omit<ForeignDocument, "is"> | undefined {
  if (!isFields(document) || !hasAny(document, "apiVersion", "metadata") || hasAny(document, "name"))
    return undefined;
  const kind = textIn(document, "kind") ?? "";
  const isOfTool = /argoproj|toolkit\.fluxcd/.test(textIn(document, "apiVersion") ?? "");
  const known = ofKubernetes.find(
    ({ is }) =>
      typeof is !== "function" && is.includes(kind.toLowerCase()) && (kind !== "Application" || isOfTool),
  );
  if (known) return known;
  const names = kindsCalled(kind).map(({ name }) => name);
  const here = names.length === 0 ? "" : `use a document of the kind ${names.join(" or ")}; `;
  return { what: `${article(kind)} of Kubernetes`, advice: here + mapping };
}
