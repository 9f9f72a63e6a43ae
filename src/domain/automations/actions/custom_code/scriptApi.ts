// Implements a script's `api`: the Developer API in its own process, with the present rights (developer-api.md 8.2, decisions A1, A20).
// Calls wait while the database is away; a script that fails because of it nevertheless is to begin again.
import { Effect, Schedule } from "effect"
import { ConnectionError, SqlError } from "effect/sql/SqlError"
import { type ApiRequest, type ApiResponse, HostCallError } from "../../../../platform/sandbox/Sandbox.ts"
import { isTransientIn } from "../../../../platform/sql/transientErrors.ts"
import { InProcess, type InProcessAnswer } from "../../../accounts/InProcess.ts"
import { isPlainObject } from "../../schema/walk.ts"
import type { StepOf } from "../runtime.ts"

type CodeStep = StepOf<"custom_code">

const methods: ReadonlySet<string> = new Set(["GET", "POST", "PUT", "PATCH", "DELETE"])
/** Paths of POST requests that only read. */
const reading = /^\/(?:record\/filter\/app\/\d+|record\/app\/\d+\/ref\/\d+|automation-run(?:\/.*)?)$/
const isRead = (method: string, path: string): boolean =>
  method === "GET" || (method === "POST" && reading.test(path) && !/\/(?:cancel|retry)$/.test(path))

/** Invented answer of a changing call in a simulation, without its effect. */
const invented = ({ body, path }: ApiRequest): ApiResponse => {
  const id = /^\/(record|comment)\/(\d+)/.exec(path)
  const named = id === null ? {} : { [`${id[1]}_id`]: Number(id[2]) }
  return {
    status: 200,
    headers: {},
    data: { record_id: 0, comment_id: 0, ...named, ...(isPlainObject(body) ? body : {}), simulated: true }
  }
}

/** Time for which a call itself waits for the database; then the script gets the 503, like every other client. */
const AWAY_MILLIS = 5_000

const isAwayAnswer = ({ status }: InProcessAnswer): boolean => status === 503

/** Answer that the API would give while the database is away (developer-api.md 1.5). */
const unasked = (endpoint: string): InProcessAnswer => ({
  status: 503,
  headers: {},
  body: {
    status_code: 503,
    endpoint,
    error_code: "service_unavailable",
    error_message: "The database cannot be reached right now; nothing was changed.",
    outcome: "not_done"
  }
})

/** Error of a step that is to begin again when the database is back. */
export const databaseAway = new SqlError({
  reason: new ConnectionError({
    cause: new Error("the database was away"),
    message: "The database was away in a call of a script",
    operation: "query"
  })
})

/**
 * Repeats the call while the database is away. The lost connection may hold the idempotency key for a moment: 409 is no final answer then.
 */
const patiently = Effect.fnUntraced(function* (ask: Effect.Effect<InProcessAnswer, HostCallError>) {
  const firstAnswer = yield* ask
  if (!isAwayAnswer(firstAnswer)) return firstAnswer
  return yield* ask.pipe(
    Effect.repeat({
      until: (answer) => !isAwayAnswer(answer) && answer.status !== 409,
      schedule: Schedule.upTo(Schedule.jittered(Schedule.spaced("500 millis")), { duration: AWAY_MILLIS })
    })
  )
})

/** @param unanswered the positions of calls that have not reached the database so far */
export const scriptApi = Effect.map(InProcess, (api) => {
  return (step: CodeStep, unanswered: Set<number>) =>
    Effect.fnUntraced(function* (request: ApiRequest) {
      const { body, method, path, position, query } = request
      const url = URL.parse(`http://api.invalid/v1${path}`)
      const isApiPath = url?.pathname.startsWith("/v1/") === true && path.startsWith("/")
      if (url === null || !isApiPath || !methods.has(method)) {
        return yield* new HostCallError({ message: `There is no ${method} ${path} in the Developer API.` })
      }
      const below = url.pathname.slice(3)
      if (step.simulation && !isRead(method, below)) return invented({ ...request, path: below })
      if (step.secrets.in([path, query, body])) {
        return yield* new HostCallError({
          message: "A secret cannot be written through the API, where it could be read back."
        })
      }
      for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value)
      const apiCall = Effect.gen(function* () {
        // Reads the present rights: a script may outlive them.
        const caller = yield* step.authority.present
        return yield* api.call(
          { ...caller, origin: { depth: step.run.depth, cause: step.cause } },
          {
            method,
            path: `${url.pathname}${url.search}`,
            ...(body === null || method === "GET" ? {} : { body }),
            // A repeat of the script gets the first answers.
            headers: isRead(method, below) ? {} : { "idempotency-key": `${step.key}/${position}` }
          }
        )
      }).pipe(
        Effect.catchCause((cause) =>
          isTransientIn(cause) ? Effect.succeed(unasked(url.pathname)) : Effect.failCause(cause)
        ),
        Effect.mapError(({ message }) => new HostCallError({ message }))
      )
      const answer = yield* patiently(
        Effect.tap(apiCall, (given) =>
          Effect.sync(() => (isAwayAnswer(given) ? unanswered.add(position) : unanswered.delete(position)))
        )
      )
      return { status: answer.status, headers: answer.headers, data: answer.body } satisfies ApiResponse
    })
})
