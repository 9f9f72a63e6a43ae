// Words of the form that the catalogue's schemas have none of: labels, choices and notes by key, or by schema and key where a key means
// something else in another place (docs/console.md). A note of the catalogue is written for the API; one that names keys is not shown.

/** Keys that say little as they are. */
const labels: Readonly<Record<string, string>> = {
  algorithm: "Algorithm",
  app_id: "App",
  app_view_id: "View",
  assignment_code: "Value",
  at_most_ms: "Longest pause in milliseconds",
  attach_files_match_condition: "Files that match",
  attach_files_match_type: "Which of them",
  attach_files_variable_defs: "Attached files",
  author_id: "In the name of",
  automation_id: "Automation",
  bcc_address: "Blind copy to",
  break_condition: "Stop the loop when",
  call_arguments: "Inputs of the called automation",
  cc_address: "Copy to",
  comment_content: "Comment",
  condition: "If",
  continue_condition: "Leave out items where",
  cursor_in: "Send the cursor in",
  cursor_parameter: "Cursor parameter",
  custom_type: "Kind",
  custom_variable_def: "Kept as",
  custom_variable_defs: "Variables",
  date_field_id: "Date field",
  delay_ms: "Wait for (milliseconds)",
  delay_until: "Wait until",
  display: "Page",
  ends_at: "Ends",
  exit_type: "Outcome",
  factor: "Backoff factor",
  field_assignments: "Fields",
  first_ms: "First pause in milliseconds",
  from_address: "Sender's address",
  from_name: "Sender's name",
  http_call_authentication: "Authentication",
  http_call_body: "Body",
  http_call_body_file: "File to send",
  http_call_body_raw: "Put values into the body as they are",
  http_call_body_type: "Body type",
  http_call_client_certificate: "Client certificate",
  http_call_follow_redirects: "Follow redirects",
  http_call_form: "Form fields",
  http_call_headers: "Headers",
  http_call_paging: "Pagination",
  http_call_response_as_file: "Save the response as a file",
  http_call_timeout_seconds: "Timeout (seconds)",
  http_call_type: "Method",
  http_call_url: "Address",
  interval_amount: "Every",
  interval_unit: "Unit",
  items_path: "Path to the items",
  iterable: "What to go through",
  limit: "How many",
  limit_enabled: "Take only so many",
  match_condition: "Records that match",
  match_field_ids: "Update the record that has the same",
  message_body: "Message (HTML)",
  month_days: "Days of the month",
  month_weekdays: "Weekdays of the month",
  next_path: "Path to the next page or cursor",
  nth: "Which",
  on_status: "Statuses to retry on",
  pages_at_most: "Maximum pages",
  pdf_body: "Document (HTML)",
  pdf_footer: "Footer (HTML)",
  pdf_header: "Header (HTML)",
  record_collection: "Records",
  redirect_url: "Address",
  ref_collection_defs: "Relations to follow",
  reply_address: "Answers go to",
  reply_content: "Reply",
  response_mode: "Respond",
  response_redirect: "Redirect the sender to",
  response_status_value: "Response status by value",
  response_timeout_seconds: "Response timeout (seconds)",
  retry_after_at_most_ms: "Longest Retry-After to wait for, in milliseconds",
  rollup_type: "What to work out",
  rollup_variable_def: "Of which field",
  schedule_type: "Repeats",
  silent: "Without notifications",
  skip_dates: "Dates to skip",
  smtp_account_id: "Mail account (number)",
  sorts: "Sort by",
  starts_at: "Starts",
  timezone: "Time zone",
  to_address: "To",
  tolerance_seconds: "Tolerance (seconds)",
  trigger_on_changes_field_ids: "Only when one of these fields changes",
  trigger_other_flows: "Fires other automations",
  trigger_webhooks: "Sends webhooks",
  triggering_app_ids: "Only from records of these apps",
  variable_def: "Field or variable",
  verification: "Verify the sender",
  via_field_ids: "By these fields only",
  wait_for_result: "Wait for its end and take its variables",
  webpage_body: "Page (HTML)",
  week_day: "Weekday",
  week_days: "Weekdays",
  window: "Hours for further attempts",
  "HttpFormField.key": "Name",
  "HttpHeader.key": "Name",
  "ResponseHeader.key": "Name",
  "RetryWindow.to": "Until",
  "WebhookVerification.header": "Signature header",
  "WebhookVerification.token_secret": "Verify token"
}

const logins = {
  basic: "Basic (username and password)",
  bearer: "Bearer token",
  digest: "Digest (username and password)"
}

/** Choices that are numbers or abbreviations, or say little as they are. */
const choices: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  algorithm: { sha1: "SHA-1", sha256: "SHA-256", sha384: "SHA-384", sha512: "SHA-512" },
  cursor_in: { query: "Query parameter", body: "Member of the JSON body" },
  http_call_body_type: { form: "Form (URL-encoded)", multipart: "Form with files (multipart)", file: "File" },
  http_call_type: { get: "GET", post: "POST", put: "PUT", patch: "PATCH", delete: "DELETE" },
  interval_unit: { minute: "Minutes", hour: "Hours", day: "Days" },
  nth: { "1": "First", "2": "Second", "3": "Third", "4": "Fourth", "5": "Fifth", "-1": "Last" },
  response_mode: { immediate: "At once", sync: "When the run ends" },
  schedule_type: { interval: "At an interval", cron: "By a cron expression" },
  "HttpAuthentication.type": logins,
  "HttpPaging.type": {
    link_header: "Link header",
    next_url: "Address in the response",
    cursor: "Cursor in the response"
  },
  "WebhookVerification.type": {
    ...logins,
    github: "GitHub",
    hmac: "HMAC signature",
    standard_webhooks: "Standard Webhooks"
  }
}

