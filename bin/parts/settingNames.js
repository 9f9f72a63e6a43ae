// Names of all settings, for checks before anything is installed (decisions P15). `.env.example` describes them; a test holds this list
// against it.

export const SETTINGS = `
  PORT HOST PROCESSES PART_RESTART_SECONDS BASE_URL MCP_URL WEBLINK_BASE_URL TRUSTED_PROXIES METRICS_TOKEN
  DATABASE_URL DATABASE_DIRECT_URL DATABASE_OWNER_URL DATABASE_STANDBYS DATABASE_POOL_API
  DATABASE_POOL_WORKER DATA_DIR SECRET_KEY TEMPORAL_ADDRESS TEMPORAL_NAMESPACE TEMPORAL_API_KEY
  TEMPORAL_TLS TEMPORAL_TLS_CLIENT_CERT_PATH TEMPORAL_TLS_CLIENT_KEY_PATH TEMPORAL_TLS_CLIENT_CERT_DATA
  TEMPORAL_TLS_CLIENT_KEY_DATA TEMPORAL_TLS_SERVER_CA_CERT_PATH TEMPORAL_TLS_SERVER_CA_CERT_DATA
  TEMPORAL_TLS_SERVER_NAME TEMPORAL_TLS_DISABLE_HOST_VERIFICATION TEMPORAL_CONFIG_FILE TEMPORAL_PROFILE
  TEMPORAL_UI_URL SMTP_URL MAIL_FROM CHROMIUM_PATH OUTBOUND_ALLOW ROLE SHUTDOWN_DELAY_SECONDS
  LOG_LEVEL LOG_FORMAT OTEL_EXPORTER_OTLP_ENDPOINT OTEL_EXPORTER_OTLP_TRACES_ENDPOINT
  OTEL_EXPORTER_OTLP_METRICS_ENDPOINT OTEL_EXPORTER_OTLP_HEADERS OTEL_EXPORTER_OTLP_PROTOCOL
  OTEL_SERVICE_NAME OTEL_RESOURCE_ATTRIBUTES OTEL_TRACES_EXPORTER OTEL_METRICS_EXPORTER
  OTEL_METRIC_EXPORT_INTERVAL OTEL_BSP_SCHEDULE_DELAY OTEL_TRACES_SAMPLER OTEL_TRACES_SAMPLER_ARG
  OTEL_SDK_DISABLED ACTOR_TUNING DEMO DEMO_RECEIVER RATE_BUDGET RATE_BASE_COST
  RATE_WINDOW_SECONDS IDEMPOTENCY_HOURS UPLOAD_MAX_MEGABYTES FILE_LINK_MINUTES STORAGE_QUOTA_MEGABYTES
  BODY_TIMEOUT_SECONDS HTTP_CONNECTIONS_MAX TRASH_DAYS MAIL_PER_DAY MAIL_KEEP_DAYS
  OAUTH_AUTHORIZE_PER_MINUTE OAUTH_TOKEN_PER_MINUTE OAUTH_REGISTER_PER_HOUR OAUTH_REGISTER_TOTAL_PER_HOUR
  AUDIT_KEEP_MONTHS INBOUND_PER_MINUTE WEBHOOK_PER_MINUTE WEBHOOK_WINDOW_SECONDS WEBHOOK_TIMEOUT_MILLIS
  WEBHOOK_FAILURES_ALLOWED WEBHOOK_RETRY_SECONDS WEBHOOK_WITHHELD_DAYS WEBHOOK_KEEP_DAYS
  SCHEDULE_MINIMUM_SECONDS RUN_ACTIONS_MAX RUN_MINUTES_MAX RUNS_KEEP_DAYS RUNS_CONCURRENT
  CREDITS_PER_HOUR CREDITS_KEEP_DAYS OUTSIDE_STEPS_CONCURRENT HTTP_CALL_PORTS WEBLINK_WAIT_SECONDS
  WEBLINKS_KEEP_DAYS WEBLINK_SCRIPTS SCRIPT_SYNC_CPU_MILLIS SCRIPT_SYNC_WALL_MILLIS
  SCRIPT_SYNC_MEMORY_MIB SCRIPT_SYNC_RESULT_BYTES SCRIPT_SYNC_LOG_BYTES SCRIPT_SYNC_SOURCE_BYTES
  SCRIPT_ASYNC_CPU_MILLIS SCRIPT_ASYNC_WALL_MILLIS SCRIPT_ASYNC_MEMORY_MIB SCRIPT_ASYNC_RESULT_BYTES
  SCRIPT_ASYNC_LOG_BYTES SCRIPT_ASYNC_SOURCE_BYTES SCRIPT_SYNC_HTTP_CALLS SCRIPT_SYNC_API_CALLS
  SCRIPT_SYNC_CONCURRENT_CALLS SCRIPT_SYNC_HTTP_RESPONSE_BYTES SCRIPT_ASYNC_HTTP_CALLS
  SCRIPT_ASYNC_API_CALLS SCRIPT_ASYNC_CONCURRENT_CALLS SCRIPT_ASYNC_HTTP_RESPONSE_BYTES
  SCRIPT_SYNC_PROCESSES SCRIPT_ASYNC_PROCESSES SCRIPT_SPARE_PROCESSES SCRIPT_CONFINEMENT
`
  .trim()
  .split(/\s+/)

