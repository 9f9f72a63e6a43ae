// Reading records, and a person's single writes (developer-api.md 4.1, 4.2). Batches and automations use RecordWriter.
import { Context, Effect, Layer, Schema } from "effect"
import type { Switches } from "../../../engine/outbox/Event.ts"
import { AppConfig } from "../../../ground/config/Config.ts"
import {
  type Conflict,
  type NotFound,
  RecordDeleted,
  RecordNotFound,
  type ValidationError
} from "../../../ground/primitives/errors.ts"
import { rowOf, rowsOf } from "../../../ground/sql/rows.ts"
import { Sql } from "../../../ground/sql/Sql.ts"
import { orSqlDefect } from "../../../ground/sql/sqlDefect.ts"
import type { AccessGrant } from "../../accounts/Access.ts"
import { noMentions } from "../fields/model/Field.ts"
import type { AppDefinition } from "../model/AppDefinition.ts"
import { Definitions } from "../model/Definitions.ts"
import { Lookups } from "../model/Lookups.ts"
import { ownWrite, RecordRow } from "../model/RecordRow.ts"
import type { FieldInputs } from "../writing/fieldInputs.ts"
import { RecordWriter } from "../writing/RecordWriter.ts"
import { makeStatements } from "../writing/recordStatements.ts"
import { mentionRecord, type RecordView, renderRecord } from "./render.ts"

type Missing = RecordNotFound | RecordDeleted

/** A record as stored, with the definition that its values belong to. */
export interface DefinedRecord {
  readonly record: RecordRow
  readonly definition: AppDefinition
}

const VersionedRecord = Schema.Struct({ ...RecordRow.fields, version: Schema.Int })

const AppVersion = Schema.Struct({ app_id: Schema.Int, version: Schema.Int })

export class Records extends Context.Service<
  Records,
  {
    /** The grant's record; a trashed one fails unless `includeDeleted`. */
    readonly find: (grant: AccessGrant, includeDeleted: boolean) => Effect.Effect<DefinedRecord, Missing>
    readonly get: (grant: AccessGrant, includeDeleted: boolean) => Effect.Effect<RecordView, Missing>
    readonly create: (
      grant: AccessGrant,
      fields: FieldInputs,
      switches: Switches
    ) => Effect.Effect<RecordRow, ValidationError | NotFound>
    readonly update: (
      grant: AccessGrant,
      fields: FieldInputs,
      switches: Switches,
      expected?: number
    ) => Effect.Effect<RecordRow, ValidationError | NotFound | Missing | Conflict>
    /** @param expected the revision of `If-Match`, when sent; here, above and below */
    readonly remove: (
      grant: AccessGrant,
      skipTrash: boolean,
      switches: Switches,
      expected?: number
    ) => Effect.Effect<RecordRow, NotFound | Missing | Conflict>
    readonly restore: (
      grant: AccessGrant,
      switches: Switches,
      expected?: number
    ) => Effect.Effect<RecordRow, ValidationError | NotFound | Missing | Conflict>
    /** As the API shows them, everything they mention looked up in one batch. Rows of one organization. */
    readonly views: (rows: ReadonlyArray<RecordRow>) => Effect.Effect<ReadonlyArray<RecordView>>
    readonly view: (row: RecordRow) => Effect.Effect<RecordView>
  }
>()("millrace/records/Records") {
  static readonly layer = Layer.effect(
    Records,
    Effect.gen(function* () {
      const sql = yield* Sql
      const { baseUrl } = yield* AppConfig
      const definitions = yield* Definitions
      const lookups = yield* Lookups
      const writer = yield* RecordWriter
      const { columns } = yield* makeStatements

      const find = Effect.fnUntraced(function* (grant: AccessGrant, includeDeleted: boolean) {
        const row = yield* rowOf(VersionedRecord)(sql`
            SELECT ${columns}, a.version FROM records r JOIN apps a USING (app_id) WHERE r.record_id = ${grant.id}`)
        if (row === undefined) return yield* new RecordNotFound({ recordId: grant.id })
        if (row.deleted_on !== null && !includeDeleted) return yield* new RecordDeleted({ recordId: grant.id })
        const { version, ...record } = row
        return { record, definition: yield* definitions.ofVersion(record.app_id, version) }
      }, orSqlDefect)

      const render = Effect.fnUntraced(function* (all: ReadonlyArray<DefinedRecord>) {
        if (all.length === 0) return []
        const mentions = noMentions()
        for (const { definition, record } of all) mentionRecord(definition, record, mentions)
        const found = yield* lookups.forReading(all[0]!.record.org_id, mentions)
        return all.map(({ definition, record }) => renderRecord(definition, record, found, baseUrl))
      })

      const views = Effect.fnUntraced(function* (rows: ReadonlyArray<RecordRow>) {
        const apps = [...new Set(rows.map((row) => row.app_id))]
        if (apps.length === 0) return []
        const versions = yield* rowsOf(AppVersion)(sql`
            SELECT app_id, version FROM apps WHERE app_id = ANY(${apps.map(String)}::bigint[])`)
        const byId = new Map<number, AppDefinition>()
        for (const { app_id, version } of versions) byId.set(app_id, yield* definitions.ofVersion(app_id, version))
        return yield* render(
          rows.flatMap((record) => {
            const definition = byId.get(record.app_id)
            return definition === undefined ? [] : [{ record, definition }]
          })
        )
      }, orSqlDefect)

      const view = (row: RecordRow) => Effect.map(views([row]), ([only]) => only!)
      const first = <E>(rows: Effect.Effect<ReadonlyArray<RecordRow>, E>) => Effect.map(rows, ([row]) => row!)

      return Records.of({
        find,
        get: Effect.fn("Records.get")(function* (grant, includeDeleted) {
          const [only] = yield* render([yield* find(grant, includeDeleted)])
          return only!
        }),
        create: (grant, fields, switches) =>
          first(writer.create(ownWrite(grant.caller, switches), grant.appId, [fields])),
        update: (grant, fields, switches, expected) =>
          first(
            writer.update(ownWrite(grant.caller, switches, expected), grant.appId, [{ record_id: grant.id, fields }])
          ),
        remove: (grant, skipTrash, switches, expected) =>
          first(writer.remove(ownWrite(grant.caller, switches, expected), grant.appId, [grant.id], skipTrash)),
        restore: (grant, switches, expected) =>
          writer.restore(ownWrite(grant.caller, switches, expected), grant.appId, grant.id),
        views,
        view
      })
    })
  )
}
