/** Words of readers that a page does not say itself, which the search finds there: of other tools, and of messages that people paste. */
export const synonyms: Readonly<Record<string, string>> = {
  "guides/coming-from.md": "docker compose docker-compose compose.yaml Kustomize Helm Argo CD Flux migrate",
  "guides/overlays.md": "kustomize staging production stages values.yaml",
  "guides/split-a-project.md": "monorepo mono repository",
  "guides/teams.md": "monorepo mono repository permissions",
  "guides/variables.md":
    "sops sops.yaml SOPS vault ESC external secrets encrypt encrypted dotenv .env password",
  "guides/settings.md": "healthcheck health check liveness readiness probe autoscaling replicas scale",
  "guides/incident.md": "scale down outage 3 am on-call",
  "guides/look.md": "ls describe url address open",
  "guides/install.md": "download brew npm npx docker image binary setup",
  "reference/manifests/application.md": "healthcheck healthchecks dockerfile build port",
  "reference/manifests/container.md": "healthcheck healthchecks image port",
  "reference/manifests/job.md": "cron crontab schedule",
  "reference/troubleshooting.md":
    "error failed connect 401 Unauthorized 403 Forbidden 404 Not Found 409 Conflict 429 Too Many Requests 502 Bad Gateway ECONNREFUSED ECONNRESET ENOTFOUND EAI_AGAIN ETIMEDOUT socket hang up self-signed certificate in certificate chain unable to get local issuer certificate unable to verify the first certificate certificate has expired another operation is in progress",
};
