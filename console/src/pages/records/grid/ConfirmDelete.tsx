// Asks before records are deleted, and says how they come back.
import type { App, RecordRow } from "../../../api/types.ts"
import { Dialog } from "../../../ui/Dialog.tsx"
import { type GridReport, recordsWords } from "../clip/report.ts"
import { deleteRecords } from "../edits/changes.ts"

interface ConfirmDeleteProps {
  readonly app: App
  readonly records: ReadonlyArray<RecordRow>
  readonly run: (action: () => Promise<GridReport | undefined>) => void
  readonly onDeleted?: () => void
  readonly close: () => void
}
export const ConfirmDelete = ({ app, close, onDeleted, records, run }: ConfirmDeleteProps) => {
  const words = recordsWords(records.length)
  const remove = () => {
    close()
    run(async () => {
      await deleteRecords(
        app.app_id,
        records.map(({ record_id }) => record_id)
      )
      onDeleted?.()
      return {
        summary: `${words} deleted. Undo (Ctrl+Z) restores ${records.length === 1 ? "it" : "them"}.`,
        problems: []
      }
    })
  }
  return (
    <Dialog title={`Delete ${words}?`} close={close}>
      <p>The trash keeps what is deleted for 30 days.</p>
      <div className="buttons">
        <button type="button" className="danger" onClick={remove}>
          Delete
        </button>
        <button type="button" className="quiet" data-cancel onClick={close}>
          Cancel
        </button>
      </div>
    </Dialog>
  )
}
