// Record collections: finds the one that a step means, reads its records, publishes new ones (service.md 2.7 "Producer and consumer rules";
// developer-api.md 7.6 "Collections").
import { Context, Effect, Layer } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import { typeOf } from "../../../records/fields/registry.ts"
import { makeRelated, type RelatedId } from "../../../records/listing/linkedRecords.ts"
import { Matching } from "../../filter/evaluateMany.ts"
import type { Reference } from "../../model/Definition.ts"
import { Values } from "../../model/Resolver.ts"
import type { RecordState } from "../../model/RunScope.ts"
import { type Step, StepFailed } from "../../model/Step.ts"
import { Sources } from "../../values/referencedRecords.ts"
import { ValueParts } from "../../values/resolveLayer.ts"
import type { RefCollectionDef } from "./collectionConfig.ts"
import { filterByPage } from "./filterByPage.ts"
import { Mutations } from "./Mutations.ts"

/** Maximum of collected records at run time, whatever `limit` says. */
export const COLLECTED_AT_MOST = 1_000

export interface Collection {
  readonly app_id: number
  readonly record_ids: ReadonlyArray<number>
}

/** Maximum of related records per app that are considered, trashed ones included (docs/decisions.md). */
const FOLLOWED_AT_MOST = 100_000

/** Summary of a collection for the log. */
const inBrief = ({ app_id, record_ids }: Collection) => ({ app_id, num_records: record_ids.length })

const directions = { outgoing: "forward", incoming: "reverse", both: "both" } as const

export class Collections extends Context.Service<
  Collections,
  {
    /** Returns the referenced collection; without a reference the loop's current item. */
    readonly of: (reference: Reference | undefined, step: Step) => Effect.Effect<Collection, StepFailed | SqlError>
    /** Returns its records that are not in the trash, in the collection's order. */
    readonly records: (collection: Collection, step: Step) => Effect.Effect<ReadonlyArray<RecordState>, StepFailed>
    readonly publish: (step: Step, collection: Collection) => void
    /**
     * Returns the records that the definitions reach from others, one collection per app, without duplicates. A deleted record that is
     * given as its state is followed as it was.
     */
    readonly reached: (
      from: ReadonlyArray<number> | RecordState,
      defs: ReadonlyArray<RefCollectionDef>,
      step: Step
    ) => Effect.Effect<ReadonlyArray<Collection>, StepFailed | SqlError>
    /** Returns live records related to one in either direction, in id order. */
    readonly related: (
      record: RecordState,
      appId: number | undefined,
      step: Step
    ) => Effect.Effect<ReadonlyArray<RelatedId>, StepFailed | SqlError>
  }
