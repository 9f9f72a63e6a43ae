// The menu of a card in a layout: opened by its button, the other button of the mouse or the keyboard; once it is closed, the card has the
// keyboard again.
import { type MouseEvent, type RefObject, useCallback, useState } from "react"
import type { RecordRow } from "../../../api/types.ts"
import { useCardMenu as texts } from "../../../texts/records/layouts.ts"
import { Menu, type MenuItem } from "../../../ui/Menu.tsx"
import { focusCard } from "./useFollowedCard.ts"

interface OpenMenu {
  readonly x: number
  readonly y: number
  readonly record: RecordRow
}

export const useCardMenu = (box: RefObject<HTMLElement | null>) => {
  const [menu, setMenu] = useState<OpenMenu>()
  const openBelow = useCallback((record: RecordRow, element: Element) => {
    const { bottom, left } = element.getBoundingClientRect()
    setMenu({ x: left, y: bottom, record })
  }, [])
  const openAt = useCallback(
    (event: MouseEvent<HTMLElement>, record: RecordRow) => {
      event.preventDefault()
      if (event.type === "click") openBelow(record, event.currentTarget)
      else setMenu({ x: event.clientX, y: event.clientY, record })
    },
    [openBelow]
  )
  const recordId = menu?.record.record_id
  const close = useCallback(() => {
    setMenu(undefined)
    if (recordId !== undefined) focusCard(box.current, recordId)
  }, [box, recordId])
  const menuWith = (itemsOf: (record: RecordRow) => ReadonlyArray<MenuItem>) =>
    menu !== undefined && (
      <Menu label={texts.actionsOnTheRecord} x={menu.x} y={menu.y} items={itemsOf(menu.record)} close={close} />
    )
  return { openAt, openBelow, menuWith }
}
