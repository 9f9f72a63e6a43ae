#!/bin/bash
# Roles and databases, made with the cluster (docs/operations.md, "Roles of the database"): an owner, a service without rights of its own,
# and Temporal's. Passwords are taken from files, never from a command line.
set -euo pipefail
psql --set ON_ERROR_STOP=1 --username "$POSTGRES_USER" <<'SQL'
\set owner `cat /run/secrets/owner_password`
\set service `cat /run/secrets/service_password`
\set temporal `cat /run/secrets/temporal_password`
CREATE ROLE millrace_owner LOGIN PASSWORD :'owner';
CREATE ROLE millrace_service LOGIN PASSWORD :'service';
CREATE ROLE temporal LOGIN PASSWORD :'temporal';
CREATE DATABASE millrace OWNER millrace_owner;
CREATE DATABASE temporal OWNER temporal;
CREATE DATABASE temporal_visibility OWNER temporal;
SQL