>()("millrace/automations/actions/Collections") {
  static readonly layer = Layer.effect(
    Collections,
    Effect.gen(function* () {
      const related = yield* makeRelated
      const values = yield* Values
      const matching = yield* Matching
      const mutations = yield* Mutations
      const sources = yield* Sources

      const findCollection = Effect.fnUntraced(function* (reference: Reference | undefined, step: Step) {
        if (reference === undefined) {
          const item = step.loops.findLast((frame) => frame.item.type === "record")?.item
          if (item?.type !== "record") {
            return yield* new StepFailed({
              message: "No collection is set, and the step stands in no loop over records."
            })
          }
          const app_id = (yield* sources.record(item.record_id, step))?.app_id ?? item.app_id
          return { app_id, record_ids: [item.record_id] }
        }
        const items = yield* values.iterable(reference, step)
        if (items.type === "records") return { app_id: items.app_id, record_ids: items.record_ids }
        if (items.values.length === 0) return { app_id: 0, record_ids: [] }
        return yield* new StepFailed({ message: "The reference gives no record collection." })
      })

      const collectionOf = Effect.fnUntraced(function* (reference: Reference | undefined, step: Step) {
        const collection = yield* findCollection(reference, step)
        step.log.input("record_collection", inBrief(collection))
        return collection
      })

      const records = (collection: Collection, step: Step) =>
        Effect.map(step.records(collection.record_ids), (all) => all.filter((record) => record.deleted_on === null))

      const publish = (step: Step, { app_id, record_ids }: Collection) => {
        // A collection without an app never held a record: there is no app for which to publish it.
        if (app_id !== 0) step.publish({ type: "record_collection", app_id, record_ids })
        step.log.output("record_collection", inBrief({ app_id, record_ids }))
      }

      const live = Effect.fnUntraced(function* (rows: ReadonlyArray<RelatedId>, step: Step) {
        const apps = new Map<number, boolean>()
        for (const { app_id } of rows) {
          if (!apps.has(app_id)) apps.set(app_id, yield* mutations.mayRead(step, app_id))
        }
        const numbers = new Map<number, number>()
        const kept = rows.filter(({ app_id, live }) => {
          const number = (numbers.get(app_id) ?? 0) + 1
          numbers.set(app_id, number)
          return live && number <= FOLLOWED_AT_MOST && apps.get(app_id) === true
        })
        const cut = [...numbers].flatMap(([app, n]) => (n > FOLLOWED_AT_MOST && apps.get(app) === true ? [app] : []))
        return { rows: kept, cut }
      })

      /** Fails if a collection is not full although its related records were cut: further matches may be among those not considered. */
      const assertComplete = (cut: ReadonlyArray<number>, taken: (appId: number) => number) => {
        const lacking = cut.find((app) => taken(app) < COLLECTED_AT_MOST)
        if (lacking === undefined) return Effect.void
        const most = FOLLOWED_AT_MOST.toLocaleString("en-US")
        return new StepFailed({
          message: `More than ${most} records of app ${lacking} are related, and among the first ${most} are only ${taken(lacking)} to collect: which others there are is not looked at. Name fewer relation fields, or collect from the app with a condition.`
        })
      }

      /** Returns the records that relation fields of a deleted record named: its links are deleted, its cells are in the event (7.5). */
      const named = Effect.fnUntraced(function* (
        { app_id, cells }: RecordState,
        appId: number | undefined,
        fieldIds: ReadonlyArray<number> | undefined,
        step: Step
      ) {
        const definition = yield* sources.definition(app_id, step)
        if (definition === null) return []
        const fields = [...definition.byId.values()].filter(
          ({ field_id, ...field }) =>
            typeOf(field).refersTo === "records" && (fieldIds === undefined || fieldIds.includes(field_id))
        )
        const ids = fields.flatMap(({ field_id }) => (cells[field_id] ?? []) as ReadonlyArray<number>)
        const states = yield* step.records([...new Set(ids)])
        return states
          .filter((state) => appId === undefined || state.app_id === appId)
          .map(
            (state): RelatedId => ({
              record_id: state.record_id,
              app_id: state.app_id,
              live: state.deleted_on === null
            })
          )
      })

      const query = Effect.fnUntraced(function* (
        from: ReadonlyArray<number> | RecordState,
        direction: RefCollectionDef["direction"],
        appId: number | undefined,
        viaFieldIds: ReadonlyArray<number> | undefined,
        step: Step
      ) {
        const singleRecord = "record_id" in from ? from : undefined
        const fieldIds = viaFieldIds?.length === 0 ? undefined : viaFieldIds
        const rows = yield* related({
          recordIds: "record_id" in from ? [from.record_id] : from,
          trashedToo: singleRecord !== undefined,
          direction: directions[direction],
          ...(appId === undefined ? {} : { toAppId: appId }),
          ...(fieldIds === undefined ? {} : { fieldIds }),
          // Reads one more than the maximum, which tells that there are more.
          limit: FOLLOWED_AT_MOST + 1
        })
        if (rows.length > 0 || singleRecord === undefined || direction === "incoming") return rows
        return yield* named(singleRecord, appId, fieldIds, step)
      })

      const reached = Effect.fnUntraced(function* (
        from: ReadonlyArray<number> | RecordState,
        defs: ReadonlyArray<RefCollectionDef>,
        step: Step
      ) {
        const byApp = new Map<number, Set<number>>()
        for (const { app_id, direction, match_condition, match_type, via_field_ids } of defs) {
          if (app_id !== undefined && !byApp.has(app_id)) byApp.set(app_id, new Set())
          if ("length" in from && from.length === 0) continue
          const { cut, rows } = yield* live(yield* query(from, direction, app_id, via_field_ids, step), step)
          if (match_type === "all" || match_condition === null) {
            yield* filterByPage(rows, byApp, COLLECTED_AT_MOST, Effect.succeed)
          } else if (rows.length > 0) {
            const preparedFilter = yield* matching.prepare(match_condition, step)
            yield* filterByPage(rows, byApp, COLLECTED_AT_MOST, (page) =>
              step.records(page).pipe(
                Effect.flatMap((states) => matching.keep(match_condition, step, states, preparedFilter)),
                Effect.map((kept) => kept.map((it) => it.record_id))
              )
            )
          }
          yield* assertComplete(cut, (app) => byApp.get(app)?.size ?? 0)
        }
        return [...byApp].map(([app_id, ids]): Collection => ({ app_id, record_ids: [...ids] }))
      })

      return Collections.of({
        of: collectionOf,
        records,
        publish,
        reached,
        related: Effect.fnUntraced(function* (record, appId, step) {
          const { cut, rows } = yield* live(yield* query(record, "both", appId, undefined, step), step)
          yield* assertComplete(cut, () => rows.length)
          return rows.slice(0, COLLECTED_AT_MOST)
        })
      })
    })
  ).pipe(Layer.provide(ValueParts))
}
