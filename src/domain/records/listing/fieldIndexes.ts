// Indexes of field values (`field_indexes`, migration 0044). A listing of a large app that filters or sorts by an unindexed field requests
// an index; housekeeping builds it (./buildFieldIndexes.ts).
import { Cause, Clock, Context, Effect, Schema } from "effect"
import { rowsOf } from "../../../platform/sql/rows.ts"
import { Sql } from "../../../platform/sql/Sql.ts"
import { inBrief } from "../../../platform/sql/transientErrors.ts"
import type { RecordCondition } from "../fields/matching/RecordFilter.ts"
import type { Field } from "../fields/model/Field.ts"
import { typeOf } from "../fields/registry.ts"
import { type KeyKind, keyTest, sortColumns } from "../fields/sql/keyTests.ts"
import type { AppDefinition } from "../model/AppDefinition.ts"
import type { Keyed, KeyedCondition, KeyedPair, KeyedSort } from "./Keyed.ts"
import { makeLiveCount } from "./liveCount.ts"
import { makePairIndexes, NO_PAIRS, type Pairs, pairName } from "./pairIndexes.ts"
import type { Selection } from "./Selection.ts"
import type { Sort } from "./sorting.ts"

/** Minimum number of records of an app with indexes; smaller apps are scanned. */
export const LargeApp = Context.Reference<number>("millrace/records/LargeApp", { defaultValue: () => 10_000 })
/** Hours between notes that an index is in use; an index that nobody uses for a month is dropped. */
const NOTED_HOURS = 24

/** A record whose field is empty, over `record_keys k`, as its index has it. */
export const EMPTY_KEY = "k.number IS NULL AND k.words IS NULL AND k.plain IS NULL AND k.ref IS NULL"

const UNKEYED: Keyed = { conditions: [], sort: null, pair: null }

/**
 * Milliseconds for which a process relies on what it has read of an app's indexes. The row of one that is in use goes only with a change of
 * the app's definition, and what was read goes with that too.
 */
export const IndexMemory = Context.Reference<number>("millrace/records/IndexMemory", { defaultValue: () => 5_000 })

const KnownIndex = Schema.Struct({
  field_id: Schema.Int,
  ready: Schema.Boolean,
  counted: Schema.Boolean,
  noted: Schema.Boolean
})

type Indexes = ReadonlyMap<number, typeof KnownIndex.Type>

/** Indexes of an app that are in use, as they were read. A small app needs no others. */
interface RememberedIndexes {
  readonly readMillis: number
  readonly isSmall: boolean
  readonly byField: Indexes
  readonly pairs: Pairs
  /** Requests of pairs that no row has yet. */
  readonly pairCounts: Map<string, number>
}

