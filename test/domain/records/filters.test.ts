// developer-api.md 4.4: every row of the record filter table, on real records.
import { assert, layer } from "@effect/vitest"
import { Effect, type Layer } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { decide } from "../../../src/domain/automations/filter/comparison.ts"
import { appLayer, seedUser } from "../../support/app.ts"
import { as, createApp, field, seedWorkspace } from "../../support/records.ts"

type Filter = Readonly<Record<string, unknown>>
/** Wednesday. */
const TODAY = "2026-04-15"

// The test clock stands at noon of that day.
layer(appLayer(), { excludeTestServices: true })("developer-api.md 4.4: record filters", (it) => {
  const test = <A, E>(title: string, run: () => Effect.Effect<A, E, Layer.Success<ReturnType<typeof appLayer>>>) =>
    it.effect(title, () => run().pipe(Effect.provide(TestClock.layer())), 60_000)
  const noon = TestClock.setTime(Date.parse(`${TODAY}T12:00:00Z`))

  const setup = Effect.fnUntraced(function* (fields: ReadonlyArray<ReturnType<typeof field>>) {
    yield* noon
    const seed = yield* seedWorkspace
    const app = yield* createApp(seed.owner, seed.workspaceId, fields)
    const call = as(seed.owner)
    const byName = new Map<string, any>(app.fields.map((f: any) => [f.external_id, f]))
    const names = new Map<number, string>()
    /** Records by a short name. */
    const add = Effect.fnUntraced(function* (records: Readonly<Record<string, object>>) {
      const reply = yield* call("POST", `/v1/record/app/batch/${app.app_id}`, {
        inputs: Object.values(records).map((fields) => ({ fields }))
      })
      if (reply.status !== 200) return yield* Effect.die(new Error(reply.text))
      Object.keys(records).forEach((name, index) => void names.set(reply.json.records[index].record_id, name))
      return Object.fromEntries(
        Object.keys(records).map((name, index) => [name, reply.json.records[index].record_id])
      ) as Record<string, number>
    })
    const filter = (filters: ReadonlyArray<Filter>) =>
      call("POST", `/v1/record/filter/app/${app.app_id}?limit=500`, { filters })
    const findRecords = Effect.fnUntraced(function* (...filters: ReadonlyArray<Filter>) {
      const reply = yield* filter(filters)
      if (reply.status !== 200) return yield* Effect.die(new Error(reply.text))
      assert.strictEqual(reply.json.total, reply.json.records.length)
      return reply.json.records
        .map((record: any) => names.get(record.record_id))
        .toSorted()
        .join("")
    })
    /** A filter on a field of the app. */
    const on = (slug: string, match_type: string, more: object = {}): Filter => ({
      field_id: byName.get(slug).field_id,
      type: byName.get(slug).type,
      match_type,
      ...more
    })
    const expectMatches = Effect.fnUntraced(function* (rows: ReadonlyArray<readonly [Filter, string]>) {
      for (const [one, expected] of rows) assert.strictEqual(yield* findRecords(one), expected, JSON.stringify(one))
    })
    const refuses = Effect.fnUntraced(function* (rows: ReadonlyArray<readonly [Filter, string]>) {
      const fine = { type: "app_record_id", match_type: "larger", values: [{ value: 0 }] }
      for (const [one, place] of rows) {
        const reply = yield* filter([fine, one])
        assert.deepStrictEqual([reply.status, reply.json.error_code], [400, "validation"], JSON.stringify(one))
        assert.include(reply.json.error_message, `filters[1].${place}`)
      }
    })
    return { ...seed, app, call, byName, add, filter, found: findRecords, on, expects: expectMatches, refuses }
  })
  const is = (...values: ReadonlyArray<unknown>) => ({ values: values.map((value) => ({ value })) })

  test("text: trimmed, white space as one blank; only equal and not_equal look at case; empties match the negative ones", () =>
    Effect.gen(function* () {
      const { add, expects, on, refuses } = yield* setup([field("single_text", "T"), field("multi_text", "M")])
      yield* add({
        a: { t: "Red  apple ", m: "<p>Fish &amp; chips</p><p>next&nbsp;line</p>" },
        b: { t: "red apple", m: "<b>1 &lt; 2</b>" },
        c: { t: "Äpfel 100%_\\", m: "fishchips" },
        d: {}
      })
      yield* expects([
        [on("t", "equal", is(" Red apple")), "a"],
        [on("t", "not_equal", is("Red apple")), "bcd"],
        [on("t", "contains", is("RED APPLE")), "ab"],
        [on("t", "not_contains", is("apple")), "cd"],
        [on("t", "starts_with", is("äpf")), "c"],
        [on("t", "ends_with", is("APPLE")), "ab"],
        [on("t", "contains", is("%_\\")), "c"],
        [on("t", "contains", is("%r")), ""],
        [on("t", "empty"), "d"],
        [on("t", "not_empty"), "abc"],
        [on("m", "equal", is("Fish & chips next line")), "a"],
        [on("m", "contains", is("CHIPS NEXT LINE")), "a"],
        [on("m", "contains", is("1 < 2")), "b"],
        [on("m", "contains", is("<b>")), ""],
        [on("m", "not_contains", is("fish")), "bd"],
        [on("m", "empty"), "d"]
      ])
      yield* refuses([
        [on("t", "equal"), "values"],
        [on("t", "equal", is("a", "b")), "values"],
        [on("t", "equal", is(5)), "values"],
        [on("t", "contains", is("  ")), "values[0].value"],
        [on("t", "contains", is("x\ud800")), "values[0].value"],
        [on("t", "empty", is("x")), "values"],
        [on("t", "larger", is("x")), "match_type"],
        [{ ...on("t", "equal", is("x")), type: "number" }, "type"],
        [{ ...on("t", "equal", is("x")), field_type: "multi_text" }, "field_type"],
        [{ ...on("t", "equal", is("x")), field_id: 999_999_999 }, "field_id"],
        [{ ...on("t", "equal", is("x")), include_active_user: true }, "include_active_user"],
        [{ ...on("t", "equal", is("x")), entry_property: "title" }, "entry_property"],
        [{ ...on("t", "equal", is("x")), relative_date_type: "today" }, "relative_date_type"],
        [{ type: "text", match_type: "equal", values: [{ value: "x" }] }, "field_id"]
      ])
    }))

  test("case and accents by one folding: the answer of a filter is that of an automation's condition (A25)", () =>
    Effect.gen(function* () {
      const { add, found, on } = yield* setup([field("single_text", "Name")])
      const texts = [
        "ΟΔΟΣ",
        "οδος",
        "İzmir",
        "izmir",
        "IZMIR",
        "École",
        "ecole",
        "e\u0301cole",
        "Straße",
        "STRASSE",
        "Ёж",
        "еж",
        "日本ガ"
      ]
      const letters = "abcdefghijklmnopqrstuvwxyz"
      yield* add(Object.fromEntries(texts.map((name, n) => [letters[n]!, { name }])))
      const operators = {
        equal: "is",
        contains: "contains",
        starts_with: "starts_with",
        ends_with: "ends_with"
      } as const
      for (const [how, operator] of Object.entries(operators))
        for (const searchText of [...texts, "δος", "ĺe", "cole", "izm", "ss", "ガ", "カ"]) {
          const expected = texts.flatMap((text, n) =>
            decide({ set: "TEXT", texts: [text], cased: true }, operator, { type: "text", text: searchText }) === true
              ? [letters[n]!]
              : []
          )
          const answer = yield* found(on("name", how, { values: [{ value: searchText }] }))
          assert.strictEqual(answer, expected.join(""), `${how} ${searchText}`)
        }
      assert.strictEqual(yield* found(on("name", "contains", { values: [{ value: "οδοσ" }] })), "ab")
      assert.strictEqual(yield* found(on("name", "starts_with", { values: [{ value: "IZMIR" }] })), "cde")
      assert.strictEqual(yield* found(on("name", "equal", { values: [{ value: "École" }] })), "f")
    }))

  test("number and unique id: exact decimals; an empty field matches only not_equal and empty", () =>
    Effect.gen(function* () {
      const { add, expects, on, refuses } = yield* setup([
        field("number", "N", { decimals: 2 }),
        field("unique_id", "U")
      ])
      yield* add({ a: { n: 0.1 }, b: { n: -3 }, c: { n: 12.25 }, d: {} })
      yield* expects([
        [on("n", "equal", is(0.1)), "a"],
        [on("n", "equal", is("12.25")), "c"],
        [on("n", "not_equal", is(0.1)), "bcd"],
        [on("n", "smaller", is(0.1)), "b"],
        [on("n", "smaller_or_equal", is(0.1)), "ab"],
        [on("n", "larger", is(-3)), "ac"],
        [on("n", "larger_or_equal", is(-3)), "abc"],
        [on("n", "larger", is(1e308)), ""],
        [on("n", "empty"), "d"],
        [on("n", "not_empty"), "abc"],
        [on("u", "equal", is(2)), "b"],
        [on("u", "not_equal", is(2)), "acd"],
        [on("u", "larger_or_equal", is(3)), "cd"],
        [on("u", "empty"), ""],
        [on("u", "not_empty"), "abcd"],
        [{ type: "app_record_id", match_type: "equal", ...is(4) }, "d"],
        [{ type: "app_record_id", match_type: "not_equal", ...is(4) }, "abc"],
        [{ type: "app_record_id", match_type: "smaller", ...is(3) }, "ab"]
      ])
      yield* refuses([
        [on("n", "equal", is("many")), "values"],
        [on("n", "equal", is(1, 2)), "values"],
        [on("n", "contains", is(1)), "match_type"]
      ])
    }))

  test("category and status: one id or option text for equal, several for any and none; completed by meaning", () =>
    Effect.gen(function* () {
      const options = [
        { text: "Open", color: "gray", means_completed: false },
        { text: "Stuck", color: "red", means_completed: false },
        { text: "Done", color: "green", means_completed: true }
      ]
      const { add, expects, on, refuses, byName } = yield* setup([
        field("single_category", "C", { options: [{ text: "x" }, { text: "y" }, { text: "z" }] }),
        field("multi_category", "M", { options: [{ text: "p" }, { text: "q" }, { text: "r" }] }),
        field("status", "S", { options }, { required: true })
      ])
      const option = (slug: string, text: string) =>
        byName.get(slug).config.settings.options.find((one: any) => one.text === text).id
      yield* add({
        a: { c: "x", m: ["p"], s: option("s", "Open") },
        b: { c: "y", m: ["p", "q"], s: option("s", "Stuck") },
        c: { c: "z", m: ["q", "r"], s: option("s", "Done") },
        d: { s: option("s", "Done") }
      })
      yield* expects([
        [on("c", "equal", is("x")), "a"],
        [on("c", "equal", is(option("c", "x"))), "a"],
        [on("c", "not_equal", is("x")), "bcd"],
        [on("c", "any", is("x", option("c", "z"))), "ac"],
        [on("c", "none", is("x", "z")), "bd"],
        [on("c", "empty"), "d"],
        [on("c", "not_empty"), "abc"],
        [on("m", "equal", is("q", "p")), "b"],
        [on("m", "contains", is("p")), "ab"],
        [on("m", "contains", is("q", "p")), "b"],
        [on("m", "any", is("p", "r")), "abc"],
        [on("m", "none", is("r")), "abd"],
        [on("m", "empty"), "d"],
        [on("s", "equal", is("Open")), "a"],
        [on("s", "any", is("Open", "Done")), "acd"],
        [on("s", "completed"), "cd"],
        [on("s", "incomplete"), "ab"]
      ])
      yield* refuses([
        [on("c", "equal", is("x", "y")), "values"],
        [on("c", "equal", is()), "values"],
        [on("c", "any", is("x", "nope")), "values[1].value"],
        [on("c", "any", is(option("m", "p"))), "values[0].value"],
        [on("c", "completed"), "match_type"],
        [on("c", "contains", is("x")), "match_type"],
        [on("m", "not_equal", is("p")), "match_type"],
        [on("s", "completed", is("Open")), "values"]
      ])
    }))

  test("relation: by id; a trashed record is not there; aliases are taken", () =>
    Effect.gen(function* () {
      yield* noon
      const seed = yield* seedWorkspace
      const target = yield* createApp(seed.owner, seed.workspaceId, [field("single_text", "Name")], "Targets")
      const referenced = { referenced_apps: [{ app_id: target.app_id }] }
      const app = yield* createApp(seed.owner, seed.workspaceId, [
        field("single_text", "Name"),
        field("single_relation", "One", referenced),
        field("multi_relation", "Many", referenced)
      ])
      const call = as(seed.owner)
      const make = (appId: number, fields: object) =>
        Effect.map(call("POST", `/v1/record/app/${appId}`, { fields }), (reply) => reply.json.record_id as number)
      const [x, y, z] = [
        yield* make(target.app_id, { name: "x" }),
        yield* make(target.app_id, { name: "y" }),
        yield* make(target.app_id, { name: "z" })
      ]
      yield* make(app.app_id, { name: "a", one: x, many: [x, y] })
      yield* make(app.app_id, { name: "b", one: y, many: [y] })
      yield* make(app.app_id, { name: "c", one: z, many: [y, z] })
      yield* make(app.app_id, { name: "d" })
      yield* call("DELETE", `/v1/record/${z}`)
      const [, one, many] = app.fields.map((f: any) => f.field_id)
      const findByRelation = Effect.fnUntraced(function* (
        field_id: number,
        match_type: string,
        ids: ReadonlyArray<number>,
        type = "relation"
      ) {
        const values = ids.map((value) => ({ value }))
        const reply = yield* call("POST", `/v1/record/filter/app/${app.app_id}`, {
          filters: [{ field_id, type, match_type, ...(ids.length === 0 ? {} : { values }) }]
        })
        assert.strictEqual(reply.status, 200, reply.text)
        return reply.json.records
          .map((record: any) => record.title)
          .toSorted()
          .join("")
      })
      assert.strictEqual(yield* findByRelation(one, "equal", [x!]), "a")
      assert.strictEqual(yield* findByRelation(one, "equal", [x!], "app"), "a")
      assert.strictEqual(yield* findByRelation(one, "not_equal", [x!]), "bcd")
      assert.strictEqual(yield* findByRelation(one, "any", [x!, y!]), "ab")
      assert.strictEqual(yield* findByRelation(one, "none", [x!]), "bcd")
      assert.strictEqual(yield* findByRelation(one, "equal", [z!]), "")
      assert.strictEqual(yield* findByRelation(one, "empty", []), "cd")
      assert.strictEqual(yield* findByRelation(one, "not_empty", []), "ab")
      assert.strictEqual(yield* findByRelation(many, "equal", [y!, x!]), "a")
      assert.strictEqual(yield* findByRelation(many, "equal", [y!]), "bc")
      assert.strictEqual(yield* findByRelation(many, "contains", [x!, y!]), "a")
      assert.strictEqual(yield* findByRelation(many, "contains", [y!, y!]), "abc")
      assert.strictEqual(yield* findByRelation(many, "contains", [y!, z!]), "")
      assert.strictEqual(yield* findByRelation(many, "any", [x!, z!]), "a")
      assert.strictEqual(yield* findByRelation(many, "none", [x!]), "bcd")
      assert.strictEqual(yield* findByRelation(many, "empty", []), "d")
    }))

  test("users, created_by and last_modified_by: ids, and include_active_user for the caller", () =>
    Effect.gen(function* () {
      const filterSetup = yield* setup([
        field("single_user", "One"),
        field("multi_user", "Many"),
        field("created_by", "Maker"),
        field("last_modified_by", "Editor")
      ])
      const { add, expects, on, owner, orgId, call, refuses } = filterSetup
      const ann = yield* seedUser(orgId, "member", "Ann")
      const ids = yield* add({
        a: { one: owner.userId, many: [owner.userId, ann.userId] },
        b: { one: ann.userId, many: [ann.userId] },
        c: {}
      })
      yield* as(ann)("PUT", `/v1/record/${ids["b"]}`, { fields: { one: null } })
      yield* as(ann)("PUT", `/v1/record/${ids["b"]}`, { fields: { one: ann.userId } })
      yield* expects([
        [on("one", "equal", is(ann.userId)), "b"],
        [{ ...on("one", "equal", is(ann.userId)), type: "contact" }, "b"],
        [on("one", "not_equal", is(ann.userId)), "ac"],
        [on("one", "equal", { include_active_user: true }), "a"],
        [on("one", "any", { ...is(ann.userId), include_active_user: true }), "ab"],
        [on("one", "none", { include_active_user: true }), "bc"],
        [on("many", "contains", { ...is(ann.userId), include_active_user: true }), "a"],
        [on("many", "equal", is(ann.userId)), "b"],
        [on("many", "any", is(ann.userId)), "ab"],
        [on("many", "none", { include_active_user: true }), "bc"],
        [on("maker", "equal", is(owner.userId)), "abc"],
        [on("maker", "not_equal", is(owner.userId)), ""],
        [on("maker", "empty"), ""],
        [on("editor", "equal", is(ann.userId)), "b"],
        [on("editor", "not_equal", is(ann.userId)), "ac"],
        [on("editor", "empty"), "ac"],
        [on("editor", "not_empty"), "b"]
      ])
      const ownRecords = yield* as(ann)("POST", `/v1/record/filter/app/${filterSetup.app.app_id}`, {
        filters: [on("one", "equal", { include_active_user: true })]
      })
      assert.deepStrictEqual(
        ownRecords.json.records.map((record: any) => record.record_id),
        [ids["b"]]
      )
      yield* refuses([[on("one", "equal", { ...is(ann.userId), include_active_user: true }), "values"]])
      assert.strictEqual((yield* call("GET", `/v1/record/${ids["a"]}`)).status, 200)
    }))

  test("dates: days of UTC, relative days and ranges, weekdays, quarters, months", () =>
    Effect.gen(function* () {
      const { add, expects, on, refuses } = yield* setup([
        field("single_date", "D", { time: "enabled" }),
        field("range_date", "R", { time: "disabled" })
      ])
      yield* add({
        a: { d: "2026-04-15 23:59", r: "2026-04-10 - 2026-04-20" },
        b: { d: "2026-04-16", r: "2026-04-16" },
        c: { d: "2026-04-14", r: "2026-05-01 - 2026-05-02" },
        d: { d: "2026-03-31", r: "2025-12-31 - 2026-01-01" },
        e: {}
      })
      const relative = (relative_date_type: string, offset_amount?: number) => ({
        relative_date_type,
        ...(offset_amount === undefined ? {} : is({ offset_amount }))
      })
      const relativeRange = (relative_date_range_type: string, more: object = {}) => ({
        relative_date_range_type,
        ...more
      })
      yield* expects([
        [on("d", "equal", is("2026-04-15")), "a"],
        [on("d", "equal", is({ date: "2026-04-15" })), "a"],
        [on("d", "equal", { ...is("2026-04-15"), relative_date_type: "exact_date" }), "a"],
        [on("d", "not_equal", is("2026-04-15")), "bcde"],
        [on("d", "before", is("2026-04-15")), "cd"],
        [on("d", "after", is("2026-04-15")), "b"],
        [on("d", "on_or_before", is("2026-04-15")), "acd"],
        [on("d", "on_or_after", is("2026-04-15")), "ab"],
        [on("d", "equal", relative("today")), "a"],
        [on("d", "equal", relative("tomorrow")), "b"],
        [on("d", "equal", relative("yesterday")), "c"],
        [on("d", "after", relative("num_days_before", 2)), "abc"],
        [on("d", "equal", relative("num_days_after", 1)), "b"],
        [on("d", "before", relative("num_weeks_before", 2)), "d"],
        [on("d", "on_or_after", relative("num_weeks_after", 0)), "ab"],
        [on("d", "on_or_after", relative("num_months_before", 1)), "abcd"],
        [on("d", "after", relative("num_months_after", 1)), ""],
        [on("d", "within", relativeRange("current_week")), "abc"],
        [on("d", "within", relativeRange("past_week")), ""],
        [on("d", "within", relativeRange("current_month")), "abc"],
        [on("d", "within", relativeRange("past_month")), "d"],
        [on("d", "within", relativeRange("next_month")), ""],
        [on("d", "within", relativeRange("current_year")), "abcd"],
        [on("d", "within", relativeRange("past_year")), ""],
        [on("r", "within", relativeRange("past_year")), "d"],
        [on("r", "within", relativeRange("next_month")), "c"],
        [on("d", "within", relativeRange("next_num_days", is({ offset_amount: 1 }))), "ab"],
        [on("d", "within", relativeRange("past_num_days", is({ offset_amount: 1 }))), "ac"],
        [on("d", "within", relativeRange("exact_range", { ...is("2026-03-31"), end_date: "2026-04-14" })), "cd"],
        [on("d", "within", relativeRange("exact_range", is({ date: "2026-04-14", end_date: "2026-04-15" }))), "ac"],
        [on("d", "on_weekday", { weekday: "wednesday" }), "a"],
        [on("d", "on_weekday", { weekday: "tuesday" }), "cd"],
        [on("d", "in_quarter_of_year", { quarter_of_year: "q1" }), "d"],
        [on("d", "in_month_of_year", { month_of_year: "april" }), "abc"],
        [on("d", "empty"), "e"],
        [on("d", "not_empty"), "abcd"],
        [on("r", "equal", is("2026-04-16")), "ab"],
        [on("r", "not_equal", is("2026-04-16")), "cde"],
        [on("r", "before", is("2026-04-16")), "ad"],
        [on("r", "after", is("2026-04-15")), "bc"],
        [on("r", "on_or_after", is("2026-04-20")), "ac"],
        [on("r", "after", is("9999-12-31")), ""]
      ])
      yield* refuses([
        [on("d", "equal", is("15.04.2026")), "values[0].value"],
        [on("d", "equal"), "values[0].value"],
        [on("d", "equal", is({ date: "2026-04-15", zone: "x" })), "values[0].value"],
        [on("d", "equal", { relative_date_type: "someday" }), "relative_date_type"],
        [on("d", "equal", relative("num_days_before")), "values[0].value.offset_amount"],
        [on("d", "equal", relative("num_days_before", -1)), "values[0].value.offset_amount"],
        [on("d", "within", is("2026-04-15")), "relative_date_range_type"],
        [on("d", "within", relativeRange("exact_range", is("2026-04-15"))), "end_date"],
        [on("d", "within", relativeRange("exact_range", { ...is("2026-04-15"), end_date: "2026-04-14" })), "end_date"],
        [on("d", "on_weekday", { weekday: "caturday" }), "weekday"],
        [on("d", "in_quarter_of_year"), "quarter_of_year"],
        [on("d", "in_month_of_year", { month_of_year: "4" }), "month_of_year"]
      ])
    }))

  test("created_at, last_modified_at: as fields like dates, without a field absolute and inclusive", () =>
    Effect.gen(function* () {
      const filterSetup = yield* setup([
        field("single_text", "T"),
        field("created_at", "Made"),
        field("last_modified_at", "Changed")
      ])
      const { add, expects, on, refuses, call } = filterSetup
      const sql = yield* SqlClient.SqlClient
      const ids = yield* add({ a: {}, b: {}, c: {} })
      const setCreatedOn = (id: string, time: string) =>
        sql`UPDATE records SET created_on = ${time}::timestamptz WHERE record_id = ${ids[id]!}`
      yield* setCreatedOn("a", "2026-04-14T10:00:00.400Z")
      yield* setCreatedOn("b", "2026-04-15T00:00:00Z")
      yield* call("PUT", `/v1/record/${ids["c"]}`, { fields: { t: "x" } })
      const bare = (type: string, match_type: string, date: unknown) => ({ type, match_type, ...is({ date }) })
      yield* expects([
        [on("made", "equal", is("2026-04-15")), "bc"],
        [{ ...on("made", "before", is("2026-04-15")), type: "date" }, "a"],
        [on("made", "equal", { relative_date_type: "yesterday" }), "a"],
        [on("made", "on_weekday", { weekday: "tuesday" }), "a"],
        [on("made", "empty"), ""],
        [on("changed", "equal", is("2026-04-15")), "c"],
        [on("changed", "not_equal", is("2026-04-15")), "ab"],
        [on("changed", "empty"), "ab"],
        [bare("created_at", "equal", "2026-04-14T10:00:00Z"), "a"],
        [bare("created_at", "equal", "2026-04-14"), "a"],
        [bare("created_at", "not_equal", "2026-04-14"), "bc"],
        [bare("created_at", "before", "2026-04-14T10:00:00Z"), "a"],
        [bare("created_at", "before", "2026-04-14T11:59:59+02:00"), ""],
        [bare("created_at", "after", "2026-04-15T00:00:00Z"), "bc"],
        [bare("created_at", "after", "2026-04-15 00:00:01"), "c"],
        [bare("created_at", "on_or_before", "2026-04-15"), "abc"],
        [bare("last_modified_at", "after", "2026-04-15"), "c"],
        [bare("last_modified_at", "not_equal", "2020-01-01"), "c"],
        [bare("last_modified_at", "before", "9999-12-31"), "c"]
      ])
      yield* refuses([
        [{ type: "created_at", match_type: "equal", relative_date_type: "today" }, "relative_date_type"],
        [bare("created_at", "within", "2026-04-15"), "match_type"],
        [bare("created_at", "equal", "soon"), "values[0].value.date"],
        [bare("created_on", "equal", "2026-04-15"), "field_id"]
      ])
    }))

  test("email, phone, link and location: some entry matches, a negative one none; case does not count", () =>
    Effect.gen(function* () {
      const { add, expects, on, refuses } = yield* setup([
        field("multi_email", "E"),
        field("multi_phone", "P"),
        field("multi_link", "L"),
        field("single_location", "W")
      ])
      yield* add({
        a: {
          e: ["Member@example.net", "x@one.example"],
          p: ["+43 1 234"],
          l: ["https://one.example/A"],
          w: "Main Street 1, Vienna"
        },
        b: { e: ["y@two.example"], p: ["555", "777"], l: ["https://two.example/"], w: { latitude: 1, longitude: 2 } },
        c: {}
      })
      yield* expects([
        [on("e", "fully_includes", is("member@EXAMPLE.net")), "a"],
        [on("e", "fully_includes", is("member")), ""],
        [on("e", "contains", is("ONE")), "a"],
        [on("e", "not_contains", is("one")), "bc"],
        [on("e", "starts_with", is("Y@")), "b"],
        [on("e", "ends_with", is(".example")), "ab"],
        [on("e", "empty"), "c"],
        [on("p", "fully_includes", is("777")), "b"],
        [on("p", "contains", is("1 2")), "a"],
        [on("l", "contains", is("ONE.example/a")), "a"],
        [{ ...on("l", "starts_with", is("https://two")), type: "embed" }, "b"],
        [on("l", "not_empty"), "ab"],
        [on("w", "contains", is("vienna")), "a"],
        [on("w", "not_contains", is("vienna")), "bc"],
        [on("w", "not_empty"), "ab"]
      ])
      yield* refuses([
        [on("l", "fully_includes", is("x")), "match_type"],
        [on("w", "starts_with", is("x")), "match_type"],
        [on("e", "equal", is("x")), "match_type"]
      ])
    }))

  test("attachment and image: on the file names", () =>
    Effect.gen(function* () {
      const { add, expects, on, orgId, owner } = yield* setup([
        field("single_attachment", "S"),
        field("multi_image", "I")
      ])
      const sql = yield* SqlClient.SqlClient
      const upload = Effect.fnUntraced(function* (name: string) {
        const id = `temporary-${name}-${owner.userId}`
        yield* sql`
          INSERT INTO files (org_id, temporary_id, uploaded_by, name, size, mimetype, storage_key, created_on)
          VALUES (${orgId}, ${id}, ${owner.userId}, ${name}, 3, 'image/png', ${id}, ${new Date(`${TODAY}T11:00:00Z`)})`
        return id
      })
      yield* add({
        a: { s: yield* upload("Report.PDF"), i: [yield* upload("one.png"), yield* upload("two.png")] },
        b: { s: yield* upload("notes.txt") },
        c: {}
      })
      yield* expects([
        [on("s", "equal", is("report.pdf")), "a"],
        [on("s", "not_equal", is("report.pdf")), "bc"],
        [{ ...on("s", "ends_with", is(".pdf")), type: "file" }, "a"],
        [on("i", "equal", is("two.png")), "a"],
        [on("i", "contains", is(".png")), "a"],
        [on("i", "not_contains", is("one")), "bc"],
        [on("s", "empty"), "c"]
      ])
    }))

  test("checklist: by title, assignee, status and due date of its entries", () =>
    Effect.gen(function* () {
      const { add, expects, on, refuses, owner, orgId } = yield* setup([field("checklist", "K")])
      const ann = yield* seedUser(orgId, "member", "Ann")
      yield* add({
        a: {
          k: [
            { title: "Buy milk", completed: true },
            { title: "Cook", completed: true, assignee: ann.userId }
          ]
        },
        b: {
          k: [
            { title: "buy bread", due_at: "2026-04-15 10:00", assignee: owner.userId },
            { title: "x", completed: true }
          ]
        },
        c: {}
      })
      const by = (entry_property: string, match_type: string, more: object = {}) =>
        on("k", match_type, { entry_property, ...more })
      yield* expects([
        [by("title", "contains", is("BUY")), "ab"],
        [by("title", "not_contains", is("milk")), "bc"],
        [by("assignee", "equal", is(ann.userId)), "a"],
        [by("assignee", "not_equal", is(ann.userId)), "bc"],
        [by("assignee", "equal", { include_active_user: true }), "b"],
        [by("assignee", "empty"), "c"],
        [by("status", "equal", is(true)), "a"],
        [by("status", "equal", is(false)), "b"],
        [by("due_date", "equal", { relative_date_type: "today" }), "b"],
        [by("due_date", "before", is("2026-04-15")), ""],
        [by("due_date", "within", { relative_date_range_type: "current_week" }), "b"],
        [by("due_date", "not_equal", is("2026-04-15")), "ac"],
        [by("due_date", "empty"), "ac"],
        [on("k", "empty"), "c"],
        [on("k", "not_empty"), "ab"]
      ])
      yield* refuses([
        [on("k", "contains", is("x")), "entry_property"],
        [by("color", "equal", is("x")), "entry_property"],
        [by("title", "equal", is("x")), "match_type"],
        [by("status", "equal", is("done")), "values"],
        [by("due_date", "on_weekday", { weekday: "monday" }), "match_type"]
      ])
    }))

  test("a list is an AND; stray keys and wrong shapes are input_validation with their path", () =>
    Effect.gen(function* () {
      const { add, found, filter, on, app, call } = yield* setup([field("single_text", "T"), field("number", "N")])
      yield* add({ a: { t: "x", n: 1 }, b: { t: "x", n: 2 }, c: { t: "y", n: 1 } })
      assert.strictEqual(yield* found(on("t", "equal", is("x")), on("n", "equal", is(1))), "a")
      assert.strictEqual(yield* found(), "abc")
      for (const [bad, place] of [
        [{ ...on("t", "equal", is("x")), colour: 1 }, "filters[0].colour"],
        [{ field_id: 1, match_type: "equal" }, "filters[0].type"],
        [{ ...on("t", "equal"), values: "x" }, "filters[0].values"],
        [{ ...on("t", "equal"), values: [{ val: "x" }] }, "filters[0].values[0]"]
      ] as const) {
        const reply = yield* filter([bad])
        assert.deepStrictEqual([reply.status, reply.json.error_code], [400, "input_validation"], reply.text)
        assert.include(reply.json.error_message, place)
      }
      const sorted = yield* call("POST", `/v1/record/filter/app/${app.app_id}?sort_by=n&sort_desc=true&limit=1`, {
        filters: [on("t", "equal", is("x"))]
      })
      assert.deepStrictEqual([sorted.json.total, sorted.json.records[0].fields[1].values], [2, [{ value: 2 }]])
    }))
})
