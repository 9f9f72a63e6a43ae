// Maps the `config_schema` of a catalogue (JSON Schema) to the controls of a form: the control that edits each key. A key without a control
// of its own is edited as JSON, so that every type of trigger and step can be edited.

export interface JsonSchema {
  readonly type?: string
  readonly $ref?: string
  readonly $defs?: Readonly<Record<string, JsonSchema>>
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly required?: ReadonlyArray<string>
  readonly items?: JsonSchema
  readonly anyOf?: ReadonlyArray<JsonSchema>
  readonly enum?: ReadonlyArray<unknown>
  readonly default?: unknown
  readonly description?: string
  readonly readOnly?: boolean
  readonly minimum?: number
  readonly maximum?: number
  readonly maxItems?: number
}

export type Control =
  | "app"
  | "assignments"
  | "automation"
  | "branch"
  | "choice"
  | "choices"
  | "code"
  | "fields"
  | "filter"
  | "flag"
  | "ids"
  | "json"
  | "lines"
  | "list"
  | "number"
  | "object"
  | "path"
  | "reference"
  | "references"
  | "secret"
  | "template"
  | "text"
  | "user"
  | "view"

export interface FormField {
  readonly key: string
  readonly label: string
  readonly control: Control
  readonly schema: JsonSchema
  readonly required: boolean
  /** Shown when asked for. */
  readonly rare: boolean
}

export const resolved = (schema: JsonSchema, root: JsonSchema): JsonSchema => {
  const name = schema.$ref?.split("/").at(-1)
  return name === undefined ? schema : { ...root.$defs?.[name], ...schema }
}

const nameOf = ({ $ref }: JsonSchema) => $ref?.split("/").at(-1)

/** Keys whose numbers are ids of something that has a name. */
const named: Readonly<Record<string, Control>> = {
  app_id: "app",
  app_view_id: "view",
  automation_id: "automation",
  author_id: "user",
  date_field_id: "fields",
  trigger_on_changes_field_ids: "fields",
  via_field_ids: "fields",
  triggering_app_ids: "app",
  action_rows: "branch",
  else_action_rows: "branch"
}

const references: Readonly<Record<string, Control>> = {
  TemplateValue: "template",
  TemplateValueWithSecrets: "template",
  CodeValue: "code",
  CodeValueWithSecrets: "code",
  FilterGroup: "filter",
  Reference: "reference",
  FieldReference: "reference",
  SecretReference: "secret",
  AnswerPath: "path"
}

/** Whether a template may refer to secrets. */
export const takesSecrets = (schema: JsonSchema): boolean => nameOf(schema) === "TemplateValueWithSecrets"

const listControl = (items: JsonSchema, root: JsonSchema): Control => {
  const name = nameOf(items)
  if (name === "FieldAssignment") return "assignments"
  if (name === "Reference") return "references"
  const item = resolved(items, root)
  if (item.enum !== undefined) return "choices"
  if (item.properties !== undefined) return "list"
  if (nameOf(item) === "TemplateValue" || nameOf(items) === "TemplateValue") return "list"
  if (item.type === "string") return "lines"
  return item.anyOf?.some((one) => nameOf(one) === "Reference") === true ? "ids" : "json"
}

export const controlOf = (key: string, schema: JsonSchema, root: JsonSchema): Control => {
  const byKey = named[key]
  if (byKey !== undefined) return byKey
  const byName = references[nameOf(schema) ?? ""]
  if (byName !== undefined) return byName
  const resolvedSchema = resolved(schema, root)
  if (resolvedSchema.anyOf !== undefined) {
    const nonNullMembers = resolvedSchema.anyOf.filter((one) => one.type !== "null")
    return nonNullMembers.length === 1 ? controlOf(key, nonNullMembers[0]!, root) : "json"
  }
  if (resolvedSchema.enum !== undefined) return "choice"
  switch (resolvedSchema.type) {
    case "boolean":
      return "flag"
    case "integer":
    case "number":
      return "number"
    case "string":
      return "text"
    case "array":
      return listControl(resolvedSchema.items ?? {}, root)
    case "object":
      return resolvedSchema.properties === undefined ? "json" : "object"
    default:
      return "json"
  }
}

