// A grid of any number of records and fields: only the rows and columns that are seen are drawn; cells are selected, edited, copied and pasted
// as in a spreadsheet. The keyboard stays at the grid, which names the cell that it is at, so that no row is lost by being scrolled away.
import { useState } from "react"
import { grid as texts } from "../../../texts/records/grid.ts"
import { Dialog } from "../../../ui/Dialog.tsx"
import { Menu } from "../../../ui/Menu.tsx"
import { FieldForm } from "../editors/FieldForm.tsx"
import { loadedRecords, noteChange } from "../edits/changes.ts"
import { AddDialog } from "../layouts/AddDialog.tsx"
import { entriesOfField } from "../writes/CellWrite.ts"
import { AddRow } from "./AddRow.tsx"
import { BulkBar } from "./BulkBar.tsx"
import { ConfirmDelete } from "./ConfirmDelete.tsx"
import { FindBar } from "./FindBar.tsx"
import { GridReportNote } from "./GridReportNote.tsx"
import { GridTable } from "./GridTable.tsx"
import { type Group, takesRecords } from "./groups.ts"
import { type GridProps, useGrid } from "./useGrid.ts"
import { useGridMenus } from "./useGridMenus.ts"

export const Grid = (props: GridProps) => {
  const { app, open } = props
  const state = useGrid(props)
  const { actions, editing, find, mayEdit, sheet, ticks } = state
  const { beside } = editing
  const { close, menu, openCellMenu, openHeadMenu, removed, setRemoved } = useGridMenus(props, state)
  const groupField = app.fields.find(({ field_id }) => field_id === props.look.groupBy)
  const [addedEntries, setAddedEntries] = useState<ReadonlyArray<unknown>>()
  const addTo = (group: Group) =>
    mayEdit && groupField !== undefined && takesRecords(groupField, group)
      ? () => setAddedEntries(group.values)
      : undefined
  const { run } = actions
  const tickedRecords = () => {
    const loaded = loadedRecords(app.app_id)
    return [...ticks.ticked.values()].map((record) => loaded.get(record.record_id) ?? record)
  }
  /** The bar goes, and with it what has the keyboard. */
  const clearTicks = () => {
    ticks.clear()
    state.focus()
  }
  return (
    <div className="sheet">
      {ticks.ticked.size > 0 && <BulkBar app={app} records={tickedRecords()} clear={clearTicks} run={run} />}
      {find.isOpen && <FindBar sheet={sheet} go={state.go} onMatch={find.setMatch} close={find.close} />}
      <GridTable {...props} state={state} openCellMenu={openCellMenu} openHeadMenu={openHeadMenu} addTo={addTo} />
      {mayEdit && <AddRow app={app} run={run} onAdded={open} />}
      <GridReportNote report={actions.report} close={() => actions.setReport(undefined)} />
      {menu !== undefined && <Menu {...menu} close={close} />}
      {removed !== undefined && (
        <ConfirmDelete
          app={app}
          records={[removed]}
          run={run}
          onDeleted={state.focus}
          close={() => setRemoved(undefined)}
        />
      )}
      {addedEntries !== undefined && groupField !== undefined && (
        <AddDialog
          app={app}
          fields={props.columns.flatMap(({ field }) => (field === undefined ? [] : [field]))}
          preset={new Map([[groupField.field_id, addedEntries]])}
          close={() => setAddedEntries(undefined)}
        />
      )}
      {beside !== undefined && (
        <Dialog title={texts.labelOfTitle(beside.field.label, beside.record.title)} close={editing.close}>
          <FieldForm
            record={beside.record}
            field={beside.field}
            cell={beside.record.fields.find(({ field_id }) => field_id === beside.field.field_id)}
            editor={beside.editor}
            done={editing.close}
            onSaved={(before, saved) => {
              const { field, record } = beside
              const { record_id: recordId, revision, title: recordTitle } = record
              const savedEntries = entriesOfField(saved, field)
              noteChange(app.app_id, texts.edit, {
                edits: [{ recordId, recordTitle, field, revision, before, after: savedEntries }]
              })
            }}
          />
        </Dialog>
      )}
    </div>
  )
}
