// The head of a grid: a box that ticks all rows, and the columns, which are sorted, resized, moved by dragging and have a menu.
import { useState } from "react"
import type { App } from "../../../api/types.ts"
import { gridHead as texts } from "../../../texts/records/grid.ts"
import type { GridSearch } from "../recordQueries.ts"
import { HeadCell } from "./HeadCell.tsx"
import { type Column, type Look, moveColumn } from "./look.ts"
import type { DrawnColumns } from "./useColumnWindow.ts"

interface GridHeadProps {
  readonly app: App
  readonly columns: ReadonlyArray<Column>
  readonly drawn: DrawnColumns
  readonly look: Look
  readonly changeLook: (look: Partial<Look>) => void
  readonly search: GridSearch
  readonly change: (next: GridSearch) => void
  readonly openMenu: (column: Column, button: HTMLElement) => void
  /** None if nothing can be ticked. */
  readonly ticks: { readonly state: "none" | "some" | "all"; readonly toggle: () => void } | undefined
}

/** Column whose head is at this point of the screen. */
const columnAt = (x: number): number | undefined => {
  const heads = [...document.querySelectorAll<HTMLElement>("[data-head]")]
  // Columns that stay in place lie over the others.
  const head = heads.find((one) => {
    const { left, right } = one.getBoundingClientRect()
    return x >= left && x < right
  })
  return head === undefined ? undefined : Number(head.dataset["head"])
}

export const GridHead = (props: GridHeadProps) => {
  const { app, change, changeLook, columns, drawn, look, search, ticks } = props
  const [target, setTarget] = useState<{ readonly index: number; readonly edge: "before" | "after" }>()
  const drop = (column: Column, x: number) => {
    setTarget(undefined)
    const to = columnAt(x)
    if (to !== undefined && to !== column.index)
      changeLook({ order: moveColumn(columns, column.index, Math.max(1, to)) })
  }
  const dragOver = (column: Column, x: number) => {
    const index = columnAt(x)
    setTarget(index === undefined ? undefined : { index, edge: index > column.index ? "after" : "before" })
  }
  const cell = (column: Column) => (
    <HeadCell
      key={column.id}
      column={column}
      name={column.field?.external_id ?? "title"}
      isFixed={column.index < drawn.fixed.length}
      isLastFixed={column.index === drawn.fixed.length - 1}
      dropEdge={target?.index === column.index ? target.edge : undefined}
      search={search}
      change={change}
      resize={(id, width) => changeLook({ widths: { ...look.widths, [id]: width } })}
      openMenu={props.openMenu}
      drag={dragOver}
      drop={drop}
    />
  )
  return (
    <thead>
      <tr aria-rowindex={1}>
        <th scope="col" className="row-head" aria-colindex={1}>
          {ticks === undefined ? (
            <span className="unseen">{texts.row}</span>
          ) : (
            <input
              type="checkbox"
              aria-label={texts.selectAllRecordsOf(app.name)}
              checked={ticks.state === "all"}
              ref={(box) => {
                if (box !== null) box.indeterminate = ticks.state === "some"
              }}
              onChange={ticks.toggle}
            />
          )}
        </th>
        {drawn.fixed.map(cell)}
        {drawn.before > 0 && <td role="presentation" />}
        {drawn.shown.map(cell)}
        {drawn.after > 0 && <td role="presentation" />}
      </tr>
    </thead>
  )
}
