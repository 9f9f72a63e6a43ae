// A menu at a place of the page: its first item has the keyboard, arrow keys walk, Enter takes, Escape and a press outside close it. Then
// the keyboard is where it was before.
import { type KeyboardEvent, useEffect, useLayoutEffect, useRef } from "react"

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

interface MenuProps {
  readonly label: string
  /** Place of its corner, in pixels of the window. */
  readonly x: number
  readonly y: number
  readonly items: ReadonlyArray<MenuItem>
  readonly close: () => void
}
export const Menu = ({ close, items, label, x, y }: MenuProps) => {
  const element = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    const menu = element.current!
    const opener = document.activeElement
    return () => {
      const isLost = document.activeElement === document.body || menu.contains(document.activeElement)
      if (isLost && opener instanceof HTMLElement && opener.isConnected) opener.focus({ preventScroll: true })
    }
  }, [])
  useLayoutEffect(() => {
    const menu = element.current!
    const { height, width } = menu.getBoundingClientRect()
    menu.style.left = `${Math.max(4, Math.min(x, window.innerWidth - width - 4))}px`
    menu.style.top = `${Math.max(4, Math.min(y, window.innerHeight - height - 4))}px`
    menu.querySelector<HTMLElement>("[role=menuitem]:not(:disabled)")?.focus({ preventScroll: true })
  }, [x, y])
  useEffect(() => {
    const onPress = (event: Event) => !element.current!.contains(event.target as Node) && close()
    window.addEventListener("pointerdown", onPress, true)
    window.addEventListener("blur", close)
    return () => {
      window.removeEventListener("pointerdown", onPress, true)
      window.removeEventListener("blur", close)
    }
  }, [close])
  const onKeyDown = (event: KeyboardEvent) => {
    event.stopPropagation()
    const all = [...element.current!.querySelectorAll<HTMLElement>("[role=menuitem]:not(:disabled)")]
    const at = all.indexOf(document.activeElement as HTMLElement)
    const next = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: all.length - 1 }[event.key]
    if (next !== undefined) all[(next + all.length) % all.length]?.focus()
    else if (event.key === "Escape" || event.key === "Tab") close()
    else return
    event.preventDefault()
  }
  return (
    <div className="menu" role="menu" aria-label={label} ref={element} onKeyDown={onKeyDown} tabIndex={-1}>
      {items.map(({ act, beginsGroup, isDangerous, isDisabled, isRepeated, keys, label: words }) => (
        <button
          key={words}
          type="button"
          role="menuitem"
          tabIndex={-1}
          disabled={isDisabled}
          className={[isDangerous ? "danger-item" : "", beginsGroup ? "group" : ""].join(" ").trim() || undefined}
          onClick={() => {
            if (isRepeated !== true) close()
            act()
          }}
        >
          <span>{words}</span>
          {keys !== undefined && <kbd>{keys}</kbd>}
        </button>
      ))}
    </div>
  )
}
