// One boundary decides where an error of the database becomes a defect (docs/architecture.md).
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit } from "effect"
import { ConnectionError, SqlError } from "effect/sql/SqlError"
import { orSqlDefect, recoverSqlDefect, sqlDefectIn } from "../../../src/platform/sql/sqlDefect.ts"

const src = fileURLToPath(new URL("../../../src", import.meta.url))
const connectionError = new SqlError({ reason: new ConnectionError({ cause: new Error("gone"), message: "gone" }) })

describe("errors of the database", () => {
  it("become a defect in one place alone", () => {
    const elsewhere = readdirSync(src, { recursive: true, encoding: "utf8" })
      .filter((name) => name.endsWith(".ts") && name !== join("platform", "sql", "sqlDefect.ts"))
      .filter((name) => /SqlError"?\s*[:,]\s*Effect\.die/.test(readFileSync(join(src, name), "utf8")))
    assert.deepStrictEqual(elsewhere, [])
  })

  it.effect("are no failure of a service, and are found again where its caller waits for the database", () =>
    Effect.gen(function* () {
      const service = orSqlDefect(Effect.fail(connectionError) as Effect.Effect<never, SqlError>)
      const exit = yield* Effect.exit(service)
      assert.isTrue(Exit.isFailure(exit) && sqlDefectIn(exit.cause) === connectionError)
      assert.strictEqual(yield* Effect.flip(recoverSqlDefect(service)), connectionError)
    })
  )
})
