{{- define "millrace.name" -}}{{ .Release.Name | trunc 40 | trimSuffix "-" }}{{- end }}

{{- define "millrace.labels" -}}
app.kubernetes.io/name: millrace
app.kubernetes.io/instance: {{ .Release.Name }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version }}
{{- end }}

{{- define "millrace.image" -}}{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}{{- end }}

{{/* Settings by name, and the files of the secret ones. Takes dict settings, secrets. */}}
{{- define "millrace.env" -}}
{{- range $name, $value := .settings }}
- name: {{ $name }}
  value: {{ $value | toString | quote }}
{{- end }}
{{- range .secrets }}
- name: {{ . }}_FILE
  value: /run/secrets/millrace/{{ . }}
{{- end }}
{{- end }}

{{/* Takes dict name, items. */}}
{{- define "millrace.volumes" -}}
- name: tmp
  emptyDir: {}
- name: secrets
  secret:
    secretName: {{ .name }}
    defaultMode: 0440
    items:
      {{- range .items }}
      - { key: {{ . }}, path: {{ . }} }
      {{- end }}
{{- end }}

{{- define "millrace.mounts" -}}
- { name: tmp, mountPath: /tmp }
- { name: secrets, mountPath: /run/secrets/millrace, readOnly: true }
{{- end }}

{{- define "millrace.podSecurity" -}}
runAsNonRoot: true
runAsUser: 10001
runAsGroup: 10001
fsGroup: 10001
{{- end }}

{{- define "millrace.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities: { drop: [ALL] }
{{- end }}
