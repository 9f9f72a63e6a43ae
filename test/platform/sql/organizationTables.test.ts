// Every table is keyed by organization, or says why not (docs/scaling.md, "Past one Postgres"): a new one without a path fails here. And
// what a database that is spread by organization would ask for, in the figures of that page.
import { readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { layerDatabase } from "../../support/database.ts"
import {
  belongsTo,
  namedInValues,
  ofNoOrganization,
  ofTheInstallation,
  organizationPaths
} from "../../support/organizationTables.ts"

const scaling = readFileSync(fileURLToPath(new URL("../../../docs/scaling.md", import.meta.url)), "utf8")

interface Column {
  readonly table: string
  readonly column: string
  readonly required: boolean
}

interface Constraint {
  readonly table: string
  readonly type: "p" | "u" | "f"
  readonly columns: ReadonlyArray<string>
  readonly parent: string | null
}

const RECIPE = 'test/support/organizationTables.ts says how its rows are keyed (CONTRIBUTING.md, "Add a table")'

/** Of the roots of partitioned tables alone. */
const columns = Effect.flatMap(
  SqlClient.SqlClient,
  (sql) => sql<Column>`
    SELECT c.relname AS table, a.attname AS column, a.attnotnull AS required
    FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
    WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition`
)

/** With unique indexes that are no constraints; those over expressions name what columns they have. */
const constraints = Effect.flatMap(
  SqlClient.SqlClient,
  (sql) => sql<Constraint>`
    SELECT i.indrelid::regclass::text AS table, CASE WHEN i.indisprimary THEN 'p' ELSE 'u' END AS type, null AS parent,
      ARRAY(SELECT attname::text FROM pg_attribute WHERE attrelid = i.indrelid AND attnum = ANY(i.indkey)) AS columns
    FROM pg_index i JOIN pg_class c ON c.oid = i.indrelid
    WHERE i.indisunique AND c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition
    UNION ALL
    SELECT c.conrelid::regclass::text, 'f', c.confrelid::regclass::text,
      ARRAY(SELECT attname::text FROM pg_attribute WHERE attrelid = c.conrelid AND attnum = ANY(c.conkey))
    FROM pg_constraint c WHERE c.contype = 'f' AND c.conparentid = 0`
)

layer(layerDatabase, { excludeTestServices: true })("tables of an organization", (it) => {
  it.effect("each table is keyed by organization, or says why not", () =>
    Effect.gen(function* () {
      const namedTables = [organizationPaths, namedInValues, ofTheInstallation].flatMap((names) => Object.keys(names))
      const actualTables = [...new Set((yield* columns).map(({ table }) => table))]
      assert.deepStrictEqual(namedTables.toSorted(), actualTables.toSorted(), RECIPE)
    })
  )

  it.effect("each path goes by columns that are there, to a row that is one", () =>
    Effect.gen(function* () {
      const allColumns = yield* columns
      const keys = yield* constraints
      const faults: Array<string> = []
      for (const [table, path] of Object.entries(organizationPaths)) {
        const [name, parent] = path === "org_id" ? ["org_id"] : path
        const column = allColumns.find((one) => one.table === table && one.column === name)
        if (column === undefined) faults.push(`${table} has no ${name}`)
        else if (column.required === table in ofNoOrganization)
          faults.push(`${table}.${name} is ${column.required ? "never" : "sometimes"} null`)
        if (parent === undefined) continue
        const isSingle = keys.some((key) => key.table === parent && key.type !== "f" && `${key.columns}` === name)
        // Files that were copied share their contents.
        if (!isSingle && name !== "storage_key") faults.push(`${table}.${name} names no single row of ${parent}`)
        const tied = keys.find((key) => key.table === table && key.type === "f" && `${key.columns}` === name)
        if (tied !== undefined && tied.parent !== parent) faults.push(`${table}.${name} is of ${tied.parent}`)
      }
      assert.deepStrictEqual(faults, [], RECIPE)
    })
  )

  it.effect("each path is a condition that the database understands", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      for (const table of Object.keys(organizationPaths))
        assert.deepStrictEqual(yield* sql.unsafe(`SELECT 1 FROM ${table} WHERE ${belongsTo(table, 1)}`), [])
    })
  )

  it.effect("four references cross between tables of organizations and those that all share", () =>
    Effect.gen(function* () {
      const references = (yield* constraints).filter(({ parent, table, type }) =>
        type === "f" ? table in organizationPaths !== parent! in organizationPaths : false
      )
      const across = references.map(({ columns, parent, table }) => `${table}.${columns} → ${parent}`).toSorted()
      assert.deepStrictEqual(across, [
        "connections.client_id → oauth_clients",
        "session_tokens.session_id → sessions",
        "sessions.user_id → users",
        "users.person_id → people"
      ])
    })
  )

  it.effect("the figures of what a spread database would ask for are those of the page", () =>
    Effect.gen(function* () {
      const allColumns = yield* columns
      const keys = yield* constraints
      const keyed = Object.keys(organizationPaths)
      const ownTables = keyed.filter((table) =>
        allColumns.some((one) => one.table === table && one.column === "org_id")
      )
      const lack = (type: Constraint["type"]) =>
        keys.filter((key) => key.type === type && keyed.includes(key.table) && !key.columns.includes("org_id"))
      const inside = lack("f").filter(({ parent }) => keyed.includes(parent!))
      const countOfType = (type: Constraint["type"]) =>
        keys.filter((key) => key.type === type && keyed.includes(key.table)).length
      const figures = [
        `| tables keyed by organization | ${keyed.length} |`,
        `| of them with an \`org_id\` of their own | ${ownTables.length} |`,
        `| without one, by a path | ${keyed.length - ownTables.length} |`,
        `| primary keys without \`org_id\` | ${lack("p").length} of ${countOfType("p")} |`,
        `| unique constraints and indexes without it | ${lack("u").length} of ${countOfType("u")} |`,
        `| references between such tables without it | ${inside.length} of ${countOfType("f")} |`
      ]
      assert.deepStrictEqual(
        figures.filter((figure) => !scaling.includes(figure)),
        []
      )
    })
  )
})
