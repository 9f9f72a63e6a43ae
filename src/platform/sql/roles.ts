// Creates the roles of the embedded Postgres (issue "isolation"): the superuser only makes the others, `millrace_owner` owns the schema and
// cannot sign in, the service's role owns nothing. Runs at every start, so that clusters of earlier releases get them as well.
import { Effect, Schema } from "effect"
import { rowOf, rowsOf } from "./rows.ts"
import { Sql } from "./Sql.ts"

export const OWNER = "millrace_owner"

/** Objects of the schema that do not follow their table's owner; in clusters from before there were roles the superuser owns them. */
const OBJECTS = `
  SELECT format('ALTER SCHEMA %I OWNER TO ${OWNER}', nspname) AS command
  FROM pg_namespace WHERE oid = current_schema()::regnamespace AND nspowner <> '${OWNER}'::regrole
  UNION ALL
  SELECT format('ALTER %s %s OWNER TO ${OWNER}', CASE relkind WHEN 'v' THEN 'VIEW' WHEN 'm' THEN 'MATERIALIZED VIEW'
    WHEN 'S' THEN 'SEQUENCE' ELSE 'TABLE' END, c.oid::regclass)
  FROM pg_class c WHERE relnamespace = current_schema()::regnamespace AND relowner <> '${OWNER}'::regrole
    AND relkind IN ('r', 'p', 'v', 'm', 'S')
    AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.classid = 'pg_class'::regclass AND d.objid = c.oid
      AND c.relkind = 'S' AND d.deptype IN ('a', 'i'))
  UNION ALL
  SELECT format('ALTER ROUTINE %s OWNER TO ${OWNER}', oid::regprocedure)
  FROM pg_proc WHERE pronamespace = current_schema()::regnamespace AND proowner <> '${OWNER}'::regrole
  UNION ALL
  SELECT format('ALTER TYPE %s OWNER TO ${OWNER}', oid::regtype)
  FROM pg_type WHERE typnamespace = current_schema()::regnamespace AND typowner <> '${OWNER}'::regrole
    AND typtype IN ('d', 'e', 'r')`

const NOTHING = "NOSUPERUSER NOCREATEDB NOCREATEROLE NOREPLICATION NOBYPASSRLS"

const RoleName = Schema.Struct({ name: Schema.String })

const Quoted = Schema.Struct({ service: Schema.String, password: Schema.String, database: Schema.String })

const Command = Schema.Struct({ command: Schema.String })

/** Creates the roles that are missing. Run as the superuser, in the service's database. */
export const makeRoles = Effect.fn("sql.makeRoles")(function* (service: {
  readonly name: string
  readonly password: string
}) {
  const sql = yield* Sql
  const existingRoles = yield* rowsOf(RoleName)(
    sql`SELECT rolname AS name FROM pg_roles WHERE rolname IN (${OWNER}, ${service.name})`
  )
  const missing = [OWNER, service.name].filter((role) => !existingRoles.some(({ name }) => name === role))
  const quoted = yield* rowOf(Quoted)(sql`
    SELECT quote_ident(${service.name}) AS service, quote_literal(${service.password}) AS password,
      quote_ident(current_database()) AS database`)
  const { database, password, service: role } = quoted!
  const commands = [
    ...missing.map((name) => `CREATE ROLE ${name === OWNER ? OWNER : role}`),
    `ALTER ROLE ${OWNER} ${NOTHING} NOLOGIN`,
    `ALTER ROLE ${role} ${NOTHING} LOGIN PASSWORD ${password}`,
    `ALTER DATABASE ${database} OWNER TO ${OWNER}`,
    `REVOKE ALL ON DATABASE ${database} FROM PUBLIC`,
    `GRANT CONNECT ON DATABASE ${database} TO ${role}`
  ]
  yield* sql.withTransaction(
    Effect.gen(function* () {
      yield* Effect.forEach(commands, (command) => sql.unsafe(command), { discard: true })
      const objects = yield* rowsOf(Command)(sql.unsafe(OBJECTS))
      yield* Effect.forEach(objects, ({ command }) => sql.unsafe(command), { discard: true })
    })
  )
})
