// A large app of orders for the rows that read pages by filter and sort, with the indexes that the service builds for what is asked often.
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { buildFieldIndexes } from "../../src/domain/records/listing/buildFieldIndexes.ts"
import { buildPairIndexes } from "../../src/domain/records/listing/buildPairIndexes.ts"
import { type Machine, operatorOf } from "./machine.ts"
import type { Request } from "./processes.ts"
import { BenchFailed, benchFailed, type Measure } from "./Row.ts"
import type { seeded } from "./servers.ts"

/** Records of the app. */
export const ORDERS = 100_000
/** Different weights of records, so that a page and its total are a thousandth of the app. */
export const WEIGHTS = 1000
/** Longer than a process remembers what indexes there are. */
const ASKING_SECONDS = 8

export const jsonHeaders = (token: string) => ({ authorization: `Bearer ${token}`, "content-type": "application/json" })

export const onDatabase = <A, E>(machine: Machine, work: (sql: SqlClient.SqlClient) => Effect.Effect<A, E>) =>
  Effect.flatMap(SqlClient.SqlClient, work).pipe(Effect.provide(operatorOf(machine)), Effect.mapError(benchFailed))

type Seeded = Pick<Effect.Success<ReturnType<typeof seeded>>, "appId" | "fieldIds" | "machine" | "tokens">

/** Adds the records; app fields that only the app with features has are filled too. */
export const seedOrders = ({ appId, fieldIds, machine }: Seeded) => {
  const [reference, weight] = [String(fieldIds["reference"]), String(fieldIds["weight"])]
  const [barcode, freight, summary] = ["barcode", "freight", "summary"].map((slug) => String(fieldIds[slug]))
  return onDatabase(machine, (sql) =>
    Effect.andThen(
      sql`
      INSERT INTO records (app_id, org_id, app_record_id, title, cells, created_on, created_by)
      SELECT ${appId}, (SELECT org_id FROM apps WHERE app_id = ${appId}), n, 'Order ' || n,
        jsonb_build_object(${reference}::text, jsonb_build_array('Order ' || n),
          ${weight}::text, jsonb_build_array(n % ${WEIGHTS}::int))
          || CASE WHEN ${fieldIds["barcode"] === undefined} THEN '{}' ELSE jsonb_build_object(
            ${barcode}::text, jsonb_build_array('B-' || n), ${freight}::text, jsonb_build_array(n % ${WEIGHTS}::int * 1.19),
            ${summary}::text, jsonb_build_array('Order ' || n || ': ' || n % ${WEIGHTS}::int)) END,
        now(), '{"type":"user","user_id":1}' FROM generate_series(1, ${ORDERS}::int) AS n`,
      sql`UPDATE app_counters SET last_app_record_id = ${ORDERS} WHERE app_id = ${appId}`
    )
  )
}

/** Pages by weight, sorted by reference. */
export const pageRequests = ({ appId, fieldIds, tokens }: Seeded): ReadonlyArray<Request> =>
  tokens.map((token, i) => ({
    method: "POST",
    path: `/v1/record/filter/app/${appId}?sort_by=${fieldIds["reference"]}`,
    headers: jsonHeaders(token),
    body: JSON.stringify({
      filters: [{ field_id: fieldIds["weight"], type: "number", match_type: "equal", values: [{ value: i % WEIGHTS }] }]
    })
  }))

/**
 * Asks for pages until the service has noted that they are asked for often, as housekeeping builds the indexes for them: those of single
 * fields first, since without them hardly a page is read in the time.
 */
export const buildPageIndexes = Effect.fnUntraced(function* (machine: Machine, askForPages: Measure) {
  const build = <A, E>(job: Effect.Effect<A, E, SqlClient.SqlClient>) =>
    Effect.mapError(Effect.provide(job, operatorOf(machine)), benchFailed)
  yield* onDatabase(machine, (sql) => sql`VACUUM ANALYZE`)
  yield* askForPages(ASKING_SECONDS)
  yield* build(buildFieldIndexes)
  yield* askForPages(ASKING_SECONDS)
  const { pairs_indexed } = yield* build(buildPairIndexes)
  if (pairs_indexed === 0) return yield* new BenchFailed({ message: "the listing was not asked for often enough" })
})
