// developer-api.md 11.6 and docs/decisions.md, "Groups of records": groups of records by fields of every type, with their counts and filters.
import { assert, layer } from "@effect/vitest"
import { Deferred, Effect, Fiber, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { Access } from "../../../src/domain/accounts/Access.ts"
import { buildFieldIndexes } from "../../../src/domain/records/listing/buildFieldIndexes.ts"
import { IndexMemory, LargeApp } from "../../../src/domain/records/listing/fieldIndexes.ts"
import { GroupMillis } from "../../../src/domain/records/listing/groupSelect.ts"
import { RecordGroups } from "../../../src/domain/records/listing/RecordGroups.ts"
import { appLayer, type Reply, seedUser } from "../../support/app.ts"
import { as, callerOf, createApp, field, seedWorkspace } from "../../support/records.ts"
import { askedBy } from "../../support/statements.ts"

const options = [{ text: "Zeta" }, { text: "Alpha" }]
const indexed = Layer.mergeAll(
  Layer.succeed(LargeApp, 2),
  Layer.succeed(IndexMemory, 0),
  Layer.succeed(GroupMillis, 500)
)

layer(appLayer().pipe(Layer.provide(indexed)), { excludeTestServices: true })("11.6: groups of records", (it) => {
  const setup = Effect.gen(function* () {
    const seed = yield* seedWorkspace
    const call = as(seed.owner)
    const parents = yield* createApp(seed.owner, seed.workspaceId, [field("single_text", "Name")], "Parents")
    const parentIds: ReadonlyArray<number> = (yield* call("POST", `/v1/record/app/batch/${parents.app_id}`, {
      inputs: ["Berta", "Anna", "Clara"].map((name) => ({ fields: { name } }))
    })).json.records.map(({ record_id }: any) => record_id)
    const referenced_apps = [{ app_id: parents.app_id }]
    const app = yield* createApp(seed.owner, seed.workspaceId, [
      field("single_text", "Name"),
      field("number", "Size", { decimals: 2 }),
      field("single_category", "Kind", { options }),
      field("multi_category", "Tags", { options }),
      field("single_date", "Due", { time: "enabled" }),
      field("range_date", "Stay"),
      field("single_user", "Clerk"),
      field("multi_user", "Crew"),
      field("single_relation", "Parent", { referenced_apps }),
      field("multi_relation", "Others", { referenced_apps }),
      field("calculation", "Large", { expression: "size > 1", result: "boolean" }),
      field("calculation", "Double", { expression: "size * 2", result: "number" }),
      field("multi_email", "Mail"),
      field("unique_id", "No"),
      field("created_at", "Made"),
      field("last_modified_at", "Changed"),
      field("created_by", "Author"),
      field("last_modified_by", "Editor")
    ])
    const crew = [seed.owner, yield* seedUser(seed.orgId, "member")].map(({ userId }) => userId)
    const ids = Object.fromEntries(app.fields.map((one: any) => [one.slug, one.field_id])) as Record<string, number>
    const inputs = [
      {
        name: "b  b",
        size: 2,
        kind: "Alpha",
        tags: ["Alpha", "Zeta"],
        due: "2026-03-01 23:30",
        stay: "2026-03-30 - 2026-04-02"
      },
      { name: "b b", size: 2.0, kind: "Zeta", tags: ["Zeta", "Alpha"], due: "2026-03-02", stay: "2026-03-31" },
      { name: "Ä", size: -1.5, kind: "Zeta", tags: ["Zeta"], due: "2026-03-02 10:00", clerk: crew[0], crew },
      { name: "a", clerk: crew[1], crew: crew.toReversed(), parent: parentIds[0], others: parentIds.slice(0, 2) },
      { parent: parentIds[1], others: parentIds.slice(0, 2).toReversed(), due: "2025-12-31" },
      { parent: parentIds[2], others: [parentIds[2]], size: 1000 },
      {}
    ]
    const added = yield* call("POST", `/v1/record/app/batch/${app.app_id}`, {
      inputs: inputs.map((fields) => ({ fields }))
    })
    assert.strictEqual(added.status, 200, added.text)
    yield* call("PUT", `/v1/record/${added.json.records[0].record_id}`, { fields: { size: 3 } })
    // A related record in the trash is not there.
    yield* call("DELETE", `/v1/record/${parentIds[2]}`)
    /** @param query members of the body are among it */
    const groups = (query: string, body: object = { filters: [] }) => {
      const { group_by, unit, ...others } = Object.fromEntries(new URLSearchParams(query))
      const path = `/v1/record/filter/app/${app.app_id}/groups?${new URLSearchParams(others)}`
      return call("POST", path, { group_by, ...(unit === undefined ? {} : { unit }), ...body })
    }
    const view = (yield* call("POST", `/v1/view/app/${app.app_id}`, {
      ...{ name: "By kind", layout: "table", group_by: ids["kind"] },
      filters: [{ field_id: ids["kind"], type: "category", match_type: "not_empty" }]
    })).json.view
    return { ...seed, app, call, groups, ids, view, parentIds, crew, count: inputs.length }
  })
  const textsOf = (reply: Reply) => {
    assert.strictEqual(reply.status, 200, reply.text)
    return reply.json.groups.map(({ count, text }: any) => `${text}: ${count}`)
  }

  it.effect("each record is in exactly the group whose filter lists it, with keys of the field and without", () =>
    Effect.gen(function* () {
      const { app, call, count, groups, ids } = yield* setup
      const sql = yield* SqlClient.SqlClient
      const slugs = Object.keys(ids).filter((slug) => slug !== "mail")
      const zones = ["UTC", "Pacific/Auckland", "America/Los_Angeles"]
      const queries = slugs.flatMap((slug) =>
        ["due", "stay", "made", "changed"].includes(slug)
          ? zones.flatMap((timezone) => ["day", "month", "year"].map((unit) => ({ slug, unit, timezone })))
          : [{ slug, unit: "day", timezone: "UTC" }]
      )
      const check = Effect.fnUntraced(function* ({ slug, timezone, unit }: (typeof queries)[number]) {
        const reply = yield* groups(`group_by=${slug}&unit=${unit}`, { filters: [], timezone })
        assert.strictEqual(reply.status, 200, `${slug}: ${reply.text}`)
        const listedIds: Array<number> = []
        for (const group of reply.json.groups) {
          const list = yield* call("POST", `/v1/record/filter/app/${app.app_id}`, { filters: [group.filter], timezone })
          assert.strictEqual(list.json.total, group.count, `${slug} ${unit} ${timezone} ${JSON.stringify(group)}`)
          listedIds.push(...list.json.records.map(({ record_id }: any) => record_id))
          // The values are those that its records show.
          const shownValues =
            list.json.records[0].fields.find(({ field_id }: any) => field_id === ids[slug])?.values ?? []
          if (["kind", "clerk", "parent", "size", "author", "editor", "large", "double"].includes(slug))
            assert.deepStrictEqual(group.values, shownValues)
        }
        assert.strictEqual(new Set(listedIds).size, count, `${slug} ${unit} ${timezone}`)
        assert.strictEqual(listedIds.length, count, slug)
        assert.strictEqual(reply.json.total, reply.json.groups.length)
      })
      yield* Effect.forEach(queries, check)
      yield* buildFieldIndexes
      const [{ ready } = { ready: 0 }] = yield* sql<{ ready: number }>`
        SELECT count(*)::int AS ready FROM field_indexes WHERE app_id = ${app.app_id} AND ready_on IS NOT NULL`
      assert.isAtLeast(ready, 5)
      yield* Effect.forEach(queries, check)
    })
  )

  it.effect(
    "the values of a record are unpacked once, however many there are: each time costs as much as all of them",
    () =>
      Effect.gen(function* () {
        const { app, call, ids, owner } = yield* setup
        const access = yield* Access
        const recordGroups = yield* RecordGroups
        const grant = yield* access.check(callerOf(owner), "app", app.app_id, 1)
        for (const slug of ["name", "size", "kind", "tags", "due", "stay", "clerk", "crew", "large", "double"]) {
          const { asked } = yield* askedBy(recordGroups.ofApp(grant, [], { group_by: slug }))
          const [statement, ...furtherStatements] = asked.filter((one) => one.statement.includes("counted AS"))
          assert.isEmpty(furtherStatements, slug)
          assert.lengthOf(statement!.statement.match(/r\.cells/g) ?? [], 1, slug)
        }
        // A number as a text is none, in a field of numbers and of options alike.
        const sql = yield* SqlClient.SqlClient
        const cells = JSON.stringify({ [ids["size"]!]: ["7"], [ids["kind"]!]: ["7"], [ids["clerk"]!]: [null] })
        yield* sql`
        UPDATE records SET cells = ${cells}::jsonb
        WHERE record_id = (SELECT max(record_id) FROM records WHERE app_id = ${app.app_id})`
        const path = `/v1/record/filter/app/${app.app_id}/groups`
        for (const group_by of ["size", "kind", "clerk"]) {
          const reply = yield* call("POST", path, { group_by, filters: [] })
          assert.notInclude(textsOf(reply), "7: 1")
        }
      })
  )

  it.effect("groups stand in the order of the field, the empty one last, also downwards", () =>
    Effect.gen(function* () {
      const { groups } = yield* setup
      assert.deepStrictEqual(textsOf(yield* groups("group_by=name")), ["a: 1", "Ä: 1", "b b: 2", ": 3"])
      assert.deepStrictEqual(textsOf(yield* groups("group_by=size")), [
        "-1.50: 1",
        "2.00: 1",
        "3.00: 1",
        "1000.00: 1",
        ": 3"
      ])
      const downwards = yield* groups("group_by=size&sort_desc=true")
      assert.deepStrictEqual(textsOf(downwards), ["1000.00: 1", "3.00: 1", "2.00: 1", "-1.50: 1", ": 3"])
      assert.deepStrictEqual(textsOf(yield* groups("group_by=kind")), ["Zeta: 2", "Alpha: 1", ": 4"])
      assert.deepStrictEqual(textsOf(yield* groups("group_by=tags")), ["Zeta: 1", "Zeta, Alpha: 2", ": 4"])
      assert.deepStrictEqual(textsOf(yield* groups("group_by=parent")), ["Anna: 1", "Berta: 1", ": 5"])
      assert.deepStrictEqual(textsOf(yield* groups("group_by=large")), ["true: 3", "false: 4"])
    })
  )

  it.effect("dates go by days, months and years, in the zone of the request", () =>
    Effect.gen(function* () {
      const { groups } = yield* setup
      const days = (timezone: string) => groups("group_by=due", { filters: [], timezone })
      assert.deepStrictEqual(textsOf(yield* days("UTC")), ["2025-12-31: 1", "2026-03-01: 1", "2026-03-02: 2", ": 3"])
      assert.deepStrictEqual(textsOf(yield* days("Europe/Vienna")), ["2025-12-31: 1", "2026-03-02: 3", ": 3"])
      assert.deepStrictEqual(textsOf(yield* groups("group_by=due&unit=month")), ["2025-12: 1", "2026-03: 3", ": 3"])
      assert.deepStrictEqual(textsOf(yield* groups("group_by=stay&unit=year")), ["2026: 2", ": 5"])
    })
  )

  it.effect("filters, the title and a view narrow what is grouped, as they do in listings", () =>
    Effect.gen(function* () {
      const { call, groups, ids, view } = yield* setup
      const filters = [{ field_id: ids["size"], type: "number", match_type: "larger", values: [{ value: 1 }] }]
      assert.deepStrictEqual(textsOf(yield* groups("group_by=kind", { filters })), ["Zeta: 1", "Alpha: 1", ": 1"])
      assert.deepStrictEqual(textsOf(yield* groups("group_by=kind&title=b")), ["Zeta: 1", "Alpha: 1"])
      const ofView = (query = "") => call("GET", `/v1/record/view/${view.view_id}/groups${query}`)
      assert.deepStrictEqual(textsOf(yield* ofView()), ["Zeta: 2", "Alpha: 1"])
      assert.deepStrictEqual(textsOf(yield* ofView("?group_by=name")), ["Ä: 1", "b b: 2"])
    })
  )

  it.effect("pages of groups neither repeat nor miss one; a cursor is of its own listing", () =>
    Effect.gen(function* () {
      const { groups } = yield* setup
      for (const query of ["group_by=size", "group_by=name&sort_desc=true", "group_by=parent", "group_by=due"]) {
        const allTexts = textsOf(yield* groups(query))
        const pagedTexts: Array<string> = []
        let cursor: string | null = null
        do {
          const page: Reply = yield* groups(
            `${query}&limit=1${cursor === null ? "" : `&cursor=${encodeURIComponent(cursor)}`}`
          )
          pagedTexts.push(...textsOf(page))
          assert.strictEqual(page.json.total, allTexts.length)
          cursor = page.json.cursor
        } while (cursor !== null)
        assert.deepStrictEqual(pagedTexts, allTexts)
      }
      const { cursor } = (yield* groups("group_by=size&limit=1")).json
      const other = yield* groups(`group_by=name&limit=1&cursor=${encodeURIComponent(cursor)}`)
      assert.deepStrictEqual([other.status, other.json.error_code], [400, "validation"])
    })
  )

  it.effect("what cannot be grouped is refused with its place, and nobody without rights reads a group", () =>
    Effect.gen(function* () {
      const { app, groups, orgId, view } = yield* setup
      const refusals: ReadonlyArray<readonly [string, object, string]> = [
        ["group_by=mail", { filters: [] }, "group_by"],
        ["group_by=nothing", { filters: [] }, "group_by"],
        ["group_by=name&limit=501", { filters: [] }, "limit"],
        ["group_by=due", { filters: [], timezone: "Nowhere" }, "timezone"],
        ["group_by=name", { filters: [{ field_id: 1, type: "text", match_type: "empty" }] }, "field_id"]
      ]
      for (const [query, body, place] of refusals) {
        const reply = yield* groups(query, body)
        assert.strictEqual(reply.status, 400, reply.text)
        assert.include(reply.json.error_message, place)
      }
      const stranger = as(yield* seedUser(orgId, "guest"))
      const path = `/v1/record/filter/app/${app.app_id}/groups`
      assert.strictEqual((yield* stranger("POST", path, { group_by: "name", filters: [] })).status, 404)
      assert.strictEqual((yield* stranger("GET", `/v1/record/view/${view.view_id}/groups`)).status, 404)
    })
  )

  it.effect("groups by author name automations, which a filter takes as records show them", () =>
    Effect.gen(function* () {
      const { app, call, groups } = yield* setup
      const sql = yield* SqlClient.SqlClient
      yield* sql`
        UPDATE records SET created_by = '{"type": "automation", "automation_id": 7}' WHERE app_id = ${app.app_id} AND app_record_id = 2`
      const reply = yield* groups("group_by=author")
      const group = reply.json.groups.find(({ count }: any) => count === 1)
      assert.deepStrictEqual(group.filter.values, [{ value: { automation_id: 7 } }])
      const list = yield* call("POST", `/v1/record/filter/app/${app.app_id}`, { filters: [group.filter] })
      assert.deepStrictEqual(
        list.json.records.map(({ app_record_id }: any) => app_record_id),
        [2]
      )
      const stray = { ...group.filter, values: [{ value: { automation_id: 7, user_id: 1 } }] }
      assert.strictEqual((yield* call("POST", `/v1/record/filter/app/${app.app_id}`, { filters: [stray] })).status, 400)
    })
  )

  it.effect("a statement that takes too long is ended and answered with 400; the next one is as any", () =>
    Effect.gen(function* () {
      const { groups } = yield* setup
      const sql = yield* SqlClient.SqlClient
      assert.strictEqual((yield* groups("group_by=name")).status, 200)
      const [locked, over] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
      const lock = yield* Effect.forkChild(
        sql.withTransaction(
          Effect.gen(function* () {
            yield* sql`LOCK TABLE records IN ACCESS EXCLUSIVE MODE`
            yield* Deferred.succeed(locked, undefined)
            yield* Deferred.await(over)
          })
        )
      )
      yield* Deferred.await(locked)
      const reply = yield* groups("group_by=name")
      yield* Deferred.succeed(over, undefined)
      yield* Fiber.join(lock)
      assert.deepStrictEqual([reply.status, reply.json.error_code], [400, "validation"], reply.text)
      assert.include(reply.json.error_message, "takes too long")
      assert.strictEqual((yield* groups("group_by=name")).status, 200)
    })
  )

  const appOf = Effect.fnUntraced(function* (
    fields: ReadonlyArray<ReturnType<typeof field>>,
    inputs: ReadonlyArray<object>
  ) {
    const seed = yield* seedWorkspace
    const call = as(seed.owner)
    const app = yield* createApp(seed.owner, seed.workspaceId, fields)
    const added = yield* call("POST", `/v1/record/app/batch/${app.app_id}`, {
      inputs: inputs.map((values) => ({ fields: values }))
    })
    assert.strictEqual(added.status, 200, added.text)
    const path = `/v1/record/filter/app/${app.app_id}`
    const list = (filters: ReadonlyArray<object>, query = "") => call("POST", `${path}${query}`, { filters })
    const groups = (body: object, query = "") => call("POST", `${path}/groups${query}`, { filters: [], ...body })
    return { app, call, groups, list, records: added.json.records }
  })
  const fieldIdOf = (app: any, slug: string) => app.fields.find((one: any) => one.slug === slug).field_id
  const cursorQuery = (cursor: string) => `?limit=1&cursor=${encodeURIComponent(cursor)}`

  it.effect("times that a zone shows beyond the first or the last day are of that day, in groups as in listings", () =>
    Effect.gen(function* () {
      const dues = [
        "9999-12-31 23:30",
        "9999-12-31",
        "9999-12-30 20:00",
        "0100-01-01 00:10",
        "0100-01-01",
        "0100-01-02"
      ]
      const { app, call, groups, list } = yield* appOf(
        [field("single_date", "Due", { time: "enabled" }), field("created_at", "Made")],
        dues.map((due) => ({ due }))
      )
      const sql = yield* SqlClient.SqlClient
      yield* sql`UPDATE records SET created_on = '9999-12-31 23:30Z' WHERE app_id = ${app.app_id} AND app_record_id = 1`
      yield* sql`UPDATE records SET created_on = '0100-01-01 00:10Z' WHERE app_id = ${app.app_id} AND app_record_id = 2`
      for (const group_by of ["due", "made"])
        for (const timezone of ["Pacific/Auckland", "America/Los_Angeles"])
          for (const unit of ["day", "month", "year"]) {
            const reply = yield* groups({ group_by, timezone, unit })
            for (const { count, filter } of reply.json.groups) {
              const listing = yield* list([filter])
              assert.strictEqual(
                listing.json.total,
                count,
                `${timezone} ${unit} ${JSON.stringify(filter)} ${listing.text}`
              )
            }
          }
      const early = yield* groups({ group_by: "due", timezone: "America/Los_Angeles" })
      assert.deepStrictEqual(textsOf(early).slice(0, 2), ["0100-01-01: 2", "0100-01-02: 1"])
      const inputs = [{ fields: { due: "0100-01-01 00:00+14:00" } }]
      assert.strictEqual((yield* call("POST", `/v1/record/app/batch/${app.app_id}`, { inputs })).status, 400)
    })
  )

  it.effect("zones that Postgres has under another name group as they list; one that it has not is refused", () =>
    Effect.gen(function* () {
      const { groups, list } = yield* appOf(
        [field("single_date", "Due", { time: "enabled" })],
        ["2026-07-01 22:30", "2026-07-01 17:00", "2026-07-01 18:45", "2026-07-01 23:30"].map((due) => ({ due }))
      )
      for (const timezone of ["CET", "MET", "BST", "IST", "AET", "PST", "Asia/Kolkata", "europe/vienna"]) {
        const reply = yield* groups({ group_by: "due", timezone })
        assert.strictEqual(reply.status, 200, `${timezone} ${reply.text}`)
        for (const { count, filter } of reply.json.groups)
          assert.strictEqual((yield* list([filter])).json.total, count, `${timezone} ${JSON.stringify(filter)}`)
      }
      const refusal = yield* groups({ group_by: "due", timezone: "US/Pacific-New" })
      assert.strictEqual(refusal.status, 400, refusal.text)
      assert.include(refusal.json.error_message, "timezone")
    })
  )

  it.effect("cursors stay short however long a text is, and keep the number of groups to the end", () =>
    Effect.gen(function* () {
      const names = ["a", "b", "c"].map((end) => `${"€".repeat(499)}${end}`)
      const { call, groups, records } = yield* appOf(
        [field("single_text", "Name")],
        names.map((name) => ({ name }))
      )
      const pagedTexts: Array<string> = []
      let cursor: string | null = null
      do {
        const page: Reply = yield* groups({ group_by: "name" }, cursor === null ? "?limit=1" : cursorQuery(cursor))
        pagedTexts.push(page.json.groups[0].text)
        cursor = page.json.cursor
        assert.isBelow(cursor?.length ?? 0, 2_000)
      } while (cursor !== null)
      assert.deepStrictEqual(pagedTexts.toSorted(), names)
      const firstPage = yield* groups({ group_by: "name" }, "?limit=1")
      for (const { record_id } of records) yield* call("DELETE", `/v1/record/${record_id}`)
      const lastPage = yield* groups({ group_by: "name" }, cursorQuery(firstPage.json.cursor))
      assert.deepStrictEqual([lastPage.json.total, lastPage.json.groups, lastPage.json.cursor], [3, [], null])
    })
  )

  it.effect("groups take one filter less than listings, so that a group's own joins them", () =>
    Effect.gen(function* () {
      const { app, groups, list } = yield* appOf([field("single_text", "Name")], [{ name: "a" }])
      const filter = { field_id: fieldIdOf(app, "name"), type: "text", match_type: "not_empty" }
      const [most, more] = [199, 200].map((length) => Array.from({ length }, () => filter))
      const reply = yield* groups({ group_by: "name", filters: most })
      assert.strictEqual((yield* list([...most!, reply.json.groups[0].filter])).json.total, 1)
      const refusal = yield* groups({ group_by: "name", filters: more })
      assert.deepStrictEqual([refusal.status, refusal.json.error_code], [400, "validation"])
      assert.include(refusal.json.error_message, "filters: at most 199")
    })
  )
})
