// developer-api.md 4.4: relative dates are judged in the zone that the request names, else in that of the caller's profile; days that are
// named are UTC's.
import { assert, layer } from "@effect/vitest"
import { Clock, Effect } from "effect"
import { SqlClient } from "effect/sql"
import { momentOfInstant } from "../../../src/platform/primitives/dates.ts"
import { startOfDay, wallOf } from "../../../src/platform/primitives/zones.ts"
import { appLayer } from "../../support/app.ts"
import { as, createApp, field, seedWorkspace } from "../../support/records.ts"

const DAY = 86_400_000
/** At every moment one of them has another day than UTC. */
const ZONES = ["Pacific/Kiritimati", "Pacific/Pago_Pago", "UTC"]

layer(appLayer(), { excludeTestServices: true })("relative dates of listings", (it) => {
  it.effect("are those of the request's zone, of the filter's, of the profile's", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { owner, workspaceId } = yield* seedWorkspace
      const call = as(owner)
      const app = yield* createApp(owner, workspaceId, [
        field("single_text", "Name"),
        field("single_date", "When", { time: "enabled" }),
        field("range_date", "Stay", { time: "enabled" }),
        field("checklist", "Todo")
      ])
      const id = (slug: string): number => app.fields.find((one: any) => one.slug === slug).field_id
      const nowMillis = yield* Clock.currentTimeMillis
      const dayIn = (zone: string) => wallOf(nowMillis, zone).day
      for (const [name, when, todo] of ZONES.flatMap((zone) => {
        const begin = startOfDay(dayIn(zone), zone)
        const end = startOfDay(wallOf(begin + 1.5 * DAY, zone).day, zone)
        return [
          [`${zone} day`, dayIn(zone), dayIn(zone)],
          [`${zone} before`, momentOfInstant(begin - 1000), null],
          [`${zone} first`, momentOfInstant(begin), null],
          [`${zone} last`, momentOfInstant(end - 1000), null],
          [`${zone} after`, momentOfInstant(end), null]
        ] as const
      })) {
        const creation = yield* call("POST", `/v1/record/app/${app.app_id}`, {
          fields: { name, when, stay: when, todo: todo === null ? [] : [{ title: "x", due_at: todo }] }
        })
        assert.strictEqual(creation.status, 200, creation.text)
      }
      const listing = yield* call("GET", `/v1/record/app/${app.app_id}?limit=100`)
      const whens = new Map<string, string>(
        listing.json.records.map(({ fields, title }: any) => {
          const [{ start_date_utc, start_time_utc, start_utc }] = fields.find(
            (one: any) => one.external_id === "when"
          ).values
          return [title, start_time_utc === null ? start_date_utc : start_utc]
        })
      )
      /** What the zone's wall shows of what is kept, judged here one by one. */
      const expected = (zone: string, day: string) =>
        [...whens]
          .filter(
            ([, when]) =>
              (when.length === 10 ? when : wallOf(Date.parse(`${when.replace(" ", "T")}Z`), zone).day) === day
          )
          .map(([title]) => title)
          .sort()
      const titles = Effect.fnUntraced(function* (path: string, body?: object) {
        const reply = yield* call(body === undefined ? "GET" : "POST", `/v1/record/${path}`, body)
        assert.strictEqual(reply.status, 200, reply.text)
        return reply.json.records.map(({ title }: any) => title).sort()
      })
      const filtered = (filter: object, more: object = {}) =>
        titles(`filter/app/${app.app_id}?limit=100`, { filters: [{ type: "date", ...filter }], ...more })
      const today = { field_id: id("when"), match_type: "equal", relative_date_type: "today" }

      for (const zone of ZONES) {
        const day = dayIn(zone)
        const yesterday = wallOf(startOfDay(day, zone) - DAY / 2, zone).day
        assert.deepStrictEqual(yield* filtered(today, { timezone: zone }), expected(zone, day), zone)
        assert.deepStrictEqual(yield* filtered({ ...today, timezone: zone }), expected(zone, day), zone)
        assert.deepStrictEqual(
          yield* filtered({ ...today, field_id: id("stay") }, { timezone: zone }),
          expected(zone, day),
          zone
        )
        assert.deepStrictEqual(
          yield* filtered({ ...today, relative_date_type: "yesterday" }, { timezone: zone }),
          expected(zone, yesterday),
          zone
        )
        const todo = { field_id: id("todo"), type: "checklist", entry_property: "due_date" }
        assert.deepStrictEqual(
          yield* filtered({ ...todo, match_type: "equal", relative_date_type: "today" }, { timezone: zone }),
          ZONES.filter((one) => dayIn(one) === day)
            .map((one) => `${one} day`)
            .sort(),
          zone
        )
        // Days that are named are UTC's, whatever the zone.
        assert.deepStrictEqual(
          yield* filtered({ ...today, relative_date_type: "exact_date", values: [{ value: day }] }, { timezone: zone }),
          expected("UTC", day),
          zone
        )
      }

      const [far] = ZONES.filter((zone) => dayIn(zone) !== dayIn("UTC"))
      const view = yield* call("POST", `/v1/view/app/${app.app_id}`, {
        ...{ name: "Today", layout: "table", filters: [{ type: "date", ...today }] }
      })
      assert.strictEqual(view.status, 201, view.text)
      const path = `view/${view.json.view.view_id}?limit=100`
      assert.deepStrictEqual(yield* titles(path), expected("UTC", dayIn("UTC")))
      assert.deepStrictEqual(yield* titles(`${path}&timezone=${far}`), expected(far!, dayIn(far!)))
      yield* sql`UPDATE users SET timezone = ${far!} WHERE user_id = ${owner.userId}`
      assert.deepStrictEqual(yield* titles(path), expected(far!, dayIn(far!)))
      assert.deepStrictEqual(yield* filtered(today), expected(far!, dayIn(far!)))
      assert.deepStrictEqual(yield* filtered(today, { timezone: "UTC" }), expected("UTC", dayIn("UTC")))
    })
  )

  it.effect("refuse what is no zone, at its place", () =>
    Effect.gen(function* () {
      const { owner, workspaceId } = yield* seedWorkspace
      const call = as(owner)
      const app = yield* createApp(owner, workspaceId, [field("single_date", "Due"), field("single_text", "Name")])
      const [due, name] = app.fields.map((one: any) => one.field_id)
      const today = { field_id: due, type: "date", match_type: "equal", relative_date_type: "today" }
      const refusal = Effect.fnUntraced(function* (body: object) {
        const reply = yield* call("POST", `/v1/record/filter/app/${app.app_id}`, body)
        assert.strictEqual(reply.status, 400, reply.text)
        return reply.json.error_message as string
      })
      assert.match(
        yield* refusal({ filters: [today], timezone: "Mars/Olympus" }),
        /^timezone: must be an IANA time zone/
      )
      assert.match(
        yield* refusal({ filters: [{ ...today, timezone: "+02:00" }] }),
        /filters\[0\].*timezone: must be an IANA/
      )
      const text = { field_id: name, type: "text", match_type: "equal", values: [{ value: "x" }], timezone: "UTC" }
      assert.match(yield* refusal({ filters: [text] }), /timezone: is for dates only/)
    })
  )
})
