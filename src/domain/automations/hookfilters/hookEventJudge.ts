// Whether events match a hook's filter (decisions A6, W13): the one evaluator, on the record as it was at the event.
import { Clock, Effect, Layer, Result } from "effect"
import type { OutboxEvent, RecordChange } from "../../../engine/outbox/Event.ts"
import { BoundedMap } from "../../../ground/primitives/BoundedMap.ts"
import { Authorities, everything } from "../../accounts/Authority.ts"
import { EventJudge, FilterUnusable, type SiftedApp } from "../../webhooks/EventFilters.ts"
import type { Operand } from "../filter/evaluateLeaf.ts"
import { Matching, type Prepared } from "../filter/evaluateMany.ts"
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
  const prepared = new Map<Condition, Operand | null | "each">()
  for (const row of conditionsOf(group)) {
    const { value } = row
    if (value === undefined || operators[row.operator].arity === "none") prepared.set(row, null)
    else if (value.type === "number") {
      const number = plainNumber(value.number)
      prepared.set(row, number === undefined ? null : { type: "number", number })
    } else prepared.set(row, "each")
  }
  return prepared
}

const nobody = Effect.succeed(null)

export const HookEventJudge = Layer.effect(
  EventJudge,
  Effect.gen(function* () {
    const matching = yield* Matching
    const records = yield* RecordStates
    const authorities = yield* Authorities
    const opened = new BoundedMap<string, Result.Result<Opened, FilterUnusable>>(KEPT_MOST)

    const open = (text: string) => {
      const known = opened.get(text)
      if (known !== undefined) return known
      const made = Result.map(storedFilter(JSON.parse(text)), (group): Opened => ({ group, prepared: prepare(group) }))
      opened.set(text, made)
      return made
    }

    /** There is no run: what only a run has is empty. The reach is everything, since a hook tells its app's admins of its own app. */
    const scopesOf = Effect.fnUntraced(function* ({ app_id, org_id }: SiftedApp, events: ReadonlyArray<OutboxEvent>) {
      const now = new Date(yield* Clock.currentTimeMillis)
      const ids = [...new Set(events.flatMap(({ record_id }) => record_id ?? []))]
      const live = new Map((yield* records.byIds(org_id, ids)).map((state) => [state.record_id, state]))
      const authority = authorities.of({
        userId: 0,
        orgId: org_id,
        author: { type: "user", user_id: 0 },
        automationId: 0,
        reach: everything
      })
      const run = {
        run_id: "0",
        type: "regular",
        org_id,
        record_id: null,
        depth: 0,
        root_run_id: "0",
        chain: [],
        created_on: now
      } as const
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
      return yield* Effect.forEach(
        events,
        Effect.fnUntraced(function* (event) {
          const known = live.get(event.record_id ?? 0)
          const found: { readonly record: RecordState | null; readonly previous: RecordState | null } =
            event.type.startsWith("record.")
              ? yield* atEvent({ ...event, app_id }, known)
              : { record: known ?? null, previous: null }
          const { changed } = event.payload as Partial<RecordChange>
          const trigger = { type: null, ...found, changed: changed ?? null }
          return {
            run,
            automation,
            authority,
            trigger,
            payload: Effect.succeed(undefined),
            simulation: false,
            now,
            current: Effect.succeed(found.record),
            previous: Effect.succeed(found.previous),
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
      )
    })

    const matches = Effect.fnUntraced(function* (app: SiftedApp, text: string, events: ReadonlyArray<OutboxEvent>) {
      if (events.length === 0) return []
      const filter = open(text)
      if (Result.isFailure(filter)) return yield* filter.failure
      const { group, prepared } = filter.success
      return yield* matching
        .judge(group, yield* scopesOf(app, events), prepared)
        .pipe(Effect.catchTag("StepFailed", ({ message }) => Effect.fail(new FilterUnusable({ message }))))
    })

    return EventJudge.of({ matches })
  })
)
