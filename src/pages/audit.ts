// `/organization/audit`: the organization's part of the audit log, newest first (issue "OAuth", operator).
import { Effect } from "effect"
import { Users } from "../accounts/Users.ts"
import { AuditLog, type AuditRow } from "../oauth/AuditLog.ts"
import { Clients } from "../oauth/clients/Clients.ts"
import { html } from "./html.ts"
import { page } from "./layout.ts"
import { name, time } from "./parts.ts"
import { callerOf, type MemberVisit } from "./Visitors.ts"

const perPage = 50

const detail = (value: unknown): string =>
  Array.isArray(value) ? value.map(detail).join(" ") : typeof value === "string" ? value : JSON.stringify(value)

export const makeAudit = Effect.gen(function* () {
  const audit = yield* AuditLog
  const clients = yield* Clients
  const users = yield* Users

  return Effect.fn("pages.audit")(function* (visit: MemberVisit) {
    const { current, query } = visit
    const found = yield* audit.read({ orgId: current.org_id, before: query.id("before"), limit: perPage + 1 })
    const rows = found.slice(0, perPage)
    const people = new Map((yield* users.list(callerOf(visit, current))).map((user) => [user.user_id, user.name]))
    const ids = [...new Set(rows.flatMap((row) => row.client_id ?? []))]
    const apps = new Map(
      yield* Effect.forEach(ids, (id) => Effect.map(clients.row(id), (c) => [id, c?.name ?? id] as const))
    )

    const one = (row: AuditRow) => {
      const details = Object.entries(row.details).filter(([, value]) => value !== null)
      return html`<tr><td>${time(row.happened_on, current.timezone)}</td><td><code>${row.event}</code>${row.reason_id !== null && html`<br><small>${row.reason_id}</small>`}</td>
<td>${row.user_id === null ? "" : name(people.get(row.user_id) ?? `User ${row.user_id}`)}</td><td>${row.client_id === null ? "" : name(apps.get(row.client_id) ?? row.client_id)}</td>
<td>${details.map(([key, value]) => html`<small>${key}: ${detail(value)}</small><br>`)}</td><td><small>${row.source_address}</small></td></tr>`
    }
    const last = rows.at(-1)
    return page({
      title: "Audit log",
      visit,
      body: html`<h1>Audit log of ${name(current.org_name)}</h1>
<p class="lead">Approvals, connections and what ended them, tokens, and what admins changed.</p>
<div class="card"><div class="scroll" tabindex="0" role="region" aria-label="Audit log"><table><thead><tr><th scope="col">When</th><th scope="col">What</th><th scope="col">Person</th><th scope="col">App</th><th scope="col">Details</th><th scope="col">From</th></tr></thead>
<tbody>${rows.map(one)}</tbody></table></div>${rows.length === 0 && html`<p>Nothing has been recorded yet.</p>`}</div>
${found.length > perPage && last !== undefined && html`<p><a class="button quiet" href="/organization/audit?before=${last.audit_id}">Older entries</a></p>`}`
    })
  })
})
