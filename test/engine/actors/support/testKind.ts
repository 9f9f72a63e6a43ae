// A kind of actors with a table of its own, as small as one can be: rows of a lane (a record) are worked on in order,
// one at a time; a row's `behaviour` says what its work does.
import { Clock, Effect } from "effect"
import { SqlClient } from "effect/sql"
import type { ActorKind, ClaimRequest, FanOut, Job, MailboxRow } from "../../../../src/engine/actors/ActorKind.ts"
import { announcing } from "../../../../src/engine/actors/announcing.ts"
import { heldBy } from "../../../../src/engine/actors/fence.ts"
import { submitted } from "../../../../src/platform/sql/batching.ts"

export interface TestRow extends MailboxRow {
  readonly row_id: number
  readonly lane: number
  readonly behaviour: string
}

export const createTables = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`CREATE TABLE test_rows (
    row_id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, event_id bigint NOT NULL UNIQUE, app_id text NOT NULL,
    lane bigint NOT NULL, behaviour text NOT NULL, due_at timestamptz NOT NULL, claims integer NOT NULL DEFAULT 0,
    fence bigint, state text NOT NULL DEFAULT 'open', cause text)`
  yield* sql`CREATE INDEX test_rows_open ON test_rows (app_id, row_id) WHERE state = 'open'`
  yield* sql`CREATE TABLE test_done (done_id bigint GENERATED ALWAYS AS IDENTITY, row_id bigint NOT NULL, app_id text NOT NULL,
    lane bigint NOT NULL, fence bigint NOT NULL, pid integer NOT NULL)`
  yield* sql`CREATE TABLE test_begun (row_id bigint NOT NULL, fence bigint NOT NULL, pid integer NOT NULL)`
})

export interface Behaviour {
  /** The work of a row; `done` is recorded when it returns. */
  readonly work: (row: TestRow) => Effect.Effect<void>
  readonly fanOutFails?: (type: string) => boolean
}

