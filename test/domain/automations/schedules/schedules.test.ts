// Schedules over the whole spine, with real Temporal Schedules (developer-api.md 7.5 rule 2; decisions A4).
import { assert, describe, layer, it as plain } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { SqlClient } from "effect/sql"
import { Reconcile } from "../../../../src/domain/automations/durable/Reconcile.ts"
import { PeriodicTicks } from "../../../../src/domain/automations/schedules/PeriodicTicks.ts"
import { scheduleId, TemporalSchedules } from "../../../../src/domain/automations/schedules/TemporalSchedules.ts"
import { specOf } from "../../../../src/domain/automations/schedules/temporalSpec.ts"
import type { ScheduleConfig } from "../../../../src/domain/automations/triggers/periodic/ScheduleConfig.ts"
import { Temporal } from "../../../../src/engine/temporal/Temporal.ts"
import { App } from "../../../support/app.ts"
import { waitingForMe } from "../../../support/locks.ts"
import { eventually, spineLayer } from "../../../support/spine.ts"
import { askedBy } from "../../../support/statements.ts"
import { automate, endDelays, runsOf, runsOver, scheduleBack, scheduleOf, settled, waiting } from "../runSupport.ts"
import { seedApp } from "../support.ts"

const MINUTE = 60_000
const stamp = (millis: number) => new Date(millis).toISOString().slice(0, 19).replace("T", " ")
const exitActions = [{ type: "exit", config: { exit_type: "success" } }]
const everyFive = { schedule_type: "interval", interval_amount: 5, interval_unit: "minute" }

const periodic = Effect.fnUntraced(function* (config: object, more: object = {}) {
  const { appId, token } = yield* seedApp()
  const trigger = { type: "periodic", config }
  const id = yield* automate(token, appId, { trigger, actions: exitActions, ...more })
  return { id, appId, token }
})

const awaitSchedule = (id: number) => eventually("a schedule", Effect.isSuccess(scheduleOf(id)), (found) => found)
const awaitRemoval = (id: number) => eventually("no schedule", Effect.isSuccess(scheduleOf(id)), (found) => !found)

/** Its activation has been carried out, with its own look at what is due. */
const armed = (id: number) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const [row] = yield* sql<{ app_id: number }>`SELECT app_id FROM automations WHERE automation_id = ${id}`
    yield* awaitSchedule(id)
    yield* settled(row!.app_id)
  })

/** Makes an automation with an instant that soon, and waits for its schedule. */
const startingIn = Effect.fnUntraced(function* (leadMillis: number) {
  const startMillis = Math.ceil(Date.now() / 1_000) * 1_000 + leadMillis
  const { id } = yield* periodic({ ...everyFive, starts_at: stamp(startMillis) })
  yield* awaitSchedule(id)
  return { id, startMillis }
})

/** Makes one whose first instant comes after its schedule is there, however long a busy machine takes for that. */
const startingSoon = (leadMillis: number): ReturnType<typeof startingIn> =>
  Effect.flatMap(startingIn(leadMillis), (started) =>
    Date.now() < started.startMillis ? Effect.succeed(started) : startingSoon(2 * leadMillis)
  )

/** As if the automation had been activated, and its instants had counted, for so much longer. */
const backdate = (id: number, minutes: number) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) =>
    Effect.andThen(
      sql`UPDATE automations SET activated_on = activated_on - make_interval(mins => ${minutes}::int) WHERE automation_id = ${id}`,
      sql`UPDATE automation_schedules SET armed_on = armed_on - make_interval(mins => ${minutes}::int) WHERE automation_id = ${id}`
    )
  )

/** The same behind a change of the schedule. */
const backdateChange = (id: number, minutes: number) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) =>
    Effect.andThen(
      backdate(id, minutes),
      sql`UPDATE automation_revisions SET created_on = created_on - make_interval(mins => ${minutes}::int) WHERE automation_id = ${id}`
    )
  )

const triggerData = (id: number) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) =>
    Effect.map(
      sql<{
        data: any
      }>`SELECT data FROM runs JOIN run_triggers USING (run_id) WHERE automation_id = ${id} ORDER BY run_id`,
      (rows) => rows.map(({ data }) => data)
    )
  )

