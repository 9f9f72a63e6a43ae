// Grants the service's role its rights on the schema that another role owns (issue "isolation"): read and write rows. No DDL, no temporary
// tables, no TRUNCATE; the audit log can be added to and read, its counts of refusals raised, no more. Granted anew after every migration,
// so that new tables have them too.
//
// The role cannot create, alter or drop a table. If housekeeping has to (partitions of a log by month), a migration makes a function for
// exactly that, `SECURITY DEFINER SET search_path = <the schema>, pg_temp`, which checks its arguments and makes the names of tables
// itself. It then runs as the owner. Were `pg_temp` not named, the caller's temporary tables would be found first. Partitions have no
// grants of their own: rows go through their parent, where rights are checked, so that a partition does not bypass an append-only log.
import { Effect, Schema } from "effect"
import { rowOf, rowsOf } from "./rows.ts"
import { Sql } from "./Sql.ts"

/** Tables with fewer rights than others. A trigger ensures that a count only grows (decisions O23). */
const fewer: Readonly<Record<string, string>> = {
  audit_log: "SELECT, INSERT, UPDATE (count)",
  effect_sql_migrations: "SELECT",
  schema_level: "SELECT"
}

const rightsOn = (table: string) => fewer[table] ?? "SELECT, INSERT, UPDATE, DELETE"

/** Names for the statements; `database`: null if the owner may not grant rights on it. */
const Here = Schema.Struct({ schema: Schema.String, role: Schema.String, database: Schema.NullOr(Schema.String) })

const Relation = Schema.Struct({
  name: Schema.String,
  object: Schema.String,
  kind: Schema.String,
  partition: Schema.Boolean
})

/** Gives `role` exactly these rights, whatever it had, on everything that the owner of the schema owns. Run as the owner. */
export const grantTo = Effect.fn("sql.grantTo")(function* (role: string) {
  const sql = yield* Sql
  const databaseRow = yield* rowOf(Here)(sql`
    SELECT quote_ident(current_schema()) AS schema, quote_ident(${role}) AS role,
      CASE WHEN pg_has_role(datdba, 'USAGE') THEN quote_ident(datname) END AS database
    FROM pg_database WHERE datname = current_database()`)
  const { database, role: to, schema } = databaseRow!
  const relations = yield* rowsOf(Relation)(sql`
    SELECT relname AS name, oid::regclass::text AS object, relkind AS kind, relispartition AS partition FROM pg_class
    WHERE relnamespace = current_schema()::regnamespace AND relkind IN ('r', 'p', 'v', 'm', 'S')
      AND pg_has_role(relowner, 'USAGE')`)
  const commands = [
    ...(database === null ? [] : [`REVOKE TEMPORARY ON DATABASE ${database} FROM PUBLIC, ${to}`]),
    `REVOKE CREATE ON SCHEMA ${schema} FROM PUBLIC`,
    `GRANT USAGE ON SCHEMA ${schema} TO ${to}`,
    ...relations.flatMap(({ kind, name, object, partition }) => {
      if (kind === "S") return [`GRANT USAGE, SELECT ON SEQUENCE ${object} TO ${to}`]
      const revoke = `REVOKE ALL ON ${object} FROM ${to}`
      return partition ? [revoke] : [revoke, `GRANT ${rightsOn(name)} ON ${object} TO ${to}`]
    })
  ]
  yield* sql.withTransaction(Effect.forEach(commands, (command) => sql.unsafe(command), { discard: true }))
})
