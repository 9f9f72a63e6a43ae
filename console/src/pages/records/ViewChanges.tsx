// Unsaved changes of a view: kept by this browser, saved to the view or as a new one by who may, or discarded.
import { useMutation, useQueryClient } from "@tanstack/react-query"
import { client } from "../../api/client.ts"
import type { App, View } from "../../api/types.ts"
import { Failure } from "../../ui/states.tsx"
import type { Look } from "./grid/look.ts"
import { lookOfView, viewOfLook } from "./grid/viewLook.ts"
import type { GridSearch } from "./recordQueries.ts"
import { fullSearchOf, viewOfSearch } from "./viewConditions.ts"

const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other)

/** Members that differ from the view as this page has read it: what others change meanwhile stays. An order is one whole. */
const changesOf = (app: App, view: View, search: GridSearch, look: Look) => {
  const { filters, ...order } = viewOfSearch(search, app)
  const { filters: formerFilters, ...formerOrder } = viewOfSearch(fullSearchOf({}, view, app), app)
  const former: { readonly [name: string]: unknown } = { ...viewOfLook(app, lookOfView(view)), filters: formerFilters }
  return {
    ...(isSame(order, formerOrder) ? {} : order),
    ...Object.fromEntries(
      Object.entries({ ...viewOfLook(app, look), filters }).filter(([name, value]) => !isSame(value, former[name]))
    )
  }
}

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
        body: changesOf(app, view, search, look)
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
