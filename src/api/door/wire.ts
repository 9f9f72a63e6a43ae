// How the failures of src/ground/primitives/errors.ts look on the wire (developer-api.md 1.5): one table, used for answers and for OpenAPI alike.
import { Schema, SchemaGetter } from "effect"
import { HttpApiSchema } from "effect/http-api"
import { cut } from "../../ground/bounds/Bounds.ts"
import * as Errors from "../../ground/primitives/errors.ts"

export interface DevApiErrorBody {
  readonly status_code: number
  readonly endpoint: string
  readonly error_code: string
  readonly error_message: string
}

/** Longest message: what a caller sent is repeated in part. */
const MESSAGE_LENGTH = 4_000

export const devApiError = (status: number, code: string, message: string, endpoint: string): DevApiErrorBody => ({
  status_code: status,
  endpoint,
  error_code: code,
  error_message: cut(message, MESSAGE_LENGTH)
})

/** `_tag` → status, error code, message. */
const table = {
  ValidationError: [400, "validation", (e: Errors.ValidationError) => e.message],
  InputInvalid: [400, "input_validation", (e: Errors.InputInvalid) => e.message],
  InvalidRequest: [400, "invalid_request", (e: Errors.InvalidRequest) => e.message],
  InvalidRequestUrl: [400, "invalid_request_url", (e: Errors.InvalidRequestUrl) => e.message],
  RecordDeleted: [400, "record_deleted", (e: Errors.RecordDeleted) => e.message],
  HookVerificationCodeInvalid: [
    400,
    "hook_verification_code_invalid",
    (e: Errors.HookVerificationCodeInvalid) => e.message
  ],
  Restricted: [403, "restricted_resource", (e: Errors.Restricted) => e.message],
  NotFound: [404, "not_found", (e: Errors.NotFound) => e.message],
  RecordNotFound: [404, "record_not_exists", (e: Errors.RecordNotFound) => e.message],
  Conflict: [409, "conflict_error", (e: Errors.Conflict) => e.message],
  TooManyRequests: [429, "too_many_requests", (e: Errors.TooManyRequests) => e.message]
} as const satisfies Record<string, readonly [number, string, (e: never) => string]>

/** Status, body and headers of a failure, or `undefined` when it is none of the table. */
export const answerOf = (failure: unknown, endpoint: string) => {
  const row = table[(failure as { readonly _tag?: string } | undefined)?._tag as keyof typeof table]
  if (row === undefined) return undefined
  const [status, code, message] = row
  const body: Record<string, unknown> = {
    ...devApiError(status, code, (message as (e: unknown) => string)(failure), endpoint)
  }
  if (failure instanceof Errors.Conflict && failure.errors !== undefined) body["errors"] = failure.errors
  const headers: Record<string, string> =
    failure instanceof Errors.TooManyRequests ? { "retry-after": String(failure.retryAfterSeconds) } : {}
  return { status, body, headers }
}

const bodySchema = (status: number, code: string) =>
  Schema.Struct({
    status_code: Schema.Literal(status),
    endpoint: Schema.String,
    error_code: Schema.Literal(code),
    error_message: Schema.String,
    errors: Schema.optionalKey(Schema.Array(Schema.Unknown))
  }).annotate({ identifier: `Error_${code}` })

const wire = <S extends Schema.Top>(error: S, tag: keyof typeof table) => {
  const [status, code] = table[tag]
  const encoded = Schema.encodeTo(bodySchema(status, code), {
    decode: SchemaGetter.forbidden(() => "error bodies are read as they are"),
    encode: SchemaGetter.transform((e: unknown) => answerOf(e, "")!.body)
  } as never) as unknown as (self: S) => S
  return encoded(error).pipe(HttpApiSchema.status(status))
}

/** The failures an endpoint of the Developer API may answer; every endpoint lists them so that handlers can fail with them. */
export const failures = [
  wire(Errors.ValidationError, "ValidationError"),
  wire(Errors.InputInvalid, "InputInvalid"),
  wire(Errors.InvalidRequest, "InvalidRequest"),
  wire(Errors.InvalidRequestUrl, "InvalidRequestUrl"),
  wire(Errors.RecordDeleted, "RecordDeleted"),
  wire(Errors.HookVerificationCodeInvalid, "HookVerificationCodeInvalid"),
  wire(Errors.Restricted, "Restricted"),
  wire(Errors.NotFound, "NotFound"),
  wire(Errors.RecordNotFound, "RecordNotFound"),
  wire(Errors.Conflict, "Conflict"),
  wire(Errors.TooManyRequests, "TooManyRequests")
] as const
