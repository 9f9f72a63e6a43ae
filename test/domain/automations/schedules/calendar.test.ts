// Dates that arrive, over the whole spine (developer-api.md 7.5 rule 1; decisions A5).
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { App } from "../../../support/app.ts"
import { eventually, spineLayer } from "../../../support/spine.ts"
import { automate, createRecord, runsOf, runsOver, setText, settled, textOf } from "../runSupport.ts"
import { seedApp } from "../support.ts"

const HOUR = 3_600_000
const stamp = (millis: number) => new Date(millis).toISOString().slice(0, 19).replace("T", " ")
const inMillis = (millis: number) => stamp(Date.now() + millis)

const dueOf = (automationId: number) =>
  Effect.flatMap(
    SqlClient.SqlClient,
    (sql) => sql<{ record_id: number; due_at: Date }>`
      SELECT record_id, due_at FROM calendar_due WHERE automation_id = ${automationId} ORDER BY record_id`
  )
const dueRecords = (automationId: number) => Effect.map(dueOf(automationId), (rows) => rows.map((row) => row.record_id))
const sameIds = (wanted: ReadonlyArray<number>) => (ids: ReadonlyArray<number>) => String(ids) === String(wanted)

const setting = Effect.gen(function* () {
  const seeded = yield* seedApp([
    { field_type: "single_text", config: { label: "Reference" } },
    { field_type: "single_date", config: { label: "Due", settings: { time: "enabled" } } },
    { field_type: "single_date", config: { label: "Other", settings: { time: "enabled" } } }
  ])
  const app = yield* App
  const { fields, token } = seeded
  const ref = fields["reference"]!
  const dated = (config: object = {}, more: object = {}) =>
    automate(token, seeded.appId, {
      trigger: { type: "date_field_arrived", config: { date_field_id: fields["due"], ...config } },
      actions: [setText(ref, "arrived")],
      ...more
    })
  const record = (due: string | null, more: object = {}) =>
    createRecord(token, seeded.appId, { ...(due === null ? {} : { due: { start: due } }), ...more })
  const putRecord = Effect.fnUntraced(function* (id: number, values: object) {
    const reply = yield* app.call("PUT", `/v1/record/${id}`, { token, body: { fields: values } })
    assert.strictEqual(reply.status, 200, reply.text)
  })
  /** The date comes at the given instant, past or not: cells and rows as they were written then, and nothing has run since. */
  const comes = Effect.fnUntraced(function* (automationId: number, recordIds: ReadonlyArray<number>, millis: number) {
    const sql = yield* SqlClient.SqlClient
    const dueDate = new Date(Math.floor(millis / 1_000) * 1_000)
    const cell = JSON.stringify([{ start: stamp(dueDate.getTime()) }])
    const ids = recordIds.map(String)
    yield* sql.withTransaction(
      Effect.andThen(
        sql`UPDATE records SET cells = jsonb_set(cells, ${`{${fields["due"]}}`}::text[], ${cell}::jsonb)
          WHERE record_id = ANY(${ids}::text[]::bigint[])`,
        sql`UPDATE calendar_due SET due_at = ${dueDate}
          WHERE automation_id = ${automationId} AND record_id = ANY(${ids}::text[]::bigint[])`
      )
    )
  })
  return { ...seeded, ref, dated, record, put: putRecord, comes }
})

/** As if the automation had been activated so much earlier. */
const backdate = (automationId: number) =>
  Effect.flatMap(
    SqlClient.SqlClient,
    (sql) =>
      sql`UPDATE automations SET activated_on = activated_on - interval '3 days' WHERE automation_id = ${automationId}`
  )

