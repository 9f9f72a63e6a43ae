// The epoch of the installation: found in the database itself, or by what Temporal remembers; begun once for a restore
// (docs/architecture/actors.md, "Epochs").
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { Installation } from "../../../src/engine/epoch/Installation.ts"
import type { TemporalMark } from "../../../src/engine/epoch/installationRow.ts"
import { FIRST_EPOCH } from "../../../src/engine/temporal/Epoch.ts"
import { configLayer } from "../../support/app.ts"
import { layerDatabase } from "../../support/database.ts"

const onDatabase = <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.provide(effect, layerDatabase)

/** As one process that starts. */
const process = <A, E, R>(work: Effect.Effect<A, E, R>, env: Record<string, string> = {}) =>
  Effect.provide(work, Layer.fresh(Installation.layerSettled.pipe(Layer.provide(configLayer(env)))))

const checkMark = (mark: TemporalMark | null, first = true) =>
  Effect.gen(function* () {
    const installation = yield* Installation
    const compared = yield* installation.compare(mark, first)
    if (compared.type !== "fits") return compared.type
    yield* installation.tell(compared.tell, Effect.void)
    return compared.tell
  })

const storedEpoch = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<{
    epoch: number
    mark: number
    reason: string
  }>`SELECT epoch, mark, reason FROM installation_epoch`
  const beganEntries = yield* sql`SELECT 1 FROM audit_log WHERE event = 'installation.epoch_began'`
  return { ...row!, begun: beganEntries.length }
})

const setFact = (fact: string, value: string | null) =>
  Effect.flatMap(
    SqlClient.SqlClient,
    (sql) => sql`UPDATE installation_epoch SET facts = facts || jsonb_build_object(${fact}::text, ${value}::text),
      written_xid = pg_current_xact_id()::xid::text::bigint`
  )

describe("found in the database itself", () => {
  it.live("the first start of what is there is the first epoch, and so are all later ones", () =>
    onDatabase(
      Effect.gen(function* () {
        const firstMark = yield* process(checkMark(null))
        assert.deepStrictEqual(firstMark, { epoch: FIRST_EPOCH, mark: 1 })
        assert.deepStrictEqual(yield* process(checkMark(firstMark as TemporalMark)), { epoch: FIRST_EPOCH, mark: 2 })
        assert.deepInclude(yield* storedEpoch, { epoch: 1, begun: 0 })
      })
    )
  )

  for (const [fact, why] of [
    ["cluster", "the database is in another cluster"],
    ["timeline", "the cluster goes on from a recovery or on a standby (another timeline)"],
    ["database", "the database is a copy"],
    ["table", "the tables were restored from a dump"]
  ] as const) {
    it.live(`another ${fact} begins a new epoch, once for all that start`, () =>
      onDatabase(
        Effect.gen(function* () {
          yield* process(Effect.void)
          yield* setFact(fact, "1")
          yield* Effect.all([process(Effect.void), process(Effect.void), process(Effect.void)], { concurrency: 3 })
          assert.deepInclude(yield* storedEpoch, { epoch: 2, reason: why, begun: 1 })
        })
      )
    )
  }

  it.live("another timeline is a failover where standbys have all that was committed", () =>
    onDatabase(
      Effect.gen(function* () {
        const synchronous = { DATABASE_STANDBYS: "synchronous" }
        yield* process(Effect.void, synchronous)
        yield* setFact("timeline", "1")
        yield* process(Effect.void, synchronous)
        assert.deepInclude(yield* storedEpoch, { epoch: 1, begun: 0 })
        // Where it is one no more, the timeline is known by its present value.
        yield* setFact("timeline", null)
        yield* process(Effect.void)
        yield* process(Effect.void)
        assert.deepInclude(yield* storedEpoch, { epoch: 1, begun: 0 })
        yield* setFact("timeline", "1")
        yield* process(Effect.void)
        assert.deepInclude(yield* storedEpoch, { epoch: 2, begun: 1 })
      })
    )
  )

  it.live("a fact that the server keeps to itself is none", () =>
    onDatabase(
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        yield* process(Effect.void)
        yield* sql`UPDATE installation_epoch SET facts = facts || '{"cluster": null}'::jsonb,
          written_xid = pg_current_xact_id()::xid::text::bigint`
        yield* process(Effect.void)
        assert.deepInclude(yield* storedEpoch, { epoch: 1, begun: 0 })
      })
    )
  )

  it.live("rows that were written by anybody else are restored ones", () =>
    onDatabase(
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        yield* process(Effect.void)
        yield* sql`UPDATE installation_epoch SET mark = mark`
        yield* process(Effect.void)
        assert.deepInclude(yield* storedEpoch, { epoch: 2, reason: "the rows were restored or copied", begun: 1 })
      })
    )
  )
})

