// Asks before records are deleted, and says how they come back.
import type { App, RecordRow } from "../../../api/types.ts"
import { confirmDelete as texts } from "../../../texts/records/grid.ts"
import { Question } from "../../../ui/Question.tsx"
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
  const remove = () =>
    run(async () => {
      await deleteRecords(
        app.app_id,
        records.map(({ record_id }) => record_id)
      )
      onDeleted?.()
      return {
        summary: texts.wordsDeleted(words, records.length),
        problems: []
      }
    })
  return (
    <Question title={texts.deleteWords(words)} yes={texts.delete} onYes={remove} close={close}>
      <p>{texts.trashKeepsWhatIsDeleted}</p>
    </Question>
  )
}
