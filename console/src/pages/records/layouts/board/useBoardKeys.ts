// The keyboard on a board: arrows walk from card to card, Space picks one up; then arrows carry it from column to column, Space or Enter drops
// it, Escape puts it back. What happens is told to screen readers.
import { type KeyboardEvent, type RefObject, useState } from "react"
import type { App, RecordRow } from "../../../../api/types.ts"
import { useBoardKeys as texts } from "../../../../texts/records/layoutsBoardWords.ts"
import { titleOf } from "../Card.tsx"
import { focusCard, useFollowedCard } from "../useFollowedCard.ts"
import { columnOf } from "./boardColumns.ts"
import type { BoardState } from "./useBoard.ts"

export const boardKeysWords = texts.arrowsMoveBetweenCardsEnter

interface KeysProps {
  readonly app: App
  readonly board: BoardState
  readonly box: RefObject<HTMLElement | null>
  readonly keyField: Parameters<typeof columnOf>[1]
  readonly mayMove: boolean
  readonly openMenu: (record: RecordRow, element: HTMLElement) => void
}

export const useBoardKeys = ({ app, board, box, keyField, mayMove, openMenu }: KeysProps) => {
  const { carried, columns, findRecord, isClosed, move, options, setCarried } = board
  const [words, setWords] = useState("")
  /** The card that Tab comes to. */
  const [activeId, setActiveId] = useState<number>()
  const following = useFollowedCard(box, setActiveId)

  const textOf = (key: number) => options.find((option) => option.key === key)?.text ?? ""
  const pickUp = (record: RecordRow) => {
    const columnKey = columnOf(record, keyField)
    setCarried({ record, over: columnKey })
    setWords(texts.titlePickedUpFrom(titleOf(app, record), textOf(columnKey)))
  }
  const carry = (by: 1 | -1) => {
    if (carried === undefined) return
    const openColumns = options.filter(({ key }) => !isClosed(key))
    const next = openColumns[openColumns.findIndex(({ key }) => key === carried.over) + by]
    if (next === undefined) return
    setCarried({ ...carried, over: next.key })
    setWords(texts.over(next.text))
  }
  const putDown = (isDrop: boolean) => {
    if (carried === undefined) return
    const { over, record } = carried
    setCarried(undefined)
    if (isDrop) move(record, over)
    setWords(isDrop ? texts.droppedIn(textOf(over)) : texts.putBackInto(textOf(columnOf(record, keyField))))
  }
  const walk = (record: RecordRow, key: string) => {
    const lists = options.map((option) => columns.get(option.key)?.records ?? []).filter((list) => list.length > 0)
    const column = lists.findIndex((list) => list.some(({ record_id }) => record_id === record.record_id))
    const row = lists[column]?.findIndex(({ record_id }) => record_id === record.record_id) ?? 0
    const side = key === "ArrowRight" ? 1 : key === "ArrowLeft" ? -1 : 0
    const target = lists[column + side]
    const rows = { ArrowDown: row + 1, ArrowUp: row - 1, Home: 0, End: (target?.length ?? 1) - 1 }
    const next = target?.[Math.min(rows[key as keyof typeof rows] ?? row, target.length - 1)]
    if (next !== undefined) focusCard(box.current, next.record_id)
  }

  const onKeyDown = (event: KeyboardEvent) => {
    const { key } = event
    const link = (event.target as Element).closest<HTMLElement>("[data-opens]")
    const record = link === null ? undefined : findRecord(Number(link.dataset["opens"]))
    if (link === null || record === undefined || event.ctrlKey || event.metaKey || event.altKey) return
    if (carried !== undefined) {
      if (key === "ArrowRight" || key === "ArrowLeft") carry(key === "ArrowRight" ? 1 : -1)
      else if (key === " " || key === "Enter") putDown(true)
      else if (key === "Escape") putDown(false)
      // The others wait until it is put down.
      return event.preventDefault()
    }
    if (["ArrowDown", "ArrowUp", "ArrowRight", "ArrowLeft", "Home", "End"].includes(key)) walk(record, key)
    else if (key === " " && mayMove) pickUp(record)
    else if ((key === "ContextMenu" || (key === "F10" && event.shiftKey)) && mayMove) openMenu(record, link)
    else return
    event.preventDefault()
  }
  /** A press elsewhere puts back what is carried. */
  const onPointerDown = () => putDown(false)
  const shownIds = new Set([...columns.values()].flatMap(({ records }) => records.map(({ record_id }) => record_id)))
  const tabStop =
    activeId !== undefined && shownIds.has(activeId)
      ? activeId
      : options.flatMap(({ key }) => columns.get(key)?.records ?? [])[0]?.record_id
  return { ...following, words, tabStop, onKeyDown, onPointerDown, setWords }
}
