// decisions O9, P11: the one table of encrypted columns is complete, by construction, by the sources and by the schema.
import { readdirSync, readFileSync } from "node:fs"
import { join, relative } from "node:path"
import { fileURLToPath } from "node:url"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { sealedColumns } from "../../../src/interfaces/cli/sealedColumns.ts"
import { layerDatabase } from "../../support/database.ts"

const src = fileURLToPath(new URL("../../../src", import.meta.url))
const sources = readdirSync(src, { recursive: true, encoding: "utf8" })
  .filter((name) => name.endsWith(".ts"))
  .map((name) => ({ name, text: readFileSync(join(src, name), "utf8") }))

/** Columns of bytes that hold no readable secret: hashes, contents, and the public keys of passkeys. */
const unsealedColumns = /_hash$|^factors\.public_key$|^files\.|^file_chunks\.bytes$|^mails\.raw$/

layer(layerDatabase, { excludeTestServices: true })("decisions P11: the table of encrypted columns", (it) => {
  it("a context is made by a place alone: no cast elsewhere, and what passes is a cookie or a form", () => {
    const casting = sources.filter(({ text }) => /as SealContext|Brand<"SealContext">/.test(text))
    assert.deepStrictEqual(
      casting.map(({ name }) => name),
      ["platform/sealing/SealedColumn.ts"]
    )
    const passing = sources.filter(({ text }) => /\bpassing\(/.test(text))
    assert.deepStrictEqual(passing.map(({ name }) => name).toSorted(), [
      "domain/oauth/FactorChanges.ts",
      "interfaces/web/oneTimeSecret.ts"
    ])
  })

  it("every place that a module defines is in the table", () => {
    const modules = sources.filter(
      ({ name, text }) => name !== "platform/sealing/SealedColumn.ts" && /\bsealedColumn\(/.test(text)
    )
    const table = readFileSync(join(src, "interfaces/cli/sealedColumns.ts"), "utf8")
    for (const { name, text } of modules) {
      assert.include(table, `"${relative("interfaces/cli", name)}"`)
      for (const [, place] of text.matchAll(/^export const (\w+) = sealedColumn\(/gm))
        assert.match(table, new RegExp(`^  ${place},?$`, "m"))
    }
    assert.strictEqual(
      new Set(sealedColumns.map(({ column, table }) => `${table}.${column}`)).size,
      sealedColumns.length
    )
  })

  it.effect("its names are the schema's, and no other column holds bytes that could be a secret", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const keys = yield* sql<{ table: string; columns: ReadonlyArray<string> }>`
        SELECT conrelid::regclass::text AS "table", array_agg(attname::text ORDER BY array_position(conkey, attnum)) AS columns
        FROM pg_constraint JOIN pg_attribute ON attrelid = conrelid AND attnum = ANY (conkey)
        WHERE contype = 'p' AND connamespace = 'public'::regnamespace GROUP BY conrelid`
      const columns = yield* sql<{ name: string; type: string }>`
        SELECT c.relname || '.' || attname AS name, format_type(atttypid, NULL) AS type
        FROM pg_attribute JOIN pg_class c ON c.oid = attrelid
        WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition AND attnum > 0 AND NOT attisdropped`
      const typeOf = new Map(columns.map(({ name, type }) => [name, type]))
      for (const { binds, column, form, key, table } of sealedColumns) {
        const type = form === "bytea" ? "bytea" : form === "base64" || form.text === true ? "text" : "jsonb"
        assert.strictEqual(typeOf.get(`${table}.${column}`), type, `${table}.${column}`)
        assert.deepStrictEqual(keys.find((k) => k.table === table)?.columns, [...key], table)
        for (const bound of binds) assert.isTrue(typeOf.has(`${table}.${bound}`), `${table}.${bound}`)
      }
      const sealedNames = sealedColumns.map(({ column, table }) => `${table}.${column}`)
      const unlisted = columns.filter(
        ({ name, type }) => type === "bytea" && !unsealedColumns.test(name) && !sealedNames.includes(name)
      )
      assert.deepStrictEqual(
        unlisted.map(({ name }) => name),
        []
      )
    })
  )
})
