// Every operation of the API's description under requests that are nearly right, odd, huge, deep, foreign: documented errors only,
// never a fault, never a word of another tenant, answers as the description says, and what is refused changes nothing (developer-api.md 1.1,
// 1.2, 1.5).
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import * as fc from "fast-check"
import { App, appLayer } from "../../support/app.ts"
import { describedAnswers } from "../../support/described.ts"
import { DEPTH, seedOf } from "../../support/seed.ts"
import { type Drawn, requests, type Sent, sentOf } from "./support/requests.ts"
import { MARK, seedTenant, type Tenant } from "./support/tenants.ts"

/** The same requests in every run. */
const SEED = seedOf("FUZZ_SEED")
const AT_A_TIME = 100
const BATCHES = 3 * DEPTH

/** The `error_code`s that the description lists for an operation, by status. */
const documentedOf = (spec: any, { method, path }: { readonly method: string; readonly path: string }) => {
  const responses = spec.paths[path][method.toLowerCase()].responses as Record<string, any>
  return (status: number): ReadonlyArray<string> => {
    const responseSpec = responses[status]
    const answer =
      responseSpec?.$ref === undefined ? responseSpec : spec.components.responses[responseSpec.$ref.split("/").at(-1)]
    const schema = answer?.content?.["application/json"]?.schema
    const refs: ReadonlyArray<{ readonly $ref: string }> = schema?.oneOf ?? (schema === undefined ? [] : [schema])
    return refs.flatMap(({ $ref }) => spec.components.schemas[$ref.split("/").at(-1)!].properties.error_code.enum)
  }
}

/** Told with every answer to who is known; of the others that are described, where they are described. */
const STANDING = [
  "x-request-id",
  "x-ratelimit-limit",
  "x-retry-remaining",
  "x-retry-cost",
  "x-retry-reset",
  "retry-after"
]
const SOMETIMES = ["idempotency-replayed", "etag", "www-authenticate"]

/** Headers that an answer has and the description does not list, or the other way round. */
const otherHeaders = (
  spec: any,
  { method, path }: { readonly method: string; readonly path: string },
  answer: Answer
) => {
  const responseSpec = spec.paths[path][method.toLowerCase()].responses[answer.status]
  const { headers = {} } =
    responseSpec?.$ref === undefined ? responseSpec : spec.components.responses[responseSpec.$ref.split("/").at(-1)]
  const documentedNames = new Set(Object.keys(headers).map((name) => name.toLowerCase()))
  const hasHeader = (name: string) => answer.headers.has(name)
  return [
    ...STANDING.filter((name) => documentedNames.has(name) !== hasHeader(name)),
    ...SOMETIMES.filter((name) => !documentedNames.has(name) && hasHeader(name))
  ].map((name) => `${answer.status} ${hasHeader(name) ? "has" : "lacks"} the header ${name}, other than described`)
}

/** Bookkeeping of the middleware, and tables that other tests of this database cannot touch. */
const aside = [
  "rate_windows",
  "idempotency_keys",
  "effect_sql_migrations",
  "api_credentials",
  "file_chunks",
  "changes",
  "change_listeners"
]

/** One number over all rows of all tables. */
const fingerprint = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const tables = yield* sql<{ name: string }>`
    SELECT c.relname AS name FROM pg_class c WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition ORDER BY 1`
  const sums = tables
    .filter(({ name }) => !aside.includes(name))
    .map(
      ({ name }) => `SELECT '${name}' AS t, count(*) AS n, coalesce(sum(hashtext(x::text)), 0) AS h FROM "${name}" x`
    )
  const query = sums.join(" UNION ALL ")
  return Effect.map(sql.unsafe<{ t: string; n: number; h: number }>(query), (rows) =>
    rows
      .map(({ t, n, h }) => `${t} ${n} ${h}`)
      // The tables may be looked at side by side.
      .toSorted()
      .join("\n")
  )
})

interface Answer {
  readonly status: number
  readonly text: string
  readonly headers: Headers
}

const complaintsOf = (
  { status, text, headers }: Answer,
  documented: (status: number) => ReadonlyArray<string>
): ReadonlyArray<string> => {
  const complaints: Array<string> = []
  if (status >= 500) complaints.push(`status ${status}`)
  if (!headers.has("x-request-id")) complaints.push("no X-Request-Id")
  if (text.includes(MARK)) complaints.push("data of another tenant")
  if (status < 400) return complaints
  const body: any = JSON.parse(text)
  for (const member of ["status_code", "endpoint", "error_code", "error_message"]) {
    if (body[member] === undefined) complaints.push(`error without ${member}`)
  }
  if (!documented(status).includes(body.error_code))
    complaints.push(`${status} with ${body.error_code}, which is not documented`)
  return complaints
}