layer(spineLayer(), { excludeTestServices: true })("periodic (7.5, A4)", (it) => {
  it.effect("an instant fires by its Temporal Schedule, with it and the next one as the trigger's data", () =>
    Effect.gen(function* () {
      const { id, startMillis } = yield* startingSoon(5_000)
      const { spec } = yield* scheduleOf(id)
      assert.deepStrictEqual(
        [spec.jitter ?? 0, spec.intervals],
        [0, [{ every: 5 * MINUTE, offset: startMillis % (5 * MINUTE) }]]
      )
      const [run] = yield* runsOver(id)
      const [data] = yield* triggerData(id)
      assert.strictEqual(data.scheduled_at, startMillis)
      assert.strictEqual(data.next_scheduled_at, startMillis + 5 * MINUTE)
      assert.isAtLeast((run as any).created_on.getTime(), startMillis)
      const info = yield* eventually("an action", scheduleOf(id), (now) => now.info.numActionsTaken >= 1)
      assert.strictEqual(info.policies.overlap, "SKIP")
    })
  )

  it.effect("there is one schedule per active automation: made, updated, removed with it", () =>
    Effect.gen(function* () {
      const app = yield* App
      const { id, token } = yield* periodic({ schedule_type: "daily", time_of_day: "08:30", timezone: "Europe/Vienna" })
      yield* awaitSchedule(id)
      const spec = (yield* scheduleOf(id)).spec
      assert.strictEqual(spec.timezone, "Europe/Vienna")
      assert.deepStrictEqual([spec.calendars![0]!.hour[0]!.start, spec.calendars![0]!.minute[0]!.start], [8, 30])
      yield* app.call("PUT", `/v1/automation/${id}/trigger`, {
        token,
        body: { type: "periodic", config: { schedule_type: "daily", time_of_day: "09:00", timezone: "Asia/Kathmandu" } }
      })
      yield* eventually("updated", scheduleOf(id), (now) => now.spec.timezone === "Asia/Kathmandu")
      yield* app.call("POST", `/v1/automation/${id}/pause`, { token })
      yield* awaitRemoval(id)
      yield* app.call("POST", `/v1/automation/${id}/activate`, { token })
      yield* awaitSchedule(id)
      yield* app.call("PUT", `/v1/automation/${id}/trigger`, { token, body: { type: "record_created", config: {} } })
      yield* awaitRemoval(id)
      yield* app.call("PUT", `/v1/automation/${id}/trigger`, { token, body: { type: "periodic", config: everyFive } })
      yield* awaitSchedule(id)
      yield* app.call("DELETE", `/v1/automation/${id}`, { token })
      yield* awaitRemoval(id)
    })
  )

  it.effect("its note names the automation and when it is due, and stays what an operator wrote who paused it", () =>
    Effect.gen(function* () {
      const temporal = yield* Temporal
      const ticks = yield* PeriodicTicks
      const schedules = yield* TemporalSchedules
      const everyThird = {
        schedule_type: "interval",
        interval_amount: 3,
        interval_unit: "day",
        timezone: "Europe/Vienna"
      }
      const { id, appId } = yield* periodic(
        { ...everyThird, starts_at: "2030-03-29 08:00:00" },
        { name: "Count boats" }
      )
      yield* awaitSchedule(id)
      const noteOf = Effect.map(scheduleOf(id), ({ state }) => state.note ?? "")
      const note = yield* noteOf
      assert.include(note, `"Count boats": automation ${id} of app ${appId}, organization `)
      // The wall clock stays over the change of 31 March.
      assert.include(note, "is due at 2030-03-29 08:00:00, 2030-04-01 07:00:00, 2030-04-04 07:00:00 (UTC); as of ")
      const [armedNow] = yield* ticks.armed(id)
      yield* schedules.renew({ ...armedNow!, name: "Count ships" })
      assert.include(yield* eventually("renewed", noteOf, (now) => now !== note), '"Count ships"')
      yield* temporal.call((client) => client.schedule.getHandle(scheduleId(id)).pause("until the flood is over"))
      yield* schedules.renew(armedNow!)
      assert.strictEqual(yield* noteOf, "until the flood is over")
    })
  )

  it.effect("after downtime only the latest missed instant fires, once, however many processes look", () =>
    Effect.gen(function* () {
      const ticks = yield* PeriodicTicks
      const { id } = yield* periodic(everyFive)
      yield* armed(id)
      assert.strictEqual(yield* ticks.tick(id), "nothing")
      yield* backdate(id, 17)
      const tickResults = yield* Effect.all(
        Array.from({ length: 5 }, () => ticks.tick(id)),
        { concurrency: 5 }
      )
      assert.deepStrictEqual([...tickResults].sort(), ["fired", "nothing", "nothing", "nothing", "nothing"])
      yield* runsOver(id)
      assert.strictEqual(yield* ticks.tick(id), "nothing")
      const [data] = yield* triggerData(id)
      const age = Date.now() - data.scheduled_at
      assert.isTrue(age >= 0 && age < 5 * MINUTE, `${age}`)
      assert.strictEqual(data.next_scheduled_at - data.scheduled_at, 5 * MINUTE)
    })
  )

  it.effect("a tick is skipped while the previous run is unfinished, and not made up for", () =>
    Effect.gen(function* () {
      const ticks = yield* PeriodicTicks
      const { id } = yield* periodic(everyFive, { actions: [{ type: "delay", config: { delay_ms: 3_600_000 } }] })
      yield* armed(id)
      yield* backdate(id, 12)
      assert.strictEqual(yield* ticks.tick(id), "fired")
      const sql = yield* SqlClient.SqlClient
      // The next instant comes while the first run, or its event, is still there.
      yield* sql`UPDATE automation_schedules SET last_instant = last_instant - interval '5 minutes' WHERE automation_id = ${id}`
      assert.strictEqual(yield* ticks.tick(id), "skipped")
      yield* waiting(id)
      yield* endDelays(id)
      yield* runsOver(id)
      assert.strictEqual(yield* ticks.tick(id), "nothing")
      assert.strictEqual((yield* runsOf(id)).length, 1)
    })
  )

  it.effect("a change of the schedule makes no instant of the past due; any other change moves nothing", () =>
    Effect.gen(function* () {
      const app = yield* App
      const sql = yield* SqlClient.SqlClient
      const ticks = yield* PeriodicTicks
      const { id, token } = yield* periodic({ schedule_type: "interval", interval_amount: 7, interval_unit: "hour" })
      yield* armed(id)
      yield* backdate(id, 400)
      yield* app.call("PUT", `/v1/automation/${id}/trigger`, { token, body: { type: "periodic", config: everyFive } })
      assert.strictEqual(yield* ticks.tick(id), "nothing")
      const armedState = Effect.map(ticks.armed(id), ([schedule]) => [schedule!.armedOn, schedule!.done])
      const stateBefore = yield* armedState
      yield* app.call("PUT", `/v1/automation/${id}`, { token, body: { name: "Renamed" } })
      yield* ticks.tick(id)
      yield* eventually(
        "carried out",
        sql`SELECT 1 FROM automation_inbox UNION ALL SELECT 1 FROM outbox`,
        (rows) => rows.length === 0
      )
      assert.deepStrictEqual(yield* armedState, stateBefore)
      assert.strictEqual((yield* runsOf(id)).length, 0)
    })
  )

  it.effect(
    "a trigger that has only just become periodic makes no instant of the past due, nor one that becomes it again",
    () =>
      Effect.gen(function* () {
        const app = yield* App
        const ticks = yield* PeriodicTicks
        const { appId, token } = yield* seedApp()
        const onCreation = { type: "record_created", config: {} }
        const id = yield* automate(token, appId, { trigger: onCreation, actions: exitActions })
        const becomes = (trigger: object) => app.call("PUT", `/v1/automation/${id}/trigger`, { token, body: trigger })
        yield* backdate(id, 60)
        yield* becomes({ type: "periodic", config: everyFive })
        assert.strictEqual(yield* ticks.tick(id), "nothing")
        yield* armed(id)
        yield* becomes(onCreation)
        yield* awaitRemoval(id)
        yield* backdate(id, 60)
        yield* becomes({ type: "periodic", config: everyFive })
        assert.strictEqual(yield* ticks.tick(id), "nothing")
        yield* armed(id)
        assert.strictEqual((yield* runsOf(id)).length, 0)
      })
  )

  it.effect("a tick while a trigger becomes periodic again makes no instant of the past due", () =>
    Effect.gen(function* () {
      const app = yield* App
      const ticks = yield* PeriodicTicks
      const { id, token } = yield* periodic(everyFive)
      const becomes = (trigger: object) => app.call("PUT", `/v1/automation/${id}/trigger`, { token, body: trigger })
      yield* armed(id)
      yield* becomes({ type: "record_created", config: {} })
      yield* awaitRemoval(id)
      yield* backdate(id, 60)
      const change = yield* Effect.cached(Effect.forkDetach(becomes({ type: "periodic", config: everyFive })))
      const { answer } = yield* askedBy(
        ticks.tick(id),
        Effect.fnUntraced(function* ({ statement }) {
          if (!statement.includes("INSERT INTO automation_schedules")) return
          const changing = yield* change
          const changeWaits = Effect.map(waitingForMe, (rows) => changing.pollUnsafe() !== undefined || rows.length > 0)
          yield* eventually("the change is through, or waits for the tick", changeWaits, (through) => through)
        }, Effect.orDie)
      )
      yield* Fiber.join(yield* change)
      assert.strictEqual(answer, "nothing")
      assert.strictEqual(yield* ticks.tick(id), "nothing")
    })
  )

  it.effect("what was due while the automation was paused is not made up for", () =>
    Effect.gen(function* () {
      const app = yield* App
      const ticks = yield* PeriodicTicks
      const { id, token } = yield* periodic(everyFive)
      yield* armed(id)
      yield* app.call("POST", `/v1/automation/${id}/pause`, { token })
      yield* awaitRemoval(id)
      yield* backdate(id, 60)
      assert.strictEqual(yield* ticks.tick(id), "nothing")
      yield* app.call("POST", `/v1/automation/${id}/activate`, { token })
      yield* armed(id)
      assert.strictEqual(yield* ticks.tick(id), "nothing")
      assert.strictEqual((yield* runsOf(id)).length, 0)
    })
  )

  it.effect("reconcile brings a lost schedule back and fires what was missed meanwhile", () =>
    Effect.gen(function* () {
      const temporal = yield* Temporal
      const { id } = yield* periodic(everyFive)
      yield* armed(id)
      yield* temporal.call((client) => client.schedule.getHandle(scheduleId(id)).delete())
      yield* awaitRemoval(id)
      yield* backdate(id, 9)
      yield* scheduleBack(id)
      assert.strictEqual((yield* runsOver(id)).length, 1)
    })
  )

  it.effect("a zone that is written in other letters, or by a former name, has its schedule", () =>
    Effect.gen(function* () {
      for (const [timezone, known] of [
        ["europe/vienna", "Europe/Vienna"],
        ["utc", "UTC"],
        ["JST", "Asia/Tokyo"]
      ] as const) {
        const { id } = yield* periodic({ schedule_type: "daily", time_of_day: "08:30", timezone })
        yield* awaitSchedule(id)
        assert.strictEqual((yield* scheduleOf(id)).spec.timezone, known)
      }
    })
  )

  it.effect("a schedule that is not valid any more, or that Temporal does not take, keeps no other from its time", () =>
    Effect.gen(function* () {
      const app = yield* App
      const ticks = yield* PeriodicTicks
      const reconcile = yield* Reconcile
      // An active automation takes what is well-formed (7.2).
      const changed = Effect.fnUntraced(function* (config: object) {
        const { appId, id, token } = yield* periodic(everyFive)
        yield* armed(id)
        const { status } = yield* app.call("PUT", `/v1/automation/${id}/trigger`, {
          token,
          body: { type: "periodic", config }
        })
        assert.strictEqual(status, 200)
        yield* settled(appId)
        return id
      })
      const nowhere = yield* changed({ ...everyFive, timezone: "Nowhere/Land" })
      const never = yield* changed({ schedule_type: "cron", cron_expression: "0 0 31 2 *" })
      // Node knows it, Temporal does not.
      const former = yield* changed({ schedule_type: "daily", time_of_day: "08:30", timezone: "SystemV/PST8" })
      const { id } = yield* periodic(everyFive)
      yield* armed(id)
      for (const automationId of [id, nowhere, never, former]) yield* backdateChange(automationId, 24 * 60)
      yield* reconcile.run(true)
      for (const overdueId of [id, former]) assert.strictEqual((yield* runsOver(overdueId)).length, 1)
      for (const idleId of [nowhere, never]) {
        assert.strictEqual(yield* ticks.tick(idleId), "nothing")
        assert.strictEqual((yield* runsOf(idleId)).length, 0)
      }
    })
  )

  it.effect("one that is changed to come more often than it may fires at the least spacing", () =>
    Effect.gen(function* () {
      const app = yield* App
      const sql = yield* SqlClient.SqlClient
      const ticks = yield* PeriodicTicks
      const { appId, id, token } = yield* periodic(everyFive)
      yield* armed(id)
      const everyMinute = { schedule_type: "cron", cron_expression: "* * * * *" }
      yield* app.call("PUT", `/v1/automation/${id}/trigger`, { token, body: { type: "periodic", config: everyMinute } })
      yield* settled(appId)
      yield* backdateChange(id, 60)
      // Whoever looks first: so may a round of the process that began just now.
      yield* ticks.tick(id)
      yield* runsOver(id)
      const [data] = yield* triggerData(id)
      assert.strictEqual(data.next_scheduled_at - data.scheduled_at, 5 * MINUTE)
      const fired = (minutes: number) => sql`
        UPDATE automation_schedules SET last_instant = date_trunc('minute', now()) - make_interval(mins => ${minutes}::int)
        WHERE automation_id = ${id}`
      yield* fired(3)
      assert.strictEqual(yield* ticks.tick(id), "nothing")
      yield* fired(6)
      yield* ticks.tick(id)
      assert.strictEqual((yield* runsOver(id, 2)).length, 2)
    })
  )

  it.effect("Temporal takes the calendar of every kind of schedule", () =>
    Effect.gen(function* () {
      for (const config of [
        { schedule_type: "weekly", week_days: ["sunday", "monday"], time_of_day: "01:30" },
        { schedule_type: "monthly", month_days: [1, 31, -1] },
        { schedule_type: "cron", cron_expression: "*/15 8-17 1,15 JAN-MAR MON-FRI" },
        { schedule_type: "cron", cron_expression: "0 9 * * 7" },
        { schedule_type: "cron", cron_expression: "0 9 LW,15W * 5#3" },
        { schedule_type: "cron", cron_expression: "*/5 * * * *" },
        { schedule_type: "cron", cron_expression: "@daily" },
        { schedule_type: "interval", interval_amount: 3, interval_unit: "day" }
      ]) {
        const { id } = yield* periodic({ ...config, timezone: "Australia/Lord_Howe" })
        yield* awaitSchedule(id)
        assert.isAbove((yield* scheduleOf(id)).info.nextActionTimes.length, 0, JSON.stringify(config))
      }
    })
  )

  it.effect("the last day of the month shows the operator the instants that fire, and no others", () =>
    Effect.gen(function* () {
      const { id } = yield* periodic({ schedule_type: "monthly", month_days: [-1], timezone: "UTC" })
      yield* awaitSchedule(id)
      const { nextActionTimes } = (yield* scheduleOf(id)).info
      assert.isAbove(nextActionTimes.length, 4)
      for (const time of nextActionTimes) {
        assert.strictEqual(new Date(time.getTime() + 86_400_000).getUTCDate(), 1, time.toISOString())
      }
    })
  )
})

