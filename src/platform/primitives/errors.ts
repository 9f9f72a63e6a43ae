// Failures that services return, named as in developer-api.md 1.5. Only src/interfaces/http knows their status codes.
import { Schema } from "effect"

/** 400 `validation`: well-formed, but a rule is broken. `message` names the JSON path or the field slug. */
export class ValidationError extends Schema.TaggedError<ValidationError>()("ValidationError", {
  message: Schema.String
}) {}

/** 400 `input_validation`: the body does not have the endpoint's shape. `message` carries the JSON path. */
export class InputInvalid extends Schema.TaggedError<InputInvalid>()("InputInvalid", { message: Schema.String }) {}

/** 400 `invalid_request`: method or combination not supported. */
export class InvalidRequest extends Schema.TaggedError<InvalidRequest>()("InvalidRequest", {
  message: Schema.String
}) {}

/** 400 `invalid_request_url`: malformed path or query, for example an id that is not an integer. */
export class InvalidRequestUrl extends Schema.TaggedError<InvalidRequestUrl>()("InvalidRequestUrl", {
  message: Schema.String
}) {}

/** 400 `record_deleted`: the record is in the trash. */
export class RecordDeleted extends Schema.TaggedError<RecordDeleted>()("RecordDeleted", { recordId: Schema.Int }) {
  override get message() {
    return `Record ${this.recordId} is in the trash.`
  }
}

/** 404 `not_found`: unknown, deleted, outside the content selection, of another tenant, or invisible: all alike. */
export class NotFound extends Schema.TaggedError<NotFound>()("NotFound", { message: Schema.String }) {}

/** 404 `record_not_exists`: as `not_found`, for a record. */
export class RecordNotFound extends Schema.TaggedError<RecordNotFound>()("RecordNotFound", {
  recordId: Schema.Number
}) {
  override get message() {
    return `No record with id ${this.recordId}.`
  }
}

/** 403 `restricted_resource`: the user sees the resource but may not do this to it. */
export class Restricted extends Schema.TaggedError<Restricted>()("Restricted", { message: Schema.String }) {}

/** 409 `conflict_error`: the state forbids it. `errors` lists the broken reasons, if any (7.12). */
export class Conflict extends Schema.TaggedError<Conflict>()("Conflict", {
  message: Schema.String,
  errors: Schema.optionalKey(Schema.Array(Schema.Unknown))
}) {}

/** 409 `unique_conflict`: a live record has the value already (11.2). Includes ids only of records that the caller may see. */
export class UniqueConflict extends Schema.TaggedError<UniqueConflict>()("UniqueConflict", {
  message: Schema.String,
  field_id: Schema.Int,
  record_id: Schema.NullOr(Schema.Int),
  /** Values that several records have, at most twenty, if a field is to become unique. */
  duplicates: Schema.optionalKey(
    Schema.Array(Schema.Struct({ value: Schema.String, record_ids: Schema.Array(Schema.Int) }))
  )
}) {}

/** 409 `automation_owner_lost`: nobody is responsible for what the automation does; whoever saves it becomes its owner (decisions A20). */
export class OwnerLost extends Schema.TaggedError<OwnerLost>()("OwnerLost", { message: Schema.String }) {}

/** 400 `hook_verification_code_invalid` (decisions W6). */
export class HookVerificationCodeInvalid extends Schema.TaggedError<HookVerificationCodeInvalid>()(
  "HookVerificationCodeInvalid",
  { message: Schema.String }
) {}

/** 429 `too_many_requests` for a limit other than the credit budget (mail quota, inbound webhooks, weblinks). */
export class TooManyRequests extends Schema.TaggedError<TooManyRequests>()("TooManyRequests", {
  message: Schema.String,
  retryAfterSeconds: Schema.Int
}) {}
