// Views of an app (developer-api.md 3.5): exactly one of them is the default, which cannot be deleted.
import { Clock, Context, Effect, Layer, Option, Result, Schema } from "effect"
import { NotFound, ValidationError } from "../../../platform/primitives/errors.ts"
import { countOf, rowOf, rowsOf } from "../../../platform/sql/rows.ts"
import { Sql } from "../../../platform/sql/Sql.ts"
import { orSqlDefect } from "../../../platform/sql/sqlDefect.ts"
import { transact } from "../../../platform/sql/transact.ts"
import type { AccessGrant } from "../../accounts/Access.ts"
import { storable } from "../fields/input/writeInput.ts"
import type { RecordFilters } from "../fields/matching/RecordFilter.ts"
import { resolveFilters } from "../filters/resolveFilters.ts"
import type { AppDefinition } from "../model/AppDefinition.ts"
import { Definitions } from "../model/Definitions.ts"
import { lookKeys, type ViewChange, type ViewCreate, ViewRow } from "./View.ts"

const viewsPerApp = 2000
const filtersPerView = 100

type Refused = NotFound | ValidationError

export class Views extends Context.Service<
  Views,
  {
    readonly list: (grant: AccessGrant) => Effect.Effect<ReadonlyArray<ViewRow>>
    readonly get: (grant: AccessGrant) => Effect.Effect<ViewRow, NotFound>
    readonly create: (grant: AccessGrant, input: typeof ViewCreate.Type) => Effect.Effect<ViewRow, Refused>
    /** Keeps omitted members, replaces sent ones; `null` clears. */
    readonly update: (grant: AccessGrant, input: ViewChange) => Effect.Effect<ViewRow, Refused>
    readonly makeDefault: (grant: AccessGrant) => Effect.Effect<ViewRow, NotFound>
    readonly remove: (grant: AccessGrant) => Effect.Effect<void, Refused>
  }
>()("millrace/records/Views") {
  static readonly layer = Layer.effect(
    Views,
    Effect.suspend(() => make)
  )
}

const invalid = (message: string) => new ValidationError({ message })

const ViewId = Schema.Struct({ view_id: Schema.Int })

