// docs/operations.md, "Take an organization's data along": every row once and nobody else's, checksums, no secret; killed in the middle, a
// repeat goes on.
import { spawn } from "node:child_process"
import { createHash } from "node:crypto"
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { assert, describe, it, layer } from "@effect/vitest"
import { Effect, Layer, Schedule } from "effect"
import { SqlClient } from "effect/sql"
import { exportKinds, leftOut } from "../../../src/interfaces/cli/exportKinds.ts"
import { exportOrganization } from "../../../src/interfaces/cli/organizationExport.ts"
import { AuditLog } from "../../../src/platform/audit/AuditLog.ts"
import { seedHook, seedOrgWithApp } from "../../domain/webhooks/support/harness.ts"
import { freshDatabaseUrl, layerDatabase, layerOn } from "../../support/database.ts"
import { plainEnvironment } from "../../support/environment.ts"
import { typed as cli } from "../../support/processes.ts"
import { program } from "../../support/programs.ts"

const root = fileURLToPath(new URL("../../..", import.meta.url))
const RECORDS = 30_000

const started = (databaseUrl: string, ...args: ReadonlyArray<string>) =>
  Effect.acquireRelease(
    Effect.sync(() =>
      spawn(process.execPath, [program("cli"), ...args], {
        cwd: root,
        stdio: "ignore",
        env: { ...plainEnvironment(), DATABASE_URL: databaseUrl, SECRET_KEY: Buffer.alloc(32, 9).toString("base64") }
      })
    ),
    (child) => Effect.sync(() => child.kill("SIGKILL"))
  )

const size = (path: string) => statSync(path, { throwIfNoEntry: false })?.size ?? 0

/** Two organizations with an app, a file and a hook each; the first with many records. */
const seed = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const ownApp = yield* seedOrgWithApp()
  const other = yield* seedOrgWithApp()
  for (const { appId, orgId } of [ownApp, other]) {
    yield* seedHook({ appId, orgId }, "record.create", "https://hooks.example.com/in")
    yield* sql`INSERT INTO people (email, name, password_hash, created_on) VALUES (${`p${orgId}@example.com`}, 'P', 'hashed', now())`
    yield* sql`INSERT INTO users (org_id, person_id, name, role, status, created_on)
      SELECT ${orgId}, person_id, 'P', 'owner', 'active', now() FROM people WHERE email = ${`p${orgId}@example.com`}`
    yield* sql`INSERT INTO records (app_id, org_id, app_record_id, title, cells, created_on, created_by)
      SELECT ${appId}, ${orgId}, n, 'Größe ' || n, '{}', now(), '{"type":"user","user_id":1}'
      FROM generate_series(1, ${orgId === ownApp.orgId ? RECORDS : 10}::int) n`
    yield* sql`INSERT INTO files (org_id, uploaded_by, name, size, mimetype, storage_key, created_on)
      VALUES (${orgId}, 1, 'a.txt', 12, 'text/plain', ${`key/${orgId}`}, now())`
    yield* sql`INSERT INTO file_chunks (storage_key, part, bytes) VALUES
      (${`key/${orgId}`}, 0, ${Buffer.from("hello ")}), (${`key/${orgId}`}, 1, ${Buffer.from("world.")})`
  }
  return ownApp
})

/** Rows that statements have taken up so far, in whatever way. */
const rowsRead = Effect.fnUntraced(function* (tables: ReadonlyArray<string>) {
  const sql = yield* SqlClient.SqlClient
  yield* sql`SELECT pg_stat_force_next_flush()`
  yield* Effect.sleep("100 millis")
  const rows = yield* sql<{ name: string; n: number }>`
    SELECT relname::text AS name, (seq_tup_read + coalesce(idx_tup_fetch, 0))::float8 AS n FROM pg_stat_user_tables
    WHERE relname = ANY(${[...tables]}::text[])`
  return Object.fromEntries(rows.map(({ name, n }) => [name, n]))
})

const directory = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "millrace-export-"))),
  (path) => Effect.sync(() => rmSync(path, { recursive: true }))
)

layer(layerDatabase, { excludeTestServices: true })("an export", (it) => {
  it.effect("says of every table whether it is in it", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const tables = yield* sql<{ name: string }>`SELECT relname AS name FROM pg_class
        WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition`
      const namedTables = [...Object.keys(exportKinds), ...leftOut.flatMap((one) => one.tables)]
      assert.deepStrictEqual(namedTables.toSorted(), tables.map(({ name }) => name).toSorted())
    })
  )
})

const ROWS = 4_000
const FILES = 1_000

