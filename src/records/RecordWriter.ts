// Changes of records with their revisions and events (developer-api.md 4.3): many at once, in the caller's transaction if
// there is one. The batch endpoints, single writes and automations all come through here.
import { Clock, Context, Effect, Layer, Option, Result } from "effect"
import { SqlClient } from "effect/sql"
import { Access } from "../accounts/Access.ts"
import type { CallerShape } from "../accounts/Caller.ts"
import { NotFound, RecordDeleted, RecordNotFound, ValidationError } from "../errors.ts"
import { Outbox } from "../outbox/Outbox.ts"
import { Definitions } from "./Definitions.ts"
import { type AppDefinition, shownTitle, titleOf } from "./definition.ts"
import { EntryIds } from "./EntryIds.ts"
import { type Found, noMentions, nothingFound } from "./fields/FieldType.ts"
import { Lookups } from "./Lookups.ts"
import { RecordHooks, type RecordsChanged } from "./RecordHooks.ts"
import { factsOf, type RecordRow, timeOrNull, type Write } from "./record.ts"
import { type ChangedRow, makeStatements, type NewRow } from "./statements.ts"
import { transact } from "./transact.ts"
import * as Writes from "./writes.ts"

export interface RecordUpdate {
  readonly record_id: number
  readonly fields: Writes.FieldInputs
}
/** Leads a problem to the item of a batch: `inputs[3].`. */
export type Place = (index: number) => string
const single: Place = () => ""

type WriteError = ValidationError | NotFound | RecordNotFound | RecordDeleted

export class RecordWriter extends Context.Service<
  RecordWriter,
  {
    readonly create: (
      write: Write,
      appId: number,
      inputs: ReadonlyArray<Writes.FieldInputs>,
      place?: Place
    ) => Effect.Effect<ReadonlyArray<RecordRow>, ValidationError | NotFound>
    /** Locks the records in id order. A write that changes nothing leaves its record as it is. */
    readonly update: (
      write: Write,
      appId: number,
      inputs: ReadonlyArray<RecordUpdate>,
      place?: Place
    ) => Effect.Effect<ReadonlyArray<RecordRow>, WriteError>
    /** To the trash; with `skipTrash` for good, trashed ones without an event. Answers them as they were, `deleted_on` set. */
    readonly remove: (
      write: Write,
      appId: number,
      ids: ReadonlyArray<number>,
      skipTrash: boolean
    ) => Effect.Effect<ReadonlyArray<RecordRow>, NotFound | RecordNotFound | RecordDeleted>
    readonly restore: (write: Write, appId: number, id: number) => Effect.Effect<RecordRow, WriteError>
    /** Destroys what has been in the trash since before `before`, at most `limit` records. Answers how many went. */
    readonly purge: (before: Date, limit: number) => Effect.Effect<number>
  }
