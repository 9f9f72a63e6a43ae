// The table of a grid: its head, the rows that are seen, and the events that it takes.
import { type ClipboardEvent, type MouseEvent, useId, useMemo } from "react"
import { gridTable as texts } from "../../../texts/records/grid.ts"
import { shortcutsKey } from "../../../ui/Shortcuts.tsx"
import type { CellWrite } from "../writes/CellWrite.ts"
import { useWrites } from "../writes/writeStore.ts"
import { GridHead } from "./GridHead.tsx"
import { GridRow } from "./GridRow.tsx"
import { GroupHead } from "./GroupHead.tsx"
import type { Group } from "./groups.ts"
import type { Column } from "./look.ts"
import { selectionWords } from "./selection.ts"
import { ROW_HEAD } from "./useColumnWindow.ts"
import type { GridProps, GridState } from "./useGrid.ts"
import { useRowHeight } from "./useRowHeight.ts"

const noWrites: ReadonlyArray<CellWrite> = []

/** The event is of a text that is typed into a cell. It may come from any cell, where the browser's own selection is. */
const isText = ({ target }: ClipboardEvent) => (target as Element).closest("input, select, textarea") !== null

interface GridTableProps extends GridProps {
  readonly state: GridState
  readonly openCellMenu: (event: MouseEvent) => void
  /** Adds a record to a group; undefined where none can begin in it. */
  readonly addTo?: (group: Group) => (() => void) | undefined
  readonly openHeadMenu: (column: Column, button: HTMLElement) => void
}
export const GridTable = (props: GridTableProps) => {
  const { app, look, rows, seen, state } = props
  const id = useId()
  const cellWrites = useWrites()
  const writesByRecord = useMemo(() => Map.groupBy(cellWrites, ({ recordId }) => recordId), [cellWrites])
  const { actions, drawn, editing, find, isToFill, mayEdit, range, selection, ticks } = state
  const { active } = selection
  const { after, before, box, first, last } = seen
  const isDrawn =
    rows.lineOf(active.row) >= first &&
    rows.lineOf(active.row) < last &&
    [...drawn.fixed, ...drawn.shown].some(({ index }) => index === active.column)
  const columns = [
    ...drawn.fixed,
    { id: "before", width: drawn.before },
    ...drawn.shown,
    { id: "after", width: drawn.after }
  ]
  const height = useRowHeight(look.rowHeight)
  const renderLine = (at: number) => {
    const content = rows.lineAt(at)
    if (typeof content === "number") return row(content, at)
    const width = 1 + columns.filter(({ width }) => width > 0).length
    return (
      <GroupHead
        key={`group ${content.group.key}`}
        span={content}
        height={height}
        width={width}
        toggle={props.toggleGroup!}
        add={props.addTo?.(content.group)}
      />
    )
  }
  const row = (index: number, line: number) => {
    const record = rows.rowAt(index)
    const isInRange = (index >= range.top && index <= range.bottom) || isToFill(index)
    return (
      <GridRow
        key={editing.editing?.row === index ? "edited" : index}
        id={id}
        app={app}
        drawn={drawn}
        index={index}
        line={line}
        height={height}
        record={record}
        active={active.row === index ? active.column : undefined}
        from={isInRange ? range.left : undefined}
        to={isInRange ? range.right : undefined}
        hasHandle={mayEdit && index === range.bottom && editing.editing === undefined}
        isToFill={isToFill(index)}
        editing={editing.editing?.row === index ? editing.editing : undefined}
        writes={(record && writesByRecord.get(record.record_id)) ?? noWrites}
        isTicked={record !== undefined && ticks.ticked.has(record.record_id)}
        mayTick={mayEdit}
        match={find.match?.row === index ? find.match.column : undefined}
        actions={state.rowActions}
      />
    )
  }
  return (
    <>
      <section className="gridbox" ref={box} aria-label={texts.recordsOf(app.name)}>
        <table
          ref={state.table}
          // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: a table that is walked and edited by cells is a grid
          role="grid"
          className={`records rows-${look.rowHeight}`}
          style={{ width: ROW_HEAD + drawn.width }}
          tabIndex={0}
          aria-label={texts.recordsOf(app.name)}
          aria-describedby={`${id}-keys`}
          aria-rowcount={rows.lines + 1}
          aria-colcount={props.columns.length + 1}
          aria-multiselectable
          aria-readonly={!mayEdit}
          aria-activedescendant={isDrawn ? `${id}-${active.row}-${active.column}` : undefined}
          onKeyDown={state.onKeyDown}
          onMouseDown={state.onPress}
          onClick={state.onClick}
          onContextMenu={props.openCellMenu}
          onCopy={(event) => !isText(event) && actions.copy(event)}
          onCut={(event) => !isText(event) && actions.cut(event)}
          onPaste={(event) => {
            if (isText(event)) return
            event.preventDefault()
            actions.paste(event)
          }}
        >
          <colgroup>
            <col style={{ width: ROW_HEAD }} />
            {columns.map(({ id, width }) => width > 0 && <col key={id} style={{ width }} />)}
          </colgroup>
          <GridHead
            app={app}
            columns={props.columns}
            drawn={drawn}
            look={look}
            changeLook={props.changeLook}
            search={props.search}
            change={props.change}
            openMenu={props.openHeadMenu}
            ticks={mayEdit ? { state: ticks.state, toggle: ticks.toggleAll } : undefined}
          />
          <tbody>
            {before > 0 && <tr className="spacer" style={{ height: before }} />}
            {Array.from({ length: last - first }, (_, at) => renderLine(first + at))}
            {after > 0 && <tr className="spacer" style={{ height: after }} />}
          </tbody>
        </table>
      </section>
      <p className="grid-keys">
        <small id={`${id}-keys`}>
          {texts.shortcutsKeyShowsAllShortcuts(
            mayEdit ? texts.arrowsMoveEnterEditsSpace : texts.arrowsMoveSpaceOpens,
            shortcutsKey
          )}
        </small>
        <output className="selection-words">{selectionWords(range)}</output>
      </p>
    </>
  )
}
