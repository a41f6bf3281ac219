{{/* A CronJob's name has 52 characters at most. The rest goes into a digest, so that two long names stay different. */}}
{{- define "meshform.name" -}}
{{- if le (len .Release.Name) 44 -}}
{{- .Release.Name -}}
{{- else -}}
{{- printf "%s-%s" (.Release.Name | trunc 35 | trimSuffix "-") (sha256sum .Release.Name | trunc 8) -}}
{{- end -}}
{{- end -}}

{{- define "meshform.labels" -}}
app.kubernetes.io/name: meshform
app.kubernetes.io/instance: {{ .Release.Name }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | replace "+" "_" }}
{{- end -}}

{{- define "meshform.image" -}}
{{- $image := .Values.image -}}
{{- if $image.digest -}}
{{ $image.repository }}@{{ $image.digest }}
{{- else -}}
{{ $image.repository }}:{{ $image.tag | default .Chart.AppVersion }}
{{- end -}}
{{- end -}}

{{/* No container has a right that it does not need. */}}
{{- define "meshform.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities: { drop: [ALL] }
{{- end -}}

{{/* A text that Kubernetes leaves as it is: Kubernetes replaces $(NAME) with the variable, and $$ with $. */}}
{{- define "meshform.literal" -}}
{{- . | replace "$" "$$" -}}
{{- end -}}

{{- define "meshform.args" -}}
{{- $args := list -}}
{{- range . }}{{ $args = append $args (include "meshform.literal" .) }}{{ end -}}
{{- $args | toJson -}}
{{- end -}}

{{/*
How git signs in. The name and the password are in files outside of the repository: files of desired state cannot read them, as they
could read variables. git asks for them only at the server of the repository.
*/}}
{{- define "meshform.gitEnv" -}}
{{- with .Values.desiredState.git }}
- { name: GIT_TERMINAL_PROMPT, value: "0" }
{{- if .sshSecret }}
- name: GIT_SSH_COMMAND
  value: ssh -i /git-credentials/ssh-privatekey -o IdentitiesOnly=yes -o UserKnownHostsFile=/git-credentials/known_hosts -o StrictHostKeyChecking=yes
{{- end }}
{{- if .httpsSecret }}
{{- $helper := "!f() { test \"$1\" != get || printf 'username=%s\\npassword=%s\\n' \"$(cat /git-credentials/username)\" \"$(cat /git-credentials/password)\"; }; f" }}
- { name: GIT_CONFIG_COUNT, value: "1" }
- { name: GIT_CONFIG_KEY_0, value: {{ printf "credential.%s.helper" (regexFind "^https://[^/]+" .url) | include "meshform.literal" | quote }} }
- { name: GIT_CONFIG_VALUE_0, value: {{ include "meshform.literal" $helper | quote }} }
{{- end }}
{{- end }}
{{- end -}}

{{- define "meshform.gitSecret" -}}
{{- with .Values.desiredState.git }}{{ .sshSecret | default .httpsSecret }}{{ end -}}
{{- end -}}

{{- define "meshform.gitMounts" -}}
{{- if include "meshform.gitSecret" . }}
- { name: git-credentials, mountPath: /git-credentials, readOnly: true }
{{- end }}
{{- end -}}

{{/* The folder of desired state in the container. */}}
{{- define "meshform.path" -}}
{{- $folder := ternary "/desired/repository" "/desired" (not (empty .Values.desiredState.git.url)) -}}
{{- $path := .Values.desiredState.path -}}
{{- if eq $path "." }}{{ $folder }}{{ else }}{{ $folder }}/{{ $path }}{{ end -}}
{{- end -}}

{{- define "meshform.initContainer" -}}
- name: clone
  image: {{ include "meshform.image" . | quote }}
  imagePullPolicy: {{ .Values.image.pullPolicy }}
  command: [sh, -euc]
  args:
    - |
      # Only the files of a commit come here: git starts no program that these files name.
      safe_git() {
        git -c safe.bareRepository=explicit -c core.fsmonitor= -c core.hooksPath=/dev/null \
          -c protocol.ext.allow=never -c submodule.recurse=false "$@"
      }
      git init --quiet /desired/repository
      cd /desired/repository
      safe_git remote add origin "$GIT_URL"
      safe_git fetch --quiet $GIT_OPTIONS origin "$GIT_REVISION"
      safe_git checkout --quiet --detach FETCH_HEAD
      {{- if eq .Values.apply.lock "file" }}
      safe_git fetch --quiet $GIT_OPTIONS origin '+refs/meshform-base/*:refs/meshform-base/*' '+refs/meshform/*:refs/meshform/*'
      {{- end }}
  env:
    - { name: GIT_URL, value: {{ include "meshform.literal" .Values.desiredState.git.url | quote }} }
    - { name: GIT_REVISION, value: {{ include "meshform.literal" .Values.desiredState.git.revision | quote }} }
    - { name: GIT_OPTIONS, value: {{ with int .Values.desiredState.git.depth }}{{ printf "--depth=%d" . | quote }}{{ else }}""{{ end }} }
    {{- include "meshform.gitEnv" . | nindent 4 }}
  securityContext:
    {{- include "meshform.containerSecurity" . | nindent 4 }}
  resources:
    {{- toYaml .Values.resources | nindent 4 }}
  volumeMounts:
    - { name: desired, mountPath: /desired }
    - { name: tmp, mountPath: /tmp }
    {{- include "meshform.gitMounts" . | nindent 4 }}
{{- end -}}

{{/* Variables of every command; `.job` is drift or apply, and `.asksRemote` says whether it signs in at the Git remote. */}}
{{- define "meshform.env" -}}
- { name: MESHFORM_URL, value: {{ include "meshform.literal" .root.Values.account.url | quote }} }
- name: MESHFORM_TOKEN
  valueFrom: { secretKeyRef: { name: {{ .job.tokenSecret.name | quote }}, key: {{ .job.tokenSecret.key | quote }} } }
- { name: MESHFORM_JOURNALS, value: /journals }
{{- with .root.Values.signingKeySecret }}{{ if .name }}
- name: MESHFORM_SIGNING_KEY
  valueFrom: { secretKeyRef: { name: {{ .name | quote }}, key: {{ .key | quote }} } }
{{- end }}{{ end }}
{{- with .root.Values.sopsAllow }}
- { name: MESHFORM_SOPS_ALLOW, value: {{ join "," . | include "meshform.literal" | quote }} }
{{- end }}
{{- range $name, $value := .root.Values.vars }}
- { name: {{ printf "MESHFORM_VAR_%s" $name | quote }}, value: {{ include "meshform.literal" $value | quote }} }
{{- end }}
{{- range $name, $from := .job.secretEnv }}
- name: {{ $name | quote }}
  valueFrom: { secretKeyRef: { name: {{ $from.name | quote }}, key: {{ $from.key | quote }} } }
{{- end }}
{{- if .asksRemote }}
{{- include "meshform.gitEnv" .root }}
{{- end }}
{{- end -}}

{{- define "meshform.mounts" -}}
{{- $isWritten := and .Values.desiredState.git.url .isRecorded -}}
- { name: desired, mountPath: /desired, readOnly: {{ not $isWritten }} }
- { name: journals, mountPath: /journals }
- { name: tmp, mountPath: /tmp }
{{- if .Values.account.ca.configMap }}
- { name: ca, mountPath: /ca, readOnly: true }
{{- end }}
{{- if .asksRemote }}
{{- include "meshform.gitMounts" . }}
{{- end }}
{{- end -}}

{{- define "meshform.volumes" -}}
- name: desired
  {{- if .Values.desiredState.git.url }}
  emptyDir: {}
  {{- else }}
  {{- toYaml .Values.desiredState.volume | nindent 2 }}
  {{- end }}
- name: journals
  {{- if .Values.journals.claim }}
  persistentVolumeClaim: { claimName: {{ .Values.journals.claim | quote }} }
  {{- else }}
  emptyDir: {}
  {{- end }}
- { name: tmp, emptyDir: {} }
{{- with include "meshform.gitSecret" . }}
- { name: git-credentials, secret: { secretName: {{ . | quote }}, defaultMode: 0440 } }
{{- end }}
{{- with .Values.account.ca.configMap }}
- { name: ca, configMap: { name: {{ . | quote }} } }
{{- end }}
{{- end -}}

{{/* A CronJob, except for its container, which `.container` has. */}}
{{- define "meshform.cronJob" -}}
{{- $values := .root.Values -}}
apiVersion: batch/v1
kind: CronJob
metadata:
  name: {{ include "meshform.name" .root }}-{{ .name }}
  namespace: {{ .root.Release.Namespace }}
  labels:
    {{- include "meshform.labels" .root | nindent 4 }}
    app.kubernetes.io/component: {{ .name }}
spec:
  schedule: {{ .job.schedule | quote }}
  {{- with $values.timeZone }}
  timeZone: {{ . | quote }}
  {{- end }}
  suspend: {{ .job.suspend }}
  concurrencyPolicy: Forbid
  successfulJobsHistoryLimit: {{ $values.history.successful }}
  failedJobsHistoryLimit: {{ $values.history.failed }}
  jobTemplate:
    metadata:
      labels:
        {{- include "meshform.labels" .root | nindent 8 }}
        app.kubernetes.io/component: {{ .name }}
    spec:
      backoffLimit: 0
      activeDeadlineSeconds: {{ int $values.deadlineSeconds }}
      ttlSecondsAfterFinished: {{ int $values.ttlSecondsAfterFinished }}
      template:
        metadata:
          labels:
            {{- include "meshform.labels" .root | nindent 12 }}
            app.kubernetes.io/component: {{ .name }}
            {{- with $values.podLabels }}
            {{- toYaml . | nindent 12 }}
            {{- end }}
          {{- with $values.podAnnotations }}
          annotations:
            {{- toYaml . | nindent 12 }}
          {{- end }}
        spec:
          restartPolicy: Never
          automountServiceAccountToken: false
          enableServiceLinks: false
          {{- with $values.serviceAccountName }}
          serviceAccountName: {{ . | quote }}
          {{- end }}
          {{- with $values.image.pullSecrets }}
          imagePullSecrets:
            {{- range . }}
            - name: {{ . | quote }}
            {{- end }}
          {{- end }}
          # An apply that is stopped finishes the request that it has begun, and closes its journal.
          terminationGracePeriodSeconds: 120
          securityContext:
            runAsNonRoot: true
            runAsUser: {{ int $values.runAsUser }}
            runAsGroup: {{ int $values.runAsUser }}
            fsGroup: {{ int $values.runAsUser }}
            seccompProfile: { type: RuntimeDefault }
          {{- if $values.desiredState.git.url }}
          initContainers:
            {{- include "meshform.initContainer" .root | nindent 12 }}
          {{- end }}
          containers:
            - name: {{ .name }}
              image: {{ include "meshform.image" .root | quote }}
              imagePullPolicy: {{ $values.image.pullPolicy }}
              {{- .container | nindent 14 }}
              securityContext:
                {{- include "meshform.containerSecurity" .root | nindent 16 }}
              resources:
                {{- toYaml $values.resources | nindent 16 }}
          volumes:
            {{- include "meshform.volumes" .root | nindent 12 }}
          {{- with $values.nodeSelector }}
          nodeSelector:
            {{- toYaml . | nindent 12 }}
          {{- end }}
          {{- with $values.tolerations }}
          tolerations:
            {{- toYaml . | nindent 12 }}
          {{- end }}
          {{- with $values.affinity }}
          affinity:
            {{- toYaml . | nindent 12 }}
          {{- end }}
{{- end -}}

{{/*
A Deployment with one container. `.spec` has what differs in its spec, `.container` and `.volumes` the rest of the container and its
volumes, `.clones` whether the files are cloned first, and `.grace` the seconds that a pod has to end.
*/}}
{{- define "meshform.deployment" -}}
{{- $values := .root.Values -}}
apiVersion: apps/v1
kind: Deployment
metadata:
  name: {{ include "meshform.name" .root }}-{{ .name }}
  namespace: {{ .root.Release.Namespace }}
  labels:
    {{- include "meshform.labels" .root | nindent 4 }}
    app.kubernetes.io/component: {{ .name }}
spec:
  {{- .spec | nindent 2 }}
  selector:
    matchLabels:
      app.kubernetes.io/name: meshform
      app.kubernetes.io/instance: {{ .root.Release.Name }}
      app.kubernetes.io/component: {{ .name }}
  template:
    metadata:
      labels:
        {{- include "meshform.labels" .root | nindent 8 }}
        app.kubernetes.io/component: {{ .name }}
        {{- with $values.podLabels }}
        {{- toYaml . | nindent 8 }}
        {{- end }}
      {{- with $values.podAnnotations }}
      annotations:
        {{- toYaml . | nindent 8 }}
      {{- end }}
    spec:
      automountServiceAccountToken: false
      enableServiceLinks: false
      {{- with $values.serviceAccountName }}
      serviceAccountName: {{ . | quote }}
      {{- end }}
      {{- with $values.image.pullSecrets }}
      imagePullSecrets:
        {{- range . }}
        - name: {{ . | quote }}
        {{- end }}
      {{- end }}
      terminationGracePeriodSeconds: {{ int .grace }}
      securityContext:
        runAsNonRoot: true
        runAsUser: {{ int $values.runAsUser }}
        runAsGroup: {{ int $values.runAsUser }}
        fsGroup: {{ int $values.runAsUser }}
        seccompProfile: { type: RuntimeDefault }
      {{- if .clones }}
      initContainers:
        {{- include "meshform.initContainer" .root | nindent 8 }}
      {{- end }}
      containers:
        - name: {{ .name }}
          image: {{ include "meshform.image" .root | quote }}
          imagePullPolicy: {{ $values.image.pullPolicy }}
          {{- .container | nindent 10 }}
          securityContext:
            {{- include "meshform.containerSecurity" .root | nindent 12 }}
          resources:
            {{- toYaml $values.resources | nindent 12 }}
      volumes:
        {{- .volumes | nindent 8 }}
      {{- with $values.nodeSelector }}
      nodeSelector:
        {{- toYaml . | nindent 8 }}
      {{- end }}
      {{- with $values.tolerations }}
      tolerations:
        {{- toYaml . | nindent 8 }}
      {{- end }}
      {{- with $values.affinity }}
      affinity:
        {{- toYaml . | nindent 8 }}
      {{- end }}
{{- end -}}