layer(spineLayer(), { excludeTestServices: true })("date_field_arrived (7.5 rule 1, A5)", (it) => {
  it.effect("sleeps until its time and fires then, once, whatever else is written to the record", () =>
    Effect.gen(function* () {
      const { dated, put, record, ref } = yield* setting
      const id = yield* dated()
      // Its actor sleeps until the very instant: how soon it fires is a matter of that timer.
      const planned = Math.floor(Date.now() / 1_000) * 1_000 + HOUR
      const plannedRecord = yield* record(stamp(planned))
      const sql = yield* SqlClient.SqlClient
      yield* eventually(
        "sleeps until then",
        sql<{ wake_at: Date | null }>`SELECT wake_at FROM actors WHERE kind = 'calendar' AND state = 'asleep'`,
        ([row]) => row?.wake_at?.getTime() === planned
      )
      yield* put(plannedRecord, { due: null })
      const due = Date.now() + 5_000
      const soon = yield* record(stamp(due))
      const past = yield* record(inMillis(-60_000))
      yield* put(soon, { reference: "before" })
      const [run] = yield* runsOver(id)
      assert.strictEqual(run!.status, "completed")
      const dueMillis = Math.floor(due / 1_000) * 1_000
      assert.isAtLeast((run as any).created_on.getTime(), dueMillis)
      yield* put(soon, { reference: "after" })
      yield* put(soon, { other: { start: inMillis(500) } })
      assert.deepStrictEqual(yield* dueRecords(id), [])
      assert.strictEqual((yield* runsOf(id)).length, 1)
      assert.strictEqual(yield* textOf(past, ref), null)
    })
  )

  it.effect(
    "a value moves, a cleared value, the trash and a destroyed record cancel, a restored record comes back",
    () =>
      Effect.gen(function* () {
        const app = yield* App
        const { dated, put, record, token } = yield* setting
        const id = yield* dated({ offset_direction: "before", offset_amount: 1, offset_unit: "hour" })
        const [moved, cleared, trashed, destroyed] = [
          yield* record(inMillis(3 * HOUR)),
          yield* record(inMillis(3 * HOUR)),
          yield* record(inMillis(3 * HOUR)),
          yield* record(inMillis(3 * HOUR))
        ]
        assert.strictEqual((yield* dueOf(id)).length, 4)
        const to = Math.floor(Date.now() / 1_000) * 1_000 + 50 * HOUR
        yield* put(moved, { due: { start: stamp(to) } })
        yield* put(cleared, { due: null })
        yield* app.call("DELETE", `/v1/record/${trashed}`, { token })
        yield* app.call("DELETE", `/v1/record/${destroyed}?skip_trash=true`, { token })
        const [row, ...rest] = yield* dueOf(id)
        assert.deepStrictEqual(
          rest.map((one) => one.record_id).filter((one) => one !== destroyed),
          []
        )
        assert.strictEqual(row!.record_id, moved)
        assert.strictEqual(row!.due_at.getTime(), to - HOUR)
        const restored = yield* app.call("POST", `/v1/record/${trashed}/restore`, { token })
        assert.strictEqual(restored.status, 200, restored.text)
        assert.isTrue((yield* dueRecords(id)).includes(trashed))
        // Moved to an instant that is past by the offset: nothing to wait for.
        yield* put(moved, { due: { start: inMillis(HOUR / 2) } })
        assert.isFalse((yield* dueRecords(id)).includes(moved))
        assert.strictEqual((yield* runsOf(id)).length, 0)
      })
  )

  it.effect(
    "activation takes the records that are there, past ones left out; pause, delete and break drop the rows",
    () =>
      Effect.gen(function* () {
        const app = yield* App
        const { appId, dated, fields, record, token } = yield* setting
        const future = yield* record(inMillis(HOUR))
        yield* record(inMillis(-HOUR))
        yield* record(null)
        const id = yield* dated()
        const later = yield* record(inMillis(2 * HOUR))
        const armed = eventually("armed", dueRecords(id), sameIds([future, later]))
        const dropped = (why: string) => eventually(`dropped: ${why}`, dueRecords(id), (ids) => ids.length === 0)
        yield* armed
        yield* app.call("POST", `/v1/automation/${id}/pause`, { token })
        yield* dropped("paused")
        yield* app.call("POST", `/v1/automation/${id}/activate`, { token })
        yield* armed
        const other = yield* dated({ date_field_id: fields["other"] })
        const fieldDeletion = yield* app.call("PUT", `/v1/app/${appId}`, {
          token,
          body: { fields_to_delete: [{ field_id: fields["due"] }] }
        })
        assert.strictEqual(fieldDeletion.status, 200, fieldDeletion.text)
        yield* dropped("broken")
        yield* app.call("DELETE", `/v1/automation/${other}`, { token })
        assert.deepStrictEqual(yield* dueRecords(other), [])
      })
  )

  it.effect("a changed config moves every row; a change of anything else leaves what is about to fire", () =>
    Effect.gen(function* () {
      const app = yield* App
      const sql = yield* SqlClient.SqlClient
      const { dated, fields, record, token } = yield* setting
      const firstRecord = yield* record(inMillis(HOUR), { other: { start: inMillis(5 * HOUR) } })
      const two = yield* record(inMillis(HOUR))
      const id = yield* dated()
      yield* eventually("armed", dueRecords(id), sameIds([firstRecord, two]))
      yield* app.call("PUT", `/v1/automation/${id}/trigger`, {
        token,
        body: { type: "date_field_arrived", config: { date_field_id: fields["other"] } }
      })
      const [row] = yield* eventually("moved", dueOf(id), (rows) => rows.length === 1)
      assert.strictEqual(row!.record_id, firstRecord)
      // biome-ignore lint/plugin: of five hours one is left for the machine.
      assert.isAbove(row!.due_at.getTime(), Date.now() + 4 * HOUR)
      const [before] = yield* sql<{ ctid: string }>`SELECT ctid::text FROM calendar_due WHERE automation_id = ${id}`
      yield* app.call("PUT", `/v1/automation/${id}`, { token, body: { name: "Renamed" } })
      yield* eventually(
        "carried out",
        sql`SELECT 1 FROM automation_inbox UNION ALL SELECT 1 FROM outbox`,
        (rows) => rows.length === 0
      )
      const [after] = yield* sql<{ ctid: string }>`SELECT ctid::text FROM calendar_due WHERE automation_id = ${id}`
      assert.strictEqual(after!.ctid, before!.ctid)
    })
  )

  it.effect(
    "after downtime instants up to 24 h old still fire; older ones, and those from before an activation, do not",
    () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const { appId, comes, dated, record, ref } = yield* setting
        const id = yield* dated()
        const ids = [yield* record(inMillis(HOUR)), yield* record(inMillis(HOUR)), yield* record(inMillis(HOUR))]
        yield* backdate(id)
        const nowMillis = Date.now()
        yield* sql.withTransaction(
          Effect.forEach([23, 25, 22], (age, n) => comes(id, [ids[n]!], nowMillis - age * HOUR), { discard: true })
        )
        yield* eventually("decided", dueRecords(id), (left) => left.length === 0)
        yield* runsOver(id, 2)
        assert.deepStrictEqual(yield* Effect.forEach(ids, (recordId) => textOf(recordId, ref)), [
          "arrived",
          null,
          "arrived"
        ])
        // Paused and active again while the row was still there.
        const lateRecord = yield* record(inMillis(HOUR))
        yield* sql`UPDATE automations SET activated_on = now() WHERE automation_id = ${id}`
        yield* comes(id, [lateRecord], Date.now() - HOUR)
        yield* eventually("decided", dueRecords(id), (left) => left.length === 0)
        yield* settled(appId)
        assert.strictEqual(yield* textOf(lateRecord, ref), null)
      })
  )

  it.effect(
    "a row that no longer says what the record says does not fire: it goes, or moves to the right instant",
    () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const { dated, record } = yield* setting
        const id = yield* dated()
        const [kept, gone] = [yield* record(inMillis(HOUR)), yield* record(null)]
        const { due_at } = (yield* dueOf(id))[0]!
        const nowDate = new Date()
        yield* sql`UPDATE calendar_due SET due_at = ${nowDate} WHERE record_id = ${kept}`
        yield* sql`INSERT INTO calendar_due (automation_id, record_id, app_id, org_id, due_at)
        SELECT automation_id, ${gone}, app_id, org_id, ${nowDate} FROM calendar_due WHERE record_id = ${kept}`
        const [row] = yield* eventually(
          "right again",
          dueOf(id),
          (rows) => rows.length === 1 && rows[0]!.due_at > nowDate
        )
        assert.strictEqual(row!.due_at.getTime(), due_at.getTime())
        assert.strictEqual((yield* runsOf(id)).length, 0)
      })
  )

  it.effect("under concurrent writes a moved date never fires twice, a cleared one never", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { appId, comes, dated, fields, put, record } = yield* setting
      const id = yield* dated({}, { actions: [{ type: "exit", config: { exit_type: "success" } }] })
      yield* backdate(id)
      const near = Math.floor(Date.now() / 1_000) * 1_000 + HOUR
      const ids = yield* Effect.forEach(Array.from({ length: 12 }), () => record(stamp(near)), { concurrency: 4 })
      const updates = ids.flatMap((recordId) => [
        put(recordId, { due: null }),
        put(recordId, { due: { start: stamp(near) } }),
        put(recordId, { due: { start: stamp(near + HOUR) } }),
        put(recordId, { reference: "x" }),
        put(recordId, { due: { start: stamp(near) } })
      ])
      // The last word on a third of them is a clear, on another third a move; what is written last on the others is left to chance.
      yield* Effect.all(updates, { concurrency: 8 })
      yield* Effect.forEach(
        ids,
        (recordId, n) =>
          n % 3 === 0
            ? put(recordId, { due: null })
            : n % 3 === 1
              ? put(recordId, { due: { start: stamp(near + HOUR) } })
              : Effect.void,
        { concurrency: 8 }
      )
      const armed = new Map((yield* dueOf(id)).map((row) => [row.record_id, row.due_at.getTime()]))
      const cells = yield* sql<{ record_id: number; start: string | null }>`
        SELECT record_id, cells -> ${String(fields["due"])} -> 0 ->> 'start' AS start FROM records WHERE app_id = ${appId}`
      for (const { record_id, start } of cells) {
        const expectedMillis = start === null ? undefined : Date.parse(`${start.replace(" ", "T")}Z`)
        assert.strictEqual(armed.get(record_id), expectedMillis, `record ${record_id} and its row say the same`)
      }
      const expected = [...armed].filter(([, at]) => at === near).map(([recordId]) => recordId)
      assert.isTrue(ids.every((recordId, n) => n % 3 === 2 || !expected.includes(recordId)))
      // Rewrites of other fields while they fire.
      yield* comes(id, expected, Date.now())
      yield* Effect.all(
        ids.flatMap((recordId) => [1, 2, 3].map((n) => put(recordId, { reference: `y${n}` }))),
        { concurrency: 8 }
      )
      yield* eventually("fired", dueOf(id), (rows) => rows.every(({ due_at }) => due_at.getTime() > near))
      yield* settled(appId)
      const runs = yield* runsOver(id, expected.length)
      assert.deepStrictEqual(
        runs.map((run) => (run as any).record_id).sort((a, b) => a - b),
        expected.sort((a, b) => a - b)
      )
    })
  )
})
