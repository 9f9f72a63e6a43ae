// Shared steps of every change of records: locks in one order, lookups and checks of references, attached files (4.3 rule 3).
import { Clock, Effect, Option, Result, Schema } from "effect"
import { Outbox } from "../../../engine/outbox/Outbox.ts"
import { AuditLog } from "../../../platform/audit/AuditLog.ts"
import { formatDateTime } from "../../../platform/primitives/dates.ts"
import { NotFound, RecordNotFound, ValidationError } from "../../../platform/primitives/errors.ts"
import { rowsOf } from "../../../platform/sql/rows.ts"
import { Sql } from "../../../platform/sql/Sql.ts"
import { inTransaction, transact, transactOne } from "../../../platform/sql/transact.ts"
import { cleaning, TextRefused } from "../../../platform/text/clean.ts"
import { Access } from "../../accounts/Access.ts"
import { makeRelatedRecords } from "../calculations/relatedRecords.ts"
import { isObject } from "../fields/input/writeInput.ts"
import { htmlOf } from "../fields/kinds/htmlText.ts"
import { type Found, mentionsNothing, noMentions, nothingFound } from "../fields/model/Field.ts"
import { runHolder } from "../files/File.ts"
import type { AppDefinition } from "../model/AppDefinition.ts"
import { Definitions } from "../model/Definitions.ts"
import { Lookups } from "../model/Lookups.ts"
import type { Write } from "../model/RecordRow.ts"
import { EntryIds } from "./EntryIds.ts"
import * as Inputs from "./fieldInputs.ts"
import { RecordHooks, type RecordsChanged } from "./RecordHooks.ts"
import { RecordNumbers } from "./RecordNumbers.ts"
import { makeStatements, recordsById } from "./recordStatements.ts"
import { makeRelatedChanges } from "./relatedChanges.ts"
import { makeStoredTitles } from "./storedTitles.ts"
import { hasUnique, makeUniqueValues } from "./UniqueValues.ts"

/** Leads a problem to the item of a batch: `inputs[3].`. */
export type ProblemPlace = (index: number) => string

const FileOfApp = Schema.Struct({ file_id: Schema.Int, app_id: Schema.Int })

const HeldFile = Schema.Struct({ file_id: Schema.Int })

export const single: ProblemPlace = () => ""

