// Deleting an app: everything that goes with it said first, and its name typed, since nothing brings it back.
import { useQuery, useQueryClient } from "@tanstack/react-query"
import { useNavigate } from "@tanstack/react-router"
import { useId, useState } from "react"
import { client } from "../../api/client.ts"
import { useRemoval } from "../../api/gone.ts"
import type { App } from "../../api/types.ts"
import { Dialog } from "../../ui/Dialog.tsx"
import { Asked, Failure } from "../../ui/states.tsx"
import { appUsage } from "./appQueries.ts"
import { AutomationUses, counted } from "./uses.tsx"

const DeleteDialog = ({ app, close }: { readonly app: App; readonly close: () => void }) => {
  const id = useId()
  const [typed, setTyped] = useState("")
  const queries = useQueryClient()
  const navigate = useNavigate()
  const about = appUsage(app.app_id)
  const usage = useQuery(about)
  const remove = useRemoval({
    remove: () => client.apps.remove({ app_id: app.app_id }),
    known: [["app", app.app_id], ["views", app.app_id], ["records", app.app_id], about.queryKey],
    onGone: async () => {
      await navigate({ to: "/apps" })
      await queries.invalidateQueries({ queryKey: ["apps"] })
    }
  })
  return (
    <Dialog title={`Delete ${app.name}?`} close={close}>
      <Asked query={usage} what="what goes with it">
        {(used) => (
          <form
            onSubmit={(event) => {
              event.preventDefault()
              if (typed.trim() === app.name) remove.mutate()
            }}
          >
            <p>This cannot be undone. With the app go:</p>
            <ul>
              <li>
                {counted(used.records, "record")}
                {used.trashed_records > 0 && `, ${used.trashed_records.toLocaleString()} more in the trash`}
              </li>
              <li>
                {counted(used.comments, "comment")}, {counted(used.views, "view")}
              </li>
              <li>
                {counted(used.own_automations, "automation")} and {counted(used.hooks, "webhook")} of its own
              </li>
              {used.relations.map(({ app_name, field_id, label }) => (
                <li key={field_id}>
                  what {label} of {app_name} points to
                </li>
              ))}
            </ul>
            <AutomationUses automations={used.automations} others={used.other_automations} />
            <div className="field">
              <label htmlFor={id}>Type {app.name} to go on</label>
              <input id={id} autoComplete="off" value={typed} onChange={({ target }) => setTyped(target.value)} />
            </div>
            {remove.isError && <Failure what="The app was not deleted." error={remove.error} />}
            <button type="submit" className="danger" disabled={remove.isPending || typed.trim() !== app.name}>
              Delete the app
            </button>
          </form>
        )}
      </Asked>
    </Dialog>
  )
}

export const DeleteApp = ({ app }: { readonly app: App }) => {
  const [open, setOpen] = useState(false)
  return (
    <section className="card" aria-labelledby="delete">
      <h2 id="delete">Delete the app</h2>
      <p className="muted">With its records, fields, views, automations and webhooks.</p>
      <button type="button" className="quiet small" onClick={() => setOpen(true)}>
        Delete {app.name}
      </button>
      {open && <DeleteDialog app={app} close={() => setOpen(false)} />}
    </section>
  )
}
