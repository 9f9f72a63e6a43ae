// The SELECT of the groups of records by a field (developer-api.md 11.6). Values are counted first, so that names and places of groups are made
// once for each value. It is given a few seconds: whatever an app holds, no statement of it keeps the database.
import { Context, Effect, Schema } from "effect"
import { ValidationError } from "../../../platform/primitives/errors.ts"
import { postgresZone } from "../../../platform/primitives/zones.ts"
import { rowsOf } from "../../../platform/sql/rows.ts"
import { Sql } from "../../../platform/sql/Sql.ts"
import { codeOf } from "../../../platform/sql/transientErrors.ts"
import type { FieldGroups, GroupSpan } from "../fields/contract/FieldGroups.ts"
import type { Field } from "../fields/model/Field.ts"
import { makePredicates } from "../fields/sql/predicates.ts"
import { makeSortSql } from "../fields/sql/sortKey.ts"
import { makePageSelects } from "./pageSelects.ts"
import type { Selection } from "./Selection.ts"

/** Milliseconds after which Postgres ends the statement. */
export const GroupMillis = Context.Reference<number>("millrace/records/GroupMillis", { defaultValue: () => 5_000 })

/** SQLSTATE of a value that a function does not take: of all that a request names, only its zone can be one. */
const UNKNOWN_ZONE = "22023"

const GroupRow = Schema.Struct({
  key: Schema.NullOr(Schema.String),
  digest: Schema.NullOr(Schema.String),
  sort_key: Schema.NullOr(Schema.String),
  count: Schema.Int,
  total: Schema.Int
})
type GroupRow = typeof GroupRow.Type

/** Start of a page of groups: behind the group of this place and digest. A key may have any length, a cursor not. */
export const GroupPosition = Schema.Struct({ digest: Schema.String, sort_key: Schema.String })

interface GroupOrder {
  readonly field: Field
  readonly groups: FieldGroups
  readonly span: GroupSpan
  readonly desc: boolean
}

export const makeGroupSelect = Effect.gen(function* () {
  const sql = yield* Sql
  const mostMillis = yield* GroupMillis
  const { collapseBlanks } = makePredicates(sql)
  const { paths, where } = yield* makePageSelects

  const statement = Effect.fnUntraced(function* (
    selection: Omit<Selection, "order">,
    { desc, field, groups, span }: GroupOrder,
    after: typeof GroupPosition.Type | null,
    limit: number
  ) {
    const path = yield* Effect.flatMap(paths.keyedOf({ ...selection, order: "newest" }), paths.pathOf)
    const isKeyed = yield* paths.isKeyed(selection.definition, field)
    const groupSql = { ...makeSortSql(sql), unit: span.unit, zone: postgresZone(span.zone), collapseBlanks, isKeyed }
    const { join, value } = groups.value(groupSql, field)
    const { expression, type } = groups.order(groupSql, field)
    const [direction, past] = desc ? ["DESC", "<"] : ["ASC", ">"]
    const cast = sql.literal(type)
    const beyond =
      after === null
        ? sql.literal("true")
        : sql`(o.key IS NULL OR o.sort_key ${sql.literal(past!)} ${after.sort_key}::${cast}
            OR (o.sort_key = ${after.sort_key}::${cast} AND o.digest COLLATE "C" > ${after.digest}::text))`
    return sql`
      WITH counted AS (
        SELECT ${value} AS value, count(*) AS n FROM records r ${join ?? sql.literal("")}
        WHERE ${where(selection)} ${paths.among(path.few)} GROUP BY 1
      ), grouped AS (
        SELECT k.key, sum(v.n)::int AS count, count(*) OVER ()::int AS total
        FROM counted v CROSS JOIN LATERAL (SELECT ${groups.key(groupSql, field)} AS key) AS k GROUP BY k.key
      ), ordered AS (
        SELECT g.*, md5(g.key) AS digest, CASE WHEN g.key IS NOT NULL THEN ${expression} END AS sort_key FROM grouped g
      )
      SELECT o.key, o.digest, o.sort_key::text, o.count, o.total FROM ordered o WHERE ${beyond}
      ORDER BY o.key IS NULL, o.sort_key ${sql.literal(direction!)}, o.digest COLLATE "C" LIMIT ${limit}::int`
  })

  /** Reads up to `limit` groups, the empty one last, and of how many; null if that takes too long. */
  return Effect.fn("groupSelect")(function* (
    selection: Omit<Selection, "order">,
    order: GroupOrder,
    after: typeof GroupPosition.Type | null,
    limit: number
  ) {
    const groupStatement = yield* statement(selection, order, after, limit)
    return yield* sql
      .withTransaction(
        Effect.andThen(
          sql`SELECT set_config('statement_timeout', ${String(mostMillis)}, true)`,
          rowsOf(GroupRow)(groupStatement)
        )
      )
      .pipe(
        Effect.catchIf(
          (error) => error.reason._tag === "StatementTimeoutError",
          () => Effect.succeed<ReadonlyArray<GroupRow> | null>(null)
        ),
        Effect.catchIf(
          (error) => codeOf(error) === UNKNOWN_ZONE,
          () =>
            Effect.fail(
              new ValidationError({
                message: `timezone: the database knows no zone ${JSON.stringify(order.span.zone)}`
              })
            )
        )
      )
  })
})
