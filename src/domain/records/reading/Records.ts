// Reading records, and how the API shows them (developer-api.md 4.1, 4.2).
import { Clock, Context, Effect, Layer, Option, Result } from "effect"
import { AppConfig } from "../../../platform/config/Config.ts"
import { formatDate } from "../../../platform/primitives/dates.ts"
import { RecordDeleted, RecordNotFound, ValidationError } from "../../../platform/primitives/errors.ts"
import { Sql } from "../../../platform/sql/Sql.ts"
import { orSqlDefect } from "../../../platform/sql/sqlDefect.ts"
import type { AccessGrant } from "../../accounts/Access.ts"
import type { CallerShape } from "../../accounts/Caller.ts"
import { calculate, type RelatedRecords } from "../calculations/calculate.ts"
import { makeRelatedRecords } from "../calculations/relatedRecords.ts"
import { noMentions, type UserView } from "../fields/model/Field.ts"
import type { AppDefinition } from "../model/AppDefinition.ts"
import { Definitions } from "../model/Definitions.ts"
import { Lookups, userView } from "../model/Lookups.ts"
import { factsOf, type RecordRow } from "../model/RecordRow.ts"
import { makeStatements } from "../writing/recordStatements.ts"
import { withFields } from "./chosenFields.ts"
import type { CalculationError } from "./recordSchemas.ts"
import { recordTexts, withMember } from "./recordText.ts"
import { mentionRecord } from "./render.ts"
import { makeSelectedRows } from "./selectedRows.ts"

type Missing = RecordNotFound | RecordDeleted

/** A record as stored, with the definition that its values belong to. */
export interface DefinedRecord {
  readonly record: RecordRow
  readonly definition: AppDefinition
}

/** The record of a grant. */
interface GrantedRecord extends DefinedRecord {
  /** Its authors, as far as they are users of the organization. */
  readonly users: ReadonlyArray<UserView>
}

/** Caller as authors are shown, if the profile was read with the credential. */
const ownView = ({ orgId, profile, userId }: CallerShape): ReadonlyArray<UserView> =>
  profile === undefined ? [] : [userView(orgId, { user_id: userId, ...profile })]

/** Shows one record as the API does, with the errors of its calculations: JSON. */
export interface RecordRead {
  readonly revision: number
  readonly text: string
}

/** Records with their definitions; omits those whose app was deleted. */
const defined = (rows: ReadonlyArray<RecordRow>, definitions: ReadonlyMap<number, AppDefinition>) =>
  rows.flatMap((record): ReadonlyArray<DefinedRecord> => {
    const definition = definitions.get(record.app_id)
    return definition === undefined ? [] : [{ record, definition }]
  })

/** Reasons for which calculations of the record have no result (11.3). */
const calculationErrors = (
  { definition, record }: DefinedRecord,
  shown: AppDefinition,
  today: string,
  related: RelatedRecords
) => {
  const { errors } = calculate(definition, record.cells, factsOf(record), today, related)
  return [...errors].flatMap(
    ([{ field_id, slug }, message]): ReadonlyArray<typeof CalculationError.Type> =>
      shown.fields.some((field) => field.field_id === field_id) ? [{ field_id, external_id: slug, message }] : []
  )
}

export class Records extends Context.Service<
  Records,
  {
    /** The grant's record; a trashed one fails unless `includeDeleted`. */
    readonly find: (grant: AccessGrant, includeDeleted: boolean) => Effect.Effect<GrantedRecord, Missing>
    /** @param fields names of the fields that are shown (./chosenFields.ts); left out: all */
    readonly get: (
      grant: AccessGrant,
      includeDeleted: boolean,
      fields?: string
    ) => Effect.Effect<RecordRead, Missing | ValidationError>
    /** Records as the API shows them, each as JSON; all mentions are looked up in one batch. The rows belong to one organization. */
    readonly views: (rows: ReadonlyArray<RecordRow>) => Effect.Effect<ReadonlyArray<string>>
    /**
     * `views` for a caller that has the definitions.
     * @param known users who are not looked up
     */
    readonly rendered: (
      all: ReadonlyArray<DefinedRecord>,
      known?: ReadonlyArray<UserView>
    ) => Effect.Effect<ReadonlyArray<string>>
    /** `views` for rows that this process has just written for the caller: it has seen the definition that they were checked by. */
    readonly written: (rows: ReadonlyArray<RecordRow>, caller: CallerShape) => Effect.Effect<ReadonlyArray<string>>
  }
