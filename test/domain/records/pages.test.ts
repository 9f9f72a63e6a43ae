// developer-api.md 1.4, 4.2, 4.4: drawn pages are what a plain model of the records makes of them, to the byte: with and without indexes, for
// callers with and without rights. Their records are those that are read one by one, which recordTexts.test.ts compares with the schema.
import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import fc from "fast-check"
import { buildFieldIndexes } from "../../../src/domain/records/listing/buildFieldIndexes.ts"
import { buildPairIndexes } from "../../../src/domain/records/listing/buildPairIndexes.ts"
import { LargeApp } from "../../../src/domain/records/listing/fieldIndexes.ts"
import { App, appLayer, seedUser } from "../../support/app.ts"
import { as, createApp, field, seedWorkspace } from "../../support/records.ts"
import { DEPTH, seedOf } from "../../support/seed.ts"

const SIZE = 90
const PAGES = 120 * DEPTH
const seed = seedOf("pages")

/** A record as it was drawn: what filters and sorts compare. */
interface Drawn {
  readonly name: string | null
  readonly weight: number | null
  readonly kind: number | null
  readonly keeper: boolean
}

const drawnRecord: fc.Arbitrary<Drawn> = fc.record({
  name: fc.option(fc.string({ unit: fc.constantFrom("a", "b", "c"), minLength: 1, maxLength: 3 })),
  weight: fc.option(fc.integer({ min: 0, max: 5 })),
  kind: fc.option(fc.nat({ max: 2 })),
  keeper: fc.boolean()
})

const condition = fc.oneof(
  fc.record({
    on: fc.constant("weight" as const),
    how: fc.constantFrom("equal", "larger", "smaller_or_equal"),
    value: fc.integer({ min: 0, max: 6 })
  }),
  fc.record({
    on: fc.constant("kind" as const),
    how: fc.constantFrom("equal", "not_equal"),
    value: fc.nat({ max: 2 })
  }),
  fc.record({
    on: fc.constant("name" as const),
    how: fc.constantFrom("equal", "contains"),
    value: fc.constantFrom("a", "b", "ab", "cc")
  })
)
type Condition = typeof condition extends fc.Arbitrary<infer A> ? A : never

const query = fc.record({
  conditions: fc.array(condition, { maxLength: 2 }),
  sort: fc.option(fc.record({ by: fc.constantFrom("name", "weight"), desc: fc.boolean() })),
  limit: fc.constantFrom(1, 7, 30, 100),
  offset: fc.constantFrom(0, 0, 0, 5, 60),
  fields: fc.option(fc.subarray(["name", "weight", "kind", "keeper"], { minLength: 1 })),
  total: fc.constantFrom("exact", "none"),
  by: fc.constantFrom("owner", "owner", "admin", "stranger")
})

/** Listings that an index of a pair serves. */
const pairQuery: typeof query = fc
  .record({
    page: query,
    condition: condition.filter(({ how, on }) => how === "equal" && on !== "name"),
    desc: fc.boolean(),
    by: fc.constantFrom("name", "weight")
  })
  .map(({ by, condition, desc, page }) => ({ ...page, conditions: [condition], sort: { by, desc } }))

const passes = (record: Drawn, { how, on, value }: Condition) => {
  const fieldValue = record[on]
  if (how === "not_equal") return fieldValue !== value
  if (fieldValue === null) return false
  if (how === "equal") return fieldValue === value
  if (how === "contains") return String(fieldValue).includes(String(value))
  return how === "larger" ? Number(fieldValue) > Number(value) : Number(fieldValue) <= Number(value)
}

/** Empty values last, ties by id; newest first unless sorted. */
const ordered = (
  sort: { readonly by: string; readonly desc: boolean } | null,
  ids: ReadonlyArray<number>,
  of: ReadonlyMap<number, Drawn>
) => {
  if (sort === null) return [...ids].sort((a, b) => b - a)
  const keyOf = (id: number) => of.get(id)![sort.by as "name" | "weight"]
  const way = sort.desc ? -1 : 1
  return [...ids].sort((a, b) => {
    const [x, y] = [keyOf(a), keyOf(b)]
    if (x === y) return a - b
    if (x === null || y === null) return x === null ? 1 : -1
    return x < y ? -way : way
  })
}

const world = appLayer({ RATE_BUDGET: "10000000" }).pipe(Layer.provide(Layer.succeed(LargeApp, SIZE / 3)))

