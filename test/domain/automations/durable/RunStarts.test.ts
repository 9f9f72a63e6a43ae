// developer-api.md 7.11 rule 7: runs beyond what is taken up in time wait as rows. A start makes room when a segment of its run begins,
// in whatever process; organizations and their apps take turns.
import { assert, it } from "@effect/vitest"
import { Context, Deferred, Effect, Fiber, Layer, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { RunStarts } from "../../../../src/domain/automations/durable/RunStarts.ts"
import { TemporalFailed } from "../../../../src/engine/temporal/TemporalFailed.ts"
import { layerPool } from "../../../../src/platform/sql/Pool.ts"
import { freshDatabaseUrl } from "../../../support/database.ts"
import { eventually } from "../../../support/eventually.ts"

/** Before anything is known of how fast they are taken up, and for an organization that has none under way. */
const AT_FIRST = 32
const APP = { org_id: 1, app_id: 10 }

const yieldRepeatedly = Effect.forEach(Array.from({ length: 20 }), () => Effect.yieldNow, { discard: true })

const setting = Effect.gen(function* () {
  const url = Redacted.make(yield* freshDatabaseUrl)
  const context = yield* Layer.build(
    RunStarts.layer.pipe(Layer.provideMerge(layerPool({ url, maxConnections: 2, applicationName: "starts" })))
  )
  const starts = Context.get(context, RunStarts)
  const startedRunIds: Array<string> = []
  /** Begun, or in line. */
  const start = Effect.fnUntraced(function* (runId: string, owner = APP) {
    const begin = Effect.sync(() => void startedRunIds.push(runId))
    const fiber = yield* Effect.forkChild(starts.inTurn(owner, runId)(() => begin))
    yield* yieldRepeatedly
    return fiber
  })
  const many = (runIds: ReadonlyArray<string>, owner = APP) => Effect.forEach(runIds, (id) => start(id, owner))
  const has = (n: number) =>
    eventually(
      `${n} begun`,
      Effect.sync(() => startedRunIds.length),
      (length) => length >= n
    )
  return { sql: Context.get(context, SqlClient.SqlClient), starts, begun: startedRunIds, start, many, has }
})

const ids = (from: number, count: number) => Array.from({ length: count }, (_, i) => String(from + i))

const insertRun = (sql: SqlClient.SqlClient, id: string) => sql`
  INSERT INTO runs (run_id, org_id, app_id, automation_id, revision_id, event_id, type, status, fence, durable, depth, chain, created_on)
  OVERRIDING SYSTEM VALUE VALUES (${id}::bigint, 1, 10, 0, 0, ${id}::bigint, 'regular', 'pending', 1, true, 0, '{}', now())`

it.live("no more are started than have been taken up or may be under way", () =>
  Effect.gen(function* () {
    const { begun, has, many, starts } = yield* setting
    yield* many(ids(1, AT_FIRST + 3))
    yield* has(AT_FIRST)
    assert.deepStrictEqual(begun, ids(1, AT_FIRST))
    yield* starts.takenUp("7")
    yield* starts.takenUp("of another process")
    yield* has(AT_FIRST + 1)
    assert.strictEqual(begun.at(-1), String(AT_FIRST + 1))
    assert.strictEqual(begun.length, AT_FIRST + 1)
  }).pipe(Effect.scoped)
)

it.live("of runs that wait already one in eight asks for its segment, and makes room for those behind it", () =>
  Effect.gen(function* () {
    const { starts } = yield* setting
    const asking: Array<string> = []
    const startedRunIds: Array<string> = []
    for (const id of ids(1, AT_FIRST + 8)) {
      const start = (asks: boolean) =>
        Effect.sync(() => {
          startedRunIds.push(id)
          if (asks) asking.push(id)
        })
      yield* Effect.forkChild(starts.inTurn(APP, id, 2)(start))
    }
    yield* yieldRepeatedly
    assert.deepStrictEqual(startedRunIds, ids(1, AT_FIRST))
    assert.deepStrictEqual(asking, ["1", "9", "17", "25"])
    yield* starts.takenUp("9")
    yield* eventually(
      "those behind it begin",
      Effect.sync(() => startedRunIds.length),
      (length) => length === AT_FIRST + 8
    )
    assert.deepStrictEqual(asking.at(-1), "33")
  }).pipe(Effect.scoped)
)

it.live("what another process takes up, or has ended, makes room as well", () =>
  Effect.gen(function* () {
    const { begun, has, many, sql } = yield* setting
    for (const id of ids(1, 2)) yield* insertRun(sql, id)
    yield* many(ids(1, AT_FIRST + 2))
    yield* has(AT_FIRST)
    yield* sql`UPDATE runs SET fence = fence + 2, status = 'running' WHERE run_id = 1`
    yield* has(AT_FIRST + 1)
    yield* sql`UPDATE runs SET completed_on = now(), status = 'cancelled' WHERE run_id = 2`
    yield* has(AT_FIRST + 2)
    assert.deepStrictEqual(begun, ids(1, AT_FIRST + 2))
  }).pipe(Effect.scoped)
)

it.live("that a run has begun is heard from this process, from another, and where it has ended", () =>
  Effect.gen(function* () {
    const { sql, starts } = yield* setting
    for (const id of ids(1, 3)) yield* insertRun(sql, id)
    const beginnings = yield* Effect.forEach(ids(1, 3), (id) => Effect.forkChild(starts.awaitBeginning(id)))
    yield* yieldRepeatedly
    yield* starts.takenUp("1")
    assert.isTrue(yield* Fiber.join(beginnings[0]!))
    assert.isUndefined(beginnings[1]!.pollUnsafe())
    yield* sql`UPDATE runs SET fence = fence + 1, status = 'running' WHERE run_id = 2`
    yield* sql`UPDATE runs SET completed_on = now(), status = 'cancelled' WHERE run_id = 3`
    assert.deepStrictEqual(yield* Effect.forEach(beginnings, Fiber.join), [true, true, true])
  }).pipe(Effect.scoped)
)

it.live("an app with many does not hold up the others of its organization, nor an organization others", () =>
  Effect.gen(function* () {
    const { begun, has, many, start, starts } = yield* setting
    yield* many(ids(1, AT_FIRST + 10))
    yield* has(AT_FIRST)
    // An organization that has none finds a place in the reserve.
    yield* start("500", { org_id: 2, app_id: 20 })
    yield* has(AT_FIRST + 1)
    assert.strictEqual(begun.at(-1), "500")
    yield* start("300", { org_id: 1, app_id: 11 })
    yield* starts.takenUp("500")
    yield* starts.takenUp("1")
    yield* has(AT_FIRST + 2)
    assert.strictEqual(begun.at(-1), "300")
  }).pipe(Effect.scoped)
)

it.live("who leaves before its turn is not started", () =>
  Effect.gen(function* () {
    const { begun, has, many, start, starts } = yield* setting
    yield* many(ids(1, AT_FIRST))
    yield* has(AT_FIRST)
    const waitingStart = yield* start("101")
    yield* start("102")
    yield* Fiber.interrupt(waitingStart)
    yield* starts.takenUp("3")
    yield* has(AT_FIRST + 1)
    assert.strictEqual(begun.at(-1), "102")
  }).pipe(Effect.scoped)
)

it.live("where a start is refused, those that wait are refused with it, and give their places back", () =>
  Effect.gen(function* () {
    const { begun, has, many, start, starts } = yield* setting
    yield* many(ids(1, AT_FIRST - 1))
    const answer = yield* Deferred.make<void, TemporalFailed>()
    const failing = yield* Effect.forkChild(Effect.flip(starts.inTurn(APP, "100")(() => Deferred.await(answer))))
    yield* yieldRepeatedly
    const waitingStart = yield* start("101")
    yield* Deferred.fail(answer, new TemporalFailed({ cause: "away" }))
    assert.strictEqual((yield* Fiber.join(failing))._tag, "TemporalFailed")
    assert.strictEqual((yield* Effect.flip(Fiber.join(waitingStart)))._tag, "TemporalFailed")
    yield* start("102")
    yield* has(AT_FIRST)
    assert.deepStrictEqual(begun, [...ids(1, AT_FIRST - 1), "102"])
  }).pipe(Effect.scoped)
)
