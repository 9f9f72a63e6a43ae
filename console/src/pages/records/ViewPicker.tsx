// Saved views of an app: chosen from a list, kept from what the grid shows now; renamed, made the first choice and deleted by who may.
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query"
import { useState } from "react"
import { client } from "../../api/client.ts"
import type { App } from "../../api/types.ts"
import { Confirm } from "../../ui/Confirm.tsx"
import { Dialog } from "../../ui/Dialog.tsx"
import { Failure } from "../../ui/states.tsx"
import { type GridSearch, viewsOf } from "./recordQueries.ts"

interface ViewPickerProps {
  readonly app: App
  readonly search: GridSearch
  readonly change: (next: GridSearch) => void
}

interface NameFormProps {
  readonly first: string
  readonly button: string
  readonly busy: boolean
  readonly error: unknown
  readonly send: (name: string) => void
}
const NameForm = ({ first, button, busy, error, send }: NameFormProps) => {
  const [name, setName] = useState(first)
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        send(name.trim())
      }}
    >
      <div className="field">
        <label htmlFor="view-name">Name</label>
        <input
          id="view-name"
          required
          maxLength={200}
          autoComplete="off"
          value={name}
          onChange={(event) => setName(event.target.value)}
        />
      </div>
      {error != null && <Failure what="The view was not saved." error={error} />}
      <button type="submit" disabled={busy}>
        {button}
      </button>
    </form>
  )
}

const SaveView = ({ app, search, change, close }: ViewPickerProps & { readonly close: () => void }) => {
  const queries = useQueryClient()
  const sortBy = app.fields.find(({ external_id }) => external_id === search.sort)?.field_id
  const save = useMutation({
    mutationFn: (name: string) =>
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
      <p className="muted">Everybody who sees the app can choose it. It keeps the conditions and the order.</p>
      <NameForm first="" button="Save view" busy={save.isPending} error={save.error} send={save.mutate} />
    </Dialog>
  )
}

interface ChangeViewProps extends ViewPickerProps {
  readonly view: { readonly view_id: number; readonly name: string; readonly is_default: boolean }
  readonly close: () => void
}
const ChangeView = ({ app, change, close, view }: ChangeViewProps) => {
  const { is_default, name, view_id } = view
  const queries = useQueryClient()
  const onSuccess = async () => {
    await queries.invalidateQueries({ queryKey: ["views", app.app_id] })
    close()
  }
  const rename = useMutation({
    mutationFn: (next: string) => client.views.update({ view_id, body: { name: next } }),
    onSuccess
  })
  const prefer = useMutation({ mutationFn: () => client.views.makeDefault({ view_id }), onSuccess })
  const remove = useMutation({
    mutationFn: () => client.views.remove({ view_id }),
    onSuccess: async () => {
      change({})
      await onSuccess()
    }
  })
  return (
    <Dialog title={`The view ${name}`} close={close}>
      <NameForm first={name} button="Rename" busy={rename.isPending} error={rename.error} send={rename.mutate} />
      <div className="buttons">
        {is_default ? (
          <p className="muted">It is the default view of the app, which cannot be deleted.</p>
        ) : (
          <>
            <button type="button" className="quiet small" disabled={prefer.isPending} onClick={() => prefer.mutate()}>
              Set as default
            </button>
            <Confirm
              label="Delete the view"
              title={`Delete the view ${name}?`}
              yes="Delete it"
              busy={remove.isPending}
              onYes={remove.mutate}
            >
              <p>Its records stay. Automations that collect what it shows would find nothing more.</p>
            </Confirm>
          </>
        )}
      </div>
      {prefer.isError && <Failure what="It was not made the default." error={prefer.error} />}
      {remove.isError && <Failure what="It was not deleted." error={remove.error} />}
    </Dialog>
  )
}

export const ViewPicker = (props: ViewPickerProps) => {
  const { app, change, search } = props
  const { data } = useQuery(viewsOf(app.app_id))
  const [open, setOpen] = useState<"save" | "change">()
  const mayChange = app.permission_level >= 4
  const hasOwnConditions = (search.filters ?? []).length > 0 || search.sort !== undefined
  const chosenView = data?.views.find(({ view_id }) => view_id === search.view)
  const close = () => setOpen(undefined)
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
        <option value="">{hasOwnConditions ? "Your own conditions" : "All records"}</option>
        {data?.views.map(({ is_default, name, view_id }) => (
          <option key={view_id} value={view_id}>
            {is_default ? `${name} (default)` : name}
          </option>
        ))}
      </select>
      {mayChange && hasOwnConditions && chosenView === undefined && (
        <button type="button" className="quiet small" onClick={() => setOpen("save")}>
          Save as view
        </button>
      )}
      {mayChange && chosenView !== undefined && (
        <button type="button" className="quiet small" onClick={() => setOpen("change")}>
          Change view
        </button>
      )}
      {open === "save" && <SaveView {...props} close={close} />}
      {open === "change" && chosenView !== undefined && <ChangeView {...props} view={chosenView} close={close} />}
    </>
  )
}