describe("found by what Temporal remembers", () => {
  it.live("ahead of the database, and of an epoch that it does not know: the database is older", () =>
    onDatabase(
      Effect.gen(function* () {
        const newerMark = { epoch: FIRST_EPOCH, mark: 40 }
        const givenMark = yield* process(checkMark(newerMark))
        assert.deepInclude(givenMark, { mark: 41 })
        assert.deepInclude(yield* storedEpoch, { epoch: 2, begun: 1 })
        const stranger = { epoch: { number: 5, key: "0123abcd" }, mark: 9 }
        yield* process(checkMark(stranger))
        assert.deepInclude(yield* storedEpoch, { epoch: 6, begun: 2 })
      })
    )
  )

  it.live("behind, or lost: nothing begins, and it is told anew", () =>
    onDatabase(
      Effect.gen(function* () {
        const firstMark = (yield* process(checkMark(null))) as TemporalMark
        yield* process(checkMark(firstMark))
        assert.deepStrictEqual(yield* process(checkMark(firstMark)), { epoch: FIRST_EPOCH, mark: 3 })
        assert.deepStrictEqual(yield* process(checkMark(null)), { epoch: FIRST_EPOCH, mark: 4 })
        assert.deepInclude(yield* storedEpoch, { epoch: 1, begun: 0 })
      })
    )
  )

  it.live("an epoch that began while Temporal was away is not begun a second time, and follows what Temporal has", () =>
    onDatabase(
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        yield* process(checkMark(null))
        yield* setFact("timeline", "00000009")
        yield* process(Effect.void)
        const [{ epoch_key }] = (yield* sql<{ epoch_key: string }>`SELECT epoch_key FROM installation_epoch`) as [
          { epoch_key: string }
        ]
        const foreignMark = { epoch: { number: 3, key: "0123abcd" }, mark: 77 }
        assert.deepStrictEqual(yield* process(checkMark(foreignMark)), {
          epoch: { number: 4, key: epoch_key },
          mark: 78
        })
        assert.deepInclude(yield* storedEpoch, { epoch: 4, begun: 1 })
      })
    )
  )

  it.live("ahead of a database that has not changed beneath a running process: another database has taken over", () =>
    onDatabase(
      Effect.gen(function* () {
        const outcome = yield* process(
          Effect.andThen(checkMark(null), checkMark({ epoch: { number: 2, key: "0123abcd" }, mark: 9 }, false))
        )
        assert.strictEqual(outcome, "taken")
        assert.deepInclude(yield* storedEpoch, { epoch: 1, begun: 0 })
      })
    )
  )
})

describe("beneath a running process", () => {
  it.live("an older database, another one and a new epoch are noticed; nothing else is", () =>
    onDatabase(
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        yield* process(
          Effect.gen(function* () {
            const { begin, changed } = yield* Installation
            yield* checkMark(null)
            assert.isNull(yield* changed)
            yield* sql`UPDATE installation_epoch SET mark = 0, written_xid = pg_current_xact_id()::xid::text::bigint`
            assert.strictEqual(yield* changed, "the database is older")
            yield* setFact("cluster", "1")
            assert.strictEqual(yield* changed, "the database is in another cluster")
            assert.strictEqual(yield* checkMark(null, false), "over")
            yield* begin("by hand")
            assert.match((yield* changed)!, /^the epoch e2-[0-9a-f]{8} has begun: by hand$/)
          })
        )
      })
    )
  )

  it.live(
    "looks beside each other alarm nobody: what one finds while the other still reads is not held against what that has read",
    () =>
      onDatabase(
        process(
          Effect.gen(function* () {
            const installation = yield* Installation
            yield* checkMark(null)
            const rounds = Array.from({ length: 50 })
            const roundResults = yield* Effect.all(
              [
                Effect.forEach(rounds, () => checkMark(null, false)),
                Effect.forEach(rounds, () =>
                  Effect.all([installation.changed, installation.changed], { concurrency: 2 })
                )
              ],
              { concurrency: 2 }
            )
            assert.deepStrictEqual([...new Set(roundResults[1].flat())], [null])
            assert.isFalse(roundResults[0].includes("over"))
          })
        )
      )
  )

  it.live("who is at work commits nothing more: every fence is raised far beyond what any history has had", () =>
    onDatabase(
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        yield* sql`INSERT INTO actors (actor_key, kind, id, state, fence) VALUES
          ('webhooks/app/1', 'webhooks/app', '1', 'awake', 7), ('webhooks/app/2', 'webhooks/app', '2', 'asleep', 3)`
        yield* process(Effect.flatMap(Installation, ({ begin }) => begin("by hand")))
        const actors = yield* sql`SELECT state, fence FROM actors ORDER BY actor_key`
        assert.deepStrictEqual(
          actors.map(({ fence, state }) => [state, Number(fence)]),
          [
            ["called", 1_000_007],
            ["asleep", 1_000_003]
          ]
        )
      })
    )
  )
})
