// A large app whose fields take every kind of key, what listings of it give, and which keys its records should have: for the tests of
// indexes (developer-api.md 4.2, 4.4).
import { assert } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { IndexMemory, LargeApp } from "../../src/domain/records/listing/fieldIndexes.ts"
import { appLayer } from "./app.ts"
import { as, createApp, field, seedWorkspace } from "./records.ts"

/** Records of an app that counts as large here: several batches of an index that is built. Every 23rd lies in the trash. */
export const SIZE = 2_300
const LIVE = SIZE - SIZE / 23

const options = (...texts: ReadonlyArray<string>) => ({ options: texts.map((text) => ({ text, color: "gray" })) })

/** A large app, in which each field is empty here and there and has equal values, and some records lie in the trash. */
export const large = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const { orgId, owner, workspaceId } = yield* seedWorkspace
  const app = yield* createApp(owner, workspaceId, [
    field("single_text", "Name"),
    field("number", "Weight", { decimals: 2 }),
    field("single_date", "Due"),
    field("range_date", "Stay"),
    field("single_category", "Kind", options("crate", "barrel", "sack")),
    field("multi_category", "Marks", options("wet", "heavy", "late")),
    field("single_user", "Owner")
  ])
  const fieldsBySlug = Object.fromEntries(app.fields.map((one: any) => [one.slug, one])) as Record<string, any>
  const id = (slug: string) => String(fieldsBySlug[slug].field_id)
  const optionIds = (slug: string) =>
    fieldsBySlug[slug].config.settings.options.map((option: any) => option.id) as Array<number>
  const some = (slug: string, every: number, value: string) =>
    `CASE WHEN n % ${every} = 0 THEN '{}'::jsonb ELSE jsonb_build_object('${id(slug)}', ${value}) END`
  const pick = (ids: ReadonlyArray<number>, by: string) => `(ARRAY[${ids.join(",")}])[1 + (${by}) % ${ids.length}]`
  const [kinds, marks] = [optionIds("kind"), optionIds("marks")]
  const day = (by: string) => `to_char(date '2026-01-01' + (${by})::int, 'YYYY-MM-DD')`
  const cells = [
    some(
      "name",
      7,
      `jsonb_build_array((ARRAY['Tern ','gull','GULL  of  the north','éider','Eider'])[1 + n % 5] || (n % 300))`
    ),
    some("weight", 11, "jsonb_build_array((n * 7919 % 1000) / 4.0)"),
    some(
      "due",
      13,
      `jsonb_build_array(jsonb_build_object('start', ${day("n % 90")} || CASE WHEN n % 2 = 0 THEN ' 10:30:00' ELSE '' END))`
    ),
    some("stay", 5, `jsonb_build_array(jsonb_build_object('start', ${day("n % 50")}, 'end', ${day("n % 50 + 9")}))`),
    some("kind", 17, `jsonb_build_array(${pick(kinds, "n")})`),
    some("marks", 4, `jsonb_build_array(${pick(marks, "n")}, ${pick(marks, "n + 1")})`),
    some("owner", 19, `jsonb_build_array(${owner.userId})`)
  ].join(" || ")
  yield* sql.unsafe(`
    INSERT INTO records (app_id, org_id, app_record_id, title, cells, created_on, created_by, deleted_on)
    SELECT ${app.app_id}, ${orgId}, n, 'Record ' || n, ${cells}, now(), '{"type":"user","user_id":${owner.userId}}',
      CASE WHEN n % 23 = 0 THEN now() END
    FROM generate_series(1, ${SIZE}) AS n`)
  yield* sql`UPDATE app_counters SET last_app_record_id = ${SIZE} WHERE app_id = ${app.app_id}`
  const call = as(owner)
  const filter = (slug: string, match_type: string, ...values: ReadonlyArray<unknown>) => ({
    field_id: fieldsBySlug[slug].field_id,
    type: fieldsBySlug[slug].type,
    match_type,
    values: values.map((value) => ({ value }))
  })
  /** Ids and totals of two pages. */
  const listPages = Effect.fnUntraced(function* (filters: ReadonlyArray<object>, sort = "", limit = 40) {
    const listedPages: Array<readonly [number, ReadonlyArray<number>]> = []
    let cursor = ""
    for (let page = 0; page < 2; page++) {
      const path = `/v1/record/filter/app/${app.app_id}?limit=${limit}${sort}${cursor}`
      const { json, status, text } = yield* call("POST", path, { filters })
      assert.strictEqual(status, 200, text)
      listedPages.push([json.total, json.records.map(({ record_id }: any) => record_id)])
      if (json.cursor === null) break
      cursor = `&cursor=${encodeURIComponent(json.cursor)}`
    }
    return listedPages
  })
  /** Pages far behind the first one: among keys, and into the records whose field is empty. */
  const farBehind = Effect.fnUntraced(function* (sort: string) {
    const path = `/v1/record/filter/app/${app.app_id}?limit=40${sort}`
    const { json: first } = yield* call("POST", path, { filters: [] })
    const farPath = `${path}&cursor=${encodeURIComponent(first.cursor)}&offset=`
    const pages = yield* Effect.forEach([0.6 * SIZE, LIVE - 70], (offset) =>
      call("POST", farPath + offset, { filters: [] })
    )
    return pages.map(({ json }) => json.records.map(({ record_id }: any) => record_id))
  })
  const offset_amount = Math.round((Date.now() - Date.parse("2026-02-10")) / 86_400_000)
  const filterSets = [
    [filter("weight", "equal", 12.5)],
    [filter("weight", "larger_or_equal", 100)],
    [filter("weight", "smaller", 3), filter("kind", "equal", kinds[0])],
    [filter("name", "equal", "gull16")],
    [filter("name", "starts_with", "GULL")],
    [filter("name", "starts_with", "éi")],
    [filter("name", "contains", "north1")],
    [filter("name", "not_contains", "north")],
    [filter("kind", "equal", kinds[1])],
    [filter("kind", "not_equal", kinds[1])],
    [filter("kind", "empty")],
    [filter("kind", "any", kinds[0], kinds[2])],
    [filter("marks", "contains", marks[0], marks[1])],
    [filter("marks", "equal", marks[0], marks[1])],
    [filter("owner", "equal", owner.userId)],
    [{ ...filter("due", "equal", "2026-02-10"), relative_date_type: "exact_date" }],
    [{ ...filter("due", "after", "2026-03-20"), relative_date_type: "exact_date" }],
    // Days of a zone, which begin and end within days of UTC.
    ...["Pacific/Kiritimati", "Pacific/Pago_Pago"].flatMap((timezone) =>
      ["equal", "before", "on_or_after"].map((match) => [
        { ...filter("due", match, { offset_amount }), relative_date_type: "num_days_before", timezone }
      ])
    )
  ]
  const sorts = ["name", "weight", "due", "stay"].flatMap((slug) => [
    `&sort_by=${slug}`,
    `&sort_by=${slug}&sort_desc=true`
  ])
  /** All of it, as text. */
  const everything = Effect.gen(function* () {
    const answersByQuery: Record<string, string> = {}
    for (const filters of filterSets) {
      for (const sort of ["", "&offset=30", "&sort_by=weight", "&sort_by=weight&offset=30"])
        answersByQuery[JSON.stringify(filters) + sort] = JSON.stringify(yield* listPages(filters, sort))
    }
    for (const sort of sorts) {
      for (const from of ["", `&offset=${SIZE / 2}`, `&offset=${LIVE - 100}`])
        answersByQuery[sort + from] = JSON.stringify(yield* listPages([], sort + from))
      if (/weight|stay/.test(sort)) answersByQuery[`${sort}, far behind`] = JSON.stringify(yield* farBehind(sort))
      // Into the records whose field is empty.
      answersByQuery[`${sort}, to the end`] = JSON.stringify(
        yield* listPages([filter("weight", "smaller", 5)], sort, 400)
      )
    }
    return answersByQuery
  })
  const indexes = sql<{ field_id: number; kind: string; ready: boolean }>`
    SELECT field_id, kind, ready_on IS NOT NULL AS ready FROM field_indexes WHERE app_id = ${app.app_id} ORDER BY field_id`
  /** Keys that the records do not have, and those that are missing. */
  const wrong = sql`
    WITH right_ones AS (
      SELECT f.field_id, r.record_id, k.* FROM field_indexes f JOIN records r USING (app_id)
      CROSS JOIN LATERAL record_key_rows(f.kind, r.cells->(f.field_id::text)) AS k
      WHERE f.app_id = ${app.app_id} AND r.deleted_on IS NULL
    ), kept AS (
      SELECT k.* FROM record_keys k JOIN field_indexes f USING (field_id) WHERE f.app_id = ${app.app_id}
    )
    (SELECT 'extra' AS what, * FROM (SELECT * FROM kept EXCEPT SELECT * FROM right_ones) AS e LIMIT 3)
    UNION ALL (SELECT 'missing', * FROM (SELECT * FROM right_ones EXCEPT SELECT * FROM kept) AS m LIMIT 3)`
  /** Reads as if no index were there. */
  const unready = sql`UPDATE field_indexes SET ready_on = NULL WHERE app_id = ${app.app_id}`
  const setReady = sql`UPDATE field_indexes SET ready_on = now() WHERE app_id = ${app.app_id}`
  return {
    app,
    call,
    everything,
    filter,
    id,
    indexes,
    kinds,
    listed: listPages,
    marks,
    orgId,
    owner,
    ready: setReady,
    sql,
    unready,
    wrong
  }
})

/** The service, to which the app is large, and which reads each time what indexes there are. */
export const world = appLayer({ RATE_BUDGET: "10000000" }).pipe(
  Layer.provide([Layer.succeed(LargeApp, SIZE / 2), Layer.succeed(IndexMemory, 0)])
)
