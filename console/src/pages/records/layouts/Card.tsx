// A record as a card: its title, which opens it, and its first values; a menu for who may move it.
import { Link } from "@tanstack/react-router"
import type { MouseEvent, ReactNode } from "react"
import type { App, Field, RecordRow } from "../../../api/types.ts"
import { card as texts } from "../../../texts/records/layouts.ts"
import { icons } from "../../../ui/icons.tsx"
import { ShortValue } from "../../../ui/values.tsx"
import type { CellWrite } from "../writes/CellWrite.ts"
import { cellOf } from "./seenCells.ts"

export const titleOf = (app: App, { app_record_id, title }: RecordRow) =>
  title === "" ? `${app.item_name} ${app_record_id}` : title

interface CardLinkProps {
  readonly app: App
  readonly record: RecordRow
  readonly open: (recordId: number) => void
  readonly isTabStop?: boolean
  readonly describedBy?: string | undefined
  readonly children?: ReactNode
}
/** Opens the record beside the layout; with Ctrl or a middle press its page in another tab. */
export const CardLink = ({ app, children, describedBy, isTabStop = true, open, record }: CardLinkProps) => (
  <Link
    className="card-link"
    to="/records/$recordId"
    params={{ recordId: String(record.record_id) }}
    preload={false}
    draggable={false}
    data-opens={record.record_id}
    tabIndex={isTabStop ? undefined : -1}
    aria-describedby={describedBy}
    onClick={(event) => {
      if (event.ctrlKey || event.metaKey || event.shiftKey) return
      event.preventDefault()
      open(record.record_id)
    }}
  >
    {children ?? titleOf(app, record)}
  </Link>
)

/** States of unsaved cells, the one that asks for its author first. */
export const writeState = (writes: ReadonlyArray<CellWrite> | undefined) =>
  writes?.find(({ state }) => state.kind !== "waiting")?.state.kind ?? writes?.[0]?.state.kind

interface CardProps extends CardLinkProps {
  readonly fields: ReadonlyArray<Field>
  readonly writes: ReadonlyArray<CellWrite> | undefined
  readonly openMenu?: ((event: MouseEvent<HTMLElement>, record: RecordRow) => void) | undefined
  readonly isDragged?: boolean
  readonly isCarried?: boolean
}
export const Card = ({ fields, isCarried = false, isDragged = false, openMenu, writes, ...link }: CardProps) => {
  const { app, record } = link
  return (
    <li
      className="record-card"
      data-card={record.record_id}
      data-write={writeState(writes)}
      data-dragged={isDragged || undefined}
      data-carried={isCarried || undefined}
      onContextMenu={openMenu && ((event) => openMenu(event, record))}
    >
      <div className="card-head">
        <CardLink {...link} />
        {openMenu !== undefined && (
          <button
            type="button"
            className="card-menu"
            tabIndex={-1}
            aria-label={texts.actionsOnTitle(titleOf(app, record))}
            onClick={(event) => openMenu(event, record)}
          >
            {icons.more}
          </button>
        )}
      </div>
      <CardValues fields={fields} record={record} />
    </li>
  )
}

interface CardValuesProps {
  readonly fields: ReadonlyArray<Field>
  readonly record: RecordRow
}
/** A card has room for so many. */
const MOST_VALUES = 4

/** The first values that the record has, with their labels. */
export const CardValues = ({ fields, record }: CardValuesProps) => {
  const shownFields = fields.filter((field) => (cellOf(record, field)?.values.length ?? 0) > 0).slice(0, MOST_VALUES)
  if (shownFields.length === 0) return null
  return (
    <dl className="card-values">
      {shownFields.map((field) => (
        <div key={field.field_id}>
          <dt>{field.label}</dt>
          <dd>
            <ShortValue cell={cellOf(record, field)} field={field} />
          </dd>
        </div>
      ))}
    </dl>
  )
}