export const makeTestKind = (behaviour: Behaviour, slots = 100) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const nextDue = (id: string) =>
      sql<{
        due: Date | null
      }>`SELECT min(due_at) AS due FROM test_rows WHERE app_id = ${id} AND state = 'open'`.pipe(
        Effect.map((rows) => rows[0]?.due ?? null)
      )
    const kind: ActorKind = {
      name: "webhooks/app",
      workflowType: "webhooksApp",
      summary: (id) => `Rows of app ${id}`,
      perApp: true,
      commands: ["command.test"],
      look: Effect.succeed<FanOut>(
        Effect.fnUntraced(function* (events) {
          const bad = events.find(({ type }) => behaviour.fanOutFails?.(type) === true)
          if (bad !== undefined) return yield* Effect.die(new Error("cannot fan this out"))
          const ownEvents = events.filter(({ payload }) => (payload as { behaviour?: string }).behaviour !== "nobody")
          const rows = ownEvents.map((event) => ({
            event_id: event.event_id,
            app_id: String(event.app_id),
            lane: event.record_id ?? 0,
            behaviour: (event.payload as { behaviour?: string }).behaviour ?? "",
            due_at: new Date((event.payload as { due?: number }).due ?? event.created_on.getTime()).toISOString()
          }))
          const write = sql`INSERT INTO test_rows (event_id, app_id, lane, behaviour, due_at)
          SELECT event_id, app_id, lane, behaviour, due_at FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
            AS x (event_id bigint, app_id text, lane bigint, behaviour text, due_at timestamptz)
          ORDER BY event_id ON CONFLICT (event_id) DO NOTHING`
          const addresses = rows.map(({ app_id, due_at }) => ({ id: app_id, org_id: 1, due_at: new Date(due_at) }))
          return { addresses, writes: [write] }
        })
      ),
      nextDue,
      withDueRows: (now) =>
        sql<{ app_id: string }>`SELECT DISTINCT app_id FROM test_rows WHERE state = 'open' AND due_at <= ${now}`.pipe(
          Effect.map((rows) => rows.map(({ app_id }) => ({ id: app_id, org_id: 1, due_at: null })))
        ),
      activate: (activation) =>
        Effect.gen(function* () {
          let holds = 0
          const finishRow = submitted(
            yield* activation.batched((rows: ReadonlyArray<TestRow>) =>
              activation.commit(
                Effect.gen(function* () {
                  const ids = rows.map(({ row_id }) => String(row_id))
                  const updatedRows = yield* sql<{ row_id: number }>`UPDATE test_rows SET state = 'done', claims = 0
                WHERE row_id = ANY(${ids}::bigint[]) AND fence = ${activation.fence} AND state = 'open' RETURNING row_id`
                  yield* sql`INSERT INTO test_done (row_id, app_id, lane, fence, pid)
                SELECT row_id, app_id, lane, fence, ${process.pid} FROM test_rows
                WHERE row_id = ANY(${updatedRows.map(({ row_id }) => String(row_id))}::bigint[]) ORDER BY row_id`
                })
              )
            )
          )
          const job = (row: TestRow): Job<TestRow> => ({
            rows: [row],
            run: Effect.gen(function* () {
              holds++
              yield* sql`INSERT INTO test_begun VALUES (${row.row_id}, ${activation.fence}, ${process.pid})`
              yield* behaviour.work(row)
              yield* finishRow(row)
            }).pipe(Effect.ensuring(Effect.sync(() => holds--)))
          })
          const ask = ({ limit, maxClaims, minClaims, now }: ClaimRequest) => sql<TestRow | { readonly row_id: null }>`
            WITH mine AS MATERIALIZED (${heldBy(sql, activation)}), due AS (
              SELECT row_id FROM test_rows AS r WHERE EXISTS (SELECT 1 FROM mine) AND app_id = ${activation.id} AND state = 'open'
                AND due_at <= ${now} AND fence IS DISTINCT FROM ${activation.fence} AND claims BETWEEN ${minClaims} AND ${maxClaims}
                AND NOT EXISTS (SELECT 1 FROM test_rows AS e WHERE e.app_id = r.app_id AND e.lane = r.lane
                  AND e.state = 'open' AND e.row_id < r.row_id)
              ORDER BY row_id LIMIT ${limit} FOR UPDATE
            ), claimed AS (
              UPDATE test_rows t SET fence = ${activation.fence}, claims = claims + 1 FROM due WHERE t.row_id = due.row_id
              RETURNING t.row_id, t.lane, t.behaviour, t.claims
            )
            SELECT c.* FROM mine LEFT JOIN claimed c ON true`
          return {
            slots,
            claim: announcing(activation, nextDue(activation.id), (request) =>
              Effect.map(
                activation.once.claim(ask(request), (rows) => rows.length > 0),
                (rows) => rows.flatMap((row) => (row.row_id === null ? [] : [job(row as TestRow)]))
              )
            ),
            setAside: (row: TestRow, cause) =>
              sql`UPDATE test_rows SET state = 'aside', cause = ${cause} WHERE row_id = ${row.row_id} AND fence = ${activation.fence}`,
            details: Effect.sync(() => (holds === 0 ? [] : [{ what: "rows in the air", count: holds, why: "test" }]))
          }
        })
    }
    return kind
  })

/** What is written for events of the record ends with `last`, in the relay's transaction. */
export const endingWith = <E, R>(kind: Effect.Effect<ActorKind, E, R>, record: number, last: Effect.Effect<unknown>) =>
  Effect.map(
    kind,
    (one): ActorKind => ({
      ...one,
      look: Effect.map(
        one.look,
        (fanOut) => (events) =>
          Effect.map(fanOut(events), ({ addresses, writes }) => ({
            addresses,
            writes: events.some(({ record_id }) => record_id === record) ? [...writes, last] : writes
          }))
      )
    })
  )

/** Appends `count` events, spread over apps and lanes, in one transaction. */
export const append = Effect.fnUntraced(function* (
  events: ReadonlyArray<{ app: number; record: number; behaviour?: string; due?: number; type?: string }>
) {
  const sql = yield* SqlClient.SqlClient
  const createdAt = new Date(yield* Clock.currentTimeMillis)
  const rows = events.map(({ app, record, type, ...payload }, n) => ({
    n,
    type: type ?? "record.create",
    app,
    record,
    payload
  }))
  yield* sql`INSERT INTO outbox (type, org_id, app_id, record_id, payload, created_on)
    SELECT x.type, 1, x.app, x.record, x.payload, ${createdAt}
    FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
      AS x (type text, app bigint, record bigint, payload jsonb, n bigint) ORDER BY n`
})
