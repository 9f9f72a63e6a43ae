// The audit log in words, found by person, kind and day, and kept as a file (decisions O23).
import { useInfiniteQuery, useMutation, useQuery } from "@tanstack/react-query"
import { useId, useState } from "react"
import { users } from "../../api/queries.ts"
import { ChoiceOfMany } from "../../ui/ChoiceOfMany.tsx"
import { ShowMore } from "../../ui/ShowMore.tsx"
import { Empty, Failure, Loading } from "../../ui/states.tsx"
import { AdminPage } from "./AdminPage.tsx"
import { AuditRow } from "./AuditRow.tsx"
import { EXPORTED_MOST, type ExportFormat, exportAudit } from "./auditExport.ts"
import { type AuditSearch, auditOf } from "./auditQueries.ts"
import { auditKinds } from "./auditWords.ts"
import type { Member } from "./memberWords.ts"

interface SearchProps {
  readonly search: AuditSearch
  readonly change: (search: AuditSearch) => void
  readonly people: ReadonlyArray<Member>
}
const AuditSearchForm = ({ search, change, people }: SearchProps) => {
  const id = useId()
  const { event, since, until, user_id } = search
  const without = (name: keyof AuditSearch) =>
    Object.fromEntries(Object.entries(search).filter(([key]) => key !== name)) as AuditSearch
  const set = (name: keyof AuditSearch, value: string) =>
    change(value === "" ? without(name) : { ...search, [name]: name === "user_id" ? Number(value) : value })
  return (
    <search className="card inline">
      <div className="field">
        <label htmlFor={`${id}-event`}>What</label>
        <select id={`${id}-event`} value={event ?? ""} onChange={({ target }) => set("event", target.value)}>
          <option value="">Everything</option>
          {Object.entries(auditKinds).map(([kind, words]) => (
            <option key={kind} value={kind}>
              {words}
            </option>
          ))}
        </select>
      </div>
      <div className="field">
        <label htmlFor={`${id}-user`}>Person</label>
        <ChoiceOfMany
          id={`${id}-user`}
          value={user_id}
          none="Everybody"
          choices={people.map((one) => [one.user_id, one.name])}
          onChange={(one) => set("user_id", one === undefined ? "" : String(one))}
        />
      </div>
      <div className="field">
        <label htmlFor={`${id}-since`}>From</label>
        <input
          id={`${id}-since`}
          type="date"
          value={since ?? ""}
          onChange={({ target }) => set("since", target.value)}
        />
      </div>
      <div className="field">
        <label htmlFor={`${id}-until`}>To</label>
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

const Audit = () => {
  const [search, change] = useState<AuditSearch>({})
  const people = useQuery(users).data?.users ?? []
  const query = useInfiniteQuery(auditOf(search))
  const keep = useMutation({ mutationFn: (format: ExportFormat) => exportAudit(search, format) })
  const nameOf = (userId: number) => people.find(({ user_id }) => user_id === userId)?.name ?? `User ${userId}`
  const events = query.data?.pages.flatMap((page) => page.events)
  return (
    <>
      <AuditSearchForm search={search} change={change} people={people} />
      <div className="actions audit-export">
        <button type="button" className="quiet small" disabled={keep.isPending} onClick={() => keep.mutate("csv")}>
          Export as CSV
        </button>
        <button type="button" className="quiet small" disabled={keep.isPending} onClick={() => keep.mutate("jsonl")}>
          Export as JSON lines
        </button>
        <output className="muted">
          {keep.isPending && "Collecting entries…"}
          {keep.isSuccess &&
            `${keep.data.toLocaleString()} entries are in the file${keep.data >= EXPORTED_MOST ? "; narrow the search for the rest" : ""}.`}
        </output>
      </div>
      {keep.isError && <Failure what="There is no file." error={keep.error} />}
      {query.isError && (
        <Failure what="Loading the audit log failed." error={query.error} again={() => void query.refetch()} />
      )}
      {events === undefined ? (
        !query.isError && <Loading what="the audit log" />
      ) : events.length === 0 ? (
        <Empty title="Nothing of this kind is recorded" />
      ) : (
        <ul className="plain card people">
          {events.map((event) => (
            <AuditRow key={event.audit_id} event={event} nameOf={nameOf} />
          ))}
        </ul>
      )}
      {events !== undefined && <ShowMore query={query} shown={events.length} what="older entries" />}
    </>
  )
}

export const AuditPage = () => <AdminPage at="/admin/audit">{() => <Audit />}</AdminPage>
