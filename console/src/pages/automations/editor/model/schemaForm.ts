// Maps the `config_schema` of a catalogue (JSON Schema) to the controls of a form: the control that edits each key. A key without a control
// of its own is edited as JSON, so that every type of trigger and step can be edited.
import { labelOf, noteOf } from "./formWords.ts"

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
  | "numbers"
  | "object"
  | "path"
  | "reference"
  | "references"
  | "secret"
  | "secretName"
  | "template"
  | "text"
  | "time"
  | "user"
  | "view"
  | "zone"

export interface FormField {
  readonly key: string
  /** Name of the schema that the key stands in, if it has one. */
  readonly owner: string | undefined
  readonly label: string
  readonly note: string | undefined
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

/** Keys whose values name something, or have a form that their schema does not tell. */
const named: Readonly<Record<string, Control>> = {
  app_id: "app",
  app_view_id: "view",
  automation_id: "automation",
  author_id: "user",
  date_field_id: "fields",
  trigger_on_changes_field_ids: "fields",
  via_field_ids: "fields",
  match_field_ids: "fields",
  time_of_day: "time",
  timezone: "zone",
  "RetryWindow.from": "time",
  "RetryWindow.to": "time",
  "WebhookVerification.secret": "secretName",
  "WebhookVerification.token_secret": "secretName",
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

/** True if a template may refer to secrets. */
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
  if (item.type === "integer") return "numbers"
  return item.anyOf?.some((one) => nameOf(one) === "Reference") === true ? "ids" : "json"
}

/** @param owner name of the schema that the key stands in, if it has one */
export const controlOf = (key: string, schema: JsonSchema, root: JsonSchema, owner?: string): Control => {
  const byKey = named[`${owner}.${key}`] ?? named[key]
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

const rarely =
  /^(?:author_id|trigger_webhooks|trigger_other_flows|silent|cc_address|bcc_address|reply_address|from_address|from_name|smtp_account_id|page_|pdf_header|pdf_footer|header_and_footer|remove_branding|http_call_body_raw|http_call_client|http_call_follow|http_call_paging|http_call_response|http_call_timeout|attach_files_match|break_condition|continue_condition|response_|starts_at|ends_at|skip_dates|timezone)/
/** Marks of an editor's layout, and ids: nobody edits them. */
const silent = /(?:_expanded$|^id$)/

const choiceOf = (schema: JsonSchema, root: JsonSchema) => resolved(schema, root).default

export const fieldsOf = (root: JsonSchema, schema: JsonSchema = root): ReadonlyArray<FormField> => {
  const { properties = {}, required = [] } = resolved(schema, root)
  const owner = nameOf(schema)
  return Object.entries(properties)
    .filter(([key, one]) => !silent.test(key) && one.readOnly !== true)
    .map(([key, one]) => ({
      key,
      owner,
      label: labelOf(key, owner),
      note: noteOf(key, owner, one.description),
      control: controlOf(key, one, root, owner),
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
