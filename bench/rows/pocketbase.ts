// Rows beside PocketBase (bench/products/pocketbase): the same orders in its SQLite, whose commits reach the disk as those of Postgres do.
import { join } from "node:path"
import { Effect } from "effect"
import { freePort } from "../../bin/parts/os.js"
import type { Machine } from "../support/machine.ts"
import { orderRows } from "../support/orderRows.ts"
import { ORDERS, WEIGHTS } from "../support/orders.ts"
import { askUntilGood, buildProduct, startProgram } from "../support/products.ts"

const start = Effect.fnUntraced(function* (machine: Machine) {
  const program = yield* buildProduct("pocketbase", machine.dir)
  const port = yield* Effect.promise(() => freePort() as Promise<number>)
  const args = ["serve", `--http=127.0.0.1:${port}`, `--dir=${join(machine.dir, "pocketbase-data")}`]
  const env = { ORDERS: String(ORDERS), WEIGHTS: String(WEIGHTS) }
  const { pid = 0 } = yield* startProgram(program, args, env, join(machine.dir, "logs", "pocketbase.log"))
  const url = `http://127.0.0.1:${port}`
  const answer = yield* askUntilGood("PocketBase", `${url}/bench`)
  return { url, pid, authorization: yield* Effect.promise(() => answer.text()) }
})

const RECORDS = "/api/collections/orders/records"
const orderId = (n: number) => `order${String(n + 1).padStart(10, "0")}`

export const pocketBaseRows = orderRows({
  name: "PocketBase",
  prefix: "pocketbase",
  start,
  page: (weight) => ({ method: "GET", path: `${RECORDS}?filter=(weight=${weight})&sort=reference&perPage=50` }),
  read: (n) => ({ method: "GET", path: `${RECORDS}/${orderId(n)}` }),
  create: (order) => ({ method: "POST", path: RECORDS, body: JSON.stringify(order) }),
  update: (n, order) => ({ method: "PATCH", path: `${RECORDS}/${orderId(n)}`, body: JSON.stringify(order) }),
  aims: { page: 1.5, read: 0.9, create: 0.8, update: 1 }
})
