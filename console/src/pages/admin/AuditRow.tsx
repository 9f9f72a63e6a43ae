// Shows an entry of the audit log as a sentence, with its details below; the name in front narrows the log to that person.
import { Link } from "@tanstack/react-router"
import { auditRow as texts } from "../../texts/admin/audit.ts"
import { Tag } from "../../ui/Tag.tsx"
import { Time } from "../../ui/Time.tsx"
import type { AuditEvent } from "./auditQueries.ts"
import type { AuditSearch } from "./auditSearch.ts"
import { type AuditNames, credentialWords, detailsOf, sentenceOf } from "./auditWords.ts"

interface RowProps {
  readonly event: AuditEvent
  readonly names: AuditNames
  readonly search: AuditSearch
}
export const AuditRow = ({ event, names, search }: RowProps) => {
  const { count, credential, happened_on, reason_id, source_address, user_id, user_name } = event
  const more = [
    ...detailsOf(event, names),
    ...(credential === null
      ? []
      : [texts.withCredentialWord(credentialWords[credential] ?? credential.replaceAll("_", " "))]),
    ...(source_address === null ? [] : [texts.fromSourceAddress(source_address)]),
    ...(count === null ? [] : [texts.timesInThisMinute(count)])
  ]
  return (
    <li className="person">
      <div>
        <strong>
          {user_id === null ? (
            texts.somebody
          ) : (
            <Link to="/admin/audit" search={{ ...search, user_id }} title={texts.showThisPersonsEntriesAlone}>
              {user_name ?? names.user(user_id)}
            </Link>
          )}
        </strong>{" "}
        {sentenceOf(event, names)}
        {more.length > 0 && <small className="muted">{more.join(" · ")}</small>}
      </div>
      {reason_id !== null && <Tag tone="warn">{reason_id}</Tag>}
      <span className="muted" title={event.event}>
        <Time at={happened_on} />
      </span>
    </li>
  )
}
