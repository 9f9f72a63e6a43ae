// A trigger in one sentence (docs/triggers.md): `When Total or State of an Orders record changes`, `Every Monday at 08:00`.

import { triggerSentence as texts } from "../../../../texts/automations/editorModel.ts"
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
const countText = (count: number, unit: unknown) => texts.countUnitS(count, String(unit))
const dayWords = (day: unknown) => (Number(day) === -1 ? texts.lastDay : texts.day(String(day)))

const updated: Sentence = ({ trigger_on_changes_field_ids: ids }, app, names) => {
  if (!Array.isArray(ids)) return texts.whenARecordOfApp(app)
  const labels = ids.map((id) => fieldOf(id, names)?.label)
  const fields = labels.includes(undefined)
    ? texts.oneOfFields(ids.length)
    : joined(labels as ReadonlyArray<string>, texts.or)
  return ids.length === 0 ? texts.whenNoFieldOfApp(app) : texts.whenFieldsOfARecord(fields, app)
}

const arrived: Sentence = (config, app, names) => {
  const { date_field_id, offset_amount, offset_direction, offset_unit = "day" } = config
  const date = texts.labelOfARecord(
    fieldOf(date_field_id, names)?.label ?? (date_field_id === undefined ? UNSET : texts.aDate),
    app
  )
  return offset_direction === "before" || offset_direction === "after"
    ? `${countText(Number(offset_amount ?? 0), offset_unit)} ${offset_direction} ${date}`
    : texts.whenDateArrives(date)
}

const scheduled: Sentence = (config) => {
  const timeWords = texts.atTimeOfDay(String(config["time_of_day"] ?? "00:00"))
  switch (config["schedule_type"] ?? "daily") {
    case "interval": {
      const { interval_amount: amount, interval_unit: unit } = config
      return amount === undefined
        ? texts.everyUnset(UNSET)
        : texts.everyUnit(amount === 1 ? String(unit) : countText(Number(amount), unit))
    }
    case "weekly":
      return texts.everyJoinedTimeWords(
        joined(
          listOf(config["week_days"]).map((day) => wordsOfToken(String(day))),
          texts.and
        ) || UNSET,
        timeWords
      )
    case "monthly": {
      const days = listOf(config["month_days"]).map(dayWords)
      const weekdays = listOf(config["month_weekdays"]).length
      return texts.monthlyOnJoinedTimeWords(
        joined([...days, ...(weekdays > 0 ? [texts.certainWeekdays] : [])], texts.and) || UNSET,
        timeWords
      )
    }
    case "cron":
      return texts.byScheduleCronExpression(String(config["cron_expression"] ?? UNSET))
    default:
      return texts.everyDayTimeWords(timeWords)
  }
}

const sentences: Readonly<Record<string, Sentence>> = {
  automation_called: () => texts.whenAnotherAutomationCallsIt,
  date_field_arrived: arrived,
  periodic: scheduled,
  record_comment_or_reply_created: (_, app) => texts.whenACommentIsAdded(app),
  record_created: (_, app) => texts.whenARecordOfAppIsCreated(app),
  record_deleted: (_, app) => texts.whenARecordOfAppIsDeleted(app),
  record_updated: updated,
  webhook_received: () => texts.whenAWebhookIsReceived,
  weblink_clicked: () => texts.whenALinkIsClicked
}

/** @param app_id the app of the automation */
export const triggerSentence = (trigger: Trigger | null, app_id: number, names: Names): string => {
  if (trigger === null) return texts.noTriggerYet
  const app = names.apps.get(app_id)?.name ?? texts.itsApp
  return sentences[trigger.type]?.(trigger.config, app, names) ?? names.label(trigger.type)
}
