// The audit log by person, kind of event and time, page after page.
import type { AnswerOf } from "@millrace/client"
import { infiniteQueryOptions } from "@tanstack/react-query"
import { client } from "../../api/client.ts"
import type { AuditSearch } from "./auditSearch.ts"

export type AuditEvent = AnswerOf<"audit.list">["events"][number]

const PAGE = 50

export const auditOf = (search: AuditSearch) =>
  infiniteQueryOptions({
    queryKey: ["audit", search],
    queryFn: ({ pageParam, signal }) =>
      client.audit.list({ ...search, limit: PAGE, ...(pageParam > 0 && { before: pageParam }) }, { signal }),
    initialPageParam: 0,
    getNextPageParam: ({ events }) => (events.length < PAGE ? undefined : events.at(-1)?.audit_id)
  })
