// Unsaved changes of a view: kept by this browser, saved to the view or as a new one by who may, or discarded.
import { useMutation, useQueryClient } from "@tanstack/react-query"
import { client } from "../../api/client.ts"
import type { App, View } from "../../api/types.ts"
import { Failure } from "../../ui/states.tsx"
import type { Look } from "./grid/look.ts"
import { viewOfLook } from "./grid/viewLook.ts"
import type { GridSearch } from "./recordQueries.ts"
import { viewOfSearch } from "./viewConditions.ts"

interface ViewChangesProps {
  readonly app: App
  readonly view: View
  readonly search: GridSearch
  readonly look: Look
  /** Opens the form of a new view. */
  readonly saveAs: () => void
  readonly discard: () => void
}
export const ViewChanges = ({ app, discard, look, saveAs, search, view }: ViewChangesProps) => {
  const queries = useQueryClient()
  const save = useMutation({
    mutationFn: () =>
      client.views.update({
        view_id: view.view_id,
        body: { ...viewOfSearch(search, app), ...viewOfLook(app, look) }
      }),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: ["views", app.app_id] })
      await queries.invalidateQueries({ queryKey: ["records", app.app_id] })
      discard()
    }
  })
  const maySave = app.permission_level >= 4
  return (
    <>
      {maySave && (
        <>
          <button type="button" className="small" disabled={save.isPending} onClick={() => save.mutate()}>
            Save view
          </button>
          <button type="button" className="quiet small" onClick={saveAs}>
            Save as new view
          </button>
        </>
      )}
      <button
        type="button"
        className="quiet small"
        title="Shows the view as it is saved; until then this browser keeps your changes."
        onClick={discard}
      >
        Discard changes
      </button>
      {save.isError && <Failure what="The view was not saved." error={save.error} />}
    </>
  )
}
