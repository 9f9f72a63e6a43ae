// The keyboard in a calendar: Space picks a record up, arrows carry it by days and weeks, also into another month, Space or Enter drops it,
// Escape puts it back.
import { type KeyboardEvent, type RefObject, useState } from "react"
import type { App, RecordRow } from "../../../../api/types.ts"
import { useCalendarKeys as texts } from "../../../../texts/records/layoutsCalendarWords.ts"
import { titleOf } from "../Card.tsx"
import { cardLinks, useFollowedCard } from "../useFollowedCard.ts"
import { addDays, type Day } from "./days.ts"
import type { CalendarState } from "./useCalendar.ts"

export const calendarKeysWords = texts.arrowsMoveBetweenRecordsEnter

const steps: Readonly<Record<string, number>> = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -7, ArrowDown: 7 }

interface KeysProps {
  readonly app: App
  readonly box: RefObject<HTMLElement | null>
  readonly calendar: CalendarState
  readonly mayMove: boolean
  readonly dayWords: (day: Day) => string
  /** Shows a day that may be outside of what is seen. */
  readonly showDay: (day: Day) => void
  readonly openMenu: (record: RecordRow, element: HTMLElement) => void
}
export const useCalendarKeys = ({ app, box, calendar, dayWords, mayMove, openMenu, showDay }: KeysProps) => {
  const { carried, move, setCarried, spans } = calendar
  const [words, setWords] = useState("")
  const following = useFollowedCard(box)
  const spanOfId = (recordId: number) => spans.find(({ record }) => record.record_id === recordId)

  const carry = (by: number) => {
    const span = carried && spanOfId(carried.record.record_id)
    if (carried === undefined || span === undefined) return
    const day = addDays(span.from, by)
    setCarried({ ...carried, days: carried.days + by })
    showDay(day)
    setWords(texts.onDay(dayWords(day)))
  }
  const putDown = (isDrop: boolean) => {
    if (carried === undefined) return
    const { days, record } = carried
    const span = spanOfId(record.record_id)
    setCarried(undefined)
    if (span === undefined) return
    if (isDrop) move(record, days)
    const day = isDrop ? span.from : addDays(span.from, -days)
    showDay(day)
    setWords(isDrop ? texts.droppedOnDay(dayWords(day)) : texts.putBackOnDay(dayWords(day)))
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const { key } = event
    const link = (event.target as Element).closest<HTMLElement>("[data-opens]")
    const span = link === null ? undefined : spanOfId(Number(link.dataset["opens"]))
    if (link === null || span === undefined || event.ctrlKey || event.metaKey || event.altKey) return
    if (carried !== undefined) {
      const by = steps[key]
      if (by !== undefined) carry(by)
      else if (key === " " || key === "Enter") putDown(true)
      else if (key === "Escape") putDown(false)
      return event.preventDefault()
    }
    if (steps[key] !== undefined) {
      const links = cardLinks(box.current)
      links[links.indexOf(link) + Math.sign(steps[key])]?.focus()
    } else if (!mayMove) return
    else if (key === " ") {
      setCarried({ record: span.record, days: 0 })
      setWords(texts.titlePickedUpFromDay(titleOf(app, span.record), dayWords(span.from)))
    } else if (key === "ContextMenu" || (key === "F10" && event.shiftKey)) openMenu(span.record, link)
    else return
    event.preventDefault()
  }
  return { ...following, words, onKeyDown, onPointerDown: () => putDown(false) }
}
