// Rows beside Directus (bench/products/directus): the same orders in a database of its own on the same Postgres, with the index for the page.
// It is asked by its administrator, whose rights it does not look up, and keeps activity and revisions as it does by default.
import { join } from "node:path"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { freePort } from "../../bin/parts/os.js"
import { layerOn } from "../../test/support/database.ts"
import type { Machine } from "../support/machine.ts"
import { orderRows } from "../support/orderRows.ts"
import { jsonHeaders, ORDERS, onDatabase, WEIGHTS } from "../support/orders.ts"
import { askUntilGood, installProduct, runProgram, startProgram } from "../support/products.ts"
import { benchFailed } from "../support/Row.ts"

const TOKEN = "token-of-the-administrator"

const orders = {
  collection: "orders",
  schema: {},
  meta: {},
  fields: [
    { field: "id", type: "integer", schema: { is_primary_key: true, has_auto_increment: true }, meta: {} },
    { field: "reference", type: "string", schema: {}, meta: {} },
    { field: "weight", type: "integer", schema: {}, meta: {} },
    { field: "remark", type: "text", schema: {}, meta: {} },
    { field: "created_on", type: "timestamp", schema: {}, meta: { special: ["date-created"] } }
  ]
}

const fillOrders = (databaseUrl: string) =>
  SqlClient.SqlClient.use((sql) =>
    Effect.andThen(
      sql`INSERT INTO orders (reference, weight, created_on)
        SELECT 'Order ' || n, n % ${WEIGHTS}::int, now() FROM generate_series(1, ${ORDERS}::int) AS n`,
      sql`CREATE INDEX ON orders (weight, reference)`.pipe(Effect.andThen(sql`VACUUM ANALYZE orders`))
    )
  ).pipe(Effect.provide(layerOn(databaseUrl, 1)), Effect.mapError(benchFailed))

const start = Effect.fnUntraced(function* (machine: Machine) {
  const dir = yield* installProduct("directus")
  yield* onDatabase(machine, (sql) => sql`CREATE DATABASE directus`)
  const databaseUrl = Object.assign(new URL(machine.databaseUrl), { pathname: "/directus" }).href
  const port = yield* Effect.promise(() => freePort() as Promise<number>)
  const url = `http://127.0.0.1:${port}`
  const env = {
    NODE_ENV: "production",
    HOST: "127.0.0.1",
    PORT: String(port),
    PUBLIC_URL: url,
    SECRET: "secret-of-the-bench",
    DB_CLIENT: "pg",
    DB_CONNECTION_STRING: databaseUrl,
    ADMIN_EMAIL: "admin@example.com",
    ADMIN_PASSWORD: "password-of-the-bench",
    ADMIN_TOKEN: TOKEN,
    LOG_LEVEL: "warn",
    TELEMETRY: "false",
    STORAGE_LOCATIONS: "local",
    STORAGE_LOCAL_ROOT: join(machine.dir, "directus-uploads"),
    EXTENSIONS_PATH: join(machine.dir, "directus-extensions")
  }
  const program = join(dir, "node_modules", "directus", "cli.js")
  yield* runProgram(process.execPath, [program, "bootstrap"], env)
  const log = join(machine.dir, "logs", "directus.log")
  const { pid = 0 } = yield* startProgram(process.execPath, [program, "start"], env, log)
  yield* askUntilGood("Directus", `${url}/server/ping`)
  const headers = jsonHeaders(TOKEN)
  yield* askUntilGood("the collection of Directus", `${url}/collections`, {
    method: "POST",
    headers,
    body: JSON.stringify(orders)
  })
  yield* fillOrders(databaseUrl)
  return { url, pid, authorization: headers.authorization }
})

export const directusRows = orderRows({
  name: "Directus",
  prefix: "directus",
  start,
  page: (weight) => ({
    method: "GET",
    path: `/items/orders?filter[weight][_eq]=${weight}&sort=reference&limit=50&meta=filter_count`
  }),
  read: (n) => ({ method: "GET", path: `/items/orders/${n + 1}` }),
  create: (order) => ({ method: "POST", path: "/items/orders", body: JSON.stringify(order) }),
  update: (n, order) => ({ method: "PATCH", path: `/items/orders/${n + 1}`, body: JSON.stringify(order) }),
  aims: { page: 4, read: 2, create: 2, update: 2 }
})
