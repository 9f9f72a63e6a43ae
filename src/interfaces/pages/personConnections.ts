// `/account/connections`: a person's connected apps in all their organizations, without a script, and for people of no organization, whom the
// console does not let in (service.md 3.2; decisions O15).
import { Effect } from "effect"
import type { ConnectionView } from "../../domain/connections/Connection.ts"
import { Connections } from "../../domain/connections/Connections.ts"
import { scopeLines } from "../../domain/oauth/scopes.ts"
import type { Fields } from "../web/form.ts"
import { html } from "../web/html.ts"
import { page, seeOther } from "../web/layout.ts"
import { confirm, hiddenField, name, note, plainName, tag, time, timeOr } from "../web/pageParts.ts"
import type { SignedIn } from "../web/Visitors.ts"
import { personConnections as texts } from "./texts/account.ts"

const notices: Record<string, string> = texts.notices

const scopeList = (scopes: ConnectionView["scopes"]) =>
  html`<details><summary>${texts.permissions(scopes.length)}</summary>
<ul class="ticks">${scopes.map((scope) => html`<li>${scopeLines[scope]} <code>${scope}</code></li>`)}</ul></details>`

export const makeConnections = Effect.gen(function* () {
  const connections = yield* Connections

  const renderConnection = (visit: SignedIn, c: ConnectionView) => {
    const zone = visit.users.find((user) => user.user_id === c.user_id)?.timezone ?? "UTC"
    const disconnect = html`<form method="post" action="/account/connections">${hiddenField("csrf", visit.session.csrf)}${hiddenField("connection_id", c.connection_id)}
<button class="danger" aria-label="${texts.disconnectPlain(plainName(c.client_name ?? c.client_id))}">${texts.disconnect}</button></form>`
    return html`<li class="card"><div class="row"><div><h2>${name(c.client_name ?? c.client_id)}</h2>
<p class="muted">${tag("", name(c.org_name))}<br>${texts.approvedTime(time(c.approved_on, zone))}<br>${texts.lastUsedTimeOr(timeOr(c.last_used_on, zone, "never"))}</p></div>
${confirm(texts.disconnectAsking, texts.appCanNoLongerAct, disconnect)}</div>${scopeList(c.scopes)}</li>`
  }

  const show = Effect.fn("pages.connections")(function* (visit: SignedIn) {
    const list = yield* connections.list({ personId: visit.person.person_id })
    const doneNotice = notices[visit.query.get("done")]
    return page({
      title: texts.connectedApps,
      visit,
      body: html`<h1>${texts.connectedApps}</h1><p class="lead">${texts.theseAppsAct}</p>
${doneNotice !== undefined && note("good", doneNotice)}
${list.length === 0 ? html`<div class="card"><p>${texts.noAppIsConnected}</p></div>` : html`<ul class="plain">${list.map((c) => renderConnection(visit, c))}</ul>`}`
    })
  })

  const end = Effect.fn("pages.disconnect")(function* (visit: SignedIn, fields: Fields) {
    const isEnded = yield* connections.end(fields.id("connection_id") ?? 0, { personId: visit.person.person_id })
    return seeOther(`/account/connections?done=${isEnded ? "ended" : "gone"}`)
  })

  return { show, end }
})
