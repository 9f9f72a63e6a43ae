#!/bin/sh
# What the image does, by its argument: a role, the migration job, or a command of the operator.
set -eu
cd /app
case "${1:-all}" in
  all | api | worker | mcp)
    # As the launcher starts it (bin/parts/service.js). The service reads the maps of its sources when a trace needs one.
    ROLE="${1:-all}" MALLOC_ARENA_MAX="${MALLOC_ARENA_MAX:-2}" \
      exec node --max-semi-space-size=32 --heap-growing-percent=100 --no-allocation-site-pretenuring --no-memory-reducer --retain-maps-for-n-gc=1000 programs/main.mjs
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