describe("the calendar that Temporal gets (A4)", () => {
  const specFor = (config: Partial<ScheduleConfig>, zone: string) =>
    specOf(
      {
        automation_id: 1,
        org_id: 1,
        app_id: 1,
        name: "x",
        config: { schedule_type: "daily", time_of_day: "02:30", week_days: [], month_days: [], ...config },
        zone,
        armedOn: Date.parse("2026-01-10T07:15:30.400Z"),
        last: null,
        done: 0
      },
      Date.parse("2026-01-10T00:00:00Z")
    )

  plain("an interval that counts from before 1970 has its phase all the same", () => {
    const every = (starts_at: string, interval_unit: "minute" | "day" = "minute") =>
      specFor({ schedule_type: "interval", interval_amount: 10, interval_unit, starts_at }, "UTC").intervals
    const MINUTE = 60_000
    const DAY = 1440 * MINUTE
    assert.deepStrictEqual(every("1969-12-31 23:54"), [{ every: 10 * MINUTE, offset: 4 * MINUTE }])
    assert.deepStrictEqual(every("1969-12-31 23:50"), [{ every: 10 * MINUTE, offset: 0 }])
    assert.deepStrictEqual(every("1970-01-01T00:00+01:00"), [{ every: 10 * MINUTE, offset: 0 }])
    assert.deepStrictEqual(every("1970-01-01 00:04"), [{ every: 10 * MINUTE, offset: 4 * MINUTE }])
    assert.deepStrictEqual(every("1969-12-30 01:00", "day"), [{ every: 10 * DAY, offset: 8 * DAY + 60 * MINUTE }])
  })

  plain("what is due where a clock changes is looked at by the instant", () => {
    const lookTimes = ({ intervals }: ReturnType<typeof specOf>) =>
      intervals!.map(({ every, offset }) => {
        const [step, phase] = [Number(every), Number(offset)]
        const firstMillis = Date.parse("2026-01-10T00:00:00Z")
        return new Date(Math.ceil((firstMillis - phase) / step) * step + phase).toISOString()
      })
    const daily = specFor({}, "Europe/Vienna")
    assert.deepStrictEqual(daily.calendars, [{ hour: 2, minute: 30, second: 0 }])
    assert.deepStrictEqual(lookTimes(daily), ["2026-03-29T01:00:00.000Z", "2026-10-25T00:30:00.000Z"])
    // What is not due there is looked at as ever.
    assert.deepStrictEqual(specFor({ time_of_day: "09:00" }, "Europe/Vienna").intervals, [])
    const until = specFor({ starts_at: "2026-02-01 00:00:00", ends_at: "2026-03-01 00:00:00" }, "Europe/Vienna")
    assert.deepStrictEqual(
      [until.startAt, until.endAt],
      [new Date("2026-02-01T00:00:00Z"), new Date("2026-03-01T00:00:00Z")]
    )
    assert.include(lookTimes(specFor({}, "Australia/Lord_Howe")), "2026-10-03T15:30:00.000Z")
    assert.strictEqual(specFor({}, "Asia/Kathmandu").calendars!.length, 1)
    // Midnight of that Friday does not exist: by its weekday alone it is taken for a Thursday.
    const cairo = specFor({ schedule_type: "weekly", week_days: ["friday"], time_of_day: "12:00" }, "Africa/Cairo")
    assert.deepStrictEqual(cairo.calendars!.at(-1), {
      ...{ year: 2026, month: "APRIL", dayOfMonth: 24 },
      ...{ hour: 12, minute: 0, second: 0 }
    })
  })

  plain("day of month or day of week is enough for a cron expression that names both", () => {
    const { calendars, timezone } = specFor(
      { schedule_type: "cron", cron_expression: "0 12 13 * FRI" },
      "Asia/Kathmandu"
    )
    assert.strictEqual(timezone, "Asia/Kathmandu")
    assert.deepStrictEqual(calendars, [
      { minute: [0], hour: [12], month: "*", dayOfMonth: [13] },
      { minute: [0], hour: [12], month: "*", dayOfWeek: ["FRIDAY"] }
    ])
  })

  plain("intervals keep their phase; days look once a day on the wall", () => {
    const config = { schedule_type: "interval", interval_amount: 90, interval_unit: "minute" } as const
    const [interval] = specFor(config, "UTC").intervals!
    assert.strictEqual(interval!.every, 90 * MINUTE)
    assert.strictEqual(interval!.offset, Date.parse("2026-01-10T07:15:31Z") % (90 * MINUTE))
    const [days] = specFor({ ...config, interval_amount: 3, interval_unit: "day" }, "UTC").intervals!
    assert.strictEqual(days!.every, 3 * 24 * 60 * MINUTE)
    const [day] = specFor({ ...config, interval_unit: "day" }, "Asia/Kathmandu").calendars!
    assert.deepStrictEqual(day, { hour: 13, minute: 0, second: 31 })
  })
})