/** An empty parameter shortens the path, which is then another operation's, if anybody's. */
const addresses = ({ operation, target }: Sent): boolean => {
  const path = target.split("?")[0]!.replace(/\/$/, "")
  return path.split("/").length === operation.path.split("/").length
}
/** What anybody may say, the middleware of a path or a method that nobody serves too (developer-api.md 1.5). */
const documentedAnywhere = (spec: any) => {
  const statusesByPath = Object.entries<any>(spec.paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => documentedOf(spec, { method, path }))
  )
  return (status: number): ReadonlyArray<string> => [
    ...statusesByPath.flatMap((documented) => documented(status)),
    ...(status === 404 ? ["not_found"] : status === 400 ? ["invalid_request"] : [])
  ]
}

const show = ({ operation, target, credential, body, headers }: Sent) =>
  `${operation.method} ${target.slice(0, 200)} as ${credential} ${JSON.stringify(headers)} ${typeof body === "string" ? body.slice(0, 600) : body instanceof FormData ? "form" : "no body"}`

layer(appLayer(), { excludeTestServices: true })("every operation of the description", (it) => {
  it.effect("answers anything with documented errors, gives away nothing, and changes nothing when it refuses", () =>
    Effect.gen(function* () {
      const app = yield* App
      const spec = (yield* app.call("GET", "/openapi.json")).json
      const other = yield* seedTenant(MARK)
      let ownTenant: Tenant = yield* seedTenant("Own")
      const anywhere = documentedAnywhere(spec)
      const asDescribed = describedAnswers(spec)
      const readState = yield* fingerprint
      const send = Effect.fnUntraced(function* ({ operation, target, credential, body, headers }: Sent) {
        const init: RequestInit = {
          method: operation.method,
          headers: {
            authorization: `Bearer ${ownTenant[credential]}`,
            ...(typeof body === "string" ? { "content-type": "application/json" } : {}),
            ...headers
          },
          ...(body === undefined ? {} : { body })
        }
        const response = yield* app.fetch(new Request(`http://127.0.0.1:8080${target}`, init))
        // A stream goes on by itself: that it begins is enough.
        const endless = response.headers.get("content-type") === "text/event-stream"
        const text = yield* Effect.promise(() => (endless ? response.body!.cancel().then(() => "") : response.text()))
        return { status: response.status, text, headers: response.headers } satisfies Answer
      })
      const failures = new Map<string, string>()
      const answered = new Map<string, Set<number>>()
      let sentCount = 0
      let previousState = yield* readState
      for (let batch = 0; batch < BATCHES && failures.size < 40; batch++) {
        const drawn: ReadonlyArray<Drawn> = fc.sample(requests(spec), { seed: SEED + batch, numRuns: AT_A_TIME })
        for (const draw of drawn) {
          const request = sentOf(draw, ownTenant, other)
          const answer = yield* send(request)
          sentCount++
          const name = `${request.operation.method} ${request.operation.path}`
          answered.set(name, (answered.get(name) ?? new Set()).add(answer.status))
          const documented = addresses(request) ? documentedOf(spec, request.operation) : anywhere
          const complaints = [...complaintsOf(answer, documented)]
          if (addresses(request) && (answer.status < 300 || documented(answer.status).length > 0))
            complaints.push(...otherHeaders(spec, request.operation, answer))
          const type = answer.headers.get("content-type")
          if (answer.status < 300 && type === "application/json" && addresses(request)) {
            const { method, path } = request.operation
            const other = asDescribed(method, path, answer.status, answer.text)
            if (other !== undefined) complaints.push(`an answer that is not as described: ${other}`)
          }
          const currentState = yield* readState
          const countsFailure = answer.text.includes("hook_verification_code_invalid")
          if (answer.status >= 400 && currentState !== previousState && !countsFailure) {
            const lines = previousState.split("\n")
            complaints.push(
              `${answer.status} changed ${currentState.split("\n").filter((line) => !lines.includes(line))}`
            )
          }
          previousState = currentState
          for (const complaint of complaints) {
            const key = `${name}: ${complaint}`
            if (!failures.has(key)) failures.set(key, `${show(request)}\n  ${answer.text.slice(0, 500)}`)
          }
          if (
            answer.status < 300 &&
            (request.operation.method === "DELETE" || request.operation.path.startsWith("/v1/org/user/"))
          ) {
            ownTenant = yield* seedTenant("Own")
            previousState = yield* readState
          }
        }
      }
      console.log(`fuzz: seed ${SEED}, ${sentCount} requests over ${answered.size} operations`)
      if (process.env["FUZZ_SHOW"]) for (const [name, codes] of answered) console.log(name, [...codes].sort().join(" "))
      assert.isEmpty(
        [...failures].map(([what, request]) => `${what}\n  ${request}`),
        `FUZZ_SEED=${SEED}`
      )
      assert.strictEqual(sentCount, BATCHES * AT_A_TIME)
    })
  )
})
