// Advises a model what it can do about a failure, by the error code of developer-api.md 1.5.
const next: Readonly<Record<string, string>> = {
  input_validation: "Correct the arguments at the path named above and call again; nothing was changed.",
  validation:
    "Correct the value named above and call again; describe_app shows fields, options and rules. Nothing was changed.",
  invalid_request_url:
    "An id must be a positive integer; look it up with list_apps, search_records or the matching list tool.",
  invalid_request: "This combination is not supported; read the tool's description again.",
  invalid_json: "Send the arguments as one JSON object.",
  record_deleted: "The record is in the trash: read_record with include_deleted, or restore_record first.",
  hook_verification_code_invalid: "Ask for a new code with request_webhook_verification.",
  restricted_resource:
    "The user lacks the right for this. Do not retry; ask somebody with more rights, or the user, to do it.",
  not_found: "It does not exist or is not visible to this user. Look up the id again; do not guess ids.",
  record_not_exists: "It does not exist or is not visible to this user. Find it with search_records; do not guess ids.",
  declined: "Do not repeat the call; ask the user what they want instead.",
  conflict_error:
    "The state forbids this. Read the object again (for automations: validate_automation), fix the cause, then retry.",
  unique_conflict:
    "Another record has this value of a unique field; its id is in the answer. Update that record, or use upsert_records.",
  automation_owner_lost:
    "Nobody with rights stands behind it. Tell the user; if they want it to run with their rights, save it with update_automation (its actions, unchanged), then retry.",
  too_many_requests: "Wait for the number of seconds given, then retry the same call.",
  internal_server_error:
    "A fault of the service. Retry once later if nothing was changed, else read first; then report it to the user.",
  service_unavailable:
    "The database is away for a moment. Wait, then retry the same call; where it is not known whether anything was changed, read first or repeat it with the same idempotency_key."
}

export const adviceFor = (code: string): string => next[code] ?? "Do not repeat the same call unchanged."
