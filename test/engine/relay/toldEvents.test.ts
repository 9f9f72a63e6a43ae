// docs/architecture.md, "One flow": an event that comes alone is handed over as it was told, and only if that is so.
import { assert, describe, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import type { SqlClient } from "effect/sql"
import type { ActorKind, KindLook } from "../../../src/engine/actors/ActorKind.ts"
import { appsAtHand } from "../../../src/engine/actors/atHand.ts"
import { BARE, noticeOf, type ToldEvent, toldIn } from "../../../src/engine/outbox/notice.ts"
import { OutboxRow } from "../../../src/engine/outbox/OutboxRow.ts"
import { RelayWake } from "../../../src/engine/outbox/RelayWake.ts"
import { rowsOf } from "../../../src/ground/sql/rows.ts"
import { Sql } from "../../../src/ground/sql/Sql.ts"
import { asOwner } from "../../support/database.ts"
import { behaviour } from "../actors/support/behaviour.ts"
import { eventually, layerWorker } from "../actors/support/harness.ts"
import { freshSetting, layerTestPool } from "../actors/support/setting.ts"
import { append, makeTestKind } from "../actors/support/testKind.ts"

const Stamp = Schema.Struct({ stamp: Schema.String })
const Stamped = Schema.Struct({ record_id: Schema.Int, stamp: Schema.String })
const APP = 1

/** Stamps what it hands over with what it has looked up, and says in which order it did both. */
const stamping = (done: Array<"looked" | "handed over">) =>
  Effect.gen(function* () {
    const sql = yield* Sql
    const made = yield* makeTestKind(behaviour)
    const look = Effect.map(
      rowsOf(Stamp)(sql`SELECT stamp FROM test_stamps WHERE app_id = ${appsAtHand(sql)}`),
      (found): KindLook => {
        done.push("looked")
        return {
          found,
          fanOut: Effect.fnUntraced(function* (events) {
            done.push("handed over")
            const { fanOut } = yield* made.look
            const { addresses, writes } = yield* fanOut(events)
            const stamped = events.map(
              ({ record_id }) => sql`
              INSERT INTO test_stamped (record_id, stamp) VALUES (${record_id}, ${found[0]!.stamp})`
            )
            return { addresses, writes: [...writes, ...stamped] }
          })
        }
      }
    )
    return { ...made, look } satisfies ActorKind
  })

const tables = Effect.gen(function* () {
  const sql = yield* Sql
  yield* sql`CREATE TABLE test_stamps (app_id bigint NOT NULL, stamp text NOT NULL)`
  yield* sql`CREATE TABLE test_stamped (seq bigserial, record_id bigint NOT NULL, stamp text NOT NULL)`
  yield* sql`INSERT INTO test_stamps VALUES (${APP}, 'first')`
})

/** The rows of new events, which nobody has been told of. */
const appended = (...records: ReadonlyArray<number>) =>
  Effect.gen(function* () {
    const sql = yield* Sql
    return yield* sql.withTransaction(
      Effect.andThen(
        append(records.map((record) => ({ app: APP, record }))),
        rowsOf(OutboxRow)(sql`
          SELECT *, 0 AS shard FROM outbox WHERE record_id = ANY(${records.map(String)}::bigint[]) ORDER BY event_id`)
      )
    )
  })

const stamped = Effect.gen(function* () {
  const sql = yield* Sql
  const rows = yield* rowsOf(Stamped)(sql`SELECT record_id, stamp FROM test_stamped ORDER BY seq`)
  return rows.map(({ record_id, stamp }) => `${record_id} ${stamp}`)
})

/** A relay that hears of events alone, an actor that stays awake, and events until both are known. */
const known = Effect.fnUntraced(function* (
  within: (of: {
    readonly done: Array<"looked" | "handed over">
    readonly tell: (rows: ReadonlyArray<ToldEvent>) => Effect.Effect<void>
    readonly until: (all: ReadonlyArray<string>) => Effect.Effect<void, unknown, SqlClient.SqlClient>
  }) => Effect.Effect<void, unknown, SqlClient.SqlClient>
) {
  const setting = yield* freshSetting({
    relayPollMillis: 60_000,
    relayCountedMillis: 1,
    lingerMillis: 60_000,
    activationMillis: 60_000
  })
  yield* asOwner(tables).pipe(Effect.provide(layerTestPool(setting.databaseUrl)))
  const done: Array<"looked" | "handed over"> = []
  yield* Effect.gen(function* () {
    const wake = yield* RelayWake
    const tell = (rows: ReadonlyArray<ToldEvent>) => wake.tell(() => rows)
    const seen: Array<string> = []
    const until = (all: ReadonlyArray<string>) =>
      eventually(all.join(), stamped, (rows) => rows.join() === [...seen, ...all].join())
    for (const record of [1, 2, 3, 4]) {
      yield* tell(yield* appended(record))
      yield* until([`${record} first`])
      seen.push(`${record} first`)
      const sql = yield* Sql
      yield* eventually("done", sql`SELECT 1 FROM test_rows WHERE state = 'open'`, (rows) => rows.length === 0)
    }
    done.length = 0
    yield* within({ done, tell, until })
  }).pipe(Effect.provide(layerWorker(setting, stamping(done))))
})

describe("events that were told", () => {
  it.live("are handed over before they have been read", () =>
    known(({ done, tell, until }) =>
      Effect.gen(function* () {
        yield* tell(yield* appended(5))
        yield* until(["5 first"])
        assert.deepStrictEqual(done, ["handed over", "looked"])
      })
    ).pipe(Effect.scoped)
  )

  it.live("are handed over by what there is to know of their app now", () =>
    known(({ done, tell, until }) =>
      Effect.gen(function* () {
        const sql = yield* Sql
        yield* sql`UPDATE test_stamps SET stamp = 'second'`
        yield* tell(yield* appended(5))
        yield* until(["5 second"])
        assert.deepStrictEqual(done, ["handed over", "looked", "looked", "handed over"])
      })
    ).pipe(Effect.scoped)
  )

  it.live("wait for those before them of which nobody has told", () =>
    known(({ tell, until }) =>
      Effect.gen(function* () {
        yield* appended(5)
        yield* tell(yield* appended(6, 7))
        yield* until(["5 first", "6 first", "7 first"])
      })
    ).pipe(Effect.scoped)
  )

  it.live("are not handed over unless they stand in the outbox as they were told", () =>
    known(({ tell, until }) =>
      Effect.gen(function* () {
        const [row] = yield* appended(5)
        yield* tell([{ ...row!, record_id: 6 }])
        yield* until(["5 first"])
        yield* tell([{ ...row!, event_id: row!.event_id + 1000 }])
        yield* tell(yield* appended(7))
        yield* until(["5 first", "7 first"])
      })
    ).pipe(Effect.scoped)
  )
})

describe("a notice", () => {
  const told = (event: Partial<ToldEvent> = {}): ToldEvent => ({
    event_id: 1,
    type: "record.create",
    org_id: 1,
    app_id: APP,
    record_id: 1,
    hook: true,
    workflow: true,
    silent: false,
    depth: 0,
    cause: null,
    payload: {},
    traceparent: null,
    created_on: new Date(0),
    ...event
  })

  it("tells events in their order", () => {
    const notices = [noticeOf([told({ event_id: 3 })]), noticeOf([told({ event_id: 2, payload: { title: "é" } })])]
    assert.deepStrictEqual(toldIn(notices), [told({ event_id: 2, payload: { title: "é" } }), told({ event_id: 3 })])
  })

  it("is bare where it would not fit into a NOTIFY, or tells of a command", () => {
    assert.strictEqual(noticeOf([told({ payload: { title: "é".repeat(3_900) } })]), BARE)
    assert.strictEqual(noticeOf([told(), told({ type: "command.hook.verify" })]), BARE)
    assert.strictEqual(noticeOf(Array.from({ length: 17 }, () => told())), BARE)
  })

  it("that is bare, or none, leaves what there is to be read", () => {
    for (const notice of [BARE, "no json", '[{"event_id":1}]']) {
      assert.strictEqual(toldIn([noticeOf([told()]), notice]), undefined)
    }
  })
})
