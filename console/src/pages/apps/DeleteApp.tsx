// Deleting an app: everything that goes with it said first, and its name typed, since nothing brings it back.
import { useQuery, useQueryClient } from "@tanstack/react-query"
import { useNavigate } from "@tanstack/react-router"
import { useId, useState } from "react"
import { client } from "../../api/client.ts"
import { useRemoval } from "../../api/gone.ts"
import type { App } from "../../api/types.ts"
import { deleteApp as texts } from "../../texts/apps/apps.ts"
import { Dialog } from "../../ui/Dialog.tsx"
import { Asked, Failure } from "../../ui/states.tsx"
import { appUsage } from "./appQueries.ts"
import { AutomationUses } from "./uses.tsx"

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
    <Dialog title={texts.deleteQuestion(app.name)} close={close}>
      <Asked query={usage} failed={texts.loadingTheUsesOfTheAppFailed}>
        {(used) => (
          <form
            onSubmit={(event) => {
              event.preventDefault()
              if (typed.trim() === app.name) remove.mutate()
            }}
          >
            <p>{texts.thisCannotBeUndone}</p>
            <ul>
              <li>
                {texts.records(used.records)}
                {used.trashed_records > 0 && texts.trashedRecordsMore(used.trashed_records.toLocaleString())}
              </li>
              <li>
                {texts.comments(used.comments)}, {texts.views(used.views)}
              </li>
              <li>{texts.automationsAndWebhooks(used.own_automations, used.hooks)}</li>
              {used.relations.map(({ app_name, field_id, label }) => (
                <li key={field_id}>{texts.whatLabelOfAppName(label, app_name)}</li>
              ))}
            </ul>
            <AutomationUses automations={used.automations} others={used.other_automations} />
            <div className="field">
              <label htmlFor={id}>{texts.typeToGoOn(app.name)}</label>
              <input id={id} autoComplete="off" value={typed} onChange={({ target }) => setTyped(target.value)} />
            </div>
            {remove.isError && <Failure what={texts.appWasNotDeleted} error={remove.error} />}
            <button type="submit" className="danger" disabled={remove.isPending || typed.trim() !== app.name}>
              {texts.deleteTheApp}
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
      <h2 id="delete">{texts.deleteTheApp}</h2>
      <p className="muted">{texts.withItsRecordsFieldsViews}</p>
      <button type="button" className="quiet small" onClick={() => setOpen(true)}>
        {texts.delete(app.name)}
      </button>
      {open && <DeleteDialog app={app} close={() => setOpen(false)} />}
    </section>
  )
}
