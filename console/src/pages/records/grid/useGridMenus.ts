// The menus of a grid as they are opened: by the right button or its key at a cell, by the button of a column's head.
import { useNavigate } from "@tanstack/react-router"
import { type MouseEvent, useCallback, useState } from "react"
import type { RecordRow } from "../../../api/types.ts"
import { useGridMenus as texts } from "../../../texts/records/gridWords.ts"
import type { MenuItem } from "../../../ui/Menu.tsx"
import { cellMenu, headMenu } from "./gridMenus.ts"
import type { Column } from "./look.ts"
import { placeOf } from "./useDragging.ts"
import type { GridProps, GridState } from "./useGrid.ts"

interface OpenMenu {
  readonly label: string
  readonly x: number
  readonly y: number
  /** Column of a head; without it the menu is of the active cell. */
  readonly column?: number
  readonly opener?: HTMLElement
}
interface ShownMenu extends OpenMenu {
  readonly items: ReadonlyArray<MenuItem>
}

export const useGridMenus = (props: GridProps, state: GridState) => {
  const { app, change, changeLook, columns, filterBy, look, open, search } = props
  const { actions, go, mayEdit, range, rowAt, selection, ticks } = state
  const navigate = useNavigate()
  const [opened, setOpened] = useState<OpenMenu>()
  const [removed, setRemoved] = useState<RecordRow>()
  const opener = opened?.opener
  const { focus } = state
  const close = useCallback(() => {
    setOpened(undefined)
    if (opener === undefined) focus()
    else opener.focus({ preventScroll: true })
  }, [opener, focus])

  const openCellMenu = (event: MouseEvent) => {
    const target = event.target as Element
    const cellPlace = placeOf(target)
    if (target.closest("thead, .cell-editor, a") !== null) return
    event.preventDefault()
    const isInRange =
      cellPlace !== undefined &&
      cellPlace.row >= range.top &&
      cellPlace.row <= range.bottom &&
      cellPlace.column >= range.left &&
      cellPlace.column <= range.right
    if (cellPlace !== undefined && !isInRange) go(cellPlace)
    // A key says no place: the menu opens at the active cell.
    const box = event.button === 2 && cellPlace !== undefined ? undefined : activeBox()
    setOpened({ label: texts.cell, x: box?.left ?? event.clientX, y: box?.bottom ?? event.clientY })
  }
  const activeBox = () => document.querySelector("[role=grid] [data-active]")?.getBoundingClientRect()
  const openHeadMenu = (column: Column, button: HTMLElement) => {
    const { bottom, left } = button.getBoundingClientRect()
    setOpened({ label: texts.optionsOfLabel(column.label), x: left, y: bottom, column: column.id, opener: button })
  }
  const cellItems = () => {
    const record = rowAt(selection.active.row)
    return cellMenu(record, mayEdit, {
      copy: actions.copyLater,
      cut: actions.cutLater,
      paste: actions.pasteLater,
      clear: actions.clear,
      fillDown: actions.fillDown,
      open: () => record !== undefined && open(record.record_id),
      tick: () => record !== undefined && ticks.tick(selection.active.row, record, false),
      duplicate: () => record !== undefined && actions.duplicate([record]),
      remove: () => setRemoved(record)
    })
  }
  const headItems = (id: number) => {
    const column = columns.find((one) => one.id === id)
    return column === undefined
      ? []
      : headMenu({
          ...{ app, column, columns, look, changeLook, search, change, filterBy },
          editField: () => void navigate({ to: "/apps/$appId/settings", params: { appId: String(app.app_id) } })
        })
  }
  const menu: ShownMenu | undefined = opened && {
    ...opened,
    items: opened.column === undefined ? cellItems() : headItems(opened.column)
  }
  return { menu, close, openCellMenu, openHeadMenu, removed, setRemoved }
}
