// A week of a calendar: its days with the parts of records on them; those for which there is no room are behind "+ more".
import type { MouseEvent } from "react"
import type { App, RecordRow } from "../../../../api/types.ts"
import { calendarWeek as texts } from "../../../../texts/records/layoutsCalendar.ts"
import { CardLink, titleOf, writeState } from "../Card.tsx"
import type { Writes } from "../seenCells.ts"
import { addDays, type Day, type Segment, type Span, segmentsOf } from "./days.ts"

const timeFormat = new Intl.DateTimeFormat(undefined, { timeStyle: "short" })

interface WeekProps {
  readonly app: App
  readonly monday: Day
  readonly spans: ReadonlyArray<Span>
  readonly today: Day
  /** Month whose days stand out, as `YYYY-MM`; undefined in a week. */
  readonly month: string | undefined
  /** Records that a day has room for. */
  readonly lanes: number
  readonly writes: Writes
  readonly draggedId: number | undefined
  readonly carriedId: number | undefined
  readonly over: string | undefined
  readonly describedBy: string
  readonly dayWords: (day: Day) => string
  readonly open: (recordId: number) => void
  readonly add: ((day: Day) => void) | undefined
  readonly showAll: (day: Day) => void
  readonly openMenu: ((event: MouseEvent<HTMLElement>, record: RecordRow) => void) | undefined
}

const dayNumber = (day: Day) => Number(day.slice(8))

export const CalendarWeek = (props: WeekProps) => {
  const { add, app, dayWords, lanes, monday, month, over, spans, today } = props
  const segments = segmentsOf(monday, spans)
  const onDay = (column: number) => segments.filter((one) => one.column <= column && column < one.column + one.length)
  /** Lanes of each day; the last one is for "+ more" where there are more. */
  const rooms = Array.from({ length: 7 }, (_, column) =>
    onDay(column).some(({ lane }) => lane >= lanes) ? lanes - 1 : lanes
  )
  /** A record is drawn where there is room on all of its days. */
  const isDrawn = ({ column, lane, length }: Segment) => lane < Math.min(...rooms.slice(column, column + length))
  const piece = (segment: Segment) => {
    const { isBegin, isEnd, length, span } = segment
    const { moment, record } = span
    const classes = ["span", isBegin ? "" : "goes-on-from", isEnd ? "" : "goes-on-to"].filter((name) => name !== "")
    const isLong = span.from !== span.to
    return (
      // biome-ignore lint/a11y/noStaticElementInteractions: the menu of the mouse; the link in it takes the keys
      <div
        key={record.record_id}
        className={classes.join(" ")}
        style={{ width: `calc(${length * 100}% + ${(length - 1) * 9}px)` }}
        data-card={record.record_id}
        data-long={isLong || undefined}
        data-write={writeState(props.writes.get(record.record_id))}
        data-dragged={props.draggedId === record.record_id || undefined}
        data-carried={props.carriedId === record.record_id || undefined}
        onContextMenu={props.openMenu && ((event) => props.openMenu!(event, record))}
      >
        <CardLink app={app} record={record} open={props.open} describedBy={props.describedBy}>
          {moment !== undefined && isBegin && <time>{timeFormat.format(moment)}</time>} {titleOf(app, record)}
          {isLong && <span className="unseen">{texts.dayToDay(dayWords(span.from), dayWords(span.to))}</span>}
        </CardLink>
      </div>
    )
  }
  const dayCell = (column: number) => {
    const day = addDays(monday, column)
    const covering = onDay(column)
    const drawn = covering.filter(isDrawn)
    const hiddenCount = covering.length - drawn.length
    const laneCount = Math.max(0, ...drawn.map(({ lane }) => lane + 1))
    return (
      // biome-ignore lint/a11y/useKeyWithClickEvents: the number of the day is the button for the keyboard
      <td
        key={day}
        data-drop={day}
        data-over={over === day || undefined}
        className={month !== undefined && !day.startsWith(month) ? "other-month" : undefined}
        aria-current={day === today ? "date" : undefined}
        onClick={add && ((event) => (event.target as Element).closest("a, button") === null && add(day))}
      >
        <div className="day-head">
          {add === undefined ? (
            <span className="day-number">{dayNumber(day)}</span>
          ) : (
            <button
              type="button"
              className="day-number"
              aria-label={texts.addOnDay(dayWords(day))}
              onClick={() => add(day)}
            >
              {dayNumber(day)}
            </button>
          )}
        </div>
        {Array.from({ length: laneCount }, (_, lane) => {
          const segment = drawn.find((one) => one.lane === lane)
          return segment !== undefined && segment.column === column ? (
            piece(segment)
          ) : (
            // biome-ignore lint/suspicious/noArrayIndexKey: a lane has no other name
            <div key={`lane ${lane}`} className="span-room" />
          )
        })}
        {hiddenCount > 0 && (
          <button
            type="button"
            className="more-of-day"
            aria-label={texts.hiddenCountMoreOnDay(hiddenCount, dayWords(day))}
            onClick={() => props.showAll(day)}
          >
            + {hiddenCount}
            <span className="more-word"> {texts.more}</span>
          </button>
        )}
      </td>
    )
  }
  return <tr>{Array.from({ length: 7 }, (_, column) => dayCell(column))}</tr>
}