const make = Effect.gen(function* () {
  const sql = yield* Sql
  const definitions = yield* Definitions
  const atomic = transact(sql)
  const currentTime = Effect.map(Clock.currentTimeMillis, (millis) => new Date(millis))
  const missing = (id: number) => new NotFound({ message: `No view with id ${id}.` })

  /** Views and definition of the app stand still until the transaction ends; records go on being written. */
  const locked = Effect.fnUntraced(function* (appId: number) {
    yield* sql`SELECT 1 FROM apps WHERE app_id = ${appId} FOR NO KEY UPDATE`
    const definition = yield* definitions.read(appId)
    return Option.isSome(definition) ? definition.value : yield* new NotFound({ message: `No app with id ${appId}.` })
  })

  const row = Effect.fnUntraced(function* (viewId: number) {
    const viewRow = yield* rowOf(ViewRow)(sql`SELECT * FROM views WHERE view_id = ${viewId}`)
    return viewRow ?? (yield* missing(viewId))
  })

  const checkedFilters = Effect.fnUntraced(function* (
    grant: AccessGrant,
    definition: AppDefinition,
    filters: RecordFilters
  ) {
    if (filters.length > filtersPerView) return yield* invalid(`filters: a view has at most ${filtersPerView} filters.`)
    // Uses UTC, since only validity matters here; each reader's zone counts when the view is read.
    const context = { userId: grant.caller.userId, now: (yield* currentTime).getTime(), zone: "UTC" }
    const resolved = resolveFilters(definition, filters, context)
    return Result.isSuccess(resolved) ? resolved.success.filters : yield* invalid(resolved.failure)
  })

  /** The columns that the input sets. */
  const columnsOf = Effect.fnUntraced(function* (grant: AccessGrant, definition: AppDefinition, input: ViewChange) {
    if (!storable(input)) return yield* invalid("the view contains characters that cannot be stored")
    const { sort_by, sort_desc, filters } = input
    if (sort_by !== undefined && sort_by !== null && !definition.byId.has(sort_by)) {
      return yield* invalid(`sort_by: the app has no field ${sort_by}`)
    }
    return {
      ...(input.name === undefined || input.name === null ? {} : { name: input.name }),
      ...(input.layout === undefined ? {} : { layout: input.layout }),
      ...(sort_by === undefined ? {} : { sort_by }),
      ...(sort_desc === undefined ? {} : { sort_desc: sort_desc ?? false }),
      ...(filters === undefined ? {} : { filters: yield* checkedFilters(grant, definition, filters ?? []) }),
      ...Object.fromEntries(lookKeys.flatMap((key) => (input[key] === undefined ? [] : [[key, input[key]]])))
    }
  })

  const list = Effect.fn("Views.list")(
    (grant: AccessGrant) => rowsOf(ViewRow)(sql`SELECT * FROM views WHERE app_id = ${grant.appId} ORDER BY view_id`),
    orSqlDefect
  )
  const get = Effect.fn("Views.get")((grant: AccessGrant) => row(grant.id), orSqlDefect)

  const create = Effect.fn("Views.create")(
    (grant: AccessGrant, input: typeof ViewCreate.Type) =>
      atomic(
        Effect.gen(function* () {
          const definition = yield* locked(grant.appId)
          const count = yield* countOf(sql`SELECT count(*)::int AS n FROM views WHERE app_id = ${grant.appId}`)
          if (count >= viewsPerApp) return yield* invalid(`An app has at most ${viewsPerApp} views.`)
          const columns = yield* columnsOf(grant, definition, input)
          const createdView = yield* rowOf(ViewId)(sql`
            INSERT INTO views (app_id, name, layout, created_on)
            VALUES (${grant.appId}, ${input.name}, ${input.layout}, ${yield* currentTime}) RETURNING view_id`)
          return yield* store(createdView!.view_id, columns)
        })
      ),
    orSqlDefect
  )

  /** Merges `columns` into the stored ones; a JSON `null` becomes an SQL one. */
  const store = Effect.fnUntraced(function* (viewId: number, columns: object) {
    const formerView = yield* row(viewId)
    const changedView = JSON.stringify({ ...formerView, ...columns })
    const lookColumns = lookKeys.map((key) => sql`${sql(key)} = nullif(x.${sql(key)}, 'null'::jsonb)`)
    yield* sql`
      UPDATE views v SET name = x.name, layout = x.layout, sort_by = x.sort_by, sort_desc = x.sort_desc,
        filters = x.filters, ${sql.csv(lookColumns)}
      FROM jsonb_to_record(${changedView}::jsonb) AS x (name text, layout text, sort_by bigint, sort_desc boolean, filters jsonb,
        fields jsonb, split_by jsonb, show_progress jsonb, "table" jsonb, board jsonb)
      WHERE v.view_id = ${viewId}`
    return yield* row(viewId)
  })

  const update = Effect.fn("Views.update")(
    (grant: AccessGrant, input: ViewChange) =>
      atomic(
        Effect.gen(function* () {
          const definition = yield* locked(grant.appId)
          return yield* store(grant.id, yield* columnsOf(grant, definition, input))
        })
      ),
    orSqlDefect
  )

  const makeDefault = Effect.fn("Views.makeDefault")(
    (grant: AccessGrant) =>
      atomic(
        Effect.gen(function* () {
          yield* locked(grant.appId)
          yield* row(grant.id)
          yield* sql`UPDATE views SET is_default = false WHERE app_id = ${grant.appId} AND is_default AND view_id <> ${grant.id}`
          yield* sql`UPDATE views SET is_default = true WHERE view_id = ${grant.id}`
          return yield* row(grant.id)
        })
      ),
    orSqlDefect
  )

  const remove = Effect.fn("Views.remove")(
    (grant: AccessGrant) =>
      atomic(
        Effect.gen(function* () {
          yield* locked(grant.appId)
          const { is_default } = yield* row(grant.id)
          if (is_default)
            return yield* invalid("The default view cannot be deleted; make another one the default first.")
          yield* sql`DELETE FROM views WHERE view_id = ${grant.id}`
        })
      ),
    orSqlDefect
  )

  return Views.of({ list, get, create, update, makeDefault, remove })
})
