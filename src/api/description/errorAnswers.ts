// Which errors an operation may give, in its description (developer-api.md 1.5, 1.6): those of the endpoint's own list and those of the
// middleware, by status, each with the shape of its body.
import { Context } from "effect"
import type { HttpApiEndpoint } from "effect/http-api"
import { devApiError } from "../middleware/errorBodies.ts"
import { codes, componentOf, type ErrorCode } from "../middleware/errorCodes.ts"
import { middlewareCodes } from "../middleware/middlewareCodes.ts"
import { Requires } from "../middleware/Requires.ts"
import { callerHeaders, headersOf } from "./answerHeaders.ts"

type Json = Record<string, any>

const text = { type: "string" }
const integerSchema = { type: "integer" }

const challenge = {
  "WWW-Authenticate": {
    schema: { type: "string" },
    description: "RFC 6750 challenge with resource_metadata (RFC 9728)"
  }
}

/** Answers that are the same for every operation: written once, by their name among the responses. */
const everywhere: Readonly<Record<number, string>> = {
  401: "Unauthorized",
  429: "TooManyRequests",
  500: "InternalServerError",
  503: "ServiceUnavailable"
}

/** Headers and an example of the error answers that every operation can give, by status. */
const more = (scope: string | undefined): Json => ({
  401: {
    headers: { ...headersOf("X-Request-Id"), ...challenge },
    example: ["dev_api_invalid_access_token", "The credential is invalid, expired, revoked or blocked."]
  },
  403: {
    headers: scope === undefined ? callerHeaders : { ...callerHeaders, ...challenge },
    example:
      scope === undefined
        ? ["restricted_resource", "This needs more rights."]
        : ["forbidden", `The credential lacks the scope ${scope}.`]
  },
  429: { example: ["too_many_requests", "Rate limit reached; retry in 12 s."] },
  500: { example: ["internal_server_error", "The service failed to carry this out; nothing was changed."] },
  503: {
    headers: headersOf("X-Request-Id", "Retry-After"),
    example: [
      "service_unavailable",
      "The database cannot be reached right now; nothing was changed. Try again in 1 s.",
      { outcome: "not_done", retry_after: 1 }
    ]
  }
})

const allCodes = Object.keys(codes) as ReadonlyArray<ErrorCode>
const refTo = (code: ErrorCode) => `#/components/schemas/${componentOf(code)}`

/** The codes that the endpoint's own list gave to the generated answer. */
const ownCodes = (answer: Json | undefined): ReadonlyArray<ErrorCode> => {
  const schema = answer?.["content"]?.["application/json"]?.schema
  const refs: ReadonlyArray<Json> = schema?.anyOf ?? (schema === undefined ? [] : [schema])
  return allCodes.filter((code) => refs.some(({ $ref }) => $ref === refTo(code)))
}

const answerOf = (status: number, given: ReadonlyArray<ErrorCode>, scope: string | undefined, path: string): Json => {
  const { example, ...rest } = more(scope)[status] ?? {}
  const refs = given.map((code) => ({ $ref: refTo(code) }))
  const body = {
    schema: refs.length === 1 ? refs[0] : { anyOf: refs },
    ...(example === undefined
      ? {}
      : { example: { ...devApiError(status, example[0], example[1], path), ...example[2] } })
  }
  const description = given.map((code) => `\`${code}\`: ${codes[code].when}`).join("; ")
  return { description, headers: callerHeaders, ...rest, content: { "application/json": body } }
}

/** Error answers of an endpoint by status: those of its handler and those of the middleware. */
export const errorAnswers = (endpoint: HttpApiEndpoint.Top, generated: Json, path: string): Json => {
  const { scope } = Context.get(endpoint.annotations, Requires)
  const possibleCodes = new Set([...middlewareCodes(endpoint), ...Object.values(generated).flatMap(ownCodes)])
  const byStatus = Map.groupBy(
    allCodes.filter((code) => possibleCodes.has(code)),
    (code) => codes[code].status
  )
  const answers = Array.from(byStatus, ([status, given]) => {
    const name = everywhere[status]
    return [
      status,
      name === undefined ? answerOf(status, given, scope, path) : { $ref: `#/components/responses/${name}` }
    ]
  })
  return Object.fromEntries(answers)
}

/** Error answers of every operation, as components. */
export const sharedAnswers: Json = Object.fromEntries(
  Object.entries(everywhere).map(([status, name]) => {
    const statusCodes = allCodes.filter((code) => codes[code].status === Number(status))
    return [name, answerOf(Number(status), statusCodes, undefined, "/v1/record/88012")]
  })
)

const members = {
  status_code: integerSchema,
  endpoint: { ...text, description: "Path of the request" },
  error_code: text,
  error_message: { ...text, description: "English; names the JSON path or field slug where there is one" }
}

/** Members that some bodies have beside those of all. */
const additional: Partial<Record<ErrorCode, Json>> = {
  conflict_error: { errors: { type: "array", description: "Why an automation is broken, part by part" } },
  unique_conflict: {
    field_id: integerSchema,
    record_id: { type: ["integer", "null"], description: "The record that has the value, where the caller may see it" },
    duplicates: {
      type: "array",
      description: "Where a field is to become unique: values that several records have, at most 20",
      items: {
        type: "object",
        required: ["value", "record_ids"],
        properties: { value: text, record_ids: { type: "array", items: integerSchema } }
      }
    }
  },
  too_many_requests: {
    retry_after: integerSchema,
    rate_limit: integerSchema,
    rate_limit_remaining: integerSchema,
    rate_limit_cost: integerSchema,
    rate_limit_reset: text
  },
  service_unavailable: {
    outcome: {
      ...text,
      enum: ["not_done", "unknown"],
      description:
        "`not_done`: nothing was changed. `unknown`: the answer to a commit was lost; it may have been carried out"
    },
    retry_after: integerSchema
  }
}

const errorBody = (properties: Json) => ({ type: "object", required: Object.keys(members), properties })

/** The bodies of errors, as components. */
export const errorBodies: Json = {
  DevApiError: errorBody(members),
  ...Object.fromEntries(
    allCodes.map((code) => [
      componentOf(code),
      errorBody({
        ...members,
        status_code: { ...integerSchema, enum: [codes[code].status] },
        error_code: { ...text, enum: [code] },
        ...additional[code]
      })
    ])
  )
}
