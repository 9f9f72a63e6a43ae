// `/organization/audit`: the organization's part of the audit log, newest first, by kind and person (issue "OAuth", operator).
import { Effect } from "effect"
import { makeUserLookup } from "../../domain/accounts/userLookup.ts"
import { Clients } from "../../domain/oauth/clients/Clients.ts"
import { AuditLog, type AuditRow } from "../../platform/audit/AuditLog.ts"
import { html } from "../web/html.ts"
import { page } from "../web/layout.ts"
import { name, note, time } from "../web/parts.ts"
import type { MemberVisit } from "../web/Visitors.ts"
import { makeMeantUser, userField } from "./meantUser.ts"

const perPage = 50

/** Titles of events by the part of their name before the dot. */
const kinds: Readonly<Record<string, string>> = {
  person: "Sign-ins, passwords and second steps",
  organization: "Rules of the organization",
  authorize: "Approvals, declined and refused",
  connection: "Connections",
  token: "Refused tokens",
  access_token: "Revoked access tokens",
  app_policy: "App policy",
  user: "Users of the organization",
  workspace: "Workspaces and their members",
  app: "Apps",
  field: "Fields of apps",
  record: "Records deleted for good",
  hook: "Webhooks",
  automation: "Automations",
  secret: "Secrets",
  smtp_account: "Mail accounts",
  authentication_provider: "Authentication providers",
  job: "Jobs",
  api_key: "API keys",
  personal_access_token: "Personal access tokens"
}

/** Details that are users of the organization. */
const userDetails = new Set(["admin", "blocked_user_id"])

const detail = (value: unknown): string =>
  Array.isArray(value) ? value.map(detail).join(" ") : typeof value === "string" ? value : JSON.stringify(value)

export const makeAudit = Effect.gen(function* () {
  const audit = yield* AuditLog
  const clients = yield* Clients
  const { named } = yield* makeUserLookup
  const meantUser = yield* makeMeantUser

  return Effect.fn("pages.audit")(function* (visit: MemberVisit) {
    const { current, query } = visit
    const event = Object.hasOwn(kinds, query.get("what")) ? query.get("what") : undefined
    const typed = query.get("user").trim()
    const meant = typed === "" ? undefined : yield* meantUser(current.org_id, typed)
    // A removed user is found by the id alone.
    const userId = typeof meant === "object" ? meant.user_id : query.id("user")
    const problem = userId === undefined && typeof meant === "string" ? meant : undefined
    const beforeId = query.id("before")
    const search = { orgId: current.org_id, userId, event, before: beforeId, limit: perPage + 1 }
    const auditRows = problem === undefined ? yield* audit.read(search) : []
    const rows = auditRows.slice(0, perPage)
    const people = yield* named(
      current.org_id,
      rows.flatMap(({ details, user_id }) => [
        ...(user_id === null ? [] : [user_id]),
        ...Object.entries(details).flatMap(([key, value]) =>
          userDetails.has(key) && typeof value === "number" ? [value] : []
        )
      ])
    )
    const options = Object.entries(kinds).map(
      ([value, text]) => html`<option value="${value}"${value === event && html` selected`}>${text}</option>`
    )
    const filter = html`<form method="get" action="/organization/audit" class="card"><div class="inline">
<div class="field"><label for="what">What</label><select id="what" name="what"><option value="">Everything</option>${options}</select></div>
${userField("user", "user", typeof meant === "object" ? meant.email : typed)}
<button class="quiet">Show</button></div></form>`
    const ids = [...new Set(rows.flatMap((row) => row.client_id ?? []))]
    const apps = new Map(
      yield* Effect.forEach(ids, (id) => Effect.map(clients.row(id), (c) => [id, c?.name ?? id] as const))
    )

    const personOf = (id: number) => people.get(id) ?? `User ${id}`
    const renderDetail = (key: string, value: unknown) =>
      userDetails.has(key) && typeof value === "number" ? name(personOf(value)) : detail(value)
    const renderRow = (row: AuditRow) => {
      const details = Object.entries(row.details).filter(([, value]) => value !== null)
      return html`<tr><td>${time(row.happened_on, current.timezone)}</td><td class="event"><code>${row.event}</code>${row.reason_id !== null && html`<br><small>${row.reason_id}</small>`}${row.count !== null && html`<br><small>${row.count === 1 ? "once" : `${row.count} times`} in this minute</small>`}</td>
<td>${row.user_id === null ? "" : name(personOf(row.user_id))}</td><td>${row.client_id === null ? "" : name(apps.get(row.client_id) ?? row.client_id)}</td>
<td>${details.map(([key, value]) => html`<small>${key}: ${renderDetail(key, value)}</small><br>`)}</td><td><small>${row.credential === null ? "" : html`${row.credential.replaceAll("_", " ")}<br>`}${row.source_address}</small></td></tr>`
    }
    const lastRow = rows.at(-1)
    const older = new URLSearchParams({
      ...(event !== undefined && { what: event }),
      ...(userId !== undefined && { user: String(userId) }),
      before: String(lastRow?.audit_id ?? 0)
    })
    return page({
      title: "Audit log",
      visit,
      body: html`<h1>Audit log of ${name(current.org_name)}</h1>
<p class="lead">Sign-ins, approvals, connections and what ended them, keys and tokens, and every change of workspaces, members, apps, fields, automations, webhooks and secrets: by whom, with what, from where.</p>
${problem !== undefined && note("bad", problem)}${filter}<div class="card"><div class="scroll" tabindex="0" role="region" aria-label="Audit log"><table><thead><tr><th scope="col">When</th><th scope="col">What</th><th scope="col">Person</th><th scope="col">App</th><th scope="col">Details</th><th scope="col">From</th></tr></thead>
<tbody>${rows.map(renderRow)}</tbody></table></div>${rows.length === 0 && html`<p>${event === undefined && userId === undefined && beforeId === undefined ? "Nothing has been recorded yet." : "Nothing of this kind has been recorded."}</p>`}</div>
${auditRows.length > perPage && lastRow !== undefined && html`<p><a class="button quiet" href="/organization/audit?${older.toString()}">Older entries</a></p>`}`
    })
  })
})
