// Dialogs of a calendar: a new record on a day, all records of a day, the day to which a record goes.
import type { App, Field, RecordRow } from "../../../../api/types.ts"
import { Dialog } from "../../../../ui/Dialog.tsx"
import { AddDialog } from "../AddDialog.tsx"
import { CardLink } from "../Card.tsx"
import { type Day, daysBetween, entriesOfDay, type Span } from "./days.ts"
import { MoveDialog } from "./MoveDialog.tsx"

export type Asked =
  | { readonly kind: "add"; readonly day: Day }
  | { readonly kind: "all"; readonly day: Day }
  | { readonly kind: "move"; readonly record: RecordRow }

interface DialogsProps {
  readonly app: App
  readonly asked: Asked
  readonly spans: ReadonlyArray<Span>
  readonly start: Field
  readonly fields: ReadonlyArray<Field>
  readonly dayWords: (day: Day) => string
  readonly open: (recordId: number) => void
  readonly move: (record: RecordRow, days: number) => void
  readonly close: () => void
}
export const CalendarDialogs = ({ app, asked, close, dayWords, fields, move, open, spans, start }: DialogsProps) => {
  if (asked.kind === "add")
    return (
      <AddDialog
        app={app}
        fields={fields}
        preset={new Map([[start.field_id, entriesOfDay(asked.day)]])}
        close={close}
      />
    )
  if (asked.kind === "all")
    return (
      <Dialog title={dayWords(asked.day)} close={close}>
        <ul className="plain day-list">
          {spans
            .filter(({ from, to }) => from <= asked.day && to >= asked.day)
            .map(({ record }) => (
              <li key={record.record_id}>
                <CardLink
                  app={app}
                  record={record}
                  open={(recordId) => {
                    close()
                    open(recordId)
                  }}
                />
              </li>
            ))}
        </ul>
      </Dialog>
    )
  const { record } = asked
  const span = spans.find((one) => one.record.record_id === record.record_id)
  // The record is on no day that is shown any more.
  if (span === undefined) return null
  return (
    <MoveDialog
      app={app}
      record={record}
      from={span.from}
      close={close}
      move={(from, to) => move(record, daysBetween(from, to))}
    />
  )
}
