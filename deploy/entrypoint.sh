#!/bin/sh
# What the image does, by its argument: a role, the migration job, or a command of the operator.
set -eu
cd /app
case "${1:-all}" in
  all | api | worker | mcp)
    # Half of Node's young generation is enough here (bin/parts/service.js).
    ROLE="${1:-all}" exec node --max-semi-space-size=32 --enable-source-maps programs/main.mjs
    ;;
  migrate) exec node programs/prepare.mjs ;;
  cli)
    shift
    exec node programs/cli.mjs "$@"
    ;;
  *)
    echo "millrace: all, api, worker, mcp, migrate, or cli COMMAND; not $1" >&2
    exit 2
    ;;
esac
