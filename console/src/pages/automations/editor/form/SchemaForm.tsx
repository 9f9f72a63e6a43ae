// The form of a config, from the schema of its type: a control for each key, what is rarely changed folded away.
import { useId } from "react"
import { schemaForm as texts } from "../../../../texts/automations/editorForm.ts"
import type { Problem } from "../model/problems.ts"
import { defaultOf, type FormField, fieldsOf, type JsonSchema } from "../model/schemaForm.ts"
import type { Config } from "../model/steps.ts"
import { Control } from "./Control.tsx"

interface SchemaFormProps {
  readonly root: JsonSchema
  readonly schema?: JsonSchema
  readonly config: Config
  readonly onChange: (config: Config, key: string) => void
  readonly problems?: ReadonlyArray<Problem>
  /** The app whose fields, views and so on a config is about; that of the automation otherwise. */
  readonly about?: number | undefined
}

const withKey = (config: Config, key: string, value: unknown): Config => {
  if (value !== undefined) return { ...config, [key]: value }
  const { [key]: _, ...rest } = config
  return rest
}

const isFilled = (value: unknown) => value !== undefined && !(Array.isArray(value) && value.length === 0)

/** Keys that matter only where another one has a value; what has one itself stays in sight, since it is refused elsewhere. */
const orFilled = (key: string, matters: (config: Config) => boolean) => ({
  [key]: (config: Config) => matters(config) || isFilled(config[key.split(".").at(-1)!])
})
const hasType = ({ type }: Config) => type !== undefined
const isHmac = ({ type }: Config) => type === "hmac"

/** Keys that matter only where another one has a value; of one schema alone with its name. */
const whenOf: Readonly<Record<string, (config: Config) => boolean>> = {
  limit: (config) => config["limit_enabled"] === true,
  page_custom_width: ({ page_size }) => page_size === "custom_size",
  page_custom_height: ({ page_size }) => page_size === "custom_size",
  attach_files_match_condition: ({ attach_files_match_type }) => /filtered/.test(String(attach_files_match_type)),
  interval_amount: ({ schedule_type }) => schedule_type === "interval",
  interval_unit: ({ schedule_type }) => schedule_type === "interval",
  // Also of a window, which has no kind.
  week_days: ({ from, schedule_type }) => from !== undefined || schedule_type === "weekly",
  month_days: ({ schedule_type }) => schedule_type === "monthly",
  month_weekdays: ({ schedule_type }) => schedule_type === "monthly",
  cron_expression: ({ schedule_type }) => schedule_type === "cron",
  ...orFilled("http_call_body", ({ http_call_body_type }) => http_call_body_type === undefined),
  http_call_body_raw: ({ http_call_body_type }) => http_call_body_type === undefined,
  ...orFilled("http_call_form", ({ http_call_body_type }) => /^(form|multipart)$/.test(String(http_call_body_type))),
  ...orFilled("http_call_body_file", ({ http_call_body_type }) => http_call_body_type === "file"),
  ...orFilled("username", ({ type }) => type === "basic" || type === "digest"),
  secret: hasType,
  ...orFilled("next_path", ({ type }) => type === "next_url" || type === "cursor"),
  ...orFilled("cursor_parameter", ({ type }) => type === "cursor"),
  ...orFilled("cursor_in", ({ type }) => type === "cursor"),
  items_path: hasType,
  pages_at_most: hasType,
  ...orFilled("WebhookVerification.token_secret", ({ type }) => type === "meta"),
  ...orFilled("WebhookVerification.header", isHmac),
  ...orFilled("WebhookVerification.algorithm", isHmac),
  ...orFilled("WebhookVerification.encoding", isHmac),
  ...orFilled("WebhookVerification.prefix", isHmac),
  ...orFilled("WebhookVerification.tolerance_seconds", ({ type }) =>
    /^(?:standard_webhooks|stripe|slack|zoom)$/.test(String(type))
  ),
  ...Object.fromEntries(
    ["top", "right", "bottom", "left"].map((side) => [
      `page_custom_margin_${side}`,
      ({ page_margins }: Config) => page_margins === "custom_margins"
    ])
  )
}

/** The order in which keys are asked for differs from the catalogue's where a later one decides about earlier ones. */
const leadingKeys = ["app_id", "limit_enabled", "automation_id", "to_address", "subject", "filename", "pdf_body"]
const rank = ({ key }: FormField) => (leadingKeys.includes(key) ? leadingKeys.indexOf(key) : leadingKeys.length)

export const SchemaForm = ({ about, config, onChange, problems = [], root, schema = root }: SchemaFormProps) => {
  const prefix = useId()
  const fields = fieldsOf(root, schema)
    .filter(({ key, owner }) => (whenOf[`${owner}.${key}`] ?? whenOf[key])?.(config) ?? true)
    .toSorted((one, other) => rank(one) - rank(other))
  const renderField = (field: FormField) => {
    const { key, label } = field
    const fieldProblems = problems.filter((problem) => problem.key === key)
    const id = `${prefix}-${key}`
    return (
      <Control
        key={key}
        id={id}
        field={field}
        root={root}
        label={label}
        value={config[key] ?? defaultOf(field, root)}
        onChange={(value) => onChange(withKey(config, key, value), key)}
        about={typeof config["app_id"] === "number" ? config["app_id"] : about}
        config={config}
        problems={fieldProblems}
      />
    )
  }
  const rare = fields.filter((field) => field.rare)
  return (
    <>
      {fields.filter((field) => !field.rare).map(renderField)}
      {rare.length > 0 && (
        <details className="rare" open={rare.some(({ key }) => problems.some((problem) => problem.key === key))}>
          <summary>{texts.moreSettings}</summary>
          {rare.map(renderField)}
        </details>
      )}
    </>
  )
}
