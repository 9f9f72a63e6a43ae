// A trigger in one sentence (docs/triggers.md): `When Total or State of an Orders record changes`, `Every Monday at 08:00`.
import { fieldOf, type Names, UNSET } from "./conditionSentence.ts"
import { wordsOfToken } from "./formWords.ts"
import type { Config } from "./steps.ts"

interface Trigger {
  readonly type: string
  readonly config: Config
}
type Sentence = (config: Config, app: string, names: Names) => string

const listOf = (value: unknown): ReadonlyArray<unknown> => (Array.isArray(value) ? value : [])
const joined = (words: ReadonlyArray<string>, last: string) =>
  words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} ${last} ${words.at(-1)}`
const countText = (count: number, unit: unknown) => `${count} ${String(unit)}${count === 1 ? "" : "s"}`
const dayWords = (day: unknown) => (Number(day) === -1 ? "the last day" : `day ${String(day)}`)

const updated: Sentence = ({ trigger_on_changes_field_ids: ids }, app, names) => {
  if (!Array.isArray(ids)) return `When a record of ${app} is updated`
  const labels = ids.map((id) => fieldOf(id, names)?.label)
  const fields = labels.includes(undefined)
    ? ids.length === 1
      ? "a certain field"
      : `one of ${ids.length} fields`
    : joined(labels as ReadonlyArray<string>, "or")
  return ids.length === 0 ? `When no field of ${app} changes` : `When ${fields} of a record of ${app} changes`
}

const arrived: Sentence = (config, app, names) => {
  const { date_field_id, offset_amount, offset_direction, offset_unit = "day" } = config
  const date = `${fieldOf(date_field_id, names)?.label ?? (date_field_id === undefined ? UNSET : "a date")} of a record of ${app}`
  return offset_direction === "before" || offset_direction === "after"
    ? `${countText(Number(offset_amount ?? 0), offset_unit)} ${offset_direction} ${date}`
    : `When ${date} arrives`
}

const scheduled: Sentence = (config) => {
  const timeWords = ` at ${String(config["time_of_day"] ?? "00:00")}`
  switch (config["schedule_type"] ?? "daily") {
    case "interval": {
      const { interval_amount: amount, interval_unit: unit } = config
      return amount === undefined ? `Every ${UNSET}` : `Every ${amount === 1 ? String(unit) : countText(Number(amount), unit)}`
    }
    case "weekly":
      return `Every ${
        joined(
          listOf(config["week_days"]).map((day) => wordsOfToken(String(day))),
          "and"
        ) || UNSET
      }${timeWords}`
    case "monthly": {
      const days = listOf(config["month_days"]).map(dayWords)
      const weekdays = listOf(config["month_weekdays"]).length
      return `Monthly on ${joined([...days, ...(weekdays > 0 ? ["certain weekdays"] : [])], "and") || UNSET}${timeWords}`
    }
    case "cron":
      return `By schedule ${String(config["cron_expression"] ?? UNSET)}`
    default:
      return `Every day${timeWords}`
  }
}

const sentences: Readonly<Record<string, Sentence>> = {
  automation_called: () => "When another automation calls it",
  date_field_arrived: arrived,
  periodic: scheduled,
  record_comment_or_reply_created: (_, app) => `When a comment is added to a record of ${app}`,
  record_created: (_, app) => `When a record of ${app} is created`,
  record_deleted: (_, app) => `When a record of ${app} is deleted`,
  record_updated: updated,
  webhook_received: () => "When a webhook is received",
  weblink_clicked: () => "When a link is clicked"
}

/** @param app_id the app of the automation */
export const triggerSentence = (trigger: Trigger | null, app_id: number, names: Names): string => {
  if (trigger === null) return "No trigger yet"
  const app = names.apps.get(app_id)?.name ?? "its app"
  return sentences[trigger.type]?.(trigger.config, app, names) ?? names.label(trigger.type)
}
