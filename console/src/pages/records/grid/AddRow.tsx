// The last row of a grid, which adds a record; one that needs values first opens its form.
import { useNavigate } from "@tanstack/react-router"
import type { App } from "../../../api/types.ts"
import { addRow as texts } from "../../../texts/records/grid.ts"
import type { GridReport } from "../clip/report.ts"
import { addRecord } from "../edits/addRecord.ts"

interface AddRowProps {
  readonly app: App
  readonly run: (action: () => Promise<GridReport | undefined>) => void
  readonly onAdded: (recordId: number) => void
}
export const AddRow = ({ app, onAdded, run }: AddRowProps) => {
  const navigate = useNavigate()
  const add = () =>
    run(async () => {
      const id = await addRecord(app)
      if (id === undefined) await navigate({ to: "/apps/$appId/new", params: { appId: String(app.app_id) } })
      else onAdded(id)
      return undefined
    })
  return (
    <button type="button" className="add-row" onClick={add}>
      {texts.newItemName(app.item_name.toLowerCase())}
    </button>
  )
}
