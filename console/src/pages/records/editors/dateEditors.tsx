// Days, moments and periods. Days are the same everywhere; times are shown in the reader's zone and sent in UTC.
import type { Field } from "../../../api/types.ts"
import { dateEditors as texts } from "../../../texts/records/editors.ts"
import type { ControlProps, Editor } from "./editor.ts"

/** Day and time as the browser's inputs hold them, in the reader's zone. */
interface Moment {
  readonly day: string
  readonly time: string
}

const none: Moment = { day: "", time: "" }
const two = (part: number) => String(part).padStart(2, "0")

const momentOf = (date: string | null | undefined, time: string | null | undefined): Moment => {
  if (date == null) return none
  if (time == null) return { day: date, time: "" }
  const localDate = new Date(`${date}T${time}Z`)
  const seconds = localDate.getSeconds()
  return {
    day: `${localDate.getFullYear()}-${two(localDate.getMonth() + 1)}-${two(localDate.getDate())}`,
    time: `${two(localDate.getHours())}:${two(localDate.getMinutes())}${seconds === 0 ? "" : `:${two(seconds)}`}`
  }
}
const inputOf = ({ day, time }: Moment): string | null =>
  day === "" ? null : time === "" ? day : new Date(`${day}T${time}`).toISOString().slice(0, 19).replace("T", " ")

const timeOf = (field: Field) => (field.config.settings as { time?: string }).time ?? "disabled"

interface PartProps {
  readonly id: string
  readonly label: string
  readonly time: string
  readonly required: boolean
  readonly moment: Moment
  readonly change: (moment: Moment) => void
}
const Part = ({ id, label, time, required, moment, change }: PartProps) => (
  <div className="moment">
    <input
      id={id}
      type="date"
      aria-label={label}
      required={required}
      value={moment.day}
      onChange={({ target }) => change({ ...moment, day: target.value })}
    />
    {time !== "disabled" && (
      <input
        type="time"
        step={moment.time.length > "00:00".length ? 1 : undefined}
        aria-label={texts.labelTime(label)}
        required={time === "required" && moment.day !== ""}
        value={moment.time}
        onChange={({ target }) => change({ ...moment, time: target.value })}
      />
    )}
  </div>
)

export const day: Editor<string> = {
  Control: ({ id, field, draft, onChange }) => (
    <input
      id={id}
      type="date"
      required={field.config.required}
      value={draft}
      onChange={({ target }) => onChange(target.value)}
    />
  ),
  draft: ([entry]) => entry?.start_date_utc ?? "",
  input: (text) => (text === "" ? null : text),
  shown: (text) => (text === "" ? [] : [{ start_date_utc: text, start_time_utc: null, start_utc: text }])
}

export const moment: Editor<Moment> = {
  Control: ({ id, field, draft, onChange }: ControlProps<Moment>) => (
    <Part
      id={id}
      label={field.label}
      time={timeOf(field)}
      required={field.config.required}
      moment={draft}
      change={onChange}
    />
  ),
  draft: ([entry]) => momentOf(entry?.start_date_utc, entry?.start_time_utc),
  input: inputOf,
  group: true
}

interface Period {
  readonly start: Moment
  readonly end: Moment
}

export const period: Editor<Period> = {
  Control: ({ id, field, draft, onChange }: ControlProps<Period>) => {
    const time = timeOf(field)
    const isEndRequired = (field.config.settings as { end?: string }).end === "required" && draft.start.day !== ""
    return (
      <div className="period">
        <span>{texts.from}</span>
        <Part
          id={id}
          label={texts.labelFrom(field.label)}
          time={time}
          required={field.config.required}
          moment={draft.start}
          change={(start) => onChange({ ...draft, start })}
        />
        <span>{texts.to}</span>
        <Part
          id={`${id}-end`}
          label={texts.labelTo(field.label)}
          time={time}
          required={isEndRequired}
          moment={draft.end}
          change={(end) => onChange({ ...draft, end })}
        />
      </div>
    )
  },
  draft: ([entry]) => ({
    start: momentOf(entry?.start_date_utc, entry?.start_time_utc),
    end: momentOf(entry?.end_date_utc, entry?.end_time_utc)
  }),
  input: ({ end, start }) => {
    const from = inputOf(start)
    if (from === null) return null
    const to = inputOf(end)
    return to === null ? { start: from } : { start: from, end: to }
  },
  group: true
}
