// Judged records are read a page at a time, until their app's share is full (decisions A6; developer-api.md 7.6 "Collections").
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { filterByPage } from "../../../../src/domain/automations/actions/shared/filterByPage.ts"

const rowsOf = (count: number, app: (n: number) => number = () => 1) =>
  Array.from({ length: count }, (_, n) => ({ record_id: n + 1, app_id: app(n + 1) }))

const collect = Effect.fnUntraced(function* (
  rows: ReturnType<typeof rowsOf>,
  matches: (id: number) => boolean,
  byApp = new Map<number, Set<number>>()
) {
  const pages: Array<number> = []
  yield* filterByPage(rows, byApp, 1_000, (page) => {
    pages.push(page.length)
    return Effect.succeed(page.filter(matches))
  })
  return { pages, found: Object.fromEntries([...byApp].map(([app, ids]) => [app, [...ids]])) }
})

describe("related records that are judged (7.6, A6)", () => {
  it.effect("are looked for to the last, 500 at once", () =>
    Effect.gen(function* () {
      const { found, pages } = yield* collect(rowsOf(3_000), (id) => id > 2_990)
      assert.deepStrictEqual(pages, Array(6).fill(500))
      assert.deepStrictEqual(found[1], [2991, 2992, 2993, 2994, 2995, 2996, 2997, 2998, 2999, 3000])
    })
  )

  it.effect("of an app that has its thousand are read no more, those of others are", () =>
    Effect.gen(function* () {
      const rows = rowsOf(10_000, (n) => (n > 9_000 ? 2 : 1))
      const { found, pages } = yield* collect(rows, (id) => id % 2 === 0)
      assert.deepStrictEqual(pages, [500, 500, 500, 500, 500, 500])
      assert.deepStrictEqual(found[1]?.slice(-1), [2_000])
      assert.deepStrictEqual([found[1]?.length, found[2]?.length], [1_000, 500])
    })
  )

  it.effect("join what an earlier definition has found, none of them twice", () =>
    Effect.gen(function* () {
      const earlier = new Map([[1, new Set([2, 900])]])
      const { found } = yield* collect(rowsOf(4), () => true, earlier)
      assert.deepStrictEqual(found[1], [2, 900, 1, 3, 4])
    })
  )

  it.effect("make no collection of an app of which none stays", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual((yield* collect(rowsOf(3), () => false)).found, {})
      assert.deepStrictEqual((yield* collect([], () => true)).found, {})
    })
  )
})
