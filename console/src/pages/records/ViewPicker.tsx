// Saved views of an app: chosen from a list, and kept from what the grid shows now.
import { useQuery } from "@tanstack/react-query"
import { useState } from "react"
import type { App, View } from "../../api/types.ts"
import { viewPicker as texts } from "../../texts/records/views.ts"
import { type Choice, ChoiceOfMany } from "../../ui/ChoiceOfMany.tsx"
import { icons } from "../../ui/icons.tsx"
import type { Look } from "./grid/look.ts"
import type { layoutOfView } from "./layouts/layoutFields.ts"
import { type GridSearch, viewsOf } from "./recordQueries.ts"
import { ViewChanges } from "./ViewChanges.tsx"
import { ChangeView, SaveView } from "./ViewForms.tsx"

interface ViewPickerProps {
  readonly app: App
  /** The view that is shown, once it is loaded. */
  readonly view: View | undefined
  /** Search of the grid, all conditions named. */
  readonly search: GridSearch
  readonly look: Look
  readonly layout: ReturnType<typeof layoutOfView>
  /** Conditions, order or look are other than those of the view, or of all records. */
  readonly isChanged: boolean
  readonly discard: () => void
  readonly change: (next: GridSearch) => void
}

export const ViewPicker = (props: ViewPickerProps) => {
  const { app, change, discard, isChanged, look, search, view } = props
  const { data } = useQuery(viewsOf(app.app_id))
  const [open, setOpen] = useState<"save" | "change">()
  const mayChange = app.permission_level >= 4
  const hasConditions = (search.filters ?? []).length > 0 || search.sort !== undefined
  const close = () => setOpen(undefined)
  const isListed = data?.views.some(({ view_id }) => view_id === search.view)
  const choices: ReadonlyArray<Choice> = [
    // The empty choice: without it the list would read as if all records were chosen already, and could not be left.
    ...(search.view !== undefined && isListed === false ? [[search.view, texts.deletedOrPrivateView] as const] : []),
    ...(data?.views ?? []).map(
      (one) => [one.view_id, `${one.name}${one.is_default ? texts.default : one.private ? texts.private : ""}`] as const
    )
  ]
  return (
    <>
      <label className="unseen" htmlFor="view">
        {texts.view}
      </label>
      <ChoiceOfMany
        id="view"
        className="short"
        choices={choices}
        value={search.view ?? null}
        none={hasConditions && search.view === undefined ? texts.yourOwnConditions : texts.allRecords}
        onChange={(viewId) => change(viewId === undefined ? {} : { view: viewId })}
      />
      {mayChange && isChanged && search.view === undefined && (
        <button type="button" className="quiet small" onClick={() => setOpen("save")}>
          {texts.saveAsView}
        </button>
      )}
      {isChanged && view !== undefined && (
        <ViewChanges
          key={view.view_id}
          app={app}
          view={view}
          search={search}
          look={look}
          saveAs={() => setOpen("save")}
          discard={() => {
            discard()
            change({ view: view.view_id })
          }}
        />
      )}
      {/* Its maker deletes a private view without rights to change views. */}
      {(mayChange || view?.private === true) && view !== undefined && (
        <button
          type="button"
          className="quiet small icon-button"
          aria-label={texts.changeView}
          title={texts.changeView}
          onClick={() => setOpen("change")}
        >
          {icons.more}
        </button>
      )}
      {open === "save" && <SaveView {...props} close={close} />}
      {open === "change" && view !== undefined && <ChangeView app={app} change={change} view={view} close={close} />}
    </>
  )
}
