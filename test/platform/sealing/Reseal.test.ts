// decisions P11: everything under the newest key, in batches, beside whoever writes; broken off and begun again.
import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { sealedColumns } from "../../../src/interfaces/cli/sealedColumns.ts"
import { type KeyRing, newKey, readRing } from "../../../src/platform/config/KeyRing.ts"
import { enter, leave, needed } from "../../../src/platform/sealing/KeyRegister.ts"
import { count, reseal } from "../../../src/platform/sealing/Reseal.ts"
import type { SealedColumn } from "../../../src/platform/sealing/SealedColumn.ts"
import { makeRing, Secrets } from "../../../src/platform/sealing/Secrets.ts"
import { asOwner, layerDatabase } from "../../support/database.ts"

const [a, b, c] = [newKey(), newKey(), newKey()]
const ring = (...texts: ReadonlyArray<string>) => makeRing(readRing(texts.join(",")) as KeyRing)
const idOf = (text: string) => ring(text).ring[0].id

const makeSealedColumn = (column: string, form: SealedColumn["form"]) =>
  ({
    ...{ table: "sealed_test", key: ["org", "name"], column, form, binds: ["org"] },
    contextOf: ({ org }) => `sealed_test/${org}/${column}` as never
  }) as SealedColumn

const columns = [
  makeSealedColumn("bytes", "bytea"),
  makeSealedColumn("text", "base64"),
  makeSealedColumn("list", { each: (list: Array<string>, replace) => list.map(replace) })
]

const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString("base64")

const fill = Effect.fnUntraced(function* (secrets: Secrets["Service"], org: number, rows: number) {
  const sql = yield* SqlClient.SqlClient
  const seal = (plain: string, at: number) => secrets.encrypt(plain, columns[at]!.contextOf({ org }))
  const row = (i: number) =>
    sql`INSERT INTO sealed_test (org, name, bytes, text, list) VALUES (${org}, ${`row ${i}`}, ${seal(`b${i}`, 0)},
      ${base64(seal(`t${i}`, 1))}, ${JSON.stringify([base64(seal(`l${i}`, 2)), base64(seal(`m${i}`, 2))])}::jsonb)`
  yield* sql.withTransaction(
    Effect.forEach(
      Array.from({ length: rows }, (_, i) => i),
      row,
      { discard: true }
    )
  )
})

const totals = (of: ReadonlyArray<SealedColumn> = columns) =>
  Effect.map(count(of, "unmarked"), (counts) => counts.map(({ values }) => Object.fromEntries(values)))

