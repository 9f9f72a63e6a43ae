// Forms of a view: its name, and whether its maker alone sees it; a new one, and one that is renamed, shared, made the default or deleted.
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query"
import { type ReactNode, useState } from "react"
import { client } from "../../api/client.ts"
import { me } from "../../api/queries.ts"
import type { App, View } from "../../api/types.ts"
import { viewForms as texts } from "../../texts/records/views.ts"
import { Confirm } from "../../ui/Confirm.tsx"
import { Dialog } from "../../ui/Dialog.tsx"
import { Failure } from "../../ui/states.tsx"
import type { Look } from "./grid/look.ts"
import { viewOfLook } from "./grid/viewLook.ts"
import type { layoutOfView } from "./layouts/layoutFields.ts"
import type { GridSearch } from "./recordQueries.ts"
import { viewOfSearch } from "./viewConditions.ts"

interface NameFormProps {
  readonly first: string
  readonly button: string
  readonly busy: boolean
  readonly error: unknown
  readonly send: (name: string) => void
  readonly children?: ReactNode
}
const NameForm = ({ first, button, busy, children, error, send }: NameFormProps) => {
  const [name, setName] = useState(first)
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        send(name.trim())
      }}
    >
      <div className="field">
        <label htmlFor="view-name">{texts.name}</label>
        <input
          id="view-name"
          required
          maxLength={200}
          autoComplete="off"
          value={name}
          onChange={(event) => setName(event.target.value)}
        />
      </div>
      {children}
      {error != null && <Failure what={texts.viewWasNotSaved} error={error} />}
      <button type="submit" disabled={busy}>
        {button}
      </button>
    </form>
  )
}

const PrivateBox = ({ isPrivate, set }: { readonly isPrivate: boolean; readonly set: (to: boolean) => void }) => (
  <div className="field pick">
    <input id="view-private" type="checkbox" checked={isPrivate} onChange={({ target }) => set(target.checked)} />
    <label htmlFor="view-private">{texts.privateNobodyElseSeesIt}</label>
  </div>
)

interface SaveViewProps {
  readonly app: App
  /** Search of the grid, all conditions named. */
  readonly search: GridSearch
  readonly look: Look
  readonly layout: ReturnType<typeof layoutOfView>
  readonly change: (next: GridSearch) => void
  readonly discard: () => void
  readonly close: () => void
}
export const SaveView = ({ app, change, close, discard, layout, look, search }: SaveViewProps) => {
  const queries = useQueryClient()
  const [isPrivate, setPrivate] = useState(false)
  const save = useMutation({
    mutationFn: (name: string) =>
      client.views.create({
        app_id: app.app_id,
        body: {
          name,
          ...layout,
          private: isPrivate,
          ...viewOfSearch(search, app),
          ...viewOfLook(app, look)
        }
      }),
    onSuccess: async ({ view }) => {
      await queries.invalidateQueries({ queryKey: ["views", app.app_id] })
      close()
      discard()
      change({ view: view.view_id })
    }
  })
  return (
    <Dialog title={texts.saveAsAView} close={close}>
      <p className="muted">{texts.itKeepsTheConditions}</p>
      <NameForm first="" button={texts.saveView} busy={save.isPending} error={save.error} send={save.mutate}>
        <PrivateBox isPrivate={isPrivate} set={setPrivate} />
      </NameForm>
    </Dialog>
  )
}

interface ChangeViewProps {
  readonly app: App
  readonly change: (next: GridSearch) => void
  readonly view: View
  readonly close: () => void
}
export const ChangeView = ({ app, change, close, view }: ChangeViewProps) => {
  const { created_by, is_default, name, view_id } = view
  const self = useQuery(me)
  const queries = useQueryClient()
  const onSuccess = async () => {
    await queries.invalidateQueries({ queryKey: ["views", app.app_id] })
    close()
  }
  const rename = useMutation({
    mutationFn: (next: string) => client.views.update({ view_id, body: { name: next } }),
    onSuccess
  })
  const shareView = useMutation({
    mutationFn: (isPrivate: boolean) => client.views.update({ view_id, body: { private: isPrivate } }),
    onSuccess: () => queries.invalidateQueries({ queryKey: ["views", app.app_id] })
  })
  const prefer = useMutation({ mutationFn: () => client.views.makeDefault({ view_id }), onSuccess })
  const remove = useMutation({
    mutationFn: () => client.views.remove({ view_id }),
    onSuccess: async () => {
      close()
      change({})
      // The list alone: the page may still show the view, which is gone.
      await queries.invalidateQueries({ queryKey: ["views", app.app_id], exact: true })
    }
  })
  return (
    <Dialog title={texts.theView(name)} close={close}>
      <NameForm first={name} button={texts.rename} busy={rename.isPending} error={rename.error} send={rename.mutate} />
      {!is_default && created_by !== null && created_by === self.data?.user_id && (
        <PrivateBox isPrivate={view.private} set={shareView.mutate} />
      )}
      {shareView.isError && <Failure what={texts.whoSeesTheView} error={shareView.error} />}
      <div className="buttons">
        {is_default ? (
          <p className="muted">{texts.itIsTheDefaultView}</p>
        ) : (
          <>
            <button
              type="button"
              className="quiet small"
              disabled={prefer.isPending || view.private}
              onClick={() => prefer.mutate()}
            >
              {texts.setAsDefault}
            </button>
            <Confirm
              label={texts.deleteTheView}
              title={texts.deleteTheViewQuestion(name)}
              yes={texts.deleteIt}
              busy={remove.isPending}
              onYes={remove.mutate}
            >
              <p>{texts.itsRecordsStay}</p>
            </Confirm>
          </>
        )}
      </div>
      {prefer.isError && <Failure what={texts.itWasNotMade} error={prefer.error} />}
      {remove.isError && <Failure what={texts.itWasNotDeleted} error={remove.error} />}
    </Dialog>
  )
}
