// One Temporal Schedule per active periodic automation, `automations/<id>/schedule` (decisions A4). Its ticks only wake: PeriodicTicks.ts knows
// what is due. Temporal's list of upcoming looks may hold more than comes due: the note says what does.
import { type Client, ScheduleAlreadyRunning, ScheduleNotFoundError, ScheduleOverlapPolicy } from "@temporalio/client"
import { Clock, Context, Effect, Layer } from "effect"
import { Epoch, type EpochName, epochOf, isSameEpoch, prefixOf, withoutEpoch } from "../../../engine/temporal/Epoch.ts"
import { interventionDetails } from "../../../engine/temporal/interventions.ts"
import * as messages from "../../../engine/temporal/messages.ts"
import { Temporal } from "../../../engine/temporal/Temporal.ts"
import type { TemporalFailed } from "../../../engine/temporal/TemporalFailed.ts"
import { formatDateTime } from "../../../ground/primitives/dates.ts"
import { nextInstants } from "../triggers/periodic/instants.ts"
import type { ArmedSchedule } from "./PeriodicTicks.ts"
import { specOf } from "./temporalSpec.ts"

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const UPCOMING = 3

/** A note that somebody has written who paused it stays until it goes on. */
const noted = <A extends { readonly paused: boolean; readonly note?: string }>(state: A, note: string): A =>
  state.paused ? state : { ...state, note }

const timeText = (millis: number) => formatDateTime(new Date(millis))

/** In the first epoch; `Epoch.id` makes it that of today's. */
export const scheduleId = (automationId: number): string => `automations/${automationId}/schedule`

/** What it is and when it is due next, as our own rule has it. */
export const noteOf = (schedule: ArmedSchedule, now: number): string => {
  const upcoming = nextInstants(schedule, now, UPCOMING)
  const next = upcoming.length === 0 ? "is never due again" : `is due at ${upcoming.map(timeText).join(", ")} (UTC)`
  const { app_id, automation_id, name, org_id } = schedule
  return `"${name.slice(0, 200)}": automation ${automation_id} of app ${app_id}, organization ${org_id}, ${next}; as of ${timeText(now)}`
}

const goneIsGone = <A>(self: Effect.Effect<A, TemporalFailed>): Effect.Effect<void, TemporalFailed> =>
  Effect.catchIf(
    Effect.asVoid(self),
    (error) => error.cause instanceof ScheduleNotFoundError,
    () => Effect.void
  )

export class TemporalSchedules extends Context.Service<
  TemporalSchedules,
  {
    readonly put: (schedule: ArmedSchedule) => Effect.Effect<void, TemporalFailed>
    /** Has its note and clock changes up to date, where it is not due so often that its list of looks says as much. */
    readonly renew: (schedule: ArmedSchedule) => Effect.Effect<void, TemporalFailed>
    /** Gone already is as good as gone. */
    readonly remove: (automationId: number) => Effect.Effect<void, TemporalFailed>
    /** Ids of the automations that have one. */
    readonly list: Effect.Effect<ReadonlySet<number>, TemporalFailed>
  }
>()("millrace/automations/schedules/TemporalSchedules") {
  static readonly layer = Layer.effect(
    TemporalSchedules,
    Effect.gen(function* () {
      const temporal = yield* Temporal
      const { current } = yield* Epoch
      const optionsOf = (epoch: EpochName, schedule: ArmedSchedule, now: number) => {
        const about = messages.aboutOf(schedule.name)
        const typedSearchAttributes = [
          { key: messages.Organization, value: String(schedule.org_id) },
          { key: messages.App, value: String(schedule.app_id) },
          { key: messages.Automation, value: String(schedule.automation_id) },
          { key: messages.About, value: about }
        ]
        const note = noteOf(schedule, now)
        const options = {
          typedSearchAttributes,
          spec: specOf(schedule, now),
          policies: { overlap: ScheduleOverlapPolicy.SKIP, catchupWindow: MINUTE },
          action: {
            type: "startWorkflow" as const,
            workflowType: "automationTick",
            workflowId: `${prefixOf(epoch)}automations/${schedule.automation_id}/tick`,
            taskQueue: temporal.settings.queues.actors,
            args: [schedule.automation_id],
            staticSummary: about,
            staticDetails: interventionDetails("automationTick"),
            typedSearchAttributes
          }
        }
        return { id: prefixOf(epoch) + scheduleId(schedule.automation_id), note, options }
      }
      type Options = ReturnType<typeof optionsOf>

      const updated = (client: Client, { id, note, options }: Options) =>
        client.schedule.getHandle(id).update((old) => ({ ...options, state: noted(old.state, note) }))

      return TemporalSchedules.of({
        put: Effect.fnUntraced(function* (schedule) {
          const all = optionsOf(yield* current, schedule, yield* Clock.currentTimeMillis)
          yield* temporal.call(async (client) => {
            try {
              await client.schedule.create({ scheduleId: all.id, ...all.options, state: { note: all.note } })
            } catch (error) {
              if (!(error instanceof ScheduleAlreadyRunning)) throw error
              await updated(client, all)
            }
          })
        }),
        renew: Effect.fnUntraced(function* (schedule) {
          const now = yield* Clock.currentTimeMillis
          const [first = now, second = Number.POSITIVE_INFINITY] = nextInstants(schedule, now, 2)
          if (second - first < HOUR) return
          const all = optionsOf(yield* current, schedule, now)
          yield* temporal.call((client) => updated(client, all)).pipe(goneIsGone)
        }),
        remove: Effect.fnUntraced(function* (automationId) {
          const id = prefixOf(yield* current) + scheduleId(automationId)
          yield* temporal.call((client) => client.schedule.getHandle(id).delete()).pipe(goneIsGone)
        }),
        list: Effect.flatMap(current, (now) =>
          temporal.call(async (client) => {
            const found = new Set<number>()
            for await (const { scheduleId: id } of client.schedule.list()) {
              const [, automation] = /^automations\/(\d+)\/schedule$/.exec(withoutEpoch(id)) ?? []
              if (automation !== undefined && isSameEpoch(epochOf(id), now)) found.add(Number(automation))
            }
            return found
          })
        )
      })
    })
  )
}
