// Limits that the specification calls configuration, with its defaults. Units are in the names.
import { Config } from "effect"
import { sandboxConfigs } from "./sandboxLimits.ts"
import { int, numbers, validTogether } from "./settingTypes.ts"

/** Hundred years, the largest number of days: a date further back, or ahead, is none for the database. */
const DAYS_MAX = 36_525
const UNSET = 0
/** Longest time-out of a delivery: an attempt to send a verification's code has 30 s in all. */
const WEBHOOK_TIMEOUT_MAX = 20_000

export const limitConfigs = {
  // developer-api.md 8.3
  ...sandboxConfigs,
  // developer-api.md 1.6, 1.8, 6
  rateBudget: int("RATE_BUDGET", 2000),
  rateBaseCost: int("RATE_BASE_COST", 10),
  rateWindowSeconds: int("RATE_WINDOW_SECONDS", 60),
  idempotencyHours: int("IDEMPOTENCY_HOURS", 24, 1, DAYS_MAX * 24),
  uploadMaxMegabytes: int("UPLOAD_MAX_MEGABYTES", 100),
  fileLinkMinutes: int("FILE_LINK_MINUTES", 60),
  // decisions A23
  storageMegabytes: int("STORAGE_QUOTA_MEGABYTES", 10_000, 0),
  trashDays: int("TRASH_DAYS", 30, 1, DAYS_MAX),
  mailPerDay: int("MAIL_PER_DAY", 1000),
  // Shorter retention is refused: a quota counts a day of mails, and a retried step looks for its own.
  mailKeepDays: int("MAIL_KEEP_DAYS", 90, 7, DAYS_MAX),
  // decisions P6
  bodyTimeoutSeconds: int("BODY_TIMEOUT_SECONDS", 30, 1, 3_600),
  shutdownDelaySeconds: int("SHUTDOWN_DELAY_SECONDS", 0, 0, 600),
  httpConnectionsMax: int("HTTP_CONNECTIONS_MAX", 10_000),
  // decisions O21
  oauthAuthorizePerMinute: int("OAUTH_AUTHORIZE_PER_MINUTE", 120),
  oauthTokenPerMinute: int("OAUTH_TOKEN_PER_MINUTE", 1200),
  oauthRegisterPerHour: int("OAUTH_REGISTER_PER_HOUR", 60),
  oauthRegisterTotalPerHour: int("OAUTH_REGISTER_TOTAL_PER_HOUR", 20_000),
  // decisions O23; the database keeps three months whatever is asked
  auditKeepMonths: int("AUDIT_KEEP_MONTHS", 24, 3, 1200),
  // service.md 8, decisions W1 to W8
  webhookPerMinute: int("WEBHOOK_PER_MINUTE", 100),
  webhookWindowSeconds: int("WEBHOOK_WINDOW_SECONDS", 60, 1, 86_400),
  webhookTimeoutMillis: int("WEBHOOK_TIMEOUT_MILLIS", 5000, 1, WEBHOOK_TIMEOUT_MAX),
  webhookFailuresAllowed: int("WEBHOOK_FAILURES_ALLOWED", 50, 0),
  webhookRetrySeconds: numbers("WEBHOOK_RETRY_SECONDS", "5,60,600,3600,21600"),
  webhookDays: validTogether(
    Config.all({
      withheld: int("WEBHOOK_WITHHELD_DAYS", UNSET, 1, DAYS_MAX),
      kept: int("WEBHOOK_KEEP_DAYS", 30, 1, DAYS_MAX)
    }),
    ({ kept, withheld }) =>
      withheld > kept &&
      `WEBHOOK_WITHHELD_DAYS: ${withheld} days are more than the ${kept} of WEBHOOK_KEEP_DAYS, after which a delivery is gone`
  ).pipe(Config.map(({ kept, withheld }) => ({ withheld: withheld === UNSET ? Math.min(7, kept) : withheld, kept }))),
  // developer-api.md 7.5, 7.9 to 7.11, 8.3
  scheduleMinimumSeconds: int("SCHEDULE_MINIMUM_SECONDS", 300),
  runActionsMax: int("RUN_ACTIONS_MAX", 10_000),
  runMinutesMax: int("RUN_MINUTES_MAX", 15),
  runsKeepDays: int("RUNS_KEEP_DAYS", 30, 1, DAYS_MAX),
  runsConcurrent: int("RUNS_CONCURRENT", 50),
  inboundPerMinute: int("INBOUND_PER_MINUTE", 600),
  // decisions A22: in one process
  outsideStepsConcurrent: int("OUTSIDE_STEPS_CONCURRENT", 200),
  creditsPerHour: int("CREDITS_PER_HOUR", 1_000_000),
  creditsKeepDays: int("CREDITS_KEEP_DAYS", 400, 1, DAYS_MAX),
  httpCallPorts: numbers("HTTP_CALL_PORTS", "80,443"),
  weblinkWaitSeconds: int("WEBLINK_WAIT_SECONDS", 30),
  weblinksKeepDays: int("WEBLINKS_KEEP_DAYS", 30, 1, DAYS_MAX),
  weblinkScripts: Config.Boolean("WEBLINK_SCRIPTS").pipe(Config.withDefault(false))
}
