// What /health/ready tells of the present: database, schema, pools, relay, disk (docs/operations.md, "Health").
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, layer } from "@effect/vitest"
import { Deferred, Effect, Fiber } from "effect"
import { SqlClient } from "effect/sql"
import { relayHealth } from "../../../src/engine/relay/relayHealth.ts"
import { diskHealth } from "../../../src/interfaces/http/diskHealth.ts"
import { RELAY_LOCK } from "../../../src/platform/sql/advisoryLocks.ts"
import { App, appLayerOver } from "../../support/app.ts"
import { Cuttable, layerCuttable } from "../../support/cuttableDatabase.ts"
import { ddl } from "../../support/database.ts"
import { eventually } from "../../support/eventually.ts"

const METRICS_TOKEN = "a-token-of-the-operator"

const askReadiness = Effect.gen(function* () {
  const app = yield* App
  const { json, status } = yield* app.call("GET", "/health/ready", { token: METRICS_TOKEN })
  const parts: ReadonlyArray<{ name: string; ok: boolean; detail?: string }> = json.parts
  return { status, ready: json.ready as boolean, part: (name: string) => parts.find((one) => one.name === name) }
})

layer(appLayerOver(layerCuttable, { METRICS_TOKEN }), { excludeTestServices: true })("/health/ready", (it) => {
  it.effect("the database away: not ready, and ready again when it is back", () =>
    Effect.gen(function* () {
      const { down, up } = yield* Cuttable
      assert.strictEqual((yield* askReadiness).status, 200)
      yield* down
      const downReadiness = yield* Effect.ensuring(askReadiness, up)
      assert.deepStrictEqual(
        [downReadiness.status, downReadiness.ready, downReadiness.part("postgres")?.ok],
        [503, false, false]
      )
      yield* eventually("ready again", askReadiness, (now) => now.ready)
    })
  )

  it.effect("the schema: a migration that is missing makes it unready, one of a newer release is told", () =>
    Effect.gen(function* () {
      const kept = "CREATE TABLE kept AS SELECT * FROM effect_sql_migrations ORDER BY migration_id DESC LIMIT 1"
      assert.match((yield* askReadiness).part("schema")!.detail!, /^is at \d{4}_\w+$/)
      yield* ddl(kept, "DELETE FROM effect_sql_migrations WHERE migration_id = (SELECT migration_id FROM kept)")
      const olderSchema = yield* askReadiness
      assert.strictEqual(olderSchema.status, 503)
      assert.match(olderSchema.part("schema")!.detail!, /^lacks \d{4}_\w+$/)
      yield* ddl(
        "INSERT INTO effect_sql_migrations SELECT * FROM kept",
        "DROP TABLE kept",
        "INSERT INTO effect_sql_migrations (migration_id, name) VALUES (9001, 'from_the_future')"
      )
      const newerSchema = yield* askReadiness
      assert.strictEqual(newerSchema.status, 200)
      assert.strictEqual(newerSchema.part("schema")!.detail, "is ahead of this release by 9001_from_the_future")
    })
  )

  it.effect("a pool whose connections are all held: how many, and who waits; unready while none can be had", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const releaseGate = yield* Deferred.make<void>()
      const holderCount = { n: 0 }
      const hold = sql.withTransaction(
        Effect.andThen(
          Effect.sync(() => holderCount.n++),
          Deferred.await(releaseGate)
        )
      )
      const holders = yield* Effect.forkChild(
        Effect.all(
          Array.from({ length: 12 }, () => hold),
          { concurrency: "unbounded" }
        )
      )
      yield* eventually(
        "all are held",
        Effect.sync(() => holderCount.n),
        (n) => n === 10
      )
      const full = yield* askReadiness
      assert.strictEqual(full.status, 503)
      assert.strictEqual(
        full.part("api pool")!.detail,
        "cuttable: 10 of 10 held by transactions, 2 wait; no answer within 2 s"
      )
      yield* Deferred.succeed(releaseGate, undefined)
      yield* Fiber.join(holders)
      const eased = yield* askReadiness
      assert.strictEqual(eased.status, 200)
      assert.match(
        eased.part("api pool")!.detail!,
        /^cuttable: 0 of 10 held by transactions, 0 wait; answers in \d+ ms$/
      )
    })
  )

  it.effect("the relay: how far behind, and who works the outbox", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      yield* eventually("well", relayHealth, ({ detail, ok }) => ok && detail === "lag 0.0 s, 0 events open")
      yield* sql`
        INSERT INTO outbox (type, org_id, hook, workflow, silent, depth, payload, created_on)
        VALUES ('record.create', 1, true, true, false, 0, '{}', now() - interval '5 minutes')`
      const lateRelay = yield* relayHealth
      assert.isFalse(lateRelay.ok)
      assert.match(lateRelay.detail, /^lag 30\d\.\d s, 1 events open; nobody works it$/)
      const worked = yield* sql.withTransaction(
        Effect.andThen(sql`SELECT pg_advisory_xact_lock(${RELAY_LOCK})`, relayHealth)
      )
      assert.match(worked.detail, /; worked by cuttable \((?:local|127\.0\.0\.1), pid \d+\) for \d+ s$/)
      yield* sql`DELETE FROM outbox`
    })
  )

  it.effect("the disk of embedded parts: free space where they are kept here, told when it is low", () =>
    Effect.gen(function* () {
      const dir = yield* Effect.acquireRelease(
        Effect.promise(() => mkdtemp(join(tmpdir(), "millrace-disk-"))),
        (made) => Effect.promise(() => rm(made, { recursive: true }))
      )
      assert.isUndefined(yield* diskHealth(dir))
      yield* Effect.promise(async () => {
        await mkdir(join(dir, "run"))
        await writeFile(join(dir, "run", "postgres.json"), "{}")
      })
      const diskState = yield* diskHealth(dir, 0)
      assert.isTrue(diskState?.ok)
      assert.match(diskState!.detail, /^\d+\.\d GiB of \d+\.\d GiB free below /)
      assert.isFalse((yield* diskHealth(dir, Number.MAX_SAFE_INTEGER))?.ok)
    }).pipe(Effect.scoped)
  )
})