export const makeFieldIndexes = Effect.gen(function* () {
  const sql = yield* Sql
  const live = yield* makeLiveCount
  const large = yield* LargeApp
  const memoryMillis = yield* IndexMemory
  const pairIndexes = yield* makePairIndexes
  const remembered = new WeakMap<AppDefinition, RememberedIndexes>()

  const keysOf = (field: Field | undefined): KeyKind | undefined =>
    field === undefined ? undefined : typeOf(field).keys

  const conditionOf = (definition: AppDefinition, condition: RecordCondition) => {
    const field = "fieldId" in condition.subject ? definition.byId.get(condition.subject.fieldId) : undefined
    const kind = keysOf(field)
    if (field === undefined || kind === undefined) return null
    const test = keyTest(sql, kind, condition, typeOf(field).range === true)
    return test === null ? null : { ...test, fieldId: field.field_id }
  }

  const sortOf = ({ by }: Sort): KeyedSort | null => {
    if (typeof by === "string") return null
    const kind = keysOf(by)
    const column = kind === undefined ? null : sortColumns[kind]
    return column === null ? null : { ...column, fieldId: by.field_id }
  }

  /** Requests indexes, or notes that they are in use; if this fails, the next listing does it. */
  const ask = (definition: AppDefinition, fieldIds: ReadonlyArray<number>) =>
    Effect.gen(function* () {
      const nowDate = new Date(yield* Clock.currentTimeMillis)
      const indexRequests = fieldIds.map((field_id) => ({ field_id, kind: keysOf(definition.byId.get(field_id))! }))
      yield* sql`
        INSERT INTO field_indexes AS f (field_id, app_id, kind, asked_on)
        SELECT w.field_id, ${definition.app_id}, w.kind, ${nowDate}
        FROM jsonb_to_recordset(${JSON.stringify(indexRequests)}::jsonb) AS w (field_id bigint, kind text)
        JOIN fields USING (field_id) ORDER BY w.field_id
        ON CONFLICT (field_id) DO UPDATE SET asked_on = excluded.asked_on`
    }).pipe(Effect.catch((error) => Effect.logDebug("an index could not be asked for", inBrief(Cause.fail(error)))))

  /** Reads the app's indexes, and requests those of the fields that are missing. */
  const read = Effect.fnUntraced(function* (
    definition: AppDefinition,
    fieldIds: ReadonlyArray<number>,
    nowMillis: number
  ) {
    const since = new Date(nowMillis - NOTED_HOURS * 3_600_000)
    const rows = yield* rowsOf(KnownIndex)(sql`
      SELECT field_id, ready_on IS NOT NULL AS ready, counted, asked_on > ${since} AS noted
      FROM field_indexes WHERE app_id = ${definition.app_id}`)
    const byField: Indexes = new Map(rows.map((row) => [row.field_id, row]))
    const unnoted = fieldIds.filter((id) => byField.get(id)?.noted !== true)
    const isSmall = unnoted.length > 0 && (yield* live.of(definition.app_id)) < large
    if (unnoted.length > 0 && !isSmall) yield* ask(definition, unnoted)
    const pairCounts = remembered.get(definition)?.pairCounts ?? new Map<string, number>()
    const pairs = isSmall ? NO_PAIRS : yield* pairIndexes.read(definition.app_id, pairCounts, nowMillis)
    const readIndexes: RememberedIndexes = { readMillis: nowMillis, isSmall, byField, pairs, pairCounts }
    remembered.set(definition, { ...readIndexes, byField: new Map([...byField].filter(([, { noted }]) => noted)) })
    return readIndexes
  })

  const indexesOf = (definition: AppDefinition, fieldIds: ReadonlyArray<number>) =>
    Effect.flatMap(Clock.currentTimeMillis, (nowMillis) => {
      const cachedIndexes = remembered.get(definition)
      const isEnough =
        cachedIndexes !== undefined && (cachedIndexes.isSmall || fieldIds.every((id) => cachedIndexes.byField.has(id)))
      return isEnough && nowMillis - cachedIndexes.readMillis < memoryMillis
        ? Effect.succeed(cachedIndexes)
        : read(definition, fieldIds, nowMillis)
    })

  /** The pair that the listing asks for: it has one condition alone, which the value decides, and another field's order. */
  const pairOf = (
    { pairCounts, pairs, isSmall }: RememberedIndexes,
    condition: KeyedCondition | undefined,
    sort: KeyedSort | null
  ): KeyedPair | null => {
    if (isSmall || sort === null || condition?.exact !== true || condition.value === undefined) return null
    if (condition.fieldId === sort.fieldId) return null
    const name = pairName(condition.fieldId, sort.fieldId)
    pairIndexes.count(pairCounts, pairs, name)
    const pair = pairs.get(name)
    return pair?.usable === true ? { pairId: pair.pair_id, value: condition.value, condition, sort } : null
  }

  /** Returns the conditions and the order that indexes serve, and requests missing indexes. */
  const servedBy = Effect.fn("fieldIndexes")(function* ({ also, conditions, definition, order }: Selection) {
    const keyed = conditions.map((one) => conditionOf(definition, one)).filter((one) => one !== null)
    const sort = typeof order === "string" ? null : sortOf(order)
    const fieldIds = [...new Set([...keyed, ...(sort === null ? [] : [sort])].map(({ fieldId }) => fieldId))]
    if (fieldIds.length === 0) return UNKEYED
    const indexes = yield* indexesOf(definition, fieldIds)
    const { byField } = indexes
    const isReady = (fieldId: number) => byField.get(fieldId)?.ready === true
    const keyedConditions = keyed.map((one) => ({
      ...one,
      counted: one.exact && isReady(one.fieldId) && byField.get(one.fieldId)?.counted === true
    }))
    const isSole = conditions.length === 1 && also === undefined
    return {
      conditions: keyedConditions.filter(({ fieldId }) => isReady(fieldId)),
      sort: sort !== null && isReady(sort.fieldId) ? sort : null,
      pair: pairOf(indexes, isSole ? keyedConditions[0] : undefined, sort)
    } satisfies Keyed as Keyed
  })

  /** True if the keys of the field are complete, and say all of its value; requests them where they are missing. */
  const isReady = Effect.fnUntraced(function* (definition: AppDefinition, field: Field) {
    const kind = keysOf(field)
    if (kind === undefined || kind === "text" || typeOf(field).multiple) return false
    const { byField } = yield* indexesOf(definition, [field.field_id])
    return byField.get(field.field_id)?.ready === true
  })

  return { of: servedBy, isReady }
})
