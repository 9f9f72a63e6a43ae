// The head of a column: its name sorts, its menu has the rest; dragged it changes its place, its right edge the width.
import { type PointerEvent, useRef, useState } from "react"
import { headCell as texts } from "../../../texts/records/grid.ts"
import { FieldIcon } from "../../../ui/FieldIcon.tsx"
import { icons } from "../../../ui/icons.tsx"
import type { GridSearch } from "../recordQueries.ts"
import { type Column, clampWidth } from "./look.ts"

interface HeadCellProps {
  readonly column: Column
  /** Name by which the API sorts. */
  readonly name: string
  readonly isFixed: boolean
  readonly isLastFixed: boolean
  /** Edge of this column at which a dragged one would come. */
  readonly dropEdge: "before" | "after" | undefined
  readonly search: GridSearch
  readonly change: (next: GridSearch) => void
  readonly resize: (id: number, width: number) => void
  readonly openMenu: (column: Column, button: HTMLElement) => void
  /** The column is dragged to this point of the screen. */
  readonly drag: (column: Column, x: number) => void
  readonly drop: (column: Column, x: number) => void
}

/** Pixels by which a press becomes a drag. */
const THRESHOLD = 6

export const HeadCell = (props: HeadCellProps) => {
  const { change, column, name, search } = props
  const sorted = search.sort === name
  const start = useRef<{ readonly x: number; readonly width: number; isDrag: boolean }>(undefined)
  const [isResizing, setResizing] = useState(false)
  const sortNext = () => {
    const isDrag = start.current?.isDrag
    start.current = undefined
    if (isDrag === true) return
    const { sort: _, desc: __, ...rest } = search
    if (!sorted) return change({ ...rest, sort: name })
    change(search.desc === true ? rest : { ...rest, sort: name, desc: true })
  }
  const begin = (event: PointerEvent<HTMLElement>) => {
    if (event.button !== 0 || event.pointerType === "touch") return
    start.current = { x: event.clientX, width: column.width, isDrag: false }
  }
  const onMove = (event: PointerEvent<HTMLElement>) => {
    if (start.current === undefined || event.buttons === 0 || column.index === 0) return
    if (!start.current.isDrag && Math.abs(event.clientX - start.current.x) < THRESHOLD) return
    if (!start.current.isDrag) event.currentTarget.setPointerCapture(event.pointerId)
    start.current.isDrag = true
    props.drag(column, event.clientX)
  }
  const onUp = (event: PointerEvent<HTMLElement>) => {
    if (start.current?.isDrag === true) props.drop(column, event.clientX)
  }
  const resizeTo = (event: PointerEvent<HTMLElement>) => {
    if (!isResizing || start.current === undefined) return
    props.resize(column.id, clampWidth(start.current.width + event.clientX - start.current.x))
  }
  const classes = [
    props.isFixed ? "fixed" : "",
    props.isLastFixed ? "fixed-end" : "",
    props.dropEdge === undefined ? "" : `drop-${props.dropEdge}`
  ].filter((one) => one !== "")
  return (
    <th
      scope="col"
      aria-colindex={column.index + 2}
      data-head={column.index}
      aria-sort={sorted ? (search.desc === true ? "descending" : "ascending") : "none"}
      className={classes.length === 0 ? undefined : classes.join(" ")}
      style={props.isFixed ? { left: `calc(var(--row-head) + ${column.start}px)` } : undefined}
    >
      <div className="head-cell">
        <button
          type="button"
          className="sort"
          title={column.label}
          onClick={sortNext}
          onPointerDown={begin}
          onPointerMove={onMove}
          onPointerUp={onUp}
        >
          {column.field !== undefined && <FieldIcon type={column.field.field_type} size={14} />}
          <span className="head-label">{column.label}</span>
          {sorted && <span aria-hidden="true">{search.desc === true ? "↓" : "↑"}</span>}
        </button>
        <button
          type="button"
          className="head-menu"
          aria-label={texts.optionsOfLabel(column.label)}
          aria-haspopup="menu"
          onClick={({ currentTarget }) => props.openMenu(column, currentTarget)}
        >
          {icons.down}
        </button>
      </div>
      <div
        className="resizer"
        aria-hidden="true"
        onPointerDown={(event) => {
          event.preventDefault()
          event.currentTarget.setPointerCapture(event.pointerId)
          start.current = { x: event.clientX, width: column.width, isDrag: false }
          setResizing(true)
        }}
        onPointerMove={resizeTo}
        onPointerUp={() => setResizing(false)}
      />
    </th>
  )
}
