// A process beside a schema that a newer release has changed (docs/operations.md, "Upgrade").
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { inject } from "vitest"
import { migrate } from "../../../src/platform/sql/Migrator.ts"
import { schemaHealth, schemaStanding } from "../../../src/platform/sql/schemaLevel.ts"
import { freshDatabaseUrl, layerOn, urlOf } from "../../support/database.ts"
import { endsBySelf } from "../../support/processes.ts"

const on = (url: string) => layerOn(url, 1)

/** As a newer release leaves it: its migration, and what it asks of who works beside it. */
const aheadBy = Effect.fnUntraced(function* (service: string, oldest: number) {
  const owner = urlOf(inject("databaseUrl"), new URL(service).pathname.slice(1))
  yield* Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    yield* sql`INSERT INTO effect_sql_migrations (migration_id, name) VALUES (9001, 'from_the_future')`
    yield* sql`UPDATE schema_level SET oldest = ${oldest}`
  }).pipe(Effect.provide(on(owner)))
})

describe("the level of the schema", () => {
  it.live("a schema that is ahead is told, and worked on while this release may", () =>
    Effect.gen(function* () {
      const url = yield* freshDatabaseUrl
      const { missing, oldest } = yield* schemaStanding.pipe(Effect.provide(on(url)))
      assert.deepStrictEqual(missing, [])
      yield* aheadBy(url, oldest)
      assert.deepStrictEqual(yield* migrate.pipe(Effect.provide(on(url))), [])
      assert.deepStrictEqual(yield* schemaHealth.pipe(Effect.provide(on(url))), {
        ok: true,
        detail: "is ahead of this release by 9001_from_the_future"
      })
    })
  )

  it.live(
    "one that asks for a newer release is not worked on: the process says so and ends, one that runs is not ready",
    () =>
      Effect.gen(function* () {
        const url = yield* freshDatabaseUrl
        yield* aheadBy(url, 9001)
        const refusal = yield* Effect.flip(migrate.pipe(Effect.provide(on(url))))
        assert.strictEqual(refusal._tag, "SchemaAhead")
        const { code, output } = yield* endsBySelf(url)
        assert.strictEqual(code, 1, output)
        assert.include(output, `millrace: ${refusal.message}`)
        assert.match(
          output,
          /brought to 9001_from_the_future by a newer release\. This one knows its schema up to \d{4}_\w+ and may not work beside it: take a release that knows 9001 or later\./
        )
        const health = yield* schemaHealth.pipe(Effect.provide(on(url)))
        assert.isFalse(health.ok)
        assert.match(health.detail, /; this process must end: who works on it must know 9001$/)
      })
  )
})
