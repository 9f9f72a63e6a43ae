// Records as a calendar: a month or a week, records on their days, dragged to others, added by a press on a day.
import { useId, useRef, useState } from "react"
import type { Field, RecordRow } from "../../../../api/types.ts"
import { calendar as texts } from "../../../../texts/records/layoutsCalendar.ts"
import type { MenuItem } from "../../../../ui/Menu.tsx"
import { Failure } from "../../../../ui/states.tsx"
import { editorOf } from "../../editors/catalogue.ts"
import type { LayoutProps } from "../layoutProps.ts"
import { useCardDrag } from "../useCardDrag.ts"
import { useCardMenu } from "../useCardMenu.tsx"
import { useHistory } from "../useHistory.ts"
import { useIsNarrow } from "../useIsNarrow.ts"
import { type Asked, CalendarDialogs } from "./CalendarDialogs.tsx"
import { CalendarHead } from "./CalendarHead.tsx"
import { CalendarWeek } from "./CalendarWeek.tsx"
import { addDays, type Day, daysBetween, todayOf, weeksOf } from "./days.ts"
import { MOST_RECORDS, useCalendar } from "./useCalendar.ts"
import { calendarKeysWords, useCalendarKeys } from "./useCalendarKeys.ts"

const longDay = new Intl.DateTimeFormat(undefined, { dateStyle: "full", timeZone: "UTC" })
const dayWords = (day: Day) => longDay.format(new Date(`${day}T00:00:00Z`))
const weekdayNames = (style: "short" | "narrow") => {
  const format = new Intl.DateTimeFormat(undefined, { weekday: style, timeZone: "UTC" })
  return Array.from({ length: 7 }, (_, day) => format.format(new Date(Date.UTC(2024, 0, 1 + day))))
}

/** Records that a day of a month, and of a week, has room for. */
const MONTH_LANES = 4
const NARROW_LANES = 3
const WEEK_LANES = 20

const CalendarOf = (props: LayoutProps & { readonly start: Field }) => {
  const { app, changePlace, chosen, fields, open, place, search, start } = props
  const { end } = chosen
  const id = useId()
  const box = useRef<HTMLDivElement>(null)
  const isNarrow = useIsNarrow()
  const [asked, setAsked] = useState<Asked>()
  const menu = useCardMenu(box)
  const today = todayOf(new Date())
  const shownDay = place.day ?? today
  const isWeek = place.week === true
  const weeks = weeksOf(shownDay, isWeek)
  const [first, last] = [weeks[0]!, addDays(weeks.at(-1)!, 6)]
  const calendar = useCalendar(app, { start, end }, search, first, last)
  /** Dates that the service keeps itself are not moved. */
  const mayMove =
    app.permission_level >= 3 && [start, end].every((field) => field === undefined || editorOf(field) !== undefined)
  const historyWords = useHistory(app.app_id, mayMove)
  const closeAsked = () => setAsked(undefined)
  const keys = useCalendarKeys({
    ...{ app, box, calendar, mayMove, dayWords },
    showDay: (day) => (day < first || day > last) && changePlace({ day }),
    openMenu: menu.openBelow
  })
  /** The record under the last press, as it was seen then. */
  const pressedRecord = useRef<RecordRow>(undefined)
  const { drag, onPointerDown } = useCardDrag({
    isEnabled: mayMove,
    box,
    drop: (recordId, over, from) => {
      if (pressedRecord.current?.record_id === recordId) calendar.move(pressedRecord.current, daysBetween(from, over))
    }
  })
  const itemsOf = (record: RecordRow): ReadonlyArray<MenuItem> => [
    { label: texts.open, keys: "Enter", act: () => open(record.record_id) },
    { label: texts.moveToADay, act: () => setAsked({ kind: "move", record }) }
  ]
  return (
    <>
      <CalendarHead day={shownDay} isWeek={isWeek} today={today} change={changePlace} weeks={weeks} />
      {calendar.failed !== undefined && (
        <Failure
          what={texts.loadingRecordsFailed}
          error={calendar.failed.error}
          again={() => void calendar.failed?.refetch()}
        />
      )}
      {calendar.total !== undefined && calendar.total > MOST_RECORDS && (
        <p className="note">
          {texts.firstMostRecordsOfTotal(MOST_RECORDS.toLocaleString(), calendar.total.toLocaleString())}
        </p>
      )}
      {/* biome-ignore lint/a11y/noStaticElementInteractions: its records are links, whose keys and presses come here */}
      <div
        className="calendar-box"
        ref={box}
        onPointerDown={(event) => {
          keys.onPointerDown()
          const card = (event.target as Element).closest<HTMLElement>("[data-card]")
          pressedRecord.current = card === null ? undefined : calendar.findRecord(Number(card.dataset["card"]))
          onPointerDown(event)
        }}
        onKeyDown={keys.onKeyDown}
        onFocus={keys.onFocus}
        onBlur={keys.onBlur}
      >
        <table
          className={isWeek ? "calendar week" : "calendar"}
          aria-label={texts.calendar}
          aria-busy={calendar.isLoading}
        >
          <thead>
            <tr>
              {weekdayNames(isNarrow ? "narrow" : "short").map((name, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: narrow names are not unique
                <th key={index} scope="col">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {weeks.map((monday) => (
              <CalendarWeek
                key={monday}
                app={app}
                monday={monday}
                spans={calendar.spans}
                today={today}
                month={isWeek ? undefined : shownDay.slice(0, 7)}
                lanes={isWeek ? WEEK_LANES : isNarrow ? NARROW_LANES : MONTH_LANES}
                writes={calendar.writes}
                draggedId={drag?.recordId}
                carriedId={calendar.carried?.record.record_id}
                over={drag?.over}
                describedBy={`${id}-keys`}
                dayWords={dayWords}
                open={open}
                add={mayMove ? (day) => setAsked({ kind: "add", day }) : undefined}
                showAll={(day) => setAsked({ kind: "all", day })}
                openMenu={mayMove ? menu.openAt : undefined}
              />
            ))}
          </tbody>
        </table>
      </div>
      <p className="unseen" id={`${id}-keys`}>
        {mayMove ? calendarKeysWords : texts.arrowsMoveBetweenRecordsEnter}
      </p>
      <output className="unseen">{keys.words}</output>
      <output className="history-words">{historyWords}</output>
      {menu.menuWith(itemsOf)}
      {asked !== undefined && (
        <CalendarDialogs
          app={app}
          asked={asked}
          spans={calendar.spans}
          start={start}
          fields={fields}
          dayWords={dayWords}
          open={open}
          move={calendar.move}
          close={closeAsked}
        />
      )}
    </>
  )
}

const Calendar = (props: LayoutProps) => {
  const { end, start } = props.chosen
  return start === undefined ? null : <CalendarOf key={`${start.field_id} ${end?.field_id}`} {...props} start={start} />
}
export default Calendar
