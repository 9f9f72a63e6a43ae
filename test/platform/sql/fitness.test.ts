// A database that cannot hold what people write, or was never prepared, says so in one line (issue "start, settings, tools"; `doctor` asks the same).
import { execFile } from "node:child_process"
import { randomUUID } from "node:crypto"
import { fileURLToPath } from "node:url"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { migrate } from "../../../src/platform/sql/Migrator.ts"
import { layerOn } from "../../support/database.ts"
import { databaseServer } from "../../support/databaseServer.ts"
import { plainEnvironment } from "../../support/environment.ts"
import { program } from "../../support/programs.ts"

const root = fileURLToPath(new URL("../../..", import.meta.url))
const SECRET_KEY = Buffer.alloc(32, 9).toString("base64")

/** An empty database, made so, which goes with the scope. */
const madeBy = (options: string) =>
  Effect.gen(function* () {
    const server = yield* databaseServer
    const name = `test_${randomUUID().replaceAll("-", "")}`
    const run = (statement: string) =>
      Effect.flatMap(SqlClient.SqlClient, (sql) => sql.unsafe(statement)).pipe(
        Effect.provide(layerOn(server, 1)),
        Effect.orDie
      )
    yield* Effect.acquireRelease(run(`CREATE DATABASE ${name} TEMPLATE template0 ${options}`), () =>
      run(`DROP DATABASE ${name} WITH (FORCE)`)
    )
    const url = new URL(server)
    url.pathname = `/${name}`
    return { name, url: url.href }
  })

const cli = (url: string, ...args: ReadonlyArray<string>) =>
  Effect.callback<{ code: number; err: string }>((resume) => {
    const env = { ...plainEnvironment(), SECRET_KEY, DATABASE_URL: url }
    execFile(process.execPath, [program("cli"), ...args], { cwd: root, env }, (error, _, err) =>
      resume(Effect.succeed({ code: error === null ? 0 : Number(error.code ?? 1), err }))
    )
  })

describe("a database", () => {
  it.live("in SQL_ASCII is refused before anything is made, with how to make one that fits", () =>
    Effect.gen(function* () {
      const { name, url } = yield* madeBy("ENCODING 'SQL_ASCII' LOCALE_PROVIDER libc LOCALE 'C'")
      const refusal = yield* Effect.flip(migrate).pipe(Effect.provide(layerOn(url, 1)))
      assert.strictEqual((refusal as { _tag: string })._tag, "DatabaseUnfit")
      assert.strictEqual(
        (refusal as Error).message,
        `The database ${name} is in SQL_ASCII, which does not hold every text. Make one anew: CREATE DATABASE ${name} ENCODING 'UTF8' TEMPLATE template0.`
      )
      const { code, err } = yield* cli(url, "organization", "list")
      assert.deepStrictEqual([code, err.trim()], [1, `millrace: ${(refusal as Error).message}`])
    }).pipe(Effect.scoped)
  )

  it.live("that nobody has prepared is told by every command, in one line, and `migrate` prepares it", () =>
    Effect.gen(function* () {
      const { url } = yield* madeBy("")
      const cliResult = yield* cli(url, "organization", "list")
      const expectedError =
        "millrace: The database has not been prepared. Start Millrace once, or run `npm run cli -- migrate`."
      assert.deepStrictEqual([cliResult.code, cliResult.err.trim()], [1, expectedError])
      assert.strictEqual((yield* cli(url, "migrate")).code, 0)
      assert.strictEqual((yield* cli(url, "organization", "list")).code, 0)
    }).pipe(Effect.scoped)
  )
})