layer(
  Layer.effectDiscard(
    asOwner(
      Effect.flatMap(
        SqlClient.SqlClient,
        (sql) =>
          sql`CREATE TABLE sealed_test (org bigint, name text, bytes bytea, text text, list jsonb, PRIMARY KEY (org, name))`
      )
    )
  ).pipe(Layer.provideMerge(layerDatabase)),
  { excludeTestServices: true }
)("decisions P11: re-encrypting", (it) => {
  it.effect("counts by id, rewrites in pages whatever the form, goes on where it was broken off", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const old = ring(a)
      const both = ring(b, a)
      yield* fill(old, 1, 600)
      yield* fill(both, 2, 3)
      yield* sql`INSERT INTO sealed_test (org, name) VALUES (3, 'holds nothing')`
      assert.deepStrictEqual(yield* totals(), [
        { [idOf(a)]: 600, [idOf(b)]: 3 },
        { [idOf(a)]: 600, [idOf(b)]: 3 },
        { [idOf(a)]: 1200, [idOf(b)]: 6 }
      ])
      const rewrittenCounts: Array<number> = []
      const resealOnce = reseal(columns, ({ rewritten }) =>
        Effect.suspend(() => (rewrittenCounts.push(rewritten) === 1 ? Effect.die("broken off") : Effect.void))
      ).pipe(Effect.provideService(Secrets, both))
      yield* Effect.exit(resealOnce)
      assert.deepStrictEqual((yield* totals())[0], { [idOf(a)]: 100, [idOf(b)]: 503 })
      const resealedColumns = yield* resealOnce
      assert.deepStrictEqual(
        resealedColumns.map(({ overtaken, rewritten, unreadable }) => [rewritten, overtaken, unreadable]),
        [
          [100, 0, 0],
          [600, 0, 0],
          [600, 0, 0]
        ]
      )
      assert.deepStrictEqual(yield* totals(), [{ [idOf(b)]: 603 }, { [idOf(b)]: 603 }, { [idOf(b)]: 1206 }])

      const newRing = ring(b)
      const [row] = yield* sql<{ bytes: Uint8Array; text: string; list: ReadonlyArray<string> }>`
        SELECT bytes, text, list FROM sealed_test WHERE name = 'row 599'`
      const decryptAt = (sealed: Uint8Array, at: number) => newRing.decrypt(sealed, columns[at]!.contextOf({ org: 1 }))
      assert.strictEqual(yield* decryptAt(row!.bytes, 0), "b599")
      assert.strictEqual(yield* decryptAt(Buffer.from(row!.text, "base64"), 1), "t599")
      assert.strictEqual(yield* decryptAt(Buffer.from(row!.list[1]!, "base64"), 2), "m599")
      yield* sql`DELETE FROM sealed_test`
    })
  )

  it.effect("who changes a value meanwhile wins; what no key opens stays and is counted", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const both = ring(b, a)
      yield* fill(ring(a), 1, 2)
      yield* fill(ring(c), 2, 1)
      const [bytes] = columns
      const theirs = both.encrypt("changed", bytes!.contextOf({ org: 1 }))
      // Another writes while the value is read and encrypted.
      const racing = makeRace(both, sql`UPDATE sealed_test SET bytes = ${theirs} WHERE org = 1 AND name = 'row 1'`)
      const [done] = yield* reseal([bytes!], () => Effect.void).pipe(Effect.provideService(Secrets, racing))
      assert.deepStrictEqual([done!.rewritten, done!.overtaken, done!.unreadable], [1, 1, 1])
      const [row] = yield* sql<{ bytes: Uint8Array }>`SELECT bytes FROM sealed_test WHERE org = 1 AND name = 'row 1'`
      assert.strictEqual(yield* both.decrypt(row!.bytes, bytes!.contextOf({ org: 1 })), "changed")
      assert.deepStrictEqual(yield* totals([bytes!]), [{ [idOf(b)]: 2, [idOf(c)]: 1 }])
      const narrow = { ...bytes!, where: "org <> 2" }
      assert.deepStrictEqual(yield* totals([narrow]), [{ [idOf(b)]: 2 }])
      yield* sql`DELETE FROM sealed_test`
    })
  )

  it.effect("the modules' own places are counted and rewritten on an empty installation", () =>
    Effect.gen(function* () {
      assert.isTrue((yield* totals(sealedColumns)).every((values) => Object.keys(values).length === 0))
      const resealedColumns = yield* reseal(sealedColumns, () => Effect.void).pipe(
        Effect.provideService(Secrets, ring(a))
      )
      assert.strictEqual(resealedColumns.length, sealedColumns.length)
    })
  )

  it.effect("the register keeps every key that ever encrypted, until it is retired", () =>
    Effect.gen(function* () {
      const ids = Effect.map(needed, ({ needed }) => needed.map(({ id }) => id).toSorted())
      yield* enter(ring(a).ring)
      yield* enter(ring(a, b).ring)
      assert.deepStrictEqual(yield* ids, [idOf(a)])
      yield* enter(ring(b, a).ring)
      assert.deepStrictEqual(yield* ids, [idOf(a), idOf(b)].toSorted())
      const refusal = yield* Effect.flip(enter(ring(b).ring))
      assert.strictEqual(refusal._tag, "KeyMismatch")
      assert.include(refusal.message, idOf(a))
      assert.notInclude(refusal.message, idOf(b))
      for (const key of [a, b]) assert.notInclude(refusal.message, key.slice(0, 8))
      yield* leave(ring(a).ring[0].fingerprint, ring(b, a).ring)
      yield* enter(ring(b).ring)
      assert.deepStrictEqual((yield* needed).unmarked, idOf(b))
      assert.strictEqual((yield* Effect.flip(enter(ring(a).ring)))._tag, "KeyMismatch")
    })
  )
})

/** Secrets that let `meanwhile` happen between the first read and its write. */
const makeRace = (secrets: Secrets["Service"], meanwhile: Effect.Effect<unknown, unknown>): Secrets["Service"] => {
  let raced = false
  return {
    ...secrets,
    decrypt: (sealed, context) =>
      Effect.suspend(() => {
        const isFirst = !raced
        raced = true
        return isFirst
          ? Effect.andThen(Effect.orDie(meanwhile), secrets.decrypt(sealed, context))
          : secrets.decrypt(sealed, context)
      })
  }
}
