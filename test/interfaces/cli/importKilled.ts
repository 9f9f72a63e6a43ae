// An export's directory, and an import of it that is killed on its way.
import { spawn } from "node:child_process"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { plainEnvironment } from "../../support/environment.ts"
import { eventually } from "../../support/eventually.ts"

const root = fileURLToPath(new URL("../../..", import.meta.url))

export const exportDirectory = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "millrace-import-"))),
  (path) => Effect.sync(() => rmSync(path, { recursive: true }))
)

/** An import by a process of its own that is killed as it writes a certain revision, which somebody else holds back. */
export const killedBefore = Effect.fnUntraced(function* (databaseUrl: string, dir: string, recordId: number) {
  const sql = yield* SqlClient.SqlClient
  const env = { ...plainEnvironment(), DATABASE_URL: databaseUrl, SECRET_KEY: Buffer.alloc(32, 7).toString("base64") }
  const insertAndKill = Effect.gen(function* () {
    yield* sql`INSERT INTO revisions (record_id, revision, type, created_on, created_by, delta)
      VALUES (${recordId}, 0, 'creation', now(), '{}', '{}')`
    const child = spawn(process.execPath, ["src/cli.ts", "organization", "import", "--from", dir], {
      ...{ cwd: root, stdio: "ignore" as const, env }
    })
    const childExit = new Promise((resolve) => child.once("exit", resolve))
    const blockedLocks = sql`SELECT pid FROM pg_locks WHERE NOT granted AND pg_backend_pid() = ANY(pg_blocking_pids(pid))`
    yield* eventually("an import that waits", blockedLocks, ({ length }) => length > 0).pipe(
      Effect.ensuring(
        Effect.andThen(
          Effect.sync(() => child.kill("SIGKILL")),
          Effect.promise(() => childExit)
        )
      )
    )
    return yield* Effect.fail("taken back" as const)
  })
  assert.strictEqual(yield* Effect.flip(sql.withTransaction(insertAndKill)), "taken back")
})

export const lowestRecord = Effect.flatMap(
  SqlClient.SqlClient,
  (sql) => sql<{ record_id: number }>`SELECT min(record_id) AS record_id FROM records`
)