/** Variables of the machine and of Node, which `.env` may set as well: the processes of a start see them. */
const OF_MACHINE = new Set([
  ...["HOME", "LANG", "LC_ALL", "PATH", "TMPDIR", "TZ", "XDG_CACHE_HOME", "XDG_DATA_HOME"],
  ...["HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY", "http_proxy", "https_proxy", "no_proxy"],
  ...["NODE_ENV", "NODE_OPTIONS", "NODE_EXTRA_CA_CERTS", "NODE_COMPILE_CACHE", "SSL_CERT_FILE", "SSL_CERT_DIR"],
  ...["FORCE_COLOR", "NO_COLOR", "MALLOC_ARENA_MAX", "UV_THREADPOOL_SIZE", "MILLRACE_MAIN"]
])

/** Beginnings of names that may have any ending. */
const PREFIXES = ["TEMPORAL_GRPC_META_", "npm_config_"]

/** Edit distance: letters to change, add, leave out or swap. @param {string} a @param {string} b */
const distance = (a, b) => {
  let earlierRow = /** @type {number[]} */ ([])
  let row = Array.from({ length: b.length + 1 }, (_, i) => i)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1] ? 0 : 1
      let best = Math.min((row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, (row[j - 1] ?? 0) + same)
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        best = Math.min(best, (earlierRow[j - 2] ?? 0) + 1)
      next[j] = best
    }
    earlierRow = row
    row = next
  }
  return row[b.length] ?? 0
}

/** Name with its parts sorted: PER_MINUTE_WEBHOOK means WEBHOOK_PER_MINUTE. @param {string} name */
const sorted = (name) => name.split("_").sort().join("_")

/** Setting that the name probably means, if one is near. @param {string} name @returns {string | undefined} */
const nearestSetting = (name) => {
  const upper = name
    .toUpperCase()
    .replaceAll("-", "_")
    .replace(/_FILE$/, "")
  let [best, least] = [/** @type {string | undefined} */ (undefined), Math.max(2, Math.floor(upper.length / 3)) + 1]
  for (const setting of SETTINGS) {
    const editDistance = Math.min(distance(upper, setting), sorted(upper) === sorted(setting) ? 1 : least)
    if (editDistance < least) [best, least] = [setting, editDistance]
  }
  return best === undefined ? undefined : name.toUpperCase().endsWith("_FILE") ? `${best}_FILE` : best
}

/** @param {string} name */
const isSetting = (name) =>
  SETTINGS.includes(name) ||
  SETTINGS.includes(name.replace(/_FILE$/, "")) ||
  OF_MACHINE.has(name) ||
  PREFIXES.some((prefix) => name.startsWith(prefix))

const LINE = /^\s*(?:export\s+)?([A-Za-z_]\w*)\s*=\s*(?:"[^"]*"|'[^']*'|[^#]*?)\s*(?:#.*)?$/

/** Problems of a file of settings, each with its line; never a value. @param {string} text @returns {string[]} */
export const namesProblems = (text) =>
  text.split(/\r?\n/).flatMap((line, index) => {
    if (/^\s*(?:#.*)?$/.test(line)) return []
    const where = `.env, line ${index + 1}`
    const name = LINE.exec(line)?.[1]
    if (name === undefined) return [`${where}: expected NAME=value, or # before a comment`]
    if (isSetting(name)) return []
    const near = nearestSetting(name)
    return [
      `${where}: ${name} is no setting${near === undefined ? "; .env.example has all" : `; did you mean ${near}?`}`
    ]
  })
