// The audit log in words, found by person, kind and day, and kept as a file (decisions O23).
import { useInfiniteQuery, useMutation, useQuery } from "@tanstack/react-query"
import { getRouteApi } from "@tanstack/react-router"
import { apps, users } from "../../api/queries.ts"
import { auditPage as texts } from "../../texts/admin/audit.ts"
import { ShowMore } from "../../ui/ShowMore.tsx"
import { Empty, Failure, Loading } from "../../ui/states.tsx"
import { AdminPage } from "./AdminPage.tsx"
import { AuditFilters } from "./AuditFilters.tsx"
import { AuditRow } from "./AuditRow.tsx"
import { workspaces } from "./adminQueries.ts"
import { EXPORTED_MOST, type ExportFormat, exportAudit } from "./auditExport.ts"
import { type AuditEvent, auditOf } from "./auditQueries.ts"
import type { AuditSearch } from "./auditSearch.ts"
import type { AuditNames } from "./auditWords.ts"
import type { Member } from "./memberWords.ts"

const route = getRouteApi("/admin/audit")

interface Known {
  /** Undefined until they are loaded. */
  readonly people: ReadonlyArray<Member> | undefined
  readonly events: ReadonlyArray<AuditEvent>
}
/** Names of whom and what the entries refer to; of those who have left, the log itself has them. */
const useNames = ({ events, people }: Known): AuditNames => {
  const appNames = useQuery(apps).data?.apps
  const workspaceNames = useQuery(workspaces).data?.workspaces
  return {
    user: (id) =>
      people?.find(({ user_id }) => user_id === id)?.name ??
      events.find(({ user_id }) => user_id === id)?.user_name ??
      (people === undefined ? "…" : texts.formerMemberNo(id)),
    app: (id) => appNames?.find(({ app_id }) => app_id === id)?.name,
    workspace: (id) => workspaceNames?.find(({ workspace_id }) => workspace_id === id)?.name
  }
}

const Audit = () => {
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const change = (next: AuditSearch) => void navigate({ search: next, replace: true })
  const people = useQuery(users).data?.users
  const query = useInfiniteQuery(auditOf(search))
  const keep = useMutation({ mutationFn: (format: ExportFormat) => exportAudit(search, format) })
  const events = query.data?.pages.flatMap((page) => page.events)
  const names = useNames({ people, events: events ?? [] })
  return (
    <>
      <AuditFilters search={search} change={change} people={people ?? []} names={names} />
      <div className="actions audit-export">
        <button type="button" className="quiet small" disabled={keep.isPending} onClick={() => keep.mutate("csv")}>
          {texts.exportAsCsv}
        </button>
        <button type="button" className="quiet small" disabled={keep.isPending} onClick={() => keep.mutate("jsonl")}>
          {texts.exportAsJsonLines}
        </button>
        <output className="muted">
          {keep.isPending && texts.collectingEntries}
          {keep.isSuccess &&
            texts.dataEntriesAreInTheFile(
              keep.data.toLocaleString(),
              keep.data >= EXPORTED_MOST ? texts.narrowTheSearch : ""
            )}
        </output>
      </div>
      {keep.isError && <Failure what={texts.thereIsNoFile} error={keep.error} />}
      {query.isError && (
        <Failure what={texts.loadingTheAuditLogFailed} error={query.error} again={() => void query.refetch()} />
      )}
      {events === undefined ? (
        !query.isError && <Loading />
      ) : events.length === 0 ? (
        <Empty title={Object.keys(search).length === 0 ? texts.nothingIsRecordedYet : texts.nothingOfThisKind} />
      ) : (
        <ul className="plain card people">
          {events.map((event) => (
            <AuditRow key={event.audit_id} event={event} names={names} search={search} />
          ))}
        </ul>
      )}
      {events !== undefined && (
        <ShowMore
          query={query}
          shown={events.length}
          show={texts.showOlderEntries}
          failed={texts.loadingOlderEntriesFailed}
        />
      )}
    </>
  )
}

export const AuditPage = () => <AdminPage at="/admin/audit">{() => <Audit />}</AdminPage>
