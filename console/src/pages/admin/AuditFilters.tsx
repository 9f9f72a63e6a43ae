// Filters of the audit log: kind, person and days, each kept by the address.
import { useId } from "react"
import { auditFilters as texts } from "../../texts/admin/audit.ts"
import { ChoiceOfMany } from "../../ui/ChoiceOfMany.tsx"
import type { AuditSearch } from "./auditSearch.ts"
import { type AuditNames, auditKinds } from "./auditWords.ts"
import type { Member } from "./memberWords.ts"

interface FiltersProps {
  readonly search: AuditSearch
  readonly change: (search: AuditSearch) => void
  readonly people: ReadonlyArray<Member>
  readonly names: AuditNames
}
export const AuditFilters = ({ search, change, people, names }: FiltersProps) => {
  const id = useId()
  const { event, since, until, user_id } = search
  const without = (name: keyof AuditSearch): AuditSearch =>
    Object.fromEntries(Object.entries(search).filter(([key]) => key !== name))
  const set = (name: keyof AuditSearch, value: string | number | undefined) =>
    change(value === undefined || value === "" ? without(name) : { ...search, [name]: value })
  // Somebody who has left is in no list, and their entries are still found.
  const isFormer = user_id !== undefined && !people.some((one) => one.user_id === user_id)
  const choices = people.map((one) => [one.user_id, one.name] as const)
  return (
    <search className="card inline">
      <div className="field">
        <label htmlFor={`${id}-event`}>{texts.what}</label>
        <ChoiceOfMany
          id={`${id}-event`}
          value={event}
          none={texts.everything}
          choices={Object.entries(auditKinds)}
          onChange={(kind) => set("event", kind)}
        />
      </div>
      <div className="field">
        <label htmlFor={`${id}-user`}>{texts.person}</label>
        <ChoiceOfMany
          id={`${id}-user`}
          value={user_id}
          none={texts.everybody}
          choices={isFormer ? [[user_id, names.user(user_id)], ...choices] : choices}
          onChange={(one) => set("user_id", one)}
        />
      </div>
      <div className="field">
        <label htmlFor={`${id}-since`}>{texts.from}</label>
        <input
          id={`${id}-since`}
          type="date"
          value={since ?? ""}
          onChange={({ target }) => set("since", target.value)}
        />
      </div>
      <div className="field">
        <label htmlFor={`${id}-until`}>{texts.to}</label>
        <input
          id={`${id}-until`}
          type="date"
          value={until ?? ""}
          onChange={({ target }) => set("until", target.value)}
        />
      </div>
    </search>
  )
}