/** Notes in place of the catalogue's; an empty one says that the label is enough. */
const notes: Readonly<Record<string, string>> = {
  author_id: "",
  cron_expression:
    "Five fields: minute, hour, day, month and weekday, also with L, LW, W, # and ?. Or @hourly, @daily, @weekly, @monthly, @yearly.",
  ends_at: "Such as 2027-03-01 08:00. Empty: it never ends.",
  http_call_authentication: "Takes the place of an Authorization header.",
  http_call_body_raw: "Otherwise values inside a JSON body are escaped as JSON asks.",
  http_call_body_type: "",
  http_call_form: "",
  http_call_paging: "Requests the following pages too and joins their items.",
  http_call_response_as_file: "Up to 25 MB. Only the file variable gets it.",
  http_call_timeout_seconds: "For each request; 30 if empty.",
  limit_enabled: "",
  match_field_ids: "Unique fields. A record is created only if none has one of the values.",
  month_days: "1 to 31, or -1 for the last day, with commas between them.",
  month_weekdays: "Such as the first Monday, in addition to the days of the month.",
  silent: "",
  skip_dates: "One per line, such as 2027-12-25. Nothing starts on these days, in the schedule's time zone.",
  starts_at: "Such as 2027-03-01 08:00. Empty: at once.",
  timezone: "",
  trigger_on_changes_field_ids: "",
  verification: "A request that fails verification gets 401 and starts no run.",
  "HttpAuthentication.secret": "The password or token. Add secrets under Administration.",
  "HttpClientCertificate.certificate": "PEM, with its chain.",
  "HttpClientCertificate.private_key": "PEM, without a passphrase.",
  "HttpFormField.files": "In a form with files, they are sent instead of the value.",
  "HttpPaging.cursor_in": "",
  "HttpPaging.cursor_parameter": "Sends the cursor under this name with the next request.",
  "HttpPaging.items_path": "Keys with slashes between them. Empty: the response itself is the list.",
  "HttpPaging.next_path": "Keys with slashes between them, from the response down, such as meta/next.",
  "HttpPaging.pages_at_most": "100 if empty.",
  "HttpPaging.type": "",
  "MonthWeekday.nth": "A month without a fifth one is skipped.",
  "Retry.attempts": "The first one included.",
  "Retry.at_most_ms": "",
  "Retry.factor": "Each pause is this many times as long as the one before.",
  "Retry.first_ms": "",
  "Retry.on_status": "With commas between them; if empty 408, 425, 429, 500, 502, 503 and 504.",
  "Retry.retry_after_at_most_ms": "The next attempt waits as long as a response asks with this header, up to this.",
  "RetryWindow.from": "",
  "RetryWindow.to": "If it is not later than the beginning, it is on the next day.",
  "RetryWindow.week_days": "None chosen: every day.",
  "WebhookVerification.algorithm": "",
  "WebhookVerification.encoding": "",
  "WebhookVerification.header": "The header that holds the signature.",
  "WebhookVerification.prefix": "Text before the signature, such as sha256=.",
  "WebhookVerification.secret": "The signing key, password or token. Add secrets under Administration.",
  "WebhookVerification.token_secret": "The secret that Meta sends back when it asks for the challenge.",
  "WebhookVerification.tolerance_seconds": "How far the time of a signature may be from now; 300 if empty.",
  "WebhookVerification.username": ""
}

/** Words for a choice that is left out, where that means something. */
const unchosen: Readonly<Record<string, string>> = {
  algorithm: "SHA-256 (default)",
  cursor_in: "Query parameter (default)",
  encoding: "Hex (default)",
  http_call_body_type: "Text or JSON",
  "HttpAuthentication.type": "None",
  "HttpPaging.type": "None",
  "WebhookVerification.type": "None"
}

/** @param owner name of the schema that the key stands in, if it has one */
const lookUp = <A>(table: Readonly<Record<string, A>>, key: string, owner: string | undefined): A | undefined =>
  table[`${owner}.${key}`] ?? table[key]

export const labelOf = (key: string, owner?: string): string => lookUp(labels, key, owner) ?? wordsOfToken(key)

export const wordsOfChoice = (key: string, token: unknown, owner?: string): string =>
  lookUp(choices, key, owner)?.[String(token)] ?? wordsOfToken(String(token))

export const unchosenOf = (key: string, owner?: string): string | undefined => lookUp(unchosen, key, owner)

export const wordsOfToken = (token: string): string => {
  const words = token.replaceAll("_", " ").trim()
  return words.charAt(0).toUpperCase() + words.slice(1)
}

export const noteOf = (key: string, owner: string | undefined, description: string | undefined): string | undefined => {
  const note = lookUp(notes, key, owner) ?? description
  return note === "" ? undefined : note
}
