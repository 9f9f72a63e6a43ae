// Unsaved changes of a view: kept by this browser, saved to the view or as a new one by who may, or discarded.
import { useMutation, useQueryClient } from "@tanstack/react-query"
import { useState } from "react"
import { client } from "../../api/client.ts"
import type { App, View } from "../../api/types.ts"
import { viewChanges as texts } from "../../texts/records/views.ts"
import { Failure } from "../../ui/states.tsx"
import type { Look } from "./grid/look.ts"
import { lookOfView, viewOfLook } from "./grid/viewLook.ts"
import type { GridSearch } from "./recordQueries.ts"
import { fullSearchOf, viewOfSearch } from "./viewConditions.ts"

const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other)

/** Conditions, order and look of a view, as its members keep them. An order is one whole. */
const partsOf = (app: App, search: GridSearch, look: Look): Readonly<Record<string, object>> => {
  const { filters, ...order } = viewOfSearch(search, app)
  const lookMembers = Object.entries(viewOfLook(app, look)).map(([name, value]) => [name, { [name]: value }])
  return { order, filters: { filters }, ...Object.fromEntries(lookMembers) }
}
const partsOfView = (app: App, view: View) => partsOf(app, fullSearchOf({}, view, app), lookOfView(view))

/** Members that the reader has changed since: what others change of the view meanwhile stays. */
const changesOf = (app: App, firstView: View, view: View, search: GridSearch, look: Look) => {
  const [former, present] = [partsOfView(app, firstView), partsOfView(app, view)]
  const changedParts = Object.entries(partsOf(app, search, look))
    .filter(([name, part]) => !isSame(part, former[name]) && !isSame(part, present[name]))
    .map(([, part]) => part)
  return Object.assign({}, ...changedParts)
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
  /** The view as it was when the reader began to change it. */
  const [firstView] = useState(view)
  const save = useMutation({
    mutationFn: () =>
      client.views.update({
        view_id: view.view_id,
        body: changesOf(app, firstView, view, search, look)
      }),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: ["views", app.app_id] })
      await queries.invalidateQueries({ queryKey: ["records", app.app_id] })
      discard()
    }
  })
  const isOvertaken = !save.isPending && !isSame(partsOfView(app, view), partsOfView(app, firstView))
  const maySave = app.permission_level >= 4
  return (
    <div className="view-changes">
      {maySave && (
        <>
          <button type="button" className="small" disabled={save.isPending} onClick={() => save.mutate()}>
            {texts.saveView}
          </button>
          <button type="button" className="quiet small" onClick={saveAs}>
            {texts.saveAsNewView}
          </button>
        </>
      )}
      <button type="button" className="quiet small" title={texts.showsTheView} onClick={discard}>
        {texts.discardChanges}
      </button>
      {isOvertaken && (
        <p className="note warn" role="status">
          {texts.viewWasChangedMeanwhile(maySave && texts.andSaveViewSaves)}
        </p>
      )}
      {save.isError && <Failure what={texts.viewWasNotSaved} error={save.error} />}
    </div>
  )
}
