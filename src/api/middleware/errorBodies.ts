// Maps the failures of src/platform/primitives/errors.ts to answers (developer-api.md 1.5): one table serves for answers, for the error lists
// of the endpoints and for OpenAPI.
import { Schema, SchemaGetter } from "effect"
import { HttpApiSchema } from "effect/http-api"
import { cut } from "../../platform/bounds/cut.ts"
import * as Errors from "../../platform/primitives/errors.ts"
import { codes, componentOf, type ErrorCode } from "./errorCodes.ts"

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

/** `_tag` → failure, error code. */
const table = {
  ValidationError: [Errors.ValidationError, "validation"],
  InputInvalid: [Errors.InputInvalid, "input_validation"],
  InvalidRequest: [Errors.InvalidRequest, "invalid_request"],
  InvalidRequestUrl: [Errors.InvalidRequestUrl, "invalid_request_url"],
  RecordDeleted: [Errors.RecordDeleted, "record_deleted"],
  HookVerificationCodeInvalid: [Errors.HookVerificationCodeInvalid, "hook_verification_code_invalid"],
  Restricted: [Errors.Restricted, "restricted_resource"],
  NotFound: [Errors.NotFound, "not_found"],
  RecordNotFound: [Errors.RecordNotFound, "record_not_exists"],
  Conflict: [Errors.Conflict, "conflict_error"],
  UniqueConflict: [Errors.UniqueConflict, "unique_conflict"],
  OwnerLost: [Errors.OwnerLost, "automation_owner_lost"],
  TooManyRequests: [Errors.TooManyRequests, "too_many_requests"]
} as const satisfies Record<string, readonly [Schema.Top, ErrorCode]>

type Tag = keyof typeof table
type Failure = InstanceType<(typeof table)[Tag][0]>

const isFailure = (error: unknown): error is Failure =>
  Object.hasOwn(table, String((error as { readonly _tag?: string } | undefined)?._tag))

/** Status, body and headers of a failure, or `undefined` when it is none of the table. */
export const answerOf = (failure: unknown, endpoint: string) => {
  if (!isFailure(failure)) return undefined
  const [, code] = table[failure._tag]
  const { status } = codes[code]
  const body: Record<string, unknown> = { ...devApiError(status, code, failure.message, endpoint) }
  if (failure._tag === "Conflict" && failure.errors !== undefined) body["errors"] = failure.errors
  if (failure._tag === "UniqueConflict") {
    const { duplicates, field_id, record_id } = failure
    Object.assign(body, { field_id, record_id }, duplicates === undefined ? {} : { duplicates })
  }
  const headers: Record<string, string> =
    failure._tag === "TooManyRequests" ? { "retry-after": String(failure.retryAfterSeconds) } : {}
  return { status, body, headers }
}

/** Schema of a body that `answerOf` makes; the description shows more of it (../description/errorAnswers.ts). */
const bodySchema = (status: number, code: ErrorCode) =>
  Schema.Struct({
    status_code: Schema.Literal(status),
    endpoint: Schema.String,
    error_code: Schema.Literal(code),
    error_message: Schema.String,
    errors: Schema.optionalKey(Schema.Array(Schema.Unknown)),
    field_id: Schema.optionalKey(Schema.Int),
    record_id: Schema.optionalKey(Schema.NullOr(Schema.Int)),
    duplicates: Schema.optionalKey(Schema.Array(Schema.Unknown))
  }).annotate({ identifier: componentOf(code) })

const wire = (tag: Tag) => {
  const [failure, code] = table[tag]
  const { status } = codes[code]
  const encoded = Schema.encodeTo(bodySchema(status, code), {
    decode: SchemaGetter.forbidden(() => "error bodies are read as they are"),
    encode: SchemaGetter.transform((e: unknown) => answerOf(e, "")!.body)
  } as never) as unknown as (self: Schema.Top) => Schema.Top
  return encoded(failure).pipe(HttpApiSchema.status(status))
}

const wires = Object.fromEntries((Object.keys(table) as ReadonlyArray<Tag>).map((tag) => [tag, wire(tag)]))

/** The failures of an endpoint's own; its handler cannot fail with another. Those of the middleware are not among them. */
export const fails = <const Tags extends ReadonlyArray<Tag>>(
  ...tags: Tags
): { readonly [K in keyof Tags]: (typeof table)[Tags[K]][0] } => tags.map((tag) => wires[tag]) as never
