// Checks the progress of work by its rows: relay, mailboxes, actors, runs, schedules, hooks, mails. Needs Postgres alone.
import { Effect, Schema } from "effect"
import type { Statement } from "effect/sql"
import { dueDeliveries } from "../../../domain/webhooks/bundles/allDeliveries.ts"
import { rowOf } from "../../../platform/sql/rows.ts"
import { Sql } from "../../../platform/sql/Sql.ts"
import { type CheckResult, check, fine, warning, wrong } from "./Diagnosis.ts"

const Backlog = Schema.Struct({ count: Schema.Int, seconds: Schema.Int })

const WORKERS = "Is a worker running, and Temporal reached? See the parts below, and the log of the workers."

/** Warns of rows that should be gone: how many there are, and how long the oldest has been there. */
const backlog = (
  rows: (sql: Sql) => Statement.Statement<object>,
  words: { readonly what: string; readonly seconds: number; readonly todo: string }
) =>
  Effect.gen(function* () {
    const sql = yield* Sql
    const { count, seconds } = (yield* rowOf(Backlog)(rows(sql)))!
    if (count === 0) return fine(`no ${words.what}`)
    const summary = `${count} ${words.what}, the oldest for ${seconds} s`
    return seconds > words.seconds ? wrong(summary, words.todo) : fine(summary)
  })

const Count = Schema.Struct({ count: Schema.Int })

const few = (rows: (sql: Sql) => Statement.Statement<object>, what: string, judged: (summary: string) => CheckResult) =>
  Effect.gen(function* () {
    const sql = yield* Sql
    const { count } = (yield* rowOf(Count)(rows(sql)))!
    return count === 0 ? fine(`no ${what}`) : judged(`${count} ${what}`)
  })

const AGAIN = "See the message: the schema may be another release's."
const SECOND = "coalesce(extract(epoch FROM now() - min"

export const workChecks = [
  check(
    "work",
    "relay",
    backlog(
      (sql) => sql`SELECT count(*)::int AS count, ${sql.literal(SECOND)}(created_on)), 0)::int AS seconds
        FROM outbox WHERE set_aside IS NULL`,
      { what: "events that wait to be handed out", seconds: 60, todo: WORKERS }
    ),
    AGAIN
  ),
  check(
    "work",
    "events set aside",
    few(
      (sql) => sql`SELECT count(*)::int AS count FROM outbox WHERE set_aside IS NOT NULL`,
      "events that could not be handed out",
      (summary) =>
        warning(summary, "Read set_aside in the table outbox: it has the cause. Report it: this should not happen.")
    ),
    AGAIN
  ),
  check(
    "work",
    "automations",
    backlog(
      (sql) => sql`SELECT count(*)::int AS count, ${sql.literal(SECOND)}(due_at)), 0)::int AS seconds
        FROM automation_inbox WHERE due_at < now() AND NOT parked`,
      {
        what: "events and runs that are due",
        seconds: 300,
        todo: `${WORKERS} One organization may be at its 50 runs: run list --waiting place.`
      }
    ),
    AGAIN
  ),
  check(
    "work",
    "deliveries",
    backlog(
      (sql) => sql`SELECT sum(count)::int AS count, ${sql.literal(SECOND)}(oldest)), 0)::int AS seconds
        FROM (${dueDeliveries(sql, new Date())}) AS due`,
      { what: "deliveries that are due", seconds: 300, todo: `${WORKERS} An app may be at its limit: webhook show.` }
    ),
    AGAIN
  ),
  check(
    "work",
    "actors",
    backlog(
      (
        sql
      ) => sql`SELECT count(*)::int AS count, ${sql.literal(SECOND)}(coalesce(called_at, seen_at))), 0)::int AS seconds
        FROM actors WHERE (state = 'called' AND called_at < now() - interval '30 seconds')
          OR (state = 'awake' AND seen_at < now() - interval '2 minutes')`,
      { what: "actors that are called and do not come", seconds: 60, todo: WORKERS }
    ),
    AGAIN
  ),
  check(
    "work",
    "due dates",
    backlog(
      (sql) => sql`SELECT count(*)::int AS count, ${sql.literal(SECOND)}(due_at)), 0)::int AS seconds
        FROM calendar_due WHERE due_at < now()`,
      { what: "dates that have arrived", seconds: 120, todo: WORKERS }
    ),
    AGAIN
  ),
  check(
    "work",
    "broken automations",
    few(
      (sql) => sql`SELECT count(*)::int AS count FROM automations WHERE broken AND deleted_on IS NULL`,
      "automations that are broken",
      (summary) =>
        warning(summary, "Their owners have been told by mail; GET /v1/automation/{id} names what is broken.")
    ),
    AGAIN
  ),
  check(
    "work",
    "failed runs",
    few(
      (sql) =>
        sql`SELECT count(*)::int AS count FROM runs WHERE status = 'failed' AND completed_on > now() - interval '1 hour'`,
      "runs that failed within the last hour",
      (summary) => warning(summary, "run list --status failed says why.")
    ),
    AGAIN
  ),
  check(
    "work",
    "failing hooks",
    few(
      (sql) => sql`SELECT count(*)::int AS count FROM hooks
        WHERE num_failed_executions > 0 OR (status = 'inactive' AND verified_on IS NOT NULL)`,
      "hooks that fail or have lost their verification",
      (summary) => warning(summary, "webhook list --failing, then webhook show: it names the cause.")
    ),
    AGAIN
  ),
  check(
    "mail",
    "mails",
    few(
      (sql) =>
        sql`SELECT count(*)::int AS count FROM mails WHERE created_on > now() - interval '1 day'
          AND (status = 'failed' OR status = 'sending' AND created_on < now() - interval '1 hour')`,
      "mails that failed within a day, or were begun and never ended",
      (summary) =>
        warning(
          summary,
          "Read error in the table mails; check the server, and the accounts of organizations: smtp list."
        )
    ),
    AGAIN
  )
]
