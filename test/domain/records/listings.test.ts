// developer-api.md 1.4, 4.2: pages of records, sorted, filtered, of views and of the trash.
import { assert, describe, layer } from "@effect/vitest"
import { Duration, Effect } from "effect"
import { TestClock } from "effect/testing"
import { appLayer, type Reply, seedUser } from "../../support/app.ts"
import { as, createApp, field, seedWorkspace } from "../../support/records.ts"

describe("records", () => {
  layer(appLayer(), { excludeTestServices: true })("developer-api.md 4.2: listings", (it) => {
    const setup = Effect.gen(function* () {
      const { owner, workspaceId, orgId } = yield* seedWorkspace
      const app = yield* createApp(owner, workspaceId, [
        field("single_text", "Name"),
        field("number", "Size", { decimals: 2 }),
        field("single_category", "Kind", { options: [{ text: "zeta" }, { text: "alpha" }] }),
        field("single_date", "Due", { time: "enabled" }),
        field("single_user", "Who"),
        field("multi_email", "Mail"),
        field("unique_id", "Number"),
        field("created_at", "Made")
      ])
      const call = as(owner)
      const add = Effect.fnUntraced(function* (inputs: ReadonlyArray<object>) {
        const reply = yield* call("POST", `/v1/record/app/batch/${app.app_id}`, {
          inputs: inputs.map((fields) => ({ fields }))
        })
        if (reply.status !== 200) return yield* Effect.die(new Error(reply.text))
        return reply.json.records.map((record: any) => record.record_id) as ReadonlyArray<number>
      })
      return { owner, orgId, workspaceId, app, call, add, path: `/v1/record/app/${app.app_id}` }
    })
    const idsOf = (reply: { json: any }) => reply.json.records.map((record: any) => record.record_id)

    /** All pages, at most 50. */
    const walk = Effect.fnUntraced(function* (call: ReturnType<typeof as>, path: string, limit: number) {
      const ids: Array<number> = []
      const totals = new Set<number>()
      let cursor: string | null = null
      for (let page = 0; page < 50; page++) {
        const query: string = `${path}${path.includes("?") ? "&" : "?"}limit=${limit}`
        const reply: Reply = yield* call(
          "GET",
          cursor === null ? query : `${query}&cursor=${encodeURIComponent(cursor)}`
        )
        assert.strictEqual(reply.status, 200, reply.text)
        ids.push(...idsOf(reply))
        totals.add(reply.json.total)
        cursor = reply.json.cursor
        if (cursor === null) return { ids, totals: [...totals] }
        assert.strictEqual(reply.json.records.length, limit)
      }
      return yield* Effect.die(new Error("too many pages"))
    })

    it.effect("1.4: newest first, 50 a page; the last page has no cursor; limit=0 gives the total only", () =>
      Effect.gen(function* () {
        const { add, call, path } = yield* setup
        const ids = [
          ...(yield* add(Array.from({ length: 40 }, (_, i) => ({ name: `a${i}` })))),
          ...(yield* add(Array.from({ length: 15 }, () => ({}))))
        ]
        const firstPage = yield* call("GET", path)
        assert.deepStrictEqual(Object.keys(firstPage.json), ["total", "cursor", "records"])
        assert.deepStrictEqual(idsOf(firstPage), ids.toReversed().slice(0, 50))
        assert.strictEqual(firstPage.json.total, 55)
        const secondPage = yield* call("GET", `${path}?cursor=${firstPage.json.cursor}`)
        assert.deepStrictEqual(idsOf(secondPage), ids.toReversed().slice(50))
        assert.isNull(secondPage.json.cursor)
        assert.deepStrictEqual((yield* call("GET", `${path}?limit=0`)).json, { total: 55, cursor: null, records: [] })
        assert.strictEqual(idsOf(yield* call("GET", `${path}?limit=500`)).length, 55)
        const exact = yield* call("GET", `${path}?limit=55`)
        assert.isNull(exact.json.cursor)
      })
    )

    it.effect("1.4: a limit out of range is a 400 validation, one that is no integer a 400 invalid_request_url", () =>
      Effect.gen(function* () {
        const { call, path } = yield* setup
        for (const limit of ["501", "-1"]) {
          const reply = yield* call("GET", `${path}?limit=${limit}`)
          assert.deepStrictEqual([reply.status, reply.json.error_code], [400, "validation"])
          assert.include(reply.json.error_message, "limit")
        }
        const reply = yield* call("GET", `${path}?limit=many`)
        assert.deepStrictEqual([reply.status, reply.json.error_code], [400, "invalid_request_url"])
      })
    )

    it.effect("1.4: total is frozen, and records that come later neither shift nor repeat a page", () =>
      Effect.gen(function* () {
        const { add, call, path } = yield* setup
        const ids = yield* add([{}, {}, {}, {}])
        const firstPage = yield* call("GET", `${path}?limit=2`)
        yield* add([{}, {}])
        const second = yield* call("GET", `${path}?limit=2&cursor=${firstPage.json.cursor}`)
        assert.deepStrictEqual([...idsOf(firstPage), ...idsOf(second)], ids.toReversed())
        assert.strictEqual(second.json.total, 4)
      })
    )

    it.effect("an offset leaves out so many, of any order, before or behind a cursor; none of it is counted anew", () =>
      Effect.gen(function* () {
        const { add, app, call, path } = yield* setup
        const ids = yield* add(Array.from({ length: 30 }, (_, i) => ({ name: `a${i % 10}`, size: i % 7 })))
        for (const query of ["", "sort_by=size", "sort_by=size&sort_desc=true", "sort_by=name"]) {
          const allIds = idsOf(yield* call("GET", `${path}?limit=30&${query}`))
          const firstPage = (yield* call("GET", `${path}?limit=5&${query}`)).json
          const latePage = (yield* call("GET", `${path}?limit=5&offset=20&${query}`)).json
          assert.deepStrictEqual(idsOf({ json: latePage }), allIds.slice(20, 25), query)
          const afterCursor = yield* call("GET", `${path}?limit=5&offset=10&${query}&cursor=${firstPage.cursor}`)
          assert.deepStrictEqual(idsOf(afterCursor), allIds.slice(15, 20), query)
          // From the end, where that is nearer.
          for (const offset of [17, 23, 24, 25, 40]) {
            const far = yield* call("GET", `${path}?limit=5&offset=${offset}&${query}&cursor=${firstPage.cursor}`)
            assert.deepStrictEqual(idsOf(far), allIds.slice(offset + 5, offset + 10), `${query} ${offset}`)
          }
          const next = yield* call("GET", `${path}?limit=5&${query}&cursor=${latePage.cursor}`)
          assert.deepStrictEqual(idsOf(next), allIds.slice(25, 30), query)
          assert.deepStrictEqual([latePage.total, afterCursor.json.total, next.json.total], [30, 30, 30])
        }
        const filters = { filters: [{ field_id: app.fields[1].field_id, type: "number", match_type: "empty" }] }
        assert.deepStrictEqual((yield* call("POST", `/v1/record/filter/app/${app.app_id}?offset=3`, filters)).json, {
          total: 0,
          cursor: null,
          records: []
        })
        const beyond = (yield* call("GET", `${path}?offset=${ids.length}`)).json
        assert.deepStrictEqual(beyond, { total: 30, cursor: null, records: [] })
        const refusal = yield* call("GET", `${path}?offset=-1`)
        assert.deepStrictEqual([refusal.status, refusal.json.error_code], [400, "validation"])
      })
    )

    it.effect("a title narrows listings, filters and views to records whose title contains it, page by page", () =>
      Effect.gen(function* () {
        const { add, app, call, path } = yield* setup
        const [gull, , mew] = yield* add([
          { name: "The Gull" },
          { name: "The Tern" },
          { name: "Mew gull" },
          { size: 1 }
        ])
        assert.deepStrictEqual(idsOf(yield* call("GET", `${path}?title=GULL`)), [mew, gull])
        const page = (yield* call("GET", `${path}?title=gull&limit=1`)).json
        assert.deepStrictEqual([page.total, idsOf({ json: page })], [2, [mew]])
        const next = yield* call("GET", `${path}?title=gull&limit=1&cursor=${page.cursor}`)
        assert.deepStrictEqual(idsOf(next), [gull])
        assert.strictEqual((yield* call("GET", `${path}?title=tern&limit=1&cursor=${page.cursor}`)).status, 400)
        const none = { filters: [] }
        const filtered = yield* call("POST", `/v1/record/filter/app/${app.app_id}?title=gull&sort_by=name`, none)
        assert.deepStrictEqual(idsOf(filtered), [mew, gull])
        const { views } = (yield* call("GET", `/v1/app/${app.app_id}/views`)).json
        assert.deepStrictEqual(idsOf(yield* call("GET", `/v1/record/view/${views[0].view_id}?title=mew`)), [mew])
        // An empty title reads as people see it.
        const numbered = yield* call("GET", `${path}?title=${encodeURIComponent("#4")}`)
        assert.strictEqual(numbered.json.total, 1)
      })
    )

    it.effect("1.4: a cursor is refused when altered and by any other listing", () =>
      Effect.gen(function* () {
        const { add, call, path, app } = yield* setup
        yield* add([{ size: 1 }, { size: 2 }, { size: 3 }])
        const { cursor } = (yield* call("GET", `${path}?limit=1`)).json
        const filter = `/v1/record/filter/app/${app.app_id}`
        const view = (yield* call("GET", `/v1/app/${app.app_id}/views`)).json.views[0].view_id
        const filters = [{ type: "app_record_id", match_type: "larger", values: [{ value: 0 }] }]
        const filtered = (yield* call("POST", `${filter}?limit=1`, { filters })).json.cursor
        const replies = [
          yield* call("GET", `${path}?limit=1&sort_by=size&cursor=${cursor}`),
          yield* call("GET", `${path}/trash?limit=1&cursor=${cursor}`),
          yield* call("GET", `/v1/record/view/${view}?limit=1&cursor=${cursor}`),
          yield* call("POST", `${filter}?limit=1&cursor=${cursor}`, { filters: [] }),
          yield* call("POST", `${filter}?limit=1&cursor=${filtered}`, { filters: [] }),
          yield* call("GET", `${path}?limit=1&cursor=${cursor.slice(0, -2)}`),
          yield* call("GET", `${path}?limit=1&cursor=x`)
        ]
        for (const reply of replies) {
          assert.deepStrictEqual([reply.status, reply.json.error_code], [400, "validation"], reply.text)
          assert.include(reply.json.error_message, "cursor")
        }
        assert.strictEqual((yield* call("POST", `${filter}?limit=1&cursor=${filtered}`, { filters })).status, 200)
      })
    )

    it.effect("1.4: a cursor expires after 24 hours", () =>
      Effect.gen(function* () {
        const { add, call, path } = yield* setup
        yield* add([{}, {}])
        const { cursor } = (yield* call("GET", `${path}?limit=1`)).json
        yield* TestClock.adjust(Duration.millis(24 * 3_600_000 - 1))
        assert.strictEqual((yield* call("GET", `${path}?limit=1&cursor=${cursor}`)).status, 200)
        yield* TestClock.adjust(Duration.millis(1))
        const reply = yield* call("GET", `${path}?limit=1&cursor=${cursor}`)
        assert.deepStrictEqual([reply.status, reply.json.error_code], [400, "validation"])
      }).pipe(Effect.provide(TestClock.layer()))
    )

    it.effect("4.2: sorts by any field and by facts, empty last, ties by record_id, page by page alike", () =>
      Effect.gen(function* () {
        const { add, call, path, app, owner, orgId } = yield* setup
        const zoe = yield* seedUser(orgId, "member", "Zoe")
        const adam = yield* seedUser(orgId, "member", "Adam")
        const [a, b, c, d, e] = yield* add([
          { name: "beta", size: 2, kind: "alpha", due: "2026-04-02", who: zoe.userId, mail: ["z@x.example"] },
          { name: "Alpha", size: 10, kind: "zeta", due: "2026-04-02 08:00", who: adam.userId, mail: ["a@x.example"] },
          {},
          { name: "Ärger", size: -1.5, kind: "zeta", due: "2025-12-31", who: zoe.userId, mail: ["m@x.example"] },
          { name: "beta", size: 2, kind: "alpha", due: "2026-04-02", who: zoe.userId, mail: ["z@x.example"] }
        ])
        const kind = app.fields.find((f: any) => f.external_id === "kind")
        assert.deepStrictEqual(
          kind.config.settings.options.map((option: any) => option.text),
          ["zeta", "alpha"]
        )
        yield* call("PUT", `/v1/record/${b}`, { fields: { size: 11 } })
        yield* call("PUT", `/v1/record/${a}`, { fields: { size: 2.5 } })
        const expected: ReadonlyArray<readonly [string, ReadonlyArray<unknown>]> = [
          ["sort_by=name", [b, d, a, e, c]],
          ["sort_by=name&sort_desc=true", [a, e, d, b, c]],
          ["sort_by=size", [d, e, a, b, c]],
          ["sort_by=size&sort_desc=true", [b, a, e, d, c]],
          ["sort_by=kind", [b, d, a, e, c]],
          ["sort_by=due", [d, a, e, b, c]],
          ["sort_by=due&sort_desc=true", [b, a, e, d, c]],
          ["sort_by=who", [b, a, d, e, c]],
          ["sort_by=mail", [b, d, a, e, c]],
          ["sort_by=number&sort_desc=true", [e, d, c, b, a]],
          ["sort_by=made", [a, b, c, d, e]],
          ["sort_by=created_on", [a, b, c, d, e]],
          ["sort_by=last_modified_on", [b, a, c, d, e]],
          ["sort_by=last_modified_on&sort_desc=true", [a, b, c, d, e]],
          ["sort_by=app_record_id&sort_desc=true", [e, d, c, b, a]],
          ["sort_by=title", [b, d, a, e, c]],
          ["", [e, d, c, b, a]]
        ]
        for (const [query, order] of expected) {
          for (const limit of [1, 2, 500]) {
            const { ids, totals } = yield* walk(call, `${path}?${query}`, limit)
            assert.deepStrictEqual(ids, order, `${query} limit ${limit}`)
            assert.deepStrictEqual(totals, [5])
          }
        }
        const unknown = yield* call("GET", `${path}?sort_by=colour`)
        assert.deepStrictEqual([unknown.status, unknown.json.error_code], [400, "validation"])
        assert.include(unknown.json.error_message, "sort_by")
        const flag = yield* call("GET", `${path}?sort_by=name&sort_desc=1`)
        assert.strictEqual(flag.status, 400)
        assert.isAbove(owner.userId, 0)
      })
    )

    it.effect("4.2: the trash holds deleted records, latest deletion first; other listings do not", () =>
      Effect.gen(function* () {
        const { add, call, path, app } = yield* setup
        const [a, b, c, d] = yield* add([{}, {}, {}, {}])
        for (const id of [b, a]) yield* call("DELETE", `/v1/record/${id}`)
        yield* call("POST", `/v1/record/app/batch/${app.app_id}/delete`, { record_ids: [c] })
        const trash = yield* walk(call, `${path}/trash`, 1)
        assert.deepStrictEqual(trash.ids, [c, a, b])
        assert.deepStrictEqual(trash.totals, [3])
        const page = yield* call("GET", `${path}/trash`)
        assert.isString(page.json.records[0].deleted_on)
        assert.deepStrictEqual(idsOf(yield* call("GET", path)), [d])
        const filtered = yield* call("POST", `/v1/record/filter/app/${app.app_id}`, { filters: [] })
        assert.deepStrictEqual(idsOf(filtered), [d])
      })
    )

    it.effect("2.3, 1.2: members list, strangers and other tenants get a 404", () =>
      Effect.gen(function* () {
        const { orgId, path, app } = yield* setup
        const member = yield* seedUser(orgId, "member")
        assert.strictEqual((yield* as(member)("GET", path)).status, 200)
        const { owner } = yield* setup
        for (const target of [path, `${path}/trash`]) {
          assert.strictEqual((yield* as(owner)("GET", target)).status, 404)
        }
        const filter = yield* as(owner)("POST", `/v1/record/filter/app/${app.app_id}`, { filters: [] })
        assert.strictEqual(filter.status, 404)
      })
    )
  })
})
