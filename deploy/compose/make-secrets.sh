#!/bin/sh
# Makes the secrets that compose.yaml names, once: what is there stays. Keep secrets/secret_key apart from backups of the data.
set -eu
cd "$(dirname "$0")"
mkdir -p secrets
# Only the owner looks in; compose gives each file to the services that name it, whose user must be able to read it.
chmod 700 secrets
put() {
  [ -s "secrets/$1" ] || printf '%s' "$2" > "secrets/$1"
  chmod 444 "secrets/$1"
}
word() { openssl rand -hex 24; }
for name in postgres_password owner_password service_password temporal_password metrics_token; do
  put "$name" "$(word)"
done
put secret_key "$(openssl rand -base64 32)"
put database_url "postgres://millrace_service:$(cat secrets/service_password)@postgres:5432/millrace"
put database_owner_url "postgres://millrace_owner:$(cat secrets/owner_password)@postgres:5432/millrace"
