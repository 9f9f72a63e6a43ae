// Every `error_code` with its status and what it means (developer-api.md 1.5).

interface Code {
  readonly status: number
  readonly when: string
}

export const codes = {
  invalid_json: { status: 400, when: "the body is not JSON" },
  invalid_request_url: { status: 400, when: "malformed path or query" },
  invalid_request: { status: 400, when: "method, content type or combination not supported" },
  input_validation: { status: 400, when: "the body does not have this shape; the message carries the JSON path" },
  validation: { status: 400, when: "well-formed, but a rule is broken" },
  record_deleted: { status: 400, when: "the record is in the trash" },
  hook_verification_code_invalid: { status: 400, when: "wrong, spent or expired verification code" },
  dev_api_authentication: { status: 401, when: "no usable credential was sent" },
  dev_api_invalid_access_token: { status: 401, when: "the credential is not valid now" },
  forbidden: { status: 403, when: "the credential lacks the scope" },
  restricted_resource: { status: 403, when: "the user sees it but may not do this to it" },
  not_found: { status: 404, when: "unknown, deleted, outside the credential's selection, or invisible" },
  record_not_exists: { status: 404, when: "the same, for a record" },
  conflict_error: { status: 409, when: "its state, a concurrent change or an Idempotency-Key forbids it" },
  unique_conflict: { status: 409, when: "another record has the value of a unique field" },
  automation_owner_lost: {
    status: 409,
    when: "the automation's owner is no longer an admin of its workspace; whoever saves it takes it over"
  },
  too_many_requests: { status: 429, when: "the user's credits for this window are spent" },
  internal_server_error: {
    status: 500,
    when: "a fault of the service; the message says whether anything may have been changed"
  },
  service_unavailable: {
    status: 503,
    when: "the database is away; `outcome` says whether anything may have been changed, `Retry-After` when to try again"
  }
} as const satisfies Record<string, Code>

export type ErrorCode = keyof typeof codes

/** Name of its body in the description. */
export const componentOf = (code: ErrorCode): string => {
  const name = code.replace(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase())
  return name.endsWith("Error") ? name : `${name}Error`
}