/** Keys that say little as they are. */
const labels: Readonly<Record<string, string>> = {
  app_id: "App",
  app_view_id: "View",
  attach_files_variable_defs: "Attached files",
  attach_files_match_type: "Which of them",
  attach_files_match_condition: "Files that match",
  assignment_code: "Value",
  author_id: "In the name of",
  automation_id: "Automation",
  bcc_address: "Blind copy to",
  break_condition: "Stop the loop when",
  call_arguments: "Inputs of the called automation",
  cc_address: "Copy to",
  condition: "If",
  comment_content: "Comment",
  continue_condition: "Leave out items where",
  cursor_in: "Send the cursor in",
  cursor_parameter: "Name of the cursor's parameter",
  custom_type: "Kind",
  custom_variable_def: "Kept as",
  custom_variable_defs: "Variables",
  date_field_id: "Date field",
  delay_ms: "Wait for (milliseconds)",
  delay_until: "Wait until",
  display: "Page",
  exit_type: "Outcome",
  field_assignments: "Fields",
  from_address: "Sender's address",
  from_name: "Sender's name",
  http_call_authentication: "Authentication",
  http_call_body: "Body",
  http_call_body_file: "File to send",
  http_call_body_raw: "Put values into the body as they are",
  http_call_body_type: "Kind of body",
  http_call_client_certificate: "Client certificate",
  http_call_follow_redirects: "Follow redirects",
  http_call_form: "Form fields",
  http_call_headers: "Headers",
  http_call_paging: "Further pages",
  http_call_response_as_file: "Keep the answer as a file",
  http_call_timeout_seconds: "Time-out (seconds)",
  http_call_type: "Method",
  http_call_url: "Address",
  items_path: "Where a page's items are",
  iterable: "What to go through",
  limit_enabled: "Take only so many",
  limit: "How many",
  match_condition: "Records that match",
  message_body: "Message (HTML)",
  month_weekdays: "Weekdays of the month",
  next_path: "Where the next page is named",
  pages_at_most: "Pages at most",
  nth: "Which",
  pdf_body: "Document (HTML)",
  pdf_footer: "Footer (HTML)",
  pdf_header: "Header (HTML)",
  record_collection: "Records",
  redirect_url: "Address",
  ref_collection_defs: "Relations to follow",
  reply_address: "Answers go to",
  reply_content: "Reply",
  retry_after_at_most_ms: "Wait as the server asks, at most (milliseconds)",
  response_redirect: "Redirect the sender to",
  response_status_value: "Response status by value",
  rollup_type: "What to work out",
  rollup_variable_def: "Of which field",
  silent: "Without notifications",
  skip_dates: "Dates to skip (YYYY-MM-DD, one a line)",
  smtp_account_id: "Mail account (number)",
  sorts: "Sort by",
  to_address: "To",
  trigger_on_changes_field_ids: "Only when one of these fields changes",
  trigger_other_flows: "Fires other automations",
  trigger_webhooks: "Sends webhooks",
  triggering_app_ids: "Only from records of these apps",
  variable_def: "Field or variable",
  via_field_ids: "By these fields only",
  wait_for_result: "Wait for its end and take its variables",
  webpage_body: "Page (HTML)",
  window: "Hours for further attempts"
}

/** Words of tokens that are numbers, by the key. */
const tokenWords: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  nth: { "1": "First", "2": "Second", "3": "Third", "4": "Fourth", "5": "Fifth", "-1": "Last" }
}

export const wordsOfChoice = (key: string, token: unknown): string =>
  tokenWords[key]?.[String(token)] ?? wordsOfToken(String(token))

export const wordsOfToken = (token: string): string => {
  const words = token.replaceAll("_", " ").trim()
  return words.charAt(0).toUpperCase() + words.slice(1)
}

const rarely =
  /^(?:author_id|trigger_webhooks|trigger_other_flows|silent|cc_address|bcc_address|reply_address|from_address|from_name|smtp_account_id|page_|pdf_header|pdf_footer|header_and_footer|remove_branding|http_call_body_raw|http_call_client|http_call_follow|http_call_paging|http_call_response|http_call_timeout|attach_files_match|break_condition|continue_condition|response_|starts_at|ends_at|skip_dates|timezone)/
/** Marks of an editor's layout, and ids: nobody edits them. */
const silent = /(?:_expanded$|^id$)/

const choiceOf = (schema: JsonSchema, root: JsonSchema) => resolved(schema, root).default

export const fieldsOf = (root: JsonSchema, schema: JsonSchema = root): ReadonlyArray<FormField> => {
  const { properties = {}, required = [] } = resolved(schema, root)
  return Object.entries(properties)
    .filter(([key, one]) => !silent.test(key) && one.readOnly !== true)
    .map(([key, one]) => ({
      key,
      label: labels[key] ?? wordsOfToken(key),
      control: controlOf(key, one, root),
      schema: one,
      required: required.includes(key),
      rare: rarely.test(key)
    }))
    .filter(({ control }) => control !== "branch")
}

/** Value of a key that is omitted. */
export const defaultOf = (field: FormField, root: JsonSchema): unknown => choiceOf(field.schema, root)

/** A new entry of a list: its required members, empty. */
export const emptyOf = (schema: JsonSchema, root: JsonSchema): unknown => {
  const resolvedSchema = resolved(schema, root)
  if (resolvedSchema.default !== undefined) return resolvedSchema.default
  if (resolvedSchema.enum !== undefined) return resolvedSchema.enum[0]
  if (resolvedSchema.properties !== undefined)
    return Object.fromEntries(
      (resolvedSchema.required ?? []).map((key) => [key, emptyOf(resolvedSchema.properties![key] ?? {}, root)] as const)
    )
  if (resolvedSchema.type === "string") return ""
  if (resolvedSchema.type === "array" || references[nameOf(schema) ?? ""] === "template") return []
  return references[nameOf(schema) ?? ""] === "reference"
    ? { kind: "variable", source: "global", global_type: "current_date" }
    : null
}
