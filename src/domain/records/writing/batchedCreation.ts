// Batches records that several callers create in one app at about the same time into one statement, with one draw of numbers and one wait
// for the disk (developer-api.md 4.3). Each is checked before on its own; one that Postgres refuses does not fail the others.
import { Effect } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import { mayChange } from "../../../platform/sql/Changes.ts"
import { changing } from "../../../platform/sql/changing.ts"
import type { Sql } from "../../../platform/sql/Sql.ts"
import { currentTraceparent } from "../../../platform/telemetry/traceContext.ts"
import type { AppDefinition } from "../model/AppDefinition.ts"
import type { Write } from "../model/RecordRow.ts"
import type { CreatedRecord, NewRecord, NewRow } from "./createStatement.ts"
import type { RecordNumbers } from "./RecordNumbers.ts"
import type { makeStatements } from "./recordStatements.ts"

/** Records that one caller creates. */
export interface Making {
  readonly rows: ReadonlyArray<NewRow>
  readonly write: Write
  readonly at: Date
  /** Numbers of the records, once drawn: they survive a retry with a newer definition. */
  readonly numbers: { base?: number }
}

type Made = ReadonlyArray<CreatedRecord>

/** Callers with more rows than this get a statement of their own. */
const FEW = 10

interface Parts {
  readonly sql: Sql
  readonly numbers: RecordNumbers["Service"]
  readonly statements: Pick<Effect.Success<typeof makeStatements>, "create">
}

export const makeBatchedCreation = ({ numbers, sql, statements }: Parts) =>
  Effect.map(changing(sql), (change) => {
    /** False: there is no such app. */
    const numbered = Effect.fnUntraced(function* (appId: number, all: ReadonlyArray<Making>) {
      const without = all.filter((one) => one.numbers.base === undefined)
      if (without.length === 0) return true
      let base = yield* numbers.draw(
        appId,
        without.reduce((sum, { rows }) => sum + rows.length, 0)
      )
      if (base === null) return false
      for (const { numbers: own, rows } of without) {
        own.base = base
        base += rows.length
      }
      return true
    })

    const recordsOf = ({ at, numbers: { base = 0 }, rows, write }: Making) =>
      rows.map((row, place): NewRecord => ({ ...row, write, created_on: at, app_record_id: base + 1 + place }))

    /** True if the statement can draw its own numbers: without links it waits for no other lock while it holds the counter. */
    const drawsItself = ({ numbers: { base }, rows }: Making) =>
      base === undefined && rows.every(({ files, links }) => files.length + links.length === 0)

    /**
     * Creates the records of one caller.
     * @param draws the statement draws its numbers, since no other caller of this process waits for the counter
     */
    const makeOne = Effect.fnUntraced(function* (definition: AppDefinition, one: Making, draws: boolean) {
      if (!draws && !(yield* numbered(definition.app_id, [one]))) return []
      return yield* statements.create(definition, recordsOf(one), draws)
    })

    const makeAll = Effect.fnUntraced(function* (definition: AppDefinition, all: ReadonlyArray<Making>) {
      if (!(yield* numbered(definition.app_id, all))) return []
      const createdRows = yield* statements.create(definition, all.flatMap(recordsOf))
      const byNumber = new Map(createdRows.map((record) => [record.app_record_id, record]))
      return all.map(
        ({ numbers: { base = 0 }, rows }): Made =>
          createdRows.length === 0 ? [] : rows.map((_, place) => byNumber.get(base + 1 + place)!)
      )
    })

    /** Creates the records of all callers; none of them if the app has another version by now. */
    const make = Effect.fnUntraced(function* (definition: AppDefinition, all: ReadonlyArray<Making>, alone = false) {
      const [first] = all
      if (all.length === 1) return [yield* makeOne(definition, first!, alone && drawsItself(first!))]
      return yield* makeAll(definition, all)
    })

    const ofDefinition = new WeakMap<AppDefinition, (one: Making) => Effect.Effect<Made, SqlError>>()
    const createBatched = (definition: AppDefinition) => {
      const batchedCreation =
        ofDefinition.get(definition) ?? change((all: ReadonlyArray<Making>, alone) => make(definition, all, alone))
      ofDefinition.set(definition, batchedCreation)
      return batchedCreation
    }

    return Effect.fnUntraced(function* (definition: AppDefinition, making: Making) {
      if (making.rows.length > FEW) return (yield* make(definition, [making]))[0]!
      const traceparent = making.write.traceparent ?? (yield* currentTraceparent)
      yield* mayChange
      return yield* createBatched(definition)({ ...making, write: { ...making.write, traceparent } })
    })
  })
