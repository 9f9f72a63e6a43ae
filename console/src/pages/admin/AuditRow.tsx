// Shows an entry of the audit log as a sentence, with its details below.
import { Tag } from "../../ui/Tag.tsx"
import { Time } from "../../ui/Time.tsx"
import type { AuditEvent } from "./auditQueries.ts"
import { credentialWords, detailsOf, wordsOfEvent } from "./auditWords.ts"

interface RowProps {
  readonly event: AuditEvent
  readonly nameOf: (userId: number) => string
}
export const AuditRow = ({ event, nameOf }: RowProps) => {
  const { client_id, client_name, count, credential, happened_on, reason_id, source_address, user_id, user_name } =
    event
  const who = user_name ?? (user_id === null ? "Somebody" : `User ${user_id}`)
  const more = [
    ...detailsOf(event, nameOf),
    ...(credential === null ? [] : [`with ${credentialWords[credential] ?? credential.replaceAll("_", " ")}`]),
    ...(source_address === null ? [] : [`from ${source_address}`]),
    ...(count === null ? [] : [count === 1 ? "once in this minute" : `${count} times in this minute`])
  ]
  return (
    <li className="person">
      <div>
        <strong>{who}</strong> {wordsOfEvent(event.event)}
        {client_id !== null && <>: {client_name ?? client_id}</>}
        {more.length > 0 && <small className="muted">{more.join(" · ")}</small>}
      </div>
      {reason_id !== null && <Tag tone="warn">{reason_id}</Tag>}
      <span className="muted" title={event.event}>
        <Time at={happened_on} />
      </span>
    </li>
  )
}
