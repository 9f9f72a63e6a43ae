// The head of a calendar: its month or week, the way to others, and the way back to today.

import { calendarHead as texts } from "../../../../texts/records/layoutsCalendar.ts"
import type { LayoutSearch } from "../layoutSearch.ts"
import { addDays, addMonths, type Day } from "./days.ts"

const monthFormat = new Intl.DateTimeFormat(undefined, { month: "long", year: "numeric", timeZone: "UTC" })
const dayFormat = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeZone: "UTC" })
const dateOf = (day: Day) => new Date(`${day}T00:00:00Z`)

interface HeadProps {
  readonly day: Day
  readonly isWeek: boolean
  readonly today: Day
  readonly weeks: ReadonlyArray<Day>
  readonly change: (place: Partial<LayoutSearch>) => void
}
export const CalendarHead = ({ change, day, isWeek, today, weeks }: HeadProps) => {
  const step = (by: 1 | -1) => change({ day: isWeek ? addDays(day, by * 7) : addMonths(day, by) })
  const unit = isWeek ? "week" : "month"
  const name = isWeek
    ? dayFormat.formatRange(dateOf(weeks[0]!), dateOf(addDays(weeks[0]!, 6)))
    : monthFormat.format(dateOf(day))
  return (
    <div className="calendar-head">
      <button type="button" className="quiet small" onClick={() => change({ day: undefined })} disabled={day === today}>
        {texts.today}
      </button>
      <button type="button" className="quiet small" aria-label={texts.previousUnit(unit)} onClick={() => step(-1)}>
        ‹
      </button>
      <button type="button" className="quiet small" aria-label={texts.nextUnit(unit)} onClick={() => step(1)}>
        ›
      </button>
      <h2 aria-live="polite">{name}</h2>
      <label className="unseen" htmlFor="calendar-unit">
        {texts.show}
      </label>
      <select
        id="calendar-unit"
        className="short"
        value={unit}
        onChange={({ target }) => change({ week: target.value === "week" ? true : undefined })}
      >
        <option value="month">{texts.month}</option>
        <option value="week">{texts.week}</option>
      </select>
    </div>
  )
}
