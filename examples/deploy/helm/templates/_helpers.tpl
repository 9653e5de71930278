{{/*
Names begin with a letter and have no dots, as those of services must. The longest suffix, of the dashboard, has ten characters.
Values are printed by toYaml or quote everywhere: a release may be named 123 or true.
*/}}
{{- define "infrasync.name" -}}
{{ .Values.nameOverride | default .Chart.Name | trunc 53 | trimSuffix "-" }}
{{- end }}

{{- define "infrasync.fullname" -}}
{{- $name := include "infrasync.name" . }}
{{- $full := printf "%s-%s" .Release.Name $name }}
{{- if contains $name .Release.Name }}{{ $full = .Release.Name }}{{ end }}
{{- if not (regexMatch "^[a-z]" $full) }}{{ $full = printf "%s-%s" $name .Release.Name }}{{ end }}
{{- .Values.fullnameOverride | default $full | replace "." "-" | trunc 53 | trimSuffix "-" }}
{{- end }}

{{- define "infrasync.selector" -}}
app.kubernetes.io/name: {{ include "infrasync.name" . | toYaml }}
app.kubernetes.io/instance: {{ .Release.Name | toYaml }}
{{- end }}

{{- define "infrasync.labels" -}}
{{ include "infrasync.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | replace "+" "_" | trunc 63 }}
{{- end }}

{{/* What the pods of the service and of the migration have in common. */}}
{{- define "infrasync.pod" -}}
automountServiceAccountToken: false
{{- range $member := list "imagePullSecrets" "priorityClassName" "nodeSelector" "tolerations" "affinity" }}
{{- with index $.Values $member }}
{{ $member }}: {{ if kindIs "string" . }}{{ toYaml . }}{{ else }}{{ toYaml . | nindent 2 }}{{ end }}
{{- end }}
{{- end }}
{{- with .Values.podSecurityContext }}
securityContext: {{- toYaml . | nindent 2 }}
{{- end }}
{{- end }}

{{- define "infrasync.container" -}}
image: {{ printf "%s:%s" .Values.image.repository (.Values.image.tag | default .Chart.AppVersion) | toYaml }}
imagePullPolicy: {{ .Values.image.pullPolicy }}
{{- with .Values.securityContext }}
securityContext: {{- toYaml . | nindent 2 }}
{{- end }}
{{- end }}

{{- define "infrasync.volumeMounts" -}}
- { name: secrets, mountPath: /run/secrets/infrasync, readOnly: true }
{{- with .Values.extraVolumeMounts }}
{{ toYaml . }}
{{- end }}
{{- end }}

{{- define "infrasync.volumes" -}}
- name: secrets
  secret: { secretName: {{ .Values.secret.name | toYaml }}, defaultMode: 0440 }
{{- with .Values.extraVolumes }}
{{ toYaml . }}
{{- end }}
{{- end }}
