// Actions on the ticked rows of a grid: one field of all of them is edited, they are duplicated or deleted; each can be undone.
import { useState } from "react"
import type { App, RecordRow } from "../../../api/types.ts"
import { bulkBar as texts } from "../../../texts/records/grid.ts"
import { Dialog } from "../../../ui/Dialog.tsx"
import { type GridReport, recordsWords } from "../clip/report.ts"
import { duplicateRecords } from "../edits/duplicate.ts"
import { BulkEdit } from "./BulkEdit.tsx"
import { ConfirmDelete } from "./ConfirmDelete.tsx"
import { MOST_TICKED } from "./useTicks.ts"

interface BulkBarProps {
  readonly app: App
  readonly records: ReadonlyArray<RecordRow>
  readonly clear: () => void
  /** Runs an action and reports what became of it. */
  readonly run: (action: () => Promise<GridReport | undefined>) => void
}
export const BulkBar = ({ app, clear, records, run }: BulkBarProps) => {
  const [asked, setAsked] = useState<"edit" | "delete">()
  const close = () => setAsked(undefined)
  const words = recordsWords(records.length)
  return (
    <div className="bulk-bar" role="toolbar" aria-label={texts.selectedRecords}>
      <strong>{texts.wordsSelected(words, records.length === MOST_TICKED && texts.mostAtOnce)}</strong>
      <button type="button" className="quiet small" onClick={() => setAsked("edit")}>
        {texts.editAField}
      </button>
      <button type="button" className="quiet small" onClick={() => run(() => duplicateRecords(app, records))}>
        {texts.duplicate}
      </button>
      <button type="button" className="quiet small" onClick={() => setAsked("delete")}>
        {texts.delete}
      </button>
      <button type="button" className="link" onClick={clear}>
        {texts.clearSelection}
      </button>
      {asked === "edit" && (
        <Dialog title={texts.editWords(words)} close={close}>
          <BulkEdit app={app} records={records} done={close} />
        </Dialog>
      )}
      {asked === "delete" && <ConfirmDelete app={app} records={records} run={run} onDeleted={clear} close={close} />}
    </div>
  )
}
