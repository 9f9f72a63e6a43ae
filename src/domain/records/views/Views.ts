// Views of an app (developer-api.md 3.5, 11.6): exactly one of them is the default, which cannot be deleted or private.
import { Clock, Context, Effect, Layer, Option, Result, Schema } from "effect"
import { NotFound, Restricted, ValidationError } from "../../../platform/primitives/errors.ts"
import { countOf, rowOf, rowsOf } from "../../../platform/sql/rows.ts"
import { Sql } from "../../../platform/sql/Sql.ts"
import { orSqlDefect } from "../../../platform/sql/sqlDefect.ts"
import { transact } from "../../../platform/sql/transact.ts"
import type { AccessGrant } from "../../accounts/Access.ts"
import { type CallerShape, soleUserOf } from "../../accounts/Caller.ts"
import { storable } from "../fields/input/writeInput.ts"
import type { RecordFilters } from "../fields/matching/RecordFilter.ts"
import { resolveFilters } from "../filters/resolveFilters.ts"
import type { AppDefinition } from "../model/AppDefinition.ts"
import { Definitions } from "../model/Definitions.ts"
import { viewExistsFor } from "../model/privateViews.ts"
import { makeAnnounceViews } from "./announceViews.ts"
import { lookKeys, type ViewChange, type ViewCreate, ViewRow } from "./View.ts"
import { frozenByDefault, lookProblem } from "./viewLook.ts"

const viewsPerApp = 2000
const filtersPerView = 100
/** Level on the app that writes of views need (2.3). */
const WRITE_LEVEL = 4

type Refused = NotFound | ValidationError

