// Operator commands for what comes by time: active schedules and their true next instants, as our own rule has them (developer-api.md 7.5
// rule 2; decisions A4), whatever Temporal shows.
import { Clock, Console, Effect, Option, Schema } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { decodeShape, SchedulePreviewBody } from "../../domain/automations/input/automationBodies.ts"
import { PeriodicTicks } from "../../domain/automations/schedules/PeriodicTicks.ts"
import { nextInstants } from "../../domain/automations/triggers/periodic/instants.ts"
import { previewSchedule } from "../../domain/automations/triggers/periodic/preview.ts"
import { AppConfig } from "../../platform/config/Config.ts"
import { formatDateTime } from "../../platform/primitives/dates.ts"
import { json, print } from "./output.ts"

const text = (millis: number | undefined) => (millis === undefined ? null : formatDateTime(new Date(millis)))

const list = Command.make(
  "list",
  {
    org: Flag.Int("org").pipe(Flag.withDescription("Of an organization"), Flag.optional),
    app: Flag.Int("app").pipe(Flag.withDescription("Of an app"), Flag.optional),
    automation: Flag.Int("automation").pipe(Flag.withDescription("Of an automation"), Flag.optional),
    json
  },
  ({ app, automation, json, org }) =>
    Effect.gen(function* () {
      const nowMillis = yield* Clock.currentTimeMillis
      const armed = yield* PeriodicTicks.use((ticks) => ticks.armed(Option.getOrUndefined(automation)))
      const selectedSchedules = armed.filter(
        ({ app_id, org_id }) =>
          Option.match(org, { onNone: () => true, onSome: (id) => id === org_id }) &&
          Option.match(app, { onNone: () => true, onSome: (id) => id === app_id })
      )
      const due = selectedSchedules
        .map((schedule) => ({ schedule, next: nextInstants(schedule, Math.max(nowMillis, schedule.done), 3) }))
        .sort((a, b) => (a.next[0] ?? Number.POSITIVE_INFINITY) - (b.next[0] ?? Number.POSITIVE_INFINITY))
      yield* print(
        json,
        due.map(({ next: [first, ...later], schedule: { app_id, automation_id, config, done, name, org_id, zone } }) =>
          json
            ? {
                ...{ automation_id, name, app_id, org_id, zone, config, looked_until: text(done) },
                next: [first, ...later].filter((at) => at !== undefined).map(text)
              }
            : {
                automation: `${automation_id} ${name}`,
                app: app_id,
                kind: config.schedule_type,
                next: text(first) ?? "never again",
                later: later.map(text).join("\n"),
                zone,
                looked_until: text(done)
              }
        )
      )
    }).pipe(Effect.provide(PeriodicTicks.layer))
).pipe(Command.withDescription("Active schedules and when each is due next (UTC), the soonest first"))

const readConfig = Schema.decodeUnknownEffect(Schema.fromJsonString(Schema.Unknown))

const preview = Command.make(
  "preview",
  {
    config: Argument.String("config").pipe(Argument.withDescription("Of a periodic trigger, as JSON")),
    timezone: Flag.String("timezone").pipe(Flag.withDescription("Of the automation"), Flag.withDefault("UTC")),
    json
  },
  ({ config, json, timezone }) =>
    Effect.gen(function* () {
      const { scheduleMinimumSeconds } = yield* AppConfig
      const configInput = yield* readConfig(config)
      const body = yield* Effect.fromResult(decodeShape(SchedulePreviewBody, { config: configInput, timezone }))
      const spacing = { now: yield* Clock.currentTimeMillis, min_spacing_ms: scheduleMinimumSeconds * 1_000 }
      const preview = yield* Effect.fromResult(previewSchedule(body.config, timezone, spacing))
      yield* print(json, json ? preview : preview.instants)
      if (preview.never_due !== null && !json) yield* Console.log(preview.never_due)
    })
).pipe(Command.withDescription("The next ten instants of a schedule that is not saved yet"))

export const scheduleCommands = [
  Command.make("schedule").pipe(
    Command.withDescription("Schedules of periodic automations"),
    Command.withSubcommands([list, preview])
  )
]
