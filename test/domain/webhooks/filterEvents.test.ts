// decisions W13, A22: what the filters of an organization's hooks take of a relay's batch, which carries the events of others too.
import { assert, it } from "@effect/vitest"
import { Clock, Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import { EventJudge, FilterRules } from "../../../src/domain/webhooks/EventFilters.ts"
import { makeFilterEvents } from "../../../src/domain/webhooks/filterEvents.ts"
import { HookNotices } from "../../../src/domain/webhooks/HookNotices.ts"
import type { OutboxEvent } from "../../../src/engine/outbox/Event.ts"
import { ActorTuning, defaultTuning } from "../../../src/platform/config/Tuning.ts"
import { layerDatabase } from "../../support/database.ts"

const HOOKS = 50
const EVENTS = 20
/** Of one filter over one event. */
const JUDGED_MILLIS = 2
const JUDGING_MILLIS = 100

const SLOW = 1
const OTHER = 2

const world = (asked: Array<OutboxEvent>) =>
  Layer.mergeAll(
    layerDatabase,
    Layer.mock(FilterRules, {}),
    Layer.mock(HookNotices, {}),
    Layer.succeed(ActorTuning, { ...defaultTuning, relayJudgingMillis: JUDGING_MILLIS }),
    Layer.succeed(EventJudge, {
      of: () => (event) =>
        Effect.as(
          Effect.andThen(
            Effect.sync(() => asked.push(event)),
            TestClock.adjust(event.org_id === SLOW ? JUDGED_MILLIS : 0)
          ),
          true
        )
    })
  )

const eventOf = (event_id: number, org_id: number) =>
  ({
    event_id,
    org_id,
    app_id: org_id,
    record_id: event_id,
    type: "record.create",
    payload: {},
    created_on: new Date()
  }) as unknown as OutboxEvent

/** Of somebody who may read all of it. */
const reader = (org_id: number) => ({
  ...{ author_id: 1, reach: null, connection_ended: false },
  rights: {
    ...{ user_id: 1, person_id: 1, org_id, app_id: org_id, workspace_id: 1 },
    ...({ role: "owner", type: "default", member_role: null } as const)
  }
})

const hookOf = (hook_id: number, org_id: number, own: ReadonlyArray<OutboxEvent>) => ({
  target: { hook_id, org_id, app_id: org_id, filter: "{}", only_fields: null, filter_problem: null, ...reader(org_id) },
  own,
  appChanged: false
})

it.effect(
  "fifty slow filters take a batch for a moment; what is left is judged in the next ones, none of another's is left",
  () => {
    const judgedEvents: Array<OutboxEvent> = []
    return Effect.gen(function* () {
      const sift = yield* makeFilterEvents
      let events = Array.from({ length: 2 * EVENTS }, (_, n) => eventOf(n + 1, n % 2 === 0 ? SLOW : OTHER))
      const order: Array<number> = []
      let batches = 0
      while (events.length > 0) {
        batches++
        const eventsOfOrg = (org: number) => events.filter(({ org_id }) => org_id === org)
        const hooks = [
          ...Array.from({ length: HOOKS }, (_, n) => hookOf(n + 1, SLOW, eventsOfOrg(SLOW))),
          hookOf(HOOKS + 1, OTHER, eventsOfOrg(OTHER))
        ]
        const from = yield* Clock.currentTimeMillis
        const { left, passes, paused } = yield* sift(hooks, events, new Date())
        // The time, and one event more.
        assert.isBelow((yield* Clock.currentTimeMillis) - from, JUDGING_MILLIS + HOOKS * JUDGED_MILLIS)
        const decidedEvents = events.filter(({ event_id }) => !left.has(event_id))
        assert.isAbove(decidedEvents.filter(({ org_id }) => org_id === SLOW).length, 0)
        assert.isTrue(decidedEvents.every((event) => passes(1, event)) && paused.size === 0)
        order.push(...decidedEvents.flatMap(({ event_id, org_id }) => (org_id === SLOW ? [event_id] : [])))
        events = events.filter(({ event_id }) => left.has(event_id))
        assert.lengthOf(eventsOfOrg(OTHER), 0)
      }
      assert.deepStrictEqual(
        order,
        Array.from({ length: EVENTS }, (_, n) => 2 * n + 1)
      )
      assert.isAbove(batches, 10)
      // Each once by each.
      assert.lengthOf(judgedEvents, HOOKS * EVENTS + EVENTS)
    }).pipe(Effect.provide(world(judgedEvents)))
  }
)