>()("millrace/records/RecordWriter") {
  static readonly layer = Layer.effect(
    RecordWriter,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const access = yield* Access
      const definitions = yield* Definitions
      const lookups = yield* Lookups
      const entryIds = yield* EntryIds
      const outbox = yield* Outbox
      const hooks = yield* RecordHooks
      const statements = yield* makeStatements
      const atomic = transact(sql)
      const now = Effect.map(Clock.currentTimeMillis, (millis) => new Date(millis))
      const noApp = (id: number) => new NotFound({ message: `No app with id ${id}.` })
      const invalid = (message: string) => new ValidationError({ message })

      const concerned = (definition: AppDefinition) => hooks.filter((hook) => hook.concerns(definition))
      const runHooks = (change: RecordsChanged) =>
        change.records.length === 0
          ? Effect.void
          : Effect.forEach(concerned(change.definition), (hook) => hook.run(change), { discard: true })

      /** Files of records that the caller cannot see are not there for it. */
      const readableFiles = Effect.fnUntraced(function* (caller: CallerShape, found: Found) {
        if (found.files.size === 0) return found
        const rows = yield* sql<{ file_id: number; app_id: number }>`
          SELECT DISTINCT l.file_id, r.app_id FROM file_links l JOIN records r USING (record_id)
          WHERE l.file_id = ANY(${[...found.files.keys()].map(String)}::bigint[])`
        const visible = new Set<number>()
        for (const appId of new Set(rows.map((row) => row.app_id))) {
          if (yield* Effect.isSuccess(access.check(caller, "app", appId, 1))) visible.add(appId)
        }
        const readable = new Set(rows.filter((row) => visible.has(row.app_id)).map((row) => row.file_id))
        return { ...found, files: new Map([...found.files].filter(([id]) => readable.has(id))) }
      })

      /** Looks up what the writes mention and judges them by it. */
      const judge = Effect.fnUntraced(function* (
        definition: AppDefinition,
        caller: CallerShape,
        all: ReadonlyArray<Writes.Settings>,
        place: Place
      ) {
        const mentions = noMentions()
        for (const settings of all) Writes.mentionSettings(settings, mentions)
        if (Object.values(mentions).every((set) => set.size === 0)) return { found: nothingFound, temporary: [] }
        const found = yield* Effect.flatMap(lookups.forWriting(definition.org_id, mentions, caller.userId), (looked) =>
          readableFiles(caller, looked)
        )
        for (const [index, settings] of all.entries()) {
          const problem = Writes.checkSettings(settings, found)
          if (problem !== null) return yield* invalid(place(index) + problem)
        }
        return { found, temporary: [...mentions.temporary] }
      })

      const attach = Effect.fnUntraced(function* (temporary: ReadonlyArray<string>, at: Date) {
        if (temporary.length === 0) return new Map<string, number>()
        const rows = yield* statements.attach(temporary, at)
        const attached = new Map(rows.map((row) => [row.temporary_id, row.file_id]))
        const spent = temporary.find((id) => !attached.has(id))
        return spent === undefined ? attached : yield* invalid(`fields: names no file: ${JSON.stringify(spent)}`)
      })

      const prepared = Effect.fnUntraced(function* (
        definition: AppDefinition,
        inputs: ReadonlyArray<Writes.FieldInputs>,
        at: Date
      ) {
        const needed = inputs.reduce((sum, fields) => sum + Writes.entryIdsNeeded(definition, fields), 0)
        const entryId = needed === 0 ? () => 0 : yield* entryIds.reserve(needed)
        return { entryId, now: timeOrNull(at)! }
      })

      const createOnce = Effect.fnUntraced(function* (
        definition: AppDefinition,
        write: Write,
        inputs: ReadonlyArray<Writes.FieldInputs>,
        place: Place
      ) {
        const at = yield* now
        const context = yield* prepared(definition, inputs, at)
        const parsed: Array<Writes.Settings> = []
        for (const [index, fields] of inputs.entries()) {
          const settings = Writes.parseFields(definition, fields, {}, context)
          if (Result.isFailure(settings)) return yield* invalid(place(index) + settings.failure)
          const missing = Writes.missingRequired(definition, settings.success)
          if (missing !== null) return yield* invalid(place(index) + missing)
          parsed.push(settings.success)
        }
        const { found, temporary } = yield* judge(definition, write.caller, parsed, place)
        const insert = Effect.fnUntraced(function* () {
          const attached = yield* attach(temporary, at)
          const blank = { app_record_id: 0, created_on: at, created_by: write.author } as RecordRow
          const facts = factsOf({ ...blank, last_modified_on: null, last_modified_by: null })
          const rows = parsed.map((settings): NewRow => {
            const change = Writes.applySettings({}, Writes.withAttached(settings, attached))
            const { cells, delta } = change ?? { cells: {}, delta: {} }
            return {
              cells,
              delta,
              title: titleOf(definition, cells, facts, found),
              changed: Writes.changedFields(definition, delta, null, facts),
              links: Writes.linksOf(definition, delta, "records").added,
              files: Writes.linksOf(definition, delta, "files").added
            }
          })
          const made = yield* statements.create(definition, write, rows, at)
          if (made.length === 0) return []
          const records = made.map(
            (row, index): RecordRow => ({
              ...row,
              app_id: definition.app_id,
              revision: 0,
              cells: rows[index]!.cells,
              comment_count: 0,
              created_on: at,
              created_by: write.author,
              last_modified_on: null,
              last_modified_by: null,
              deleted_on: null
            })
          )
          yield* runHooks({ type: "create", definition, records })
          yield* outbox.announce
          return records
        })
        // The statement alone is atomic; only what comes beside it needs a transaction of its own.
        return yield* temporary.length > 0 || concerned(definition).length > 0 ? atomic(insert()) : insert()
      })

      const create = Effect.fn("RecordWriter.create")(
        function* (write: Write, appId: number, inputs: ReadonlyArray<Writes.FieldInputs>, place: Place = single) {
          if (inputs.length === 0) return []
          let known = yield* definitions.lastSeen(appId)
          // Each round uses a newer version; an app does not change often enough to spend them all.
          for (let round = 0; round < 10; round++) {
            if (Option.isNone(known)) return yield* noApp(appId)
            const definition = known.value
            const made = yield* Effect.result(createOnce(definition, write, inputs, place))
            if (Result.isSuccess(made) && made.success.length > 0) return made.success
            if (Result.isFailure(made) && made.failure._tag !== "ValidationError")
              return yield* Effect.fail(made.failure)
            // A refusal counts only if it was judged by the definition as it is now.
            known = yield* definitions.load(appId)
            if (Result.isFailure(made) && Option.isSome(known) && known.value.version === definition.version) {
              return yield* Effect.fail(made.failure)
            }
          }
          return yield* Effect.die(new Error(`app ${appId} kept changing under a write`))
        },
        Effect.catchTag("SqlError", Effect.die)
      )

      /** Locks the records; fails where one is unknown. Answers them by id. */
      const locked = Effect.fnUntraced(function* (appId: number, ids: ReadonlyArray<number>) {
        const rows = yield* statements.lock(appId, ids)
        const byId = new Map(rows.map(({ version: _, ...row }) => [row.record_id, row as RecordRow]))
        const missing = ids.find((id) => !byId.has(id))
        if (missing !== undefined) return yield* new RecordNotFound({ recordId: missing })
        return { byId, definition: yield* definitions.ofVersion(appId, rows[0]!.version) }
      })

      const updateLocked = Effect.fnUntraced(function* (
        write: Write,
        appId: number,
        inputs: ReadonlyArray<RecordUpdate>,
        place: Place
      ) {
        const ids = inputs.map((input) => input.record_id)
        if (new Set(ids).size < ids.length) return yield* invalid("inputs: name a record once only")
        const { byId, definition } = yield* locked(appId, ids)
        const trashed = ids.find((id) => byId.get(id)!.deleted_on !== null)
        if (trashed !== undefined) return yield* new RecordDeleted({ recordId: trashed })
        const at = yield* now
        const fields = inputs.map((input) => input.fields)
        const context = yield* prepared(definition, fields, at)
        const parsed: Array<Writes.Settings> = []
        for (const [index, input] of inputs.entries()) {
          const settings = Writes.parseFields(definition, input.fields, byId.get(input.record_id)!.cells, context)
          if (Result.isFailure(settings)) return yield* invalid(place(index) + settings.failure)
          parsed.push(settings.success)
        }
        const { found, temporary } = yield* judge(definition, write.caller, parsed, place)
        const attached = yield* attach(temporary, at)
        const changed: Array<ChangedRow> = []
        const after = inputs.map(({ record_id }, index) => {
          const before = byId.get(record_id)!
          const change = Writes.applySettings(before.cells, Writes.withAttached(parsed[index]!, attached))
          if (change === null) return before
          const { cells, delta } = change
          const titleChanged =
            definition.titleField !== undefined && delta[definition.titleField.field_id] !== undefined
          const record: RecordRow = {
            ...before,
            cells,
            revision: before.revision + 1,
            title: titleChanged ? titleOf(definition, cells, before, found) : before.title,
            last_modified_on: at,
            last_modified_by: write.author
          }
          changed.push({
            record_id,
            revision: record.revision,
            cells,
            previous: before.cells,
            title: record.title,
            shown: shownTitle(record.title, definition.item_name, record.app_record_id),
            delta,
            changed: Writes.changedFields(definition, delta, factsOf(before), factsOf(record)),
            links: Writes.linksOf(definition, delta, "records"),
            files: Writes.linksOf(definition, delta, "files")
          })
          return record
        })
        if (changed.length > 0) {
          yield* statements.update(appId, definition.org_id, write, changed, at)
          const records = after.filter((record) => record !== byId.get(record.record_id))
          yield* runHooks({ type: "update", definition, records })
          yield* outbox.announce
        }
        return after
      })

      const update = Effect.fn("RecordWriter.update")(
        (write: Write, appId: number, inputs: ReadonlyArray<RecordUpdate>, place: Place = single) =>
          inputs.length === 0 ? Effect.succeed([]) : atomic(updateLocked(write, appId, inputs, place)),
        Effect.catchTag("SqlError", Effect.die)
      )

      const turned =
        ({ item_name }: AppDefinition) =>
        (record: RecordRow) => ({
          record_id: record.record_id,
          revision: record.revision,
          cells: record.cells,
          shown: shownTitle(record.title, item_name, record.app_record_id)
        })

      const removeLocked = Effect.fnUntraced(function* (
        write: Write,
        appId: number,
        ids: ReadonlyArray<number>,
        skipTrash: boolean
      ) {
        const { byId, definition } = yield* locked(appId, ids)
        const trashed = ids.find((id) => byId.get(id)!.deleted_on !== null)
        if (trashed !== undefined && !skipTrash) return yield* new RecordDeleted({ recordId: trashed })
        const at = yield* now
        const records = [...byId.values()]
        const gone = records
          .filter((record) => record.deleted_on === null)
          .map((record): RecordRow => ({ ...record, revision: record.revision + 1, deleted_on: at }))
        const rows = gone.map(turned(definition))
        if (skipTrash) {
          yield* destroy(ids)
          if (rows.length > 0) yield* statements.announceDestroyed(appId, definition.org_id, write, rows, at)
          yield* runHooks({ type: "destroy", definition, records })
        } else {
          yield* statements.turn("record.delete", appId, definition.org_id, write, rows, at)
          yield* runHooks({ type: "delete", definition, records: gone })
        }
        yield* outbox.announce
        const byIdAfter = new Map(gone.map((record) => [record.record_id, record]))
        return [...new Set(ids)].map((id) => byIdAfter.get(id) ?? byId.get(id)!)
      })

      const destroy = (ids: ReadonlyArray<number>) =>
        Effect.andThen(statements.lockPointing(ids), statements.destroy(statements.idList(ids)))

      const remove = Effect.fn("RecordWriter.remove")(
        (write: Write, appId: number, ids: ReadonlyArray<number>, skipTrash: boolean) =>
          ids.length === 0 ? Effect.succeed([]) : atomic(removeLocked(write, appId, ids, skipTrash)),
        Effect.catchTag("SqlError", Effect.die)
      )

      const restore = Effect.fn("RecordWriter.restore")(
        (write: Write, appId: number, id: number) =>
          atomic(
            Effect.gen(function* () {
              const { byId, definition } = yield* locked(appId, [id])
              const before = byId.get(id)!
              if (before.deleted_on === null) return yield* invalid(`Record ${id} is not in the trash.`)
              const record: RecordRow = { ...before, revision: before.revision + 1, deleted_on: null }
              const at = yield* now
              yield* statements.turn(
                "record.restore",
                appId,
                definition.org_id,
                write,
                [turned(definition)(record)],
                at
              )
              yield* runHooks({ type: "restore", definition, records: [record] })
              yield* outbox.announce
              return record
            })
          ),
        Effect.catchTag("SqlError", Effect.die)
      )

      const purge = Effect.fn("RecordWriter.purge")(
        (before: Date, limit: number) =>
          atomic(
            Effect.gen(function* () {
              const rows = yield* sql<{ record_id: number }>`
                SELECT record_id FROM records WHERE deleted_on < ${before} ORDER BY deleted_on
                LIMIT ${limit}::int FOR UPDATE SKIP LOCKED`
              if (rows.length > 0) yield* destroy(rows.map((row) => row.record_id))
              return rows.length
            })
          ),
        Effect.catchTag("SqlError", Effect.die)
      )

      return RecordWriter.of({ create, update, remove, restore, purge })
    })
  )
}
