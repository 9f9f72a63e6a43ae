// A menu at a place of the page, by Base UI: its first item has the keyboard, arrow keys and first letters walk, Enter takes, Escape and a
// press outside close it. Then the keyboard is where it was before.
import { Menu as Parts } from "@base-ui/react/menu"
import { Fragment, type KeyboardEvent, useEffect, useLayoutEffect, useMemo, useRef, useState } from "react"
import { popupPlaceOf } from "./usePopupPlace.ts"
import "./popup.css"

export interface MenuItem {
  readonly label: string
  /** Keys that do the same. */
  readonly keys?: string | undefined
  readonly isDangerous?: boolean
  readonly isDisabled?: boolean
  /** The menu stays open, since the item is taken several times. */
  readonly isRepeated?: boolean
  /** A line stands before it. */
  readonly beginsGroup?: boolean
  readonly act: () => void
}

interface ItemsProps {
  readonly items: ReadonlyArray<MenuItem>
  readonly close: () => void
}
const Items = ({ close, items }: ItemsProps) => {
  const firstElement = useRef<HTMLDivElement>(null)
  const firstEnabled = items.find(({ isDisabled }) => isDisabled !== true)
  useEffect(() => firstElement.current?.focus({ preventScroll: true }), [])
  return items.map((item) => (
    <Fragment key={item.label}>
      {item.beginsGroup === true && <Parts.Separator className="menu-line" />}
      <Parts.Item
        ref={item === firstEnabled ? firstElement : undefined}
        className={item.isDangerous === true ? "danger-item" : undefined}
        disabled={item.isDisabled === true}
        label={item.label}
        closeOnClick={false}
        // Closed first: what the item opens takes the keyboard after the menu has given it back.
        onClick={() => {
          if (item.isRepeated !== true) close()
          item.act()
        }}
      >
        <span>{item.label}</span>
        {item.keys !== undefined && <kbd>{item.keys}</kbd>}
      </Parts.Item>
    </Fragment>
  ))
}

interface MenuProps extends ItemsProps {
  readonly label: string
  /** Place of its corner, in pixels of the window. */
  readonly x: number
  readonly y: number
}
export const Menu = ({ close, items, label, x, y }: MenuProps) => {
  const [opener] = useState(() => document.activeElement)
  const popup = useRef<HTMLDivElement>(null)
  useLayoutEffect(
    () => () => {
      const isLost =
        document.activeElement === document.body || popup.current?.contains(document.activeElement) === true
      if (isLost && opener instanceof HTMLElement && opener.isConnected) opener.focus({ preventScroll: true })
    },
    [opener]
  )
  const anchor = useMemo(() => ({ getBoundingClientRect: () => new DOMRect(x, y, 0, 0) }), [x, y])
  // The keys of a menu are not those of the grid or board that opened it.
  const onKeyDown = (event: KeyboardEvent) => {
    event.stopPropagation()
    if (event.key !== "Escape" && event.key !== "Tab") return
    event.preventDefault()
    close()
  }
  return (
    <Parts.Root open modal={false} onOpenChange={(isOpen) => !isOpen && close()}>
      <Parts.Portal container={popupPlaceOf(opener)}>
        <Parts.Positioner
          className="popup-place"
          anchor={anchor}
          positionMethod="fixed"
          align="start"
          collisionPadding={4}
          collisionAvoidance={{ side: "flip", align: "shift", fallbackAxisSide: "none" }}
          onKeyDown={onKeyDown}
        >
          <Parts.Popup ref={popup} className="menu" aria-label={label}>
            <Items items={items} close={close} />
          </Parts.Popup>
        </Parts.Positioner>
      </Parts.Portal>
    </Parts.Root>
  )
}
