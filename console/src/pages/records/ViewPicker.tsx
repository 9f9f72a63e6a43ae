// Saved views of an app: chosen from a list, kept from what the grid shows now.
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query"
import { useState } from "react"
import { client } from "../../api/client.ts"
import type { App } from "../../api/types.ts"
import { Dialog } from "../../ui/Dialog.tsx"
import { Failure } from "../../ui/states.tsx"
import { type GridSearch, viewsOf } from "./recordQueries.ts"

interface ViewPickerProps {
  readonly app: App
  readonly search: GridSearch
  readonly change: (next: GridSearch) => void
}

const SaveView = ({ app, search, change, close }: ViewPickerProps & { readonly close: () => void }) => {
  const [name, setName] = useState("")
  const queries = useQueryClient()
  const sortBy = app.fields.find(({ external_id }) => external_id === search.sort)?.field_id
  const save = useMutation({
    mutationFn: () =>
      client.views.create({
        app_id: app.app_id,
        body: {
          name,
          layout: "table",
          filters: [...(search.filters ?? [])],
          ...(sortBy === undefined ? {} : { sort_by: sortBy, sort_desc: search.desc === true })
        }
      }),
    onSuccess: async ({ view }) => {
      await queries.invalidateQueries({ queryKey: ["views", app.app_id] })
      close()
      change({ view: view.view_id })
    }
  })
  return (
    <Dialog title="Save as a view" close={close}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          save.mutate()
        }}
      >
        <p className="muted">Everybody who sees the app can choose it. It keeps the conditions and the order.</p>
        <div className="field">
          <label htmlFor="view-name">Name</label>
          <input
            id="view-name"
            required
            maxLength={200}
            value={name}
            onChange={(event) => setName(event.target.value)}
          />
        </div>
        {save.isError && <Failure what="The view was not saved." error={save.error} />}
        <button type="submit" disabled={save.isPending}>
          Save view
        </button>
      </form>
    </Dialog>
  )
}

export const ViewPicker = (props: ViewPickerProps) => {
  const { app, change, search } = props
  const { data } = useQuery(viewsOf(app.app_id))
  const [saving, setSaving] = useState(false)
  const own = (search.filters ?? []).length > 0 || search.sort !== undefined
  return (
    <>
      <label className="unseen" htmlFor="view">
        View
      </label>
      <select
        id="view"
        className="short"
        value={search.view ?? ""}
        onChange={({ target }) => change(target.value === "" ? {} : { view: Number(target.value) })}
      >
        <option value="">{own ? "Your own conditions" : "All records"}</option>
        {data?.views.map(({ name, view_id }) => (
          <option key={view_id} value={view_id}>
            {name}
          </option>
        ))}
      </select>
      {own && search.view === undefined && (
        <button type="button" className="quiet small" onClick={() => setSaving(true)}>
          Save as view
        </button>
      )}
      {saving && <SaveView {...props} close={() => setSaving(false)} />}
    </>
  )
}
