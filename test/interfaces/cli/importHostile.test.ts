// docs/operations.md, "Take an organization's data along": an export may have been written by anybody. What is bad is named by file and line, and
// nothing was changed; what names the ids of others reaches nobody.
import { createHash } from "node:crypto"
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { importOrganization } from "../../../src/interfaces/cli/import/organizationImport.ts"
import { exportOrganization } from "../../../src/interfaces/cli/organizationExport.ts"
import { appLayer } from "../../support/app.ts"
import { as, createApp, field, seedWorkspace } from "../../support/records.ts"

const folder = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "millrace-hostile-"))),
  (path) => Effect.sync(() => rmSync(path, { recursive: true }))
)
const importOptions = { again: false, title: undefined }

/** A file of an export with another text, and a manifest that says so. */
const rewrite = (dir: string, kind: string, change: (text: string) => string | Uint8Array) => {
  const path = join(dir, `${kind}.jsonl`)
  const changed = Buffer.from(change(readFileSync(path, "utf8")))
  writeFileSync(path, changed)
  const manifest = JSON.parse(readFileSync(join(dir, "manifest.json"), "utf8"))
  manifest.kinds[kind] = {
    rows: changed.toString("latin1").split("\n").length - 1,
    bytes: changed.length,
    sha256: createHash("sha256").update(changed).digest("hex")
  }
  writeFileSync(join(dir, "manifest.json"), JSON.stringify(manifest))
}
const changeLine =
  (change: (row: any) => void, number = 1) =>
  (text: string) =>
    text
      .split("\n")
      .map((one, i) => {
        if (i !== number - 1) return one
        const row = JSON.parse(one)
        change(row)
        return JSON.stringify(row)
      })
      .join("\n")

const setting = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const { orgId, owner, workspaceId } = yield* seedWorkspace
  const app = yield* createApp(owner, workspaceId, [
    field("single_text", "Name"),
    field("multi_text", "Notes"),
    field("multi_link", "Links"),
    field("multi_relation", "Others", { referenced_apps: [] })
  ])
  const call = as(owner)
  const ids = Object.fromEntries(app.fields.map((one: any) => [one.slug, String(one.field_id)]))
  const record = (yield* call("POST", `/v1/record/app/${app.app_id}`, { fields: { name: "One", notes: "<p>a</p>" } }))
    .json
  yield* call("POST", `/v1/record/app/${app.app_id}`, { fields: { name: "Two" } })
  yield* sql`INSERT INTO files (org_id, uploaded_by, name, size, mimetype, storage_key, created_on)
    VALUES (${orgId}, ${owner.userId}, 'a.txt', 5, 'text/plain', 'key', now())`
  yield* sql`INSERT INTO file_chunks (storage_key, part, bytes) VALUES ('key', 0, 'bytes')`
  const dir = yield* folder
  yield* exportOrganization(orgId, dir)
  yield* sql`DELETE FROM file_chunks`
  yield* sql`DELETE FROM files`
  const copy = Effect.map(folder, (to) => {
    cpSync(dir, to, { recursive: true })
    return to
  })
  const countRows = Effect.map(
    sql<{ n: string }>`SELECT (SELECT count(*) FROM organizations) || ' ' || (SELECT count(*) FROM users) || ' ' ||
      (SELECT count(*) FROM records) || ' ' || (SELECT count(*) FROM installation WHERE name LIKE 'import/%') AS n`,
    ([row]) => row!.n
  )
  return { app, call, copy, counted: countRows, ids, orgId, owner, record }
})