layer(world, { excludeTestServices: true, timeout: "2 minutes" })("developer-api.md 4.2: drawn pages", (it) => {
  it.effect("are those of a plain model, before and after their fields are indexed", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { call: request } = yield* App
      const { orgId, owner, workspaceId } = yield* seedWorkspace
      const admin = yield* seedUser(orgId, "admin")
      const stranger = (yield* seedWorkspace).owner
      const call = as(owner)
      const options = ["x", "y", "z"].map((text) => ({ text, color: "gray" }))
      const app = yield* createApp(owner, workspaceId, [
        field("single_text", "Name"),
        field("number", "Weight"),
        field("single_category", "Kind", { options }),
        field("single_user", "Keeper")
      ])
      const fieldsBySlug = Object.fromEntries(app.fields.map((one: any) => [one.slug, one])) as Record<string, any>
      const optionIds: ReadonlyArray<number> = fieldsBySlug["kind"].config.settings.options.map(({ id }: any) => id)
      const recordsById = new Map<number, Drawn>()
      for (let madeCount = 0; madeCount < SIZE; madeCount += 30) {
        const drawn = fc.sample(drawnRecord, { numRuns: 30, seed: seed + madeCount })
        const { json, status, text } = yield* call("POST", `/v1/record/app/batch/${app.app_id}`, {
          inputs: drawn.map(({ keeper, kind, name, weight }) => ({
            fields: { name, weight, kind: kind === null ? null : optionIds[kind], keeper: keeper ? admin.userId : null }
          }))
        })
        assert.strictEqual(status, 200, text)
        for (const [at, record] of json.records.entries()) recordsById.set(record.record_id, drawn[at]!)
      }
      const trashed = [...recordsById.keys()].filter((_, at) => at % 11 === 0)
      for (const id of trashed) {
        yield* call("DELETE", `/v1/record/${id}`)
        recordsById.delete(id)
      }
      const [changed] = recordsById.keys()
      yield* as(admin)("PUT", `/v1/record/${changed}`, { fields: { keeper: owner.userId } })

      const texts = new Map<string, string>()
      /** Text of a record that is read alone. */
      const readOne = Effect.fnUntraced(function* (id: number, fields: string) {
        const path = `/v1/record/${id}${fields === "" ? "" : `?${fields}`}`
        const text = texts.get(path) ?? (yield* call("GET", path)).text
        texts.set(path, text)
        return text
      })
      let full = 0
      let later = 0
      const compare = Effect.fnUntraced(function* (drawnSeed: number, drawnFrom: typeof query = query) {
        for (const drawnQuery of fc.sample(drawnFrom, { numRuns: PAGES, seed: drawnSeed })) {
          const person = { admin, owner, stranger }[drawnQuery.by as "admin" | "owner" | "stranger"]
          const filters = drawnQuery.conditions.map(({ how, on, value }) => ({
            field_id: fieldsBySlug[on].field_id,
            type: fieldsBySlug[on].type,
            match_type: how,
            values: [{ value: on === "kind" ? optionIds[value as number] : value }]
          }))
          const fields = drawnQuery.fields === null ? "" : `fields=${drawnQuery.fields.join(",")}`
          const path = `/v1/record/filter/app/${app.app_id}?${[
            `limit=${drawnQuery.limit}`,
            ...(drawnQuery.offset === 0 ? [] : [`offset=${drawnQuery.offset}`]),
            ...(drawnQuery.sort === null ? [] : [`sort_by=${drawnQuery.sort.by}&sort_desc=${drawnQuery.sort.desc}`]),
            ...(fields === "" ? [] : [fields]),
            `total=${drawnQuery.total}`
          ].join("&")}`
          const send = (cursor: string) => request("POST", path + cursor, { token: person.key, body: { filters } })
          if (drawnQuery.by === "stranger") {
            assert.strictEqual((yield* send("")).status, 404)
            continue
          }
          const matching = [...recordsById].filter(([, record]) =>
            drawnQuery.conditions.every((each) => passes(record, each))
          )
          const ids = ordered(
            drawnQuery.sort,
            matching.map(([id]) => id),
            recordsById
          )
          const total = drawnQuery.total === "none" ? null : ids.length
          let [cursor, from] = ["", drawnQuery.offset]
          for (let page = 0; page < 2; page++) {
            const { headers, json, status, text } = yield* send(cursor)
            assert.strictEqual(status, 200, text)
            assert.strictEqual(headers.get("content-type"), "application/json")
            const pageIds = ids.slice(from, from + drawnQuery.limit)
            const records = yield* Effect.forEach(pageIds, (id) => readOne(id, fields))
            const hasMore = ids.length > from + drawnQuery.limit
            const next = hasMore ? JSON.stringify(json.cursor) : "null"
            assert.strictEqual(text, `{"total":${total},"cursor":${next},"records":[${records.join(",")}]}`, path)
            if (pageIds.length > 0) full++
            if (!hasMore) break
            // A cursor goes on behind the page; its own offset begins there.
            cursor = `&cursor=${encodeURIComponent(json.cursor)}`
            from += drawnQuery.limit + drawnQuery.offset
            later++
          }
        }
      })
      yield* compare(seed)
      assert.isAbove((yield* buildFieldIndexes).records_indexed, 0)
      yield* sql`UPDATE apps SET version = version + 1 WHERE app_id = ${app.app_id}`
      yield* compare(seed + 1)
      yield* sql`
        INSERT INTO pair_indexes (app_id, filter_id, sort_id, requests, counted_from, often_on)
        SELECT f.app_id, f.field_id, s.field_id, 100, now(), now() FROM field_indexes f JOIN field_indexes s USING (app_id)
        WHERE f.app_id = ${app.app_id} AND f.kind IN ('number', 'refs') AND s.kind IN ('number', 'text') AND f.field_id <> s.field_id`
      assert.strictEqual((yield* buildPairIndexes).pairs_indexed, 3 * SIZE)
      yield* sql`UPDATE apps SET version = version + 1 WHERE app_id = ${app.app_id}`
      yield* compare(seed + 2, pairQuery)
      assert.isAbove(full, PAGES)
      assert.isAbove(later, PAGES / 4)
    })
  )
})
