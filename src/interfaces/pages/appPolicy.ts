// `/organization/apps`: which apps may connect, for whom, and the organization's connections (decisions O15). It shows fifty of each,
// and names whom it shows: it grows with neither apps nor people.
import { Effect } from "effect"
import { makeUserLookup } from "../../domain/accounts/userLookup.ts"
import { AppPolicies, type AppPolicy } from "../../domain/connections/AppPolicies.ts"
import { Connections } from "../../domain/connections/Connections.ts"
import type { AppAccess, PolicyMode } from "../../domain/connections/standing.ts"
import { makeIsRuleable } from "../../domain/oauth/clients/ruleable.ts"
import type { Fields } from "../web/form.ts"
import { forged } from "../web/frame.ts"
import { type Content, html } from "../web/html.ts"
import { page, seeOther } from "../web/layout.ts"
import { confirm, hidden, name, note, plain, tag, time, timeOr } from "../web/parts.ts"
import type { MemberVisit } from "../web/Visitors.ts"
import { appName, scopeList } from "./connectionParts.ts"
import { makeMeantUser, userField } from "./meantUser.ts"

const path = "/organization/apps"

const perPage = 50

const modes: Record<PolicyMode, string> = {
  all: "All apps may connect, except those limited or blocked below",
  approved: "Only apps approved below may connect"
}
const accesses: Record<AppAccess, string> = {
  everyone: "Approved for everyone",
  admins: "Approved for admins and owners only",
  blocked: "Blocked"
}
const isMode = (text: string): text is PolicyMode => Object.hasOwn(modes, text)
const isAccess = (text: string): text is AppAccess => Object.hasOwn(accesses, text)
const tagKinds = { everyone: "good", admins: "warn", blocked: "bad" } as const

const notices: Record<string, string> = {
  saved: "Saved.",
  ended: "The connection was ended.",
  gone: "The connection had ended already."
}