layer(appLayer(), { excludeTestServices: true })("what an export may not hold", (it) => {
  it.effect("is named by file and line, and nothing was changed", () =>
    Effect.gen(function* () {
      const { copy, counted, ids } = yield* setting
      const initialCounts = yield* counted
      const cells = (cells: object) => changeLine((row) => Object.assign(row.cells, cells))
      const cases: ReadonlyArray<readonly [string, (text: string) => string | Uint8Array, RegExp]> = [
        ["records", () => "{\n", /records\.jsonl:1: is no JSON/],
        ["records", (text) => `${text}${"[".repeat(300)}\n`, /records\.jsonl:3: nests deeper/],
        ["records", (text) => text.slice(0, -1), /records\.jsonl: is not the file that was exported/],
        ["records", (text) => text + text, /records\.jsonl:3: record_id \d+ is not in order/],
        ["records", changeLine((row) => (row.more = 1)), /records\.jsonl:1: .*more/],
        ["records", changeLine((row) => (row.created_on = "yesterday"), 2), /records\.jsonl:2: .*created_on/],
        ["records", changeLine((row) => (row.title = "a\u0000b")), /records\.jsonl:1: contains characters/],
        ["records", cells({ [ids["name"]!]: "Text" }), /records\.jsonl:1: field \d+ is no list/],
        [
          "records",
          cells({ [ids["name"]!]: [{}] }),
          /records\.jsonl:1: field \d+ holds what is no entry of single_text/
        ],
        [
          "records",
          cells({ [ids["links"]!]: [{ embed_id: 1, url: "javascript:alert(1)" }] }),
          /no entry of multi_link/
        ],
        ["users", changeLine((row) => (row.role = "root")), /users\.jsonl:1: .*role/],
        ["records", changeLine((row) => (row.record_id = 2 ** 40), 2), /too far apart/],
        ["people", changeLine((row) => (row.email = "nobody")), /people\.jsonl:1: email/],
        ["fields", changeLine((row) => (row.field_type = "constructor")), /fields\.jsonl:1: field_type/],
        ["organizations", (text) => text.replace(/"org_id": ?\d+/, '"org_id": 999'), /does not hold the organization/],
        [
          "contents",
          changeLine((row) => (row.file = "files/../../etc/passwd")),
          /contents\.jsonl:1: file is not where contents are/
        ],
        [
          "contents",
          changeLine((row) => (row.sha256 = "0")),
          /contents\.jsonl:1: .*is not the content that was exported/
        ],
        ["files", changeLine((row) => (row.size = 6)), /files\.jsonl:1: size: the content has 5 bytes/],
        ["records", () => Uint8Array.of(0x22, 0xff, 0x22, 10), /records\.jsonl: line 1 is no UTF-8/]
      ]
      for (const [kind, change, message] of cases) {
        const dir = yield* copy
        rewrite(dir, kind, change)
        const refusal = yield* Effect.flip(importOrganization(dir, importOptions))
        assert.match((refusal as Error).message, message)
        assert.strictEqual(yield* counted, initialCounts, `${kind}: ${message}`)
      }
      // What only the database can find is found as it is written: nobody signs in to what is there by then.
      const dir = yield* copy
      rewrite(
        dir,
        "records",
        changeLine((row) => (row.app_record_id = 1), 2)
      )
      const refusal = yield* Effect.flip(importOrganization(dir, importOptions))
      assert.match((refusal as Error).message, /records\.jsonl:2: the database refuses it/)
      const sql = yield* SqlClient.SqlClient
      const [last] = yield* sql<{ status: string }>`SELECT status FROM users ORDER BY user_id DESC`
      assert.strictEqual(last!.status, "deactivated")
    }).pipe(Effect.scoped)
  )

  it.effect("ids that are far ahead do not use up those of others", () =>
    Effect.gen(function* () {
      const { copy, owner } = yield* setting
      const dir = yield* copy
      const far = 9_000_000_000_000_000
      const moves = (row: any) => {
        row.user_id = far
      }
      rewrite(dir, "users", changeLine(moves))
      const result = yield* importOrganization(dir, importOptions)
      const sql = yield* SqlClient.SqlClient
      const [user] = yield* sql<{ user_id: number }>`SELECT user_id FROM users WHERE org_id = ${result.org_id}`
      assert.isBelow(user!.user_id, owner.userId + 1_000)
    }).pipe(Effect.scoped)
  )

  it.effect("a link out of the directory is not followed, an export that is not finished is none", () =>
    Effect.gen(function* () {
      const { copy } = yield* setting
      const linked = yield* copy
      rmSync(join(linked, "files", "key"))
      symlinkSync("/etc/hostname", join(linked, "files", "key"))
      assert.match(((yield* Effect.flip(importOrganization(linked, importOptions))) as Error).message, /ELOOP/)
      const unfinishedDir = yield* copy
      rmSync(join(unfinishedDir, "manifest.json"))
      assert.match(
        ((yield* Effect.flip(importOrganization(unfinishedDir, importOptions))) as Error).message,
        /not finished/
      )
    }).pipe(Effect.scoped)
  )

  it.effect("ids of others reach nobody: rows in another app are left out, links and authors are nobody's", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { copy, ids } = yield* setting
      const victim = yield* setting
      const dir = yield* copy
      const foreignId = Number(victim.record.record_id)
      rewrite(
        dir,
        "records",
        changeLine((row) => {
          row.cells[ids["others"]!] = [foreignId]
          row.cells[ids["notes"]!] = ["<p>a<script>alert(1)</script></p>"]
          row.created_by = { type: "user", user_id: victim.owner.userId }
        })
      )
      rewrite(
        dir,
        "records",
        changeLine((row) => (row.app_id = victim.app.app_id), 2)
      )
      const result = yield* importOrganization(dir, importOptions)
      assert.strictEqual(result.left_out["records"], 1)
      const [record] = yield* sql<{ cells: any; created_by: any }>`
        SELECT cells, created_by FROM records WHERE org_id = ${result.org_id}`
      const values = Object.values(record!.cells) as ReadonlyArray<ReadonlyArray<unknown>>
      assert.deepInclude(values, ["<p>a</p>"])
      const target = values.flat().find((one) => typeof one === "number") as number
      const usedIds = yield* sql`SELECT 1 FROM records WHERE record_id = ${target}
        UNION ALL SELECT 1 FROM users WHERE user_id = ${record!.created_by.user_id}`
      assert.strictEqual(usedIds.length, 0)
      // And never will be: what comes next gets another id.
      const nextRecord = yield* victim.call("POST", `/v1/record/app/${victim.app.app_id}`, { fields: { name: "Next" } })
      assert.isAbove(nextRecord.json.record_id, target)
    }).pipe(Effect.scoped)
  )
})
