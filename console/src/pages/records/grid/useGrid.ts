// State and actions of a grid, put together: selection, editing, the mouse, the clipboard, ticked rows.
import { type KeyboardEvent, type MouseEvent, useCallback, useEffect, useMemo, useRef, useState } from "react"
import type { App, RecordRow } from "../../../api/types.ts"
import type { Sheet } from "../clip/pasteBlock.ts"
import type { GridSearch } from "../recordQueries.ts"
import type { RowActions } from "./GridRow.tsx"
import { gridKey } from "./gridKeys.ts"
import type { Column, Look } from "./look.ts"
import { type CellPlace, isOneCell, isSamePlace, rangeOf, type Selection } from "./selection.ts"
import { useColumnWindow } from "./useColumnWindow.ts"
import { placeOf, useDragging } from "./useDragging.ts"
import { useEditing } from "./useEditing.ts"
import { useFollowing } from "./useFollowing.ts"
import type { GridRows } from "./useRows.ts"
import { useSelection } from "./useSelection.ts"
import { useSheet } from "./useSheet.ts"
import { useTicks } from "./useTicks.ts"
import type { useWindow } from "./useWindow.ts"

export interface GridProps {
  readonly app: App
  readonly rows: GridRows
  readonly seen: ReturnType<typeof useWindow>
  readonly columns: ReadonlyArray<Column>
  readonly look: Look
  readonly changeLook: (look: Partial<Look>) => void
  readonly search: GridSearch
  readonly change: (next: GridSearch) => void
  readonly kept: Selection
  readonly keep: (selection: Selection) => void
  readonly filterBy: (fieldId: number) => void
  /** Opens a record beside the grid. */
  readonly open: (recordId: number) => void
  /** Shows the records of a group, or no more; left out where there are no groups. */
  readonly toggleGroup?: (key: string, isOpen: boolean) => void
}

export const useGrid = ({ app, columns, keep, kept, look, open, rows, search, seen }: GridProps) => {
  const table = useRef<HTMLTableElement>(null)
  const [isFinding, setFinding] = useState(false)
  const [match, setMatch] = useState<CellPlace>()
  const { isFormer, isSettled, load, rowAt, rowOf, total } = rows
  const mayEdit = app.permission_level >= 3
  const drawn = useColumnWindow(seen.element, columns, look.frozen)
  const show = useCallback(
    ({ column, row }: CellPlace) => {
      seen.show(row)
      drawn.show(column)
    },
    [seen.show, drawn.show]
  )
  const size = { rows: total, columns: columns.length, page: seen.page }
  const { extend, go, onKey, selection, shift } = useSelection({ kept, show, size })
  const { active } = selection
  useFollowing({ active, columns, rowAt, rowOf, isSettled, shift })
  const range = rangeOf(selection)
  const isNewestFirst = search.sort === undefined && look.groupBy === null
  const sheet: Sheet = useMemo(
    () => ({ app, columns, total, isFormer, isNewestFirst, load }),
    [app, columns, total, isFormer, isNewestFirst, load]
  )
  const actions = useSheet({ app, selection, sheet, rowAt })
  const ticks = useTicks(sheet)
  const editing = useEditing({ app, columns, rowAt, rowOf, grid: table, go })
  const { fillRow, onMouseDown } = useDragging({
    box: seen.element,
    range,
    mayFill: mayEdit,
    go,
    extend,
    fill: actions.fillTo
  })
  useEffect(() => keep(selection), [keep, selection])

  const focus = useCallback(() => table.current?.focus({ preventScroll: true }), [])
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.target !== event.currentTarget) return
    if (onKey(event)) {
      // The first column stays in place: the others come back to it.
      if (event.key === "Home") seen.element?.scrollTo({ left: 0 })
      return
    }
    const record = rowAt(active.row)
    const acts = {
      edit: (typed?: string) => editing.edit(active, typed),
      clear: actions.clear,
      fillDown: actions.fillDown,
      step: actions.step,
      find: () => setFinding(true),
      open: () => record !== undefined && open(record.record_id),
      tick: () => record !== undefined && ticks.tick(active.row, record, false)
    }
    if (gridKey(event, acts)) event.preventDefault()
  }
  const pressed = useRef<CellPlace>(undefined)
  const pointed = useRef<CellPlace>(undefined)
  const onPress = (event: MouseEvent) => {
    const wasActive = isOneCell(range) ? active : undefined
    const clickedCell = onMouseDown(event)
    pressed.current = undefined
    if (clickedCell === undefined) return
    focus()
    const isAgain = isSamePlace(clickedCell, wasActive) && isSamePlace(clickedCell, pointed.current)
    if (!event.shiftKey && (event.detail > 1 || isAgain)) pressed.current = clickedCell
    pointed.current = clickedCell
  }
  /** The first press on a cell chooses it, wherever the keyboard is: typing replaces its value. The next press edits the value. */
  const onClick = (event: MouseEvent) => {
    const from = pressed.current
    if (from !== undefined && isSamePlace(from, placeOf(event.target))) editing.edit(from)
  }
  const latest = useRef({ finish: editing.finish, tick: ticks.tick, open })
  latest.current = { finish: editing.finish, tick: ticks.tick, open }
  const rowActions = useMemo(
    (): RowActions => ({
      done: (...all) => latest.current.finish(...all),
      tick: (...all) => latest.current.tick(...all),
      open: ({ record_id }: RecordRow) => latest.current.open(record_id)
    }),
    []
  )
  const isToFill = (row: number) =>
    fillRow !== undefined && ((row > range.bottom && row <= fillRow) || (row < range.top && row >= fillRow))
  const find = {
    isOpen: isFinding,
    match,
    setMatch,
    close: () => {
      setFinding(false)
      setMatch(undefined)
      focus()
    }
  }
  return {
    ...{ table, mayEdit, drawn, selection, range, sheet, actions, ticks, editing, rowActions, isToFill, find },
    ...{ focus, go, onKeyDown, onPress, onClick, rowAt }
  }
}
export type GridState = ReturnType<typeof useGrid>
