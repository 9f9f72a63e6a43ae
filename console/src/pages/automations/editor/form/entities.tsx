// Ids of things that have names, chosen by their names: apps, views, automations, users, fields.
import { useQuery } from "@tanstack/react-query"
import { client } from "../../../../api/client.ts"
import { apps, users } from "../../../../api/queries.ts"
import { entities as texts } from "../../../../texts/automations/editorForm.ts"
import { ChoiceOfMany } from "../../../../ui/ChoiceOfMany.tsx"
import { viewsOf } from "../../../records/recordQueries.ts"
import { useAppOf, useEditor } from "../context.ts"

interface EntityProps {
  readonly id: string
  readonly value: unknown
  readonly onChange: (value: number | undefined) => void
}
interface OfAppProps extends EntityProps {
  readonly app: number | undefined
}

interface NamedSelectProps extends EntityProps {
  readonly options: ReadonlyArray<readonly [id: number, name: string]>
  readonly none?: string
}
/** Select by name. The chosen value stays, even if its name is unknown or no longer known. */
const NamedSelect = ({ id, none = texts.choose, onChange, options, value }: NamedSelectProps) => {
  const chosenId = typeof value === "number" ? value : undefined
  const isKnown = chosenId === undefined || options.some(([key]) => key === chosenId)
  const choices = isKnown ? options : [...options, [chosenId, texts.noChosenId(chosenId)] as const]
  return <ChoiceOfMany id={id} value={chosenId} none={none} choices={choices} onChange={onChange} />
}

export const AppSelect = (props: EntityProps) => {
  const { data } = useQuery(apps)
  return <NamedSelect {...props} options={(data?.apps ?? []).map(({ app_id, name }) => [app_id, name] as const)} />
}

export const ViewSelect = ({ app, ...props }: OfAppProps) => {
  const { data } = useQuery({ ...viewsOf(app ?? 0), enabled: app !== undefined })
  return <NamedSelect {...props} options={(data?.views ?? []).map(({ name, view_id }) => [view_id, name] as const)} />
}

export const UserSelect = (props: EntityProps) => {
  const { data } = useQuery(users)
  const options = (data?.users ?? []).map(({ name, user_id }) => [user_id, name] as const)
  return <NamedSelect {...props} options={options} none={texts.automationItself} />
}

/** Selects among the app's callable automations: the check refuses any other. */
export const AutomationSelect = (props: EntityProps) => {
  const { app } = useEditor()
  const { data } = useQuery({
    queryKey: ["automations", "app", app.app_id],
    queryFn: ({ signal }) => client.automations.listApp({ app_id: app.app_id, limit: 100 }, { signal })
  })
  const callable = (data?.automations ?? []).filter(({ trigger }) =>
    ["automation_called", "weblink_clicked"].includes(trigger?.type ?? "")
  )
  return <NamedSelect {...props} options={callable.map(({ id, name }) => [id, name] as const)} />
}

const isDate = (type: string) => /_date$|_at$/.test(type)

export const FieldSelect = ({ app, dates = false, ...props }: OfAppProps & { readonly dates?: boolean }) => {
  const { app: own } = useEditor()
  const knownApp = useAppOf(app) ?? own
  const fields = knownApp.fields.filter(({ field_type }) => !dates || isDate(field_type))
  return <NamedSelect {...props} options={fields.map(({ field_id, label }) => [field_id, label] as const)} />
}

interface FieldPicksProps {
  readonly id: string
  readonly app: number | undefined
  readonly value: unknown
  readonly onChange: (value: ReadonlyArray<number> | null) => void
  /** None chosen means any field. */
  readonly nullable: boolean
}
export const FieldPicks = ({ app, id, nullable, onChange, value }: FieldPicksProps) => {
  const { app: own } = useEditor()
  const knownApp = useAppOf(app) ?? own
  const chosenIds = Array.isArray(value) ? (value as ReadonlyArray<number>) : []
  const change = (next: ReadonlyArray<number>) => onChange(nullable && next.length === 0 ? null : next)
  return (
    <>
      {nullable && <p className="muted">{texts.noneChosen}</p>}
      {knownApp.fields.map(({ field_id, label }) => (
        <div className="pick" key={field_id}>
          <input
            id={`${id}-${field_id}`}
            type="checkbox"
            checked={chosenIds.includes(field_id)}
            onChange={({ target }) =>
              change(target.checked ? [...chosenIds, field_id] : chosenIds.filter((one) => one !== field_id))
            }
          />
          <label htmlFor={`${id}-${field_id}`}>{label}</label>
        </div>
      ))}
    </>
  )
}
