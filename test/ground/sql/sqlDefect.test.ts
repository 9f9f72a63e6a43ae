// What the database does is no failure of a service's own: it becomes a defect at one boundary, and is told from others at the edges.
import { assert, layer } from "@effect/vitest"
import { Cause, Effect, Exit } from "effect"
import { SqlClient } from "effect/sql"
import { NotFound } from "../../../src/ground/primitives/errors.ts"
import { orSqlDefect, recoverSqlDefect, sqlDefectIn } from "../../../src/ground/sql/sqlDefect.ts"
import { layerDatabase } from "../../support/database.ts"

layer(layerDatabase, { excludeTestServices: true })("database errors of services", (it) => {
  it.effect("are defects, which can be taken out again", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const refused: Effect.Effect<unknown> = orSqlDefect(sql`SELECT 1 / 0`)
      const exit = yield* Effect.exit(refused)
      assert.isTrue(Exit.isFailure(exit))
      const cause = Exit.isFailure(exit) ? exit.cause : Cause.empty
      assert.isFalse(Cause.hasFails(cause))
      assert.strictEqual(sqlDefectIn(cause)?._tag, "SqlError")
      assert.strictEqual((yield* Effect.flip(recoverSqlDefect(refused)))._tag, "SqlError")
    })
  )

  it.effect("and nothing else is: failures of the domain stay, and so do other defects", () =>
    Effect.gen(function* () {
      const missing = orSqlDefect(Effect.fail(new NotFound({ message: "No app with id 1." })))
      assert.strictEqual((yield* Effect.flip(missing))._tag, "NotFound")
      const exit = yield* Effect.exit(recoverSqlDefect(Effect.die(new Error("a fault of ours"))))
      assert.isTrue(Exit.isFailure(exit) && Cause.hasDies(exit.cause) && sqlDefectIn(exit.cause) === undefined)
    })
  )
})