>()("millrace/records/Records") {
  static readonly layer = Layer.effect(
    Records,
    Effect.gen(function* () {
      const sql = yield* Sql
      const { baseUrl } = yield* AppConfig
      const definitions = yield* Definitions
      const lookups = yield* Lookups
      const { columns } = yield* makeStatements
      const selected = yield* makeSelectedRows
      const { relatedTo } = yield* makeRelatedRecords

      const find = Effect.fnUntraced(function* (grant: AccessGrant, includeDeleted: boolean) {
        const { rows, users = [] } = yield* selected.withAuthors(
          grant.orgId,
          sql`SELECT ${columns}, a.version FROM records r JOIN apps a USING (app_id) WHERE r.record_id = ${grant.id}`
        )
        const [record] = rows
        if (record === undefined) return yield* new RecordNotFound({ recordId: grant.id })
        if (record.deleted_on !== null && !includeDeleted) return yield* new RecordDeleted({ recordId: grant.id })
        const definition = yield* definitions.since(record.app_id, record.version!)
        return Option.isSome(definition)
          ? { record, definition: definition.value, users }
          : yield* new RecordNotFound({ recordId: grant.id })
      }, orSqlDefect)

      /** @param known users who are not looked up */
      const render = Effect.fnUntraced(function* (
        all: ReadonlyArray<DefinedRecord>,
        known: ReadonlyArray<UserView> = []
      ) {
        if (all.length === 0) return []
        const mentions = noMentions()
        for (const { definition, record } of all) mentionRecord(definition, record, mentions)
        const mentioned = known.filter(({ user_id }) => mentions.users.delete(user_id))
        const lookupFacts = yield* lookups.forReading(all[0]!.record.org_id, mentions)
        const facts =
          mentioned.length === 0
            ? lookupFacts
            : {
                ...lookupFacts,
                users: new Map([...lookupFacts.users, ...mentioned.map((user) => [user.user_id, user] as const)])
              }
        const textOf = recordTexts(facts, baseUrl)
        return all.map(({ definition, record }) => textOf(definition, record))
      })

      const views = Effect.fnUntraced(function* (rows: ReadonlyArray<RecordRow>) {
        const [first] = rows
        if (first === undefined) return []
        const apps = new Set(rows.map((row) => row.app_id))
        return yield* render(defined(rows, yield* definitions.current(first.org_id, apps)))
      }, orSqlDefect)

      const viewWritten = Effect.fnUntraced(function* (rows: ReadonlyArray<RecordRow>, caller: CallerShape) {
        const byId = new Map<number, AppDefinition>()
        for (const appId of new Set(rows.map((row) => row.app_id))) {
          const cachedApp = yield* definitions.lastSeen(appId)
          if (Option.isSome(cachedApp)) byId.set(appId, cachedApp.value)
        }
        return yield* render(defined(rows, byId), ownView(caller))
      })

      return Records.of({
        find,
        get: Effect.fn("Records.get")(function* (grant, includeDeleted, fields) {
          const { definition, record, users } = yield* find(grant, includeDeleted)
          const chosenDefinition = withFields(definition, fields)
          if (Result.isFailure(chosenDefinition))
            return yield* new ValidationError({ message: chosenDefinition.failure })
          const [only] = yield* render([{ definition: chosenDefinition.success, record }], users)
          const today = formatDate(new Date(yield* Clock.currentTimeMillis))
          const related = yield* relatedTo(definition, [record.cells])
          const errors = calculationErrors({ definition, record }, chosenDefinition.success, today, related)
          const text = errors.length === 0 ? only! : withMember(only!, "calculation_errors", JSON.stringify(errors))
          return { revision: record.revision, text }
        }, orSqlDefect),
        views,
        rendered: render,
        written: viewWritten
      })
    })
  )
}