export const makePreparation = Effect.gen(function* () {
  const sql = yield* Sql
  const access = yield* Access
  const definitions = yield* Definitions
  const lookups = yield* Lookups
  const entryIds = yield* EntryIds
  const numbers = yield* RecordNumbers
  const outbox = yield* Outbox
  const audit = yield* AuditLog
  const hooks = yield* RecordHooks
  const statements = yield* makeStatements
  const { retitlePointing } = yield* makeStoredTitles
  const atomic = transact(sql)
  const atomicOne = transactOne(sql)
  const unique = makeUniqueValues(sql)
  const { eachWithRelated, relatedTo } = yield* makeRelatedRecords
  const relatedChanges = yield* makeRelatedChanges
  /** Rolls back what a refused unique value has written, by a savepoint: a surrounding transaction may continue, to store the refusal. */
  const undone = Effect.fnUntraced(function* <A, E, R>(
    app: AppDefinition,
    open: boolean,
    effect: Effect.Effect<A, E, R>
  ) {
    return yield* open && hasUnique(app) ? sql.withTransaction(effect) : effect
  })
  const inOpenTransaction = inTransaction(sql)
  const currentTime = Effect.map(Clock.currentTimeMillis, (millis) => new Date(millis))
  const noApp = (id: number) => new NotFound({ message: `No app with id ${id}.` })
  const invalid = (message: string) => new ValidationError({ message })

  const readHtml = (text: string) => Option.getOrUndefined(Result.getSuccess(htmlOf(text)))
  /** Long markup is cleaned before a transaction begins, and apart (P8). */
  const withCleaning = <A, E, R>(inputs: ReadonlyArray<Inputs.FieldInputs>, effect: Effect.Effect<A, E, R>) =>
    cleaning(
      inputs.flatMap((fields) => (isObject(fields) ? Object.values(fields) : [])),
      readHtml
    )(effect).pipe(
      Effect.catchIf(
        (error): error is TextRefused => error instanceof TextRefused,
        ({ message }) => invalid(`fields: ${message}`)
      )
    )

  const concerned = (app: Pick<AppDefinition, "fields">) => hooks.filter((hook) => hook.concerns(app))
  /** More than the statement of a write is part of it. */
  const hasMore = (app: Pick<AppDefinition, "fields">) => hasUnique(app) || concerned(app).length > 0
  const runHooks = (change: RecordsChanged) =>
    change.records.length === 0
      ? Effect.void
      : Effect.forEach(concerned(change.definition), (hook) => hook.run(change), { discard: true })

  /** Removes files of records that the caller cannot see; a run also has the files that its steps created. */
  const readableFiles = Effect.fnUntraced(function* ({ caller, cause }: Write, found: Found) {
    if (found.files.size === 0) return found
    const ids = sql`ANY(${[...found.files.keys()].map(String)}::bigint[])`
    const rows = yield* rowsOf(FileOfApp)(sql`
      SELECT DISTINCT l.file_id, r.app_id FROM file_links l JOIN records r USING (record_id)
      WHERE l.file_id = ${ids}`)
    const heldFiles =
      cause === null
        ? []
        : yield* rowsOf(HeldFile)(sql`
            SELECT file_id FROM file_holds WHERE holder = ${runHolder(cause.run_id)} AND file_id = ${ids}`)
    const visible = new Set<number>()
    for (const appId of new Set(rows.map((row) => row.app_id))) {
      if (yield* Effect.isSuccess(access.check(caller, "app", appId, 1))) visible.add(appId)
    }
    const readable = new Set([...heldFiles, ...rows.filter((row) => visible.has(row.app_id))].map((row) => row.file_id))
    return { ...found, files: new Map([...found.files].filter(([id]) => readable.has(id))) }
  })

  /** Looks up the mentions of the writes and checks the writes by them. */
  const checkMentions = Effect.fnUntraced(function* (
    definition: AppDefinition,
    write: Write,
    all: ReadonlyArray<Inputs.SetCells>,
    place: ProblemPlace
  ) {
    const mentions = noMentions()
    for (const settings of all) Inputs.mentionSetCells(settings, mentions)
    if (mentionsNothing(mentions)) return { found: nothingFound, temporary: [] }
    const facts = yield* Effect.flatMap(
      lookups.forWriting(definition.org_id, mentions, write.caller.userId),
      (looked) => readableFiles(write, looked)
    )
    for (const [index, settings] of all.entries()) {
      const problem = Inputs.checkSetCells(settings, facts)
      if (problem !== null) return yield* invalid(place(index) + problem)
    }
    return { found: facts, temporary: [...mentions.temporary] }
  })

  const attach = Effect.fnUntraced(function* (temporary: ReadonlyArray<string>, at: Date) {
    if (temporary.length === 0) return new Map<string, number>()
    const rows = yield* statements.attach(temporary, at)
    const attached = new Map(rows.map((row) => [row.temporary_id, row.file_id]))
    const spent = temporary.find((id) => !attached.has(id))
    return spent === undefined ? attached : yield* invalid(`fields: names no file: ${JSON.stringify(spent)}`)
  })

  const makeParseContext = Effect.fnUntraced(function* (
    definition: AppDefinition,
    inputs: ReadonlyArray<Inputs.FieldInputs>,
    at: Date
  ) {
    const needed = inputs.reduce((sum, fields) => sum + Inputs.entryIdsNeeded(definition, fields), 0)
    const entryId = needed === 0 ? () => 0 : yield* entryIds.reserve(needed)
    return { entryId, now: formatDateTime(at) }
  })

  /** Locks the records; fails if one is unknown. Returns them by id. */
  const locked = Effect.fnUntraced(function* (
    appId: number,
    ids: ReadonlyArray<number>,
    how: Parameters<typeof statements.lock>[2] = "FOR UPDATE"
  ) {
    const rows = yield* statements.lock(appId, ids, how)
    const byId = recordsById(rows)
    const missing = ids.find((id) => !byId.has(id))
    if (missing !== undefined) return yield* new RecordNotFound({ recordId: missing })
    return { byId, definition: yield* definitions.ofVersion(appId, rows[0]!.version) }
  })

  return {
    definitions,
    numbers,
    outbox,
    audit,
    statements,
    sql,
    atomic,
    atomicOne,
    now: currentTime,
    noApp,
    invalid,
    concerned,
    hasMore,
    open: inOpenTransaction,
    undone,
    unique,
    relatedTo,
    eachWithRelated,
    relatedChanges,
    runHooks,
    judge: checkMentions,
    attach,
    prepared: makeParseContext,
    locked,
    retitlePointing,
    withCleaning
  }
})
export type Preparation = Effect.Success<typeof makePreparation>
