// Removing a field: first what goes with it and what breaks, then the button that does it.
import { useQuery, useQueryClient } from "@tanstack/react-query"
import { client } from "../../api/client.ts"
import { useRemoval } from "../../api/gone.ts"
import type { App, Field } from "../../api/types.ts"
import { Dialog } from "../../ui/Dialog.tsx"
import { Asked, Failure } from "../../ui/states.tsx"
import { appChanged, fieldUsage } from "./appQueries.ts"
import { AutomationUses, counted } from "./uses.tsx"

interface RemoveFieldProps {
  readonly app: App
  readonly field: Field
  readonly close: () => void
  readonly removed: (label: string) => void
}
export const RemoveField = ({ app, field, close, removed }: RemoveFieldProps) => {
  const { field_id, label } = field
  const queries = useQueryClient()
  const about = fieldUsage(field_id)
  const usage = useQuery(about)
  const remove = useRemoval({
    remove: () => client.apps.update({ app_id: app.app_id, body: { fields_to_delete: [{ field_id }] } }),
    known: [about.queryKey],
    onGone: async () => {
      await appChanged(queries, app.app_id)
      removed(label)
      close()
    }
  })
  return (
    <Dialog title={`Remove ${label}?`} close={close}>
      <Asked query={usage} what="what uses it">
        {({ automations, hooks, other_automations, other_views, records, views }) => (
          <>
            <p>This cannot be undone. With the field go:</p>
            <ul>
              <li>
                {records === 0
                  ? "no values: it is empty in every record"
                  : `its values in ${counted(records, "record")}, also in their history`}
              </li>
              {views.length > 0 && (
                <li>
                  conditions, order, groups and cards by it in {counted(views.length, "view")}:{" "}
                  {views.map(({ name }) => name).join(", ")}
                </li>
              )}
              {other_views > 0 && <li>the same in {counted(other_views, "private view")} of others</li>}
              {hooks.length > 0 && (
                <li>
                  {counted(hooks.length, "webhook")} that filter by it: {hooks.map(({ host }) => host).join(", ")}
                </li>
              )}
            </ul>
            <AutomationUses automations={automations} others={other_automations} />
            {remove.isError && <Failure what="The field was not removed." error={remove.error} />}
            <button type="button" className="danger" disabled={remove.isPending} onClick={() => remove.mutate()}>
              Remove the field
            </button>
          </>
        )}
      </Asked>
    </Dialog>
  )
}