const pagesOnce = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const { appId, orgId } = yield* seedOrgWithApp()
  yield* sql`INSERT INTO records (app_id, org_id, app_record_id, title, cells, created_on, created_by)
    SELECT ${appId}, ${orgId}, n, 'T', '{}', now(), '{}' FROM generate_series(1, ${ROWS}::int) n`
  yield* sql`INSERT INTO record_links SELECT record_id, 1, record_id FROM records`
  yield* sql`INSERT INTO revisions SELECT record_id, 0, 'creation', now(), '{}', '{}' FROM records`
  yield* sql`INSERT INTO file_links (file_id, record_id, field_id) SELECT record_id, record_id, 1 FROM records`
  yield* sql`INSERT INTO comments (record_id, app_id, value, created_on, created_by)
    SELECT record_id, app_id, 'c', now(), '{}' FROM records`
  yield* sql`INSERT INTO replies (comment_id, value, created_on, created_by) SELECT comment_id, 'r', now(), '{}' FROM comments`
  yield* sql`INSERT INTO files (org_id, uploaded_by, name, size, mimetype, storage_key, created_on)
    SELECT ${orgId}, 1, 'f', 0, 'text/plain', 'k' || n, now() FROM generate_series(1, ${FILES}::int) n`
  const tables = ["files", "records", "record_links", "revisions", "file_links", "comments", "replies"] as const
  // Before housekeeping of the database comes by, and after.
  for (const [index, statement] of [sql`SELECT 1`, sql`ANALYZE`].entries()) {
    yield* statement
    const readsBefore = yield* rowsRead(tables)
    const dir = yield* directory
    yield* exportOrganization(orgId, join(dir, String(index)))
    const readsAfter = yield* rowsRead(tables)
    // Records for their own sake and for three tables, comments for their own sake and for the replies.
    for (const table of tables)
      assert.isAtMost(readsAfter[table]! - readsBefore[table]!, 6 * (table === "files" ? FILES : ROWS), table)
  }
})

describe("the pages of an export", () => {
  it.live("go through what they are chosen by once, however many they are", () =>
    Effect.gen(function* () {
      const databaseUrl = yield* freshDatabaseUrl
      yield* Effect.provide(pagesOnce, AuditLog.layer.pipe(Layer.provideMerge(layerOn(databaseUrl, 1))))
    })
  )
})

describe("npm run cli -- organization export", () => {
  it.live("killed in the middle, a repeat goes on: every row once, nobody else's, no secret, checksums", () =>
    Effect.gen(function* () {
      const databaseUrl = yield* freshDatabaseUrl
      const pool = layerOn(databaseUrl, 1)
      const { appId, orgId } = yield* Effect.provide(seed, pool)
      const dir = yield* directory
      const args = ["organization", "export", String(orgId), "--to", dir] as const
      const part = join(dir, "records.jsonl.part")
      for (const bytes of [1, 1_500_000]) {
        yield* Effect.gen(function* () {
          yield* started(databaseUrl, ...args)
          const far = Effect.sync(() => size(part) >= bytes)
          yield* Effect.repeat(far, { until: (there) => there, schedule: Schedule.spaced("5 millis"), times: 20_000 })
        }).pipe(Effect.scoped)
        assert.isFalse(readdirSync(dir).includes("manifest.json"), `killed at ${bytes} bytes`)
        assert.isAbove(size(part), 0)
      }
      const { code, err, out } = yield* cli(databaseUrl, ...args, "--json")
      assert.strictEqual(code, 0, err)
      const manifest = JSON.parse(readFileSync(join(dir, "manifest.json"), "utf8"))
      assert.deepStrictEqual(JSON.parse(out), manifest)
      assert.deepStrictEqual(Object.keys(manifest.kinds), [...Object.keys(exportKinds), "contents"])
      const linesOf = (kind: string) =>
        readFileSync(join(dir, `${kind}.jsonl`), "utf8")
          .split("\n")
          .filter((line) => line !== "")
          .map((line) => JSON.parse(line))
      for (const [kind, { bytes, rows, sha256 }] of Object.entries<any>(manifest.kinds)) {
        const content = readFileSync(join(dir, `${kind}.jsonl`))
        assert.deepStrictEqual(
          [content.length, createHash("sha256").update(content).digest("hex")],
          [bytes, sha256],
          kind
        )
        assert.strictEqual(linesOf(kind).length, rows, kind)
      }
      const records = linesOf("records")
      assert.deepStrictEqual(
        records.map(({ app_record_id }) => app_record_id),
        Array.from({ length: RECORDS }, (_, i) => i + 1)
      )
      assert.isTrue(records.every((row) => row.app_id === appId && row.org_id === orgId))
      assert.deepStrictEqual(
        linesOf("people").map(({ email }) => email),
        [`p${orgId}@example.com`]
      )
      const [content] = linesOf("contents")
      assert.strictEqual(readFileSync(join(dir, content.file), "utf8"), "hello world.")
      assert.strictEqual(createHash("sha256").update("hello world.").digest("hex"), content.sha256)
      assert.strictEqual(readdirSync(join(dir, "files")).length, 1)
      // What opens something stays, and is named.
      const [hook] = linesOf("hooks")
      assert.notInclude(Object.keys(hook), "secret")
      assert.notInclude(readFileSync(join(dir, "people.jsonl"), "utf8"), "hashed")
      assert.includeMembers(manifest.left_out.columns.hooks, ["secret", "former_secrets", "code"])
      assert.deepStrictEqual(manifest.left_out.columns.people, ["password_hash"])
      const another = yield* cli(databaseUrl, "organization", "export", String(orgId + 1), "--to", dir)
      assert.match(another.err, /holds an export of another organization/)
    }).pipe(Effect.scoped)
  )
})
