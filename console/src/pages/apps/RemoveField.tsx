// Removing a field: first what goes with it and what breaks, then the button that does it.
import { useQuery, useQueryClient } from "@tanstack/react-query"
import { client } from "../../api/client.ts"
import { useRemoval } from "../../api/gone.ts"
import type { App, Field } from "../../api/types.ts"
import { removeField as texts } from "../../texts/apps/fields.ts"
import { Dialog } from "../../ui/Dialog.tsx"
import { Asked, Failure } from "../../ui/states.tsx"
import { appChanged, fieldUsage } from "./appQueries.ts"
import { AutomationUses } from "./uses.tsx"

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
    <Dialog title={texts.removeLabel(label)} close={close}>
      <Asked query={usage} failed={texts.loadingTheUsesFailed}>
        {({ automations, hooks, other_automations, other_views, records, views }) => (
          <>
            <p>{texts.thisCannotBeUndone}</p>
            <ul>
              <li>{records === 0 ? texts.noValues : texts.itsValuesInRecordsAlso(records)}</li>
              {views.length > 0 && (
                <li>{texts.conditionsOrderGroupsAndCards(views.length, views.map(({ name }) => name).join(", "))}</li>
              )}
              {other_views > 0 && <li>{texts.sameInPrivateViews(other_views)}</li>}
              {hooks.length > 0 && (
                <li>{texts.webhooksThatFilter(hooks.length, hooks.map(({ host }) => host).join(", "))}</li>
              )}
            </ul>
            <AutomationUses automations={automations} others={other_automations} />
            {remove.isError && <Failure what={texts.fieldWasNotRemoved} error={remove.error} />}
            <button type="button" className="danger" disabled={remove.isPending} onClick={() => remove.mutate()}>
              {texts.removeTheField}
            </button>
          </>
        )}
      </Asked>
    </Dialog>
  )
}