export const makeAppPolicy = Effect.gen(function* () {
  const policies = yield* AppPolicies
  const connections = yield* Connections
  const isRuleable = yield* makeIsRuleable
  const { named } = yield* makeUserLookup
  const meantUser = yield* makeMeantUser

  const view = Effect.fnUntraced(function* (visit: MemberVisit, problem?: string) {
    const { current, session, query } = visit
    const zone = current.timezone
    const mode = yield* policies.mode(current.org_id)
    const entries = yield* policies.list(current.org_id)
    const skipped = (by: string) => Math.min(query.id(by) ?? 0, 1_000_000)
    const [skipApps, skip] = [skipped("skip_apps"), skipped("skip")]
    const connectionRows = yield* connections.list({ orgId: current.org_id, limit: perPage + 1, offset: skip })
    const connected = connectionRows.slice(0, perPage)
    const withEntry = new Set(entries.map((entry) => entry.client_id))
    const without = (yield* connections.byClient(current.org_id))
      .filter((c) => !withEntry.has(c.client_id))
      .map(({ client_id, client_name }): AppPolicy => ({ client_id, client_name, access: null, blocked_user_ids: [] }))
    const apps = [...entries, ...without]
    const shownApps = apps.slice(skipApps, skipApps + perPage)
    const nameOf = yield* named(
      current.org_id,
      shownApps.flatMap((app) => app.blocked_user_ids.slice(0, perPage))
    )
    const more = (what: string, by: string, from: number, isMore: boolean) =>
      (from > 0 || isMore) &&
      html`<p>${from > 0 && html`<a class="button quiet" href="${path}">First ${what}</a> `}${isMore && html`<a class="button quiet" href="${path}?${by}=${from + perPage}">More ${what}</a>`}</p>`
    const form = (action: string, inner: Content) =>
      html`<form method="post" action="${path}">${hidden("csrf", session.csrf)}${hidden("as", current.user_id)}${hidden("action", action)}${inner}</form>`
    const choice = (id: string, chosen: AppAccess | null, none: string) =>
      html`<select id="${id}" name="access"><option value="">${none}</option>${Object.entries(accesses).map(
        ([value, text]) => html`<option value="${value}"${value === chosen && html` selected`}>${text}</option>`
      )}</select>`
    const noEntry = mode === "all" ? "No rule: may connect" : "No rule: may not connect"

    const blockedUser = (app: AppPolicy, userId: number) => {
      const person = nameOf.get(userId)
      return html`<li class="row"><span>${tag("bad", "Blocked for")} ${name(person ?? `User ${userId}`)}</span>
${form("unblock", html`${hidden("client_id", app.client_id)}${hidden("user_id", userId)}<button class="link" aria-label="Unblock ${plain(app.client_name ?? app.client_id)} for ${plain(person ?? String(userId))}">Unblock</button>`)}</li>`
    }
    const renderApp = (app: AppPolicy, i: number) => {
      const blocked = app.blocked_user_ids.slice(0, perPage)
      const unseen = app.blocked_user_ids.length - blocked.length
      return html`<li class="card"><h3>${appName(app)} ${app.access === null ? "" : tag(tagKinds[app.access], accesses[app.access])}</h3>
<p class="muted"><code>${app.client_id}</code></p>
${form("access", html`${hidden("client_id", app.client_id)}<div class="inline"><div class="field"><label for="access-${i}">Who may connect it</label>${choice(`access-${i}`, app.access, noEntry)}</div><button class="quiet">Save</button></div>`)}
${blocked.length > 0 && html`<ul class="plain"><br>${blocked.map((id) => blockedUser(app, id))}</ul>${unseen > 0 && html`<p class="muted">And ${unseen} more.</p>`}`}</li>`
    }
    const block = form(
      "block",
      html`<div class="inline"><div class="field"><label for="block-app">App</label><select id="block-app" name="client_id">${shownApps.map(
        (app) =>
          html`<option value="${app.client_id}">${plain(app.client_name ?? app.client_id)} (${app.client_id})</option>`
      )}</select></div>${userField("block-user", "user_id")}<button class="danger">Block</button></div>`
    )
    const row = (c: (typeof connected)[number]) =>
      html`<tr><td>${appName(c)}</td><td>${name(c.user_name)}</td><td>${time(c.approved_on, zone)}</td><td>${timeOr(c.last_used_on, zone, "never")}</td><td>${scopeList(c.scopes)}</td>
<td>${confirm("End…", "Its tokens stop working at once.", form("end", html`${hidden("connection_id", c.connection_id)}<button class="danger" aria-label="End the connection of ${plain(c.user_name)} to ${plain(c.client_name ?? c.client_id)}">End connection</button>`))}</td></tr>`
    const doneNotice = notices[query.get("done")]
    const endedCount = query.id("ended")

    return page({
      title: "App policy",
      visit,
      status: problem === undefined ? 200 : 400,
      body: html`<h1>App policy of ${name(current.org_name)}</h1>
<p class="lead">Limiting or blocking an app ends the connections of everybody it shuts out at once. Lifting it brings none back.</p>
${problem !== undefined && note("bad", problem)}${doneNotice !== undefined && note("good", html`${doneNotice}${endedCount !== undefined && ` ${endedCount} ${endedCount === 1 ? "connection" : "connections"} ended.`}`)}
<div class="card"><h2>New connections</h2>${form(
        "mode",
        html`<fieldset><legend>Which apps may connect</legend>${Object.entries(modes).map(
          ([value, text]) =>
            html`<div class="pick"><input type="radio" name="mode" id="mode-${value}" value="${value}"${value === mode && html` checked`}><label for="mode-${value}">${text}</label></div>`
        )}</fieldset><p class="muted">This holds for new approvals; earlier connections go on.</p><button>Save</button>`
      )}</div>
<h2>Apps</h2><ul class="plain">${shownApps.map(renderApp)}</ul>
${more("apps", "skip_apps", skipApps, apps.length > skipApps + perPage)}${shownApps.length > 0 && html`<div class="card"><h3>Block an app for one person</h3>${block}</div>`}
<div class="card"><h3>Add a rule for another app</h3>${form(
        "access",
        html`<div class="inline"><div class="field"><label for="client_id">Client ID</label><input id="client_id" name="client_id" required maxlength="2048" autocomplete="off"></div><div class="field"><label for="access-new">Who may connect it</label>${choice("access-new", "everyone", noEntry)}</div><button>Add</button></div>`
      )}</div>
<h2>Connections</h2>${
        connected.length === 0
          ? html`<div class="card"><p>Nobody has connected an app.</p></div>`
          : html`<div class="card"><div class="scroll" tabindex="0" role="region" aria-label="Connections"><table><thead><tr><th scope="col">App</th><th scope="col">Person</th><th scope="col">Approved</th><th scope="col">Last used</th><th scope="col">Permissions</th><th scope="col">End</th></tr></thead><tbody>${connected.map(row)}</tbody></table></div></div>`
      }${more("connections", "skip", skip, connectionRows.length > perPage)}`
    })
  })

  const saved = (ended: number) => seeOther(`${path}?done=saved${ended > 0 ? `&ended=${ended}` : ""}`)

  const act = Effect.fnUntraced(function* (visit: MemberVisit, fields: Fields) {
    const actor = { orgId: visit.current.org_id, userId: visit.current.user_id }
    const clientId = fields.get("client_id").trim()
    const unknown = view(visit, "There is no app with this client ID.")
    switch (fields.get("action")) {
      case "mode": {
        const mode = fields.get("mode")
        if (!isMode(mode)) return forged
        yield* policies.setMode(actor, mode)
        return saved(0)
      }
      case "access": {
        const access = fields.get("access")
        if (access !== "" && !isAccess(access)) return forged
        if (access !== "" && !(yield* isRuleable(clientId))) return yield* unknown
        return saved(yield* policies.setAccess(actor, clientId, access === "" ? null : access))
      }
      case "block": {
        if (!(yield* isRuleable(clientId))) return yield* unknown
        const user = yield* meantUser(actor.orgId, fields.get("user_id"))
        if (typeof user === "string") return yield* view(visit, user)
        return saved(yield* policies.setUserBlock(actor, clientId, user.user_id, true))
      }
      case "unblock":
        return saved(yield* policies.setUserBlock(actor, clientId, fields.id("user_id") ?? 0, false))
      case "end": {
        const isEnded = yield* connections.end(fields.id("connection_id") ?? 0, {
          orgId: actor.orgId,
          adminUserId: actor.userId
        })
        return seeOther(`${path}?done=${isEnded ? "ended" : "gone"}`)
      }
      default:
        return forged
    }
  })

  return {
    show: Effect.fn("pages.appPolicy")((visit: MemberVisit) => view(visit)),
    submit: Effect.fn("pages.appPolicySubmit")((visit: MemberVisit, fields: Fields) =>
      act(visit, fields).pipe(Effect.catchTag("ValidationError", ({ message }) => view(visit, message)))
    )
  }
})
