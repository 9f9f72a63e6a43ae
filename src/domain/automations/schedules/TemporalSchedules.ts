// Temporal Schedules, `automations/<id>/schedule`: one per active periodic automation (decisions A4). Their ticks only wake us:
// PeriodicTicks.ts decides what is due. Temporal's list of upcoming ticks may hold more instants than are due; the schedule's note lists
// the due ones.
import type { Client } from "@temporalio/client"
import { Clock, Context, Effect, Layer } from "effect"
import { Epoch, type EpochName, epochOf, isSameEpoch, prefixOf, withoutEpoch } from "../../../engine/temporal/Epoch.ts"
import { interventionDetails } from "../../../engine/temporal/interventions.ts"
import * as messages from "../../../engine/temporal/messages.ts"
import { Temporal } from "../../../engine/temporal/Temporal.ts"
import {
  ignoring,
  isScheduleAlreadyRunning,
  isScheduleNotFound,
  type TemporalFailed
} from "../../../engine/temporal/TemporalFailed.ts"
import { formatDateTime } from "../../../platform/primitives/dates.ts"
import { zoneName } from "../../../platform/primitives/zones.ts"
import { nextInstants } from "../triggers/periodic/instants.ts"
import type { ArmedSchedule } from "./PeriodicTicks.ts"
import { specOf } from "./temporalSpec.ts"

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const WEEK = 7 * 24 * HOUR
const UPCOMING = 3

/** Keeps the note of the person who paused the schedule until it is resumed. */
const noted = <A extends { readonly paused: boolean; readonly note?: string }>(state: A, note: string): A =>
  state.paused ? state : { ...state, note }

const timeText = (millis: number) => formatDateTime(new Date(millis))

/** Returns the id of the first epoch; `Epoch.id` turns it into that of the present one. */
export const scheduleId = (automationId: number): string => `automations/${automationId}/schedule`

/** Describes the automation and its next due instants, by our own rule. */
const noteOf = (schedule: ArmedSchedule, now: number): string => {
  const upcoming = nextInstants(schedule, now, UPCOMING)
  const next = upcoming.length === 0 ? "is never due again" : `is due at ${upcoming.map(timeText).join(", ")} (UTC)`
  const { app_id, automation_id, name, org_id } = schedule
  return `"${name.slice(0, 200)}": automation ${automation_id} of app ${app_id}, organization ${org_id}, ${next}; as of ${timeText(now)}`
}

/** Status code of gRPC. */
const INVALID_ARGUMENT = 3
const isInvalid = (cause: unknown): boolean =>
  cause instanceof Error && (("code" in cause && cause.code === INVALID_ARGUMENT) || isInvalid(cause.cause))
const isRefused = ({ cause }: TemporalFailed) => isInvalid(cause)

/**
 * Sends a time zone that Temporal does not know by its other name. A schedule that Temporal still refuses would be refused next time as
 * well.
 */
const sendSchedule = (
  schedule: ArmedSchedule,
  send: (schedule: ArmedSchedule) => Effect.Effect<void, TemporalFailed>
) => {
  const renamed = Effect.suspend(() => send({ ...schedule, zone: zoneName(schedule.zone) }))
  const sendOrRename = Effect.catchIf(send(schedule), isRefused, () => renamed)
  return Effect.catchIf(sendOrRename, isRefused, (error) =>
    Effect.logWarning("Temporal refuses a schedule: only rounds of reconciling see what is due", error).pipe(
      Effect.annotateLogs({ automation: schedule.automation_id })
    )
  )
}

const goneIsGone = ignoring(isScheduleNotFound)

export class TemporalSchedules extends Context.Service<
  TemporalSchedules,
  {
    /** Creates or updates the schedule. If Temporal refuses it, this logs a warning: reconciliation fires it. */
    readonly put: (schedule: ArmedSchedule) => Effect.Effect<void, TemporalFailed>
    /** Updates its note and clock changes, unless it is due so often that its list of upcoming ticks says as much. */
    readonly renew: (schedule: ArmedSchedule) => Effect.Effect<void, TemporalFailed>
    /** Deletes the schedule; a missing one counts as deleted. */
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
          policies: { overlap: "SKIP" as const, catchupWindow: MINUTE },
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
        put: (given) =>
          sendSchedule(
            given,
            Effect.fnUntraced(function* (schedule) {
              const scheduleOptions = optionsOf(yield* current, schedule, yield* Clock.currentTimeMillis)
              yield* temporal.call(async (client) => {
                try {
                  await client.schedule.create({
                    scheduleId: scheduleOptions.id,
                    ...scheduleOptions.options,
                    state: { note: scheduleOptions.note }
                  })
                } catch (error) {
                  if (!isScheduleAlreadyRunning(error)) throw error
                  await updated(client, scheduleOptions)
                }
              })
            })
          ),
        renew: Effect.fnUntraced(function* (given) {
          const nowMillis = yield* Clock.currentTimeMillis
          const [first = nowMillis, second = Number.POSITIVE_INFINITY] = nextInstants(given, nowMillis, 2)
          // A schedule that is due often needs no note; clock changes come into its range week by week.
          if (second - first < HOUR && Math.floor(first / WEEK) === Math.floor(nowMillis / WEEK)) return
          const epoch = yield* current
          yield* sendSchedule(given, (schedule) =>
            goneIsGone(temporal.call((client) => updated(client, optionsOf(epoch, schedule, nowMillis))))
          )
        }),
        remove: Effect.fnUntraced(function* (automationId) {
          const id = prefixOf(yield* current) + scheduleId(automationId)
          yield* temporal.call((client) => client.schedule.getHandle(id).delete()).pipe(goneIsGone)
        }),
        list: Effect.flatMap(current, (now) =>
          temporal.call(async (client) => {
            const automationIds = new Set<number>()
            for await (const { scheduleId: id } of client.schedule.list()) {
              const [, automation] = /^automations\/(\d+)\/schedule$/.exec(withoutEpoch(id)) ?? []
              if (automation !== undefined && isSameEpoch(epochOf(id), now)) automationIds.add(Number(automation))
            }
            return automationIds
          })
        )
      })
    })
  )
}