export class Views extends Context.Service<
  Views,
  {
    readonly list: (grant: AccessGrant) => Effect.Effect<ReadonlyArray<ViewRow>>
    readonly get: (grant: AccessGrant) => Effect.Effect<ViewRow, NotFound>
    readonly create: (grant: AccessGrant, input: typeof ViewCreate.Type) => Effect.Effect<ViewRow, Refused>
    /** Keeps omitted members, replaces sent ones; `null` clears. */
    readonly update: (grant: AccessGrant, input: ViewChange) => Effect.Effect<ViewRow, Refused>
    readonly makeDefault: (grant: AccessGrant) => Effect.Effect<ViewRow, Refused>
    /** Any view with level 4 on the app (2.3); the caller's own private one with less. */
    readonly remove: (grant: AccessGrant) => Effect.Effect<void, Refused | Restricted>
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
  const announce = makeAnnounceViews(sql)
  const currentTime = Effect.map(Clock.currentTimeMillis, (millis) => new Date(millis))
  const missing = (id: number) => new NotFound({ message: `No view with id ${id}.` })

  /** Views and definition of the app stand still until the transaction ends; records go on being written. */
  const locked = Effect.fnUntraced(function* (appId: number) {
    yield* sql`SELECT 1 FROM apps WHERE app_id = ${appId} FOR NO KEY UPDATE`
    const definition = yield* definitions.read(appId)
    return Option.isSome(definition) ? definition.value : yield* new NotFound({ message: `No app with id ${appId}.` })
  })

  const row = Effect.fnUntraced(function* (caller: CallerShape, viewId: number) {
    const viewRow = yield* rowOf(ViewRow)(sql`
      SELECT * FROM views WHERE view_id = ${viewId} AND ${viewExistsFor(sql, soleUserOf(caller))}`)
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
    const problem = lookProblem(definition, input)
    if (problem !== null) return yield* invalid(problem)
    const { board_field_id, calendar_field_ids, columns, cover_field_id, frozen, group_by } = input
    return {
      ...(input.name === undefined || input.name === null ? {} : { name: input.name }),
      ...(input.layout === undefined ? {} : { layout: input.layout }),
      ...(sort_by === undefined ? {} : { sort_by }),
      ...(sort_desc === undefined ? {} : { sort_desc: sort_desc ?? false }),
      ...(filters === undefined ? {} : { filters: yield* checkedFilters(grant, definition, filters ?? []) }),
      ...(columns === undefined ? {} : { columns: columns ?? [] }),
      ...(frozen === undefined ? {} : { frozen: frozen ?? frozenByDefault }),
      ...(group_by === undefined ? {} : { group_by }),
      ...(board_field_id === undefined ? {} : { board_field_id }),
      ...(calendar_field_ids === undefined ? {} : { calendar_field_ids: calendar_field_ids ?? [] }),
      ...(cover_field_id === undefined ? {} : { cover_field_id }),
      ...(input.private === undefined ? {} : { private: input.private ?? false }),
      ...Object.fromEntries(lookKeys.flatMap((key) => (input[key] === undefined ? [] : [[key, input[key]]])))
    }
  })

  const list = Effect.fn("Views.list")(
    ({ appId, caller }: AccessGrant) =>
      rowsOf(ViewRow)(sql`
        SELECT * FROM views WHERE app_id = ${appId} AND ${viewExistsFor(sql, soleUserOf(caller))} ORDER BY view_id`),
    orSqlDefect
  )
  const get = Effect.fn("Views.get")((grant: AccessGrant) => row(grant.caller, grant.id), orSqlDefect)

  const create = Effect.fn("Views.create")(
    (grant: AccessGrant, input: typeof ViewCreate.Type) =>
      atomic(
        Effect.gen(function* () {
          const definition = yield* locked(grant.appId)
          const count = yield* countOf(sql`SELECT count(*)::int AS n FROM views WHERE app_id = ${grant.appId}`)
          if (count >= viewsPerApp) return yield* invalid(`An app has at most ${viewsPerApp} views.`)
          const columns = yield* columnsOf(grant, definition, input)
          const createdView = yield* rowOf(ViewId)(sql`
            INSERT INTO views (app_id, name, layout, created_on, created_by)
            VALUES (${grant.appId}, ${input.name}, ${input.layout}, ${yield* currentTime}, ${grant.caller.userId})
            RETURNING view_id`)
          yield* announce(grant)
          return yield* store(grant.caller, createdView!.view_id, columns)
        })
      ),
    orSqlDefect
  )

  /** Merges `columns` into the stored ones; a JSON `null` becomes an SQL one. */
  const store = Effect.fnUntraced(function* (caller: CallerShape, viewId: number, columns: object) {
    const formerView = yield* row(caller, viewId)
    const changedView = JSON.stringify({ ...formerView, ...columns })
    const lookColumns = lookKeys.map((key) => sql`${sql(key)} = nullif(x.${sql(key)}, 'null'::jsonb)`)
    yield* sql`
      UPDATE views v SET name = x.name, layout = x.layout, sort_by = x.sort_by, sort_desc = x.sort_desc,
        filters = x.filters, columns = x.columns, frozen = x.frozen, group_by = x.group_by, board_field_id = x.board_field_id,
        calendar_field_ids = x.calendar_field_ids, cover_field_id = x.cover_field_id, private = x.private, ${sql.csv(lookColumns)}
      FROM jsonb_to_record(${changedView}::jsonb) AS x (name text, layout text, sort_by bigint, sort_desc boolean, filters jsonb,
        columns jsonb, frozen integer, group_by bigint, board_field_id bigint, calendar_field_ids jsonb, cover_field_id bigint,
        private boolean,
        fields jsonb, split_by jsonb, show_progress jsonb, "table" jsonb, board jsonb)
      WHERE v.view_id = ${viewId}`
    return yield* row(caller, viewId)
  })

  /** Refuses to hide a view that others have to see. */
  const checkPrivate = Effect.fnUntraced(function* ({ caller, id }: AccessGrant) {
    const view = yield* row(caller, id)
    if (view.private) return
    if (view.created_by !== caller.userId) return yield* invalid("private: only its maker can make a view private")
    if (view.is_default) return yield* invalid("private: the default view is for everybody")
    const narrowed = JSON.stringify({ referenced_apps: [{ app_id: view.app_id, view_id: id }] })
    const relations = yield* sql`
      SELECT 1 FROM fields f JOIN apps a USING (app_id) WHERE a.org_id = ${caller.orgId} AND f.settings @> ${narrowed}::jsonb LIMIT 1`
    if (relations.length > 0) return yield* invalid("private: a relation field offers the records of this view")
  })

  const update = Effect.fn("Views.update")(
    (grant: AccessGrant, input: ViewChange) =>
      atomic(
        Effect.gen(function* () {
          const definition = yield* locked(grant.appId)
          if (input.private === true) yield* checkPrivate(grant)
          yield* announce(grant)
          return yield* store(grant.caller, grant.id, yield* columnsOf(grant, definition, input))
        })
      ),
    orSqlDefect
  )

  const makeDefault = Effect.fn("Views.makeDefault")(
    (grant: AccessGrant) =>
      atomic(
        Effect.gen(function* () {
          yield* locked(grant.appId)
          const view = yield* row(grant.caller, grant.id)
          if (view.private) return yield* invalid("A private view cannot be the default; everybody has to see it.")
          yield* sql`UPDATE views SET is_default = false WHERE app_id = ${grant.appId} AND is_default AND view_id <> ${grant.id}`
          yield* sql`UPDATE views SET is_default = true WHERE view_id = ${grant.id}`
          yield* announce(grant)
          return yield* row(grant.caller, grant.id)
        })
      ),
    orSqlDefect
  )

  const remove = Effect.fn("Views.remove")(
    (grant: AccessGrant) =>
      atomic(
        Effect.gen(function* () {
          yield* locked(grant.appId)
          const { is_default, ...view } = yield* row(grant.caller, grant.id)
          // A private view exists for its maker alone.
          if (grant.level < WRITE_LEVEL && !view.private)
            return yield* new Restricted({ message: "This needs more rights on the view than you have." })
          if (is_default)
            return yield* invalid("The default view cannot be deleted; make another one the default first.")
          yield* sql`DELETE FROM views WHERE view_id = ${grant.id}`
          yield* announce(grant)
        })
      ),
    orSqlDefect
  )

  return Views.of({ list, get, create, update, makeDefault, remove })
})
