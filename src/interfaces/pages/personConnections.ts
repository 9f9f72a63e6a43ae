// `/account/connections`: a person's connected apps in all their organizations, without a script, and for people of no organization, whom the
// console does not let in (service.md 3.2; decisions O15).
import { Effect } from "effect"
import type { ConnectionView } from "../../domain/connections/Connection.ts"
import { Connections } from "../../domain/connections/Connections.ts"
import { scopeLines } from "../../domain/oauth/scopes.ts"
import type { Fields } from "../web/form.ts"
import { html } from "../web/html.ts"
import { page, seeOther } from "../web/layout.ts"
import { confirm, hidden, name, note, plain, tag, time, timeOr } from "../web/parts.ts"
import type { SignedIn } from "../web/Visitors.ts"

const notices: Record<string, string> = {
  ended: "Disconnected. The app's tokens stopped working.",
  gone: "It was disconnected already."
}

const scopeList = (scopes: ConnectionView["scopes"]) =>
  html`<details><summary>${scopes.length === 1 ? "1 permission" : `${scopes.length} permissions`}</summary>
<ul class="ticks">${scopes.map((scope) => html`<li>${scopeLines[scope]} <code>${scope}</code></li>`)}</ul></details>`

export const makeConnections = Effect.gen(function* () {
  const connections = yield* Connections

  const renderConnection = (visit: SignedIn, c: ConnectionView) => {
    const zone = visit.users.find((user) => user.user_id === c.user_id)?.timezone ?? "UTC"
    const disconnect = html`<form method="post" action="/account/connections">${hidden("csrf", visit.session.csrf)}${hidden("connection_id", c.connection_id)}
<button class="danger" aria-label="Disconnect ${plain(c.client_name ?? c.client_id)}">Disconnect</button></form>`
    return html`<li class="card"><div class="row"><div><h2>${name(c.client_name ?? c.client_id)}</h2>
<p class="muted">${tag("", name(c.org_name))}<br>Approved ${time(c.approved_on, zone)}<br>Last used ${timeOr(c.last_used_on, zone, "never")}</p></div>
${confirm("Disconnect…", "The app can no longer act for you here. To come back it has to ask you again.", disconnect)}</div>${scopeList(c.scopes)}</li>`
  }

  const show = Effect.fn("pages.connections")(function* (visit: SignedIn) {
    const list = yield* connections.list({ personId: visit.person.person_id })
    const doneNotice = notices[visit.query.get("done")]
    return page({
      title: "Connected apps",
      visit,
      body: html`<h1>Connected apps</h1><p class="lead">These apps act as you, within the permissions that you approved.</p>
${doneNotice !== undefined && note("good", doneNotice)}
${list.length === 0 ? html`<div class="card"><p>No app is connected.</p></div>` : html`<ul class="plain">${list.map((c) => renderConnection(visit, c))}</ul>`}`
    })
  })

  const end = Effect.fn("pages.disconnect")(function* (visit: SignedIn, fields: Fields) {
    const isEnded = yield* connections.end(fields.id("connection_id") ?? 0, { personId: visit.person.person_id })
    return seeOther(`/account/connections?done=${isEnded ? "ended" : "gone"}`)
  })

  return { show, end }
})
