// Moves a record to a day that is chosen, for who does not drag.
import { useId, useState } from "react"
import type { App, RecordRow } from "../../../../api/types.ts"
import { moveDialog as texts } from "../../../../texts/records/layoutsCalendar.ts"
import { Dialog } from "../../../../ui/Dialog.tsx"
import { titleOf } from "../Card.tsx"
import type { Day } from "./days.ts"

interface MoveProps {
  readonly app: App
  readonly record: RecordRow
  readonly from: Day
  readonly close: () => void
  readonly move: (from: Day, to: Day) => void
}
export const MoveDialog = ({ app, close, from, move, record }: MoveProps) => {
  const id = useId()
  const [first] = useState(from)
  const [day, setDay] = useState(from)
  return (
    <Dialog title={texts.moveTitle(titleOf(app, record))} close={close}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          move(first, day)
          close()
        }}
      >
        <div className="field">
          <label htmlFor={id}>{texts.day}</label>
          <input id={id} type="date" required value={day} onChange={({ target }) => setDay(target.value)} />
          <small>{texts.timeOfDayStays}</small>
        </div>
        <button type="submit">{texts.move}</button>
      </form>
    </Dialog>
  )
}
