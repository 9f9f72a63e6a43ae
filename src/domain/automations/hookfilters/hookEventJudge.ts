// Evaluates hooks' filters on events (decisions A6, W13) with the same evaluator as automations, on the record's state at the event.
import { Clock, Effect, Layer, Result } from "effect"
import type { OutboxEvent, RecordChange } from "../../../engine/outbox/Event.ts"
import { BoundedMap } from "../../../ground/primitives/BoundedMap.ts"
import { Authorities, everything } from "../../accounts/Authority.ts"
import { EventJudge, FilterUnusable, type Judging, type SiftedApp } from "../../webhooks/EventFilters.ts"
import type { Operand } from "../filter/evaluateLeaf.ts"
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
        const now = new Date(yield* Clock.currentTimeMillis)
        run ??= { ...facts, created_on: now }
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
          request: Effect.succeed(undefined),
          rawBody: nobody,
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
    }

    /** Reads present record states, and prefetches those of later events as far as they fit. */
    const recordsOf = ({ org_id }: SiftedApp, events: ReadonlyArray<OutboxEvent>) => {
      let ahead: ReadonlyMap<number, RecordState> = new Map()
      return Effect.fnUntraced(function* ({ event_id, record_id }: OutboxEvent) {
        if (record_id === null) return undefined
        const known = ahead.get(record_id)
        if (known !== undefined) return known
        const later = events.flatMap((event) => (event.event_id > event_id ? (event.record_id ?? []) : []))
        const read = yield* records.asManyAsFit(org_id, [record_id, ...later])
        ahead = new Map(read.map((state) => [state.record_id, state]))
        return ahead.get(record_id)
      })
    }

    const of = (app: SiftedApp, events: ReadonlyArray<OutboxEvent>): Judging => {
      const [recordOf, scopeOf] = [recordsOf(app, events), scopesOf(app)]
      let last: { readonly event: OutboxEvent; readonly scope: RunScope; readonly seen: SeenSubjects } | undefined
      return Effect.fnUntraced(function* (event: OutboxEvent, text: string) {
        const filter = open(text)
        if (Result.isFailure(filter)) return yield* filter.failure
        if (last?.event !== event)
          last = { event, scope: yield* scopeOf(event, yield* recordOf(event)), seen: new Map() }
        const { group, prepared } = filter.success
        const [matches] = yield* matching
          .judge(group, [last.scope], prepared, last.seen)
          .pipe(Effect.catchTag("StepFailed", ({ message }) => Effect.fail(new FilterUnusable({ message }))))
        return matches === true
      })
    }

    return EventJudge.of({ of })
  })
)
