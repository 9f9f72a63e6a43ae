// Evaluates hooks' filters on events (decisions A6, W13) with the same evaluator as automations, on the record's state at the event.
import { Clock, Effect, Layer, Result } from "effect"
import type { OutboxEvent, RecordChange } from "../../../engine/outbox/Event.ts"
import { BoundedMap } from "../../../platform/primitives/BoundedMap.ts"
import { Authorities, everything } from "../../accounts/Authority.ts"
import { EventJudge, FilterUnusable, type Judging, type SiftedApp } from "../../webhooks/EventFilters.ts"
import type { Operand } from "../filter/comparison.ts"
import { Matching, type Prepared, type SeenSubjects } from "../filter/evaluateMany.ts"
import { conditionsOf } from "../filter/evaluateTree.ts"
import type { Condition, FilterGroup } from "../model/Definition.ts"
import { atEvent, RecordStates } from "../model/RecordStates.ts"
import type { RecordState, RunScope } from "../model/RunScope.ts"
import { operators } from "../schema/operators.ts"
import { plainNumber } from "./hookFilterRules.ts"
import { storedFilter } from "./storedFilter.ts"

const KEPT_MOST = 2_000

interface Opened {
  readonly group: FilterGroup
  readonly prepared: Prepared
}

const prepare = (group: FilterGroup): Prepared => {
  const preparedFilter = new Map<Condition, Operand | null | "each">()
  for (const row of conditionsOf(group)) {
    const { value } = row
    if (value === undefined || operators[row.operator].arity === "none") preparedFilter.set(row, null)
    else if (value.type === "number") {
      const number = plainNumber(value.number)
      preparedFilter.set(row, number === undefined ? null : { type: "number", number })
    } else preparedFilter.set(row, "each")
  }
  return preparedFilter
}

const nobody = Effect.succeed(null)

export const HookEventJudge = Layer.effect(
  EventJudge,
  Effect.gen(function* () {
    const matching = yield* Matching
    const records = yield* RecordStates
    const authorities = yield* Authorities
    const opened = new BoundedMap<string, Result.Result<Opened, FilterUnusable>>(KEPT_MOST)

    const openFilter = (text: string) => {
      const cachedFilter = opened.get(text)
      if (cachedFilter !== undefined) return cachedFilter
      const openedFilter = Result.map(
        storedFilter(JSON.parse(text)),
        (group): Opened => ({ group, prepared: prepare(group) })
      )
      opened.set(text, openedFilter)
      return openedFilter
    }

    /**
     * Scope without a run: everything that only a run has is empty. The reach is unlimited, since a hook belongs to its app's admins and
     * reads its own app only.
     */
    const scopesOf = ({ app_id, org_id }: SiftedApp) => {
      const authority = authorities.of({
        userId: 0,
        orgId: org_id,
        author: { type: "user", user_id: 0 },
        automationId: 0,
        reach: everything
      })
      const automation = {
        automation_id: 0,
        revision_id: "0",
        name: "",
        app_id,
        workspace_id: 0,
        org_id,
        timezone: "UTC",
        declared: []
      }
      const facts = {
        run_id: "0",
        type: "regular",
        org_id,
        record_id: null,
        depth: 0,
        root_run_id: "0",
        chain: []
      } as const
      let run: RunScope["run"] | undefined
      return Effect.fnUntraced(function* (event: OutboxEvent, known: RecordState | undefined) {
        const nowDate = new Date(yield* Clock.currentTimeMillis)
        run ??= { ...facts, created_on: nowDate }
        const recordStates: { readonly record: RecordState | null; readonly previous: RecordState | null } =
          event.type.startsWith("record.")
            ? yield* atEvent({ ...event, app_id }, known)
            : { record: known ?? null, previous: null }
        const { changed } = event.payload as Partial<RecordChange>
        const trigger = { type: null, ...recordStates, changed: changed ?? null }
        return {
          run,
          automation,
          authority,
          trigger,
          payload: Effect.succeed(undefined),
          request: Effect.succeed(undefined),
          rawBody: nobody,
          simulation: false,
          now: nowDate,
          current: Effect.succeed(recordStates.record),
          previous: Effect.succeed(recordStates.previous),
          triggering: nobody,
          records: () => Effect.succeed([]),
          collected: null,
          loops: [],
          variable: () => Effect.succeed(undefined),
          variables: Effect.succeed([]),
          output: () => nobody,
          mostRecentError: null,
          actionsLeftInHour: Effect.succeed(0)
        } satisfies RunScope
      })
    }

    /** Reads present record states, and prefetches those of later events as far as they fit. */
    const recordsOf = ({ org_id }: SiftedApp, events: ReadonlyArray<OutboxEvent>) => {
      let prefetchedStates: ReadonlyMap<number, RecordState> = new Map()
      return Effect.fnUntraced(function* ({ event_id, record_id }: OutboxEvent) {
        if (record_id === null) return undefined
        const prefetchedState = prefetchedStates.get(record_id)
        if (prefetchedState !== undefined) return prefetchedState
        const later = events.flatMap((event) => (event.event_id > event_id ? (event.record_id ?? []) : []))
        const read = yield* records.asManyAsFit(org_id, [record_id, ...later])
        prefetchedStates = new Map(read.map((state) => [state.record_id, state]))
        return prefetchedStates.get(record_id)
      })
    }

    const judgingOf = (app: SiftedApp, events: ReadonlyArray<OutboxEvent>): Judging => {
      const [recordOf, scopeOf] = [recordsOf(app, events), scopesOf(app)]
      let lastJudged: { readonly event: OutboxEvent; readonly scope: RunScope; readonly seen: SeenSubjects } | undefined
      return Effect.fnUntraced(function* (event: OutboxEvent, text: string) {
        const filter = openFilter(text)
        if (Result.isFailure(filter)) return yield* filter.failure
        if (lastJudged?.event !== event)
          lastJudged = { event, scope: yield* scopeOf(event, yield* recordOf(event)), seen: new Map() }
        const { group, prepared } = filter.success
        const [matches] = yield* matching
          .judge(group, [lastJudged.scope], prepared, lastJudged.seen)
          .pipe(Effect.catchTag("StepFailed", ({ message }) => Effect.fail(new FilterUnusable({ message }))))
        return matches === true
      })
    }

    return EventJudge.of({ of: judgingOf })
  })
)
