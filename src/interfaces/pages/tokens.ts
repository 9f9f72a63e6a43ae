// `/account/tokens`: personal access tokens of a user: list, create, rename, revoke (developer-api.md 1.7).
import { Effect } from "effect"
import {
  ApiCredentials,
  activeTokensPerUser,
  selectedPerKind,
  type TokenView
} from "../../domain/accounts/ApiCredentials.ts"
import { prefixes } from "../../domain/accounts/credentialPrefixes.ts"
import { allScopes } from "../../domain/accounts/Scope.ts"
import { Workspaces } from "../../domain/accounts/Workspaces.ts"
import { isScope, scopeLines } from "../../domain/oauth/scopes.ts"
import { Apps } from "../../domain/records/apps/Apps.ts"
import { type Fields, fieldsOf, idOf } from "../web/form.ts"
import { type Content, html } from "../web/html.ts"
import { page, seeOther } from "../web/layout.ts"
import { makeOneTimeSecret } from "../web/oneTimeSecret.ts"
import { forged } from "../web/pageFrame.ts"
import { confirm, field, hiddenField, name, note, plainName, tag, time, timeOr } from "../web/pageParts.ts"
import { callerOf, type MemberVisit } from "../web/Visitors.ts"
import { shownOnce } from "./apiKey.ts"
import { tokens as texts } from "./texts/account.ts"

const path = "/account/tokens"
const notices: Record<string, string> = texts.notices

const pick = (group: string, value: string | number, label: Content, chosen: ReadonlySet<string>) =>
  html`<div class="pick"><input type="checkbox" id="${group}-${value}" name="${group}" value="${value}"${chosen.has(String(value)) && html` checked`}><label for="${group}-${value}">${label}</label></div>`

export const makeTokens = Effect.gen(function* () {
  const credentials = yield* ApiCredentials
  const workspaces = yield* Workspaces
  const apps = yield* Apps
  const oneTimeSecrets = yield* makeOneTimeSecret

  const createForm = Effect.fnUntraced(function* (visit: MemberVisit, sent: Fields) {
    const caller = callerOf(visit, visit.current)
    const visibleWorkspaces = yield* workspaces.list(caller)
    const visibleApps = yield* apps.list(caller, null)
    const chosenIds = (group: string) => new Set(sent.all(group))
    const selected = sent.get("content") === "selected"
    return html`<div class="card"><h2>${texts.newToken}</h2><form method="post" action="${path}">
${hiddenField("csrf", visit.session.csrf)}${hiddenField("as", visit.current.user_id)}${hiddenField("action", "create")}
${field({ name: texts.nameInSentence, label: texts.name, type: "text", max: 500, value: sent.get("name"), hint: texts.whatItIsForOnly })}
<fieldset><legend>${texts.permissions}</legend><div class="picks">${allScopes.map((scope) => pick("scope", scope, html`${scopeLines[scope]} <code>${scope}</code>`, chosenIds("scope")))}</div></fieldset>
<fieldset><legend>${texts.content}</legend>
<div class="pick"><input type="radio" id="content-all" name="content" value="all"${!selected && html` checked`}><label for="content-all">${texts.everythingThatIMaySee}</label></div>
<div class="pick"><input type="radio" id="content-selected" name="content" value="selected"${selected && html` checked`}><label for="content-selected">${texts.onlyWhatISelectBelow(selectedPerKind)}</label></div>
<details${selected && html` open`}><summary>${texts.workspacesAndApps}</summary>
${visibleWorkspaces.length > 0 && html`<h3>${texts.workspacesWithAllTheirApps}</h3><div class="picks">${visibleWorkspaces.map((w) => pick("workspace_id", w.workspace_id, name(w.name), chosenIds("workspace_id")))}</div>`}
${visibleApps.length > 0 && html`<h3>${texts.singleApps}</h3><div class="picks">${visibleApps.map((a) => pick("app_id", a.app_id, html`${name(a.name)} <small>${name(a.workspace_name)}</small>`, chosenIds("app_id")))}</div>`}
</details></fieldset><button>${texts.createToken}</button></form></div>`
  })

  const renderToken = (visit: MemberVisit, t: TokenView) => {
    const zone = visit.current.timezone
    const form = (action: string, inner: Content) =>
      html`<form method="post" action="${path}">${hiddenField("csrf", visit.session.csrf)}${hiddenField("as", visit.current.user_id)}${hiddenField("action", action)}${hiddenField("credential_id", t.credential_id)}${inner}</form>`
    const { length } = [...t.workspace_ids, ...t.app_ids]
    return html`<li class="card"><div class="row"><div><h2>${name(t.name)}</h2>
<p class="muted"><code>${prefixes.personalAccessToken}••••••••${t.hint}</code> ${t.revoked_on === null ? "" : tag("bad", texts.revoked)}<br>
${texts.madeTime(time(t.created_on, zone), t.revoked_on !== null && html` ${texts.revokedTime(time(t.revoked_on, zone))}`)}<br>${texts.lastUsedTimeOr(timeOr(t.last_used_on, zone, "never"))}</p></div>
${t.revoked_on === null && confirm(texts.revoke, texts.itStopsWorking, form("revoke", html`<button class="danger" aria-label="${texts.revokePlain(plainName(t.name))}">${texts.revokeNow}</button>`))}</div>
<p class="muted">${t.content_selection === "all" ? texts.allContent : texts.selectedContent(length)}</p>
<p>${t.scopes.map((scope) => tag("", scope))}</p>
<details><summary>${texts.rename}</summary>${form(
      "rename",
      html`<div class="inline"><div class="field"><label for="name-${t.credential_id}">${texts.name}</label><input id="name-${t.credential_id}" name="name" value="${t.name}" maxlength="500" required autocomplete="off"></div><button class="quiet">${texts.rename}</button></div>`
    )}</details></li>`
  }

  const view = Effect.fnUntraced(function* (visit: MemberVisit, sent: Fields, problem?: string) {
    const { current } = visit
    const list = yield* credentials.listTokens(current.user_id)
    const secret = yield* oneTimeSecrets.read(visit, "token")
    const doneNotice = notices[visit.query.get("done")]
    const active = list.filter((t) => t.revoked_on === null).length
    const create =
      current.role === "guest"
        ? note("warn", texts.guestsCannotCreatePersonalAccess)
        : active >= activeTokensPerUser
          ? note("warn", texts.youHaveActiveTokens(active))
          : yield* createForm(visit, sent)
    const response = page({
      title: texts.accessTokens,
      visit,
      status: problem === undefined ? 200 : 400,
      body: html`<h1>${texts.personalAccessTokens}</h1>
<p class="lead">${texts.forScriptsAndIntegrations(name(current.org_name))}</p>
${problem !== undefined && note("bad", problem)}${doneNotice !== undefined && note("good", doneNotice)}
${secret !== undefined && html`<div class="card">${shownOnce(texts.thisIsYourNewToken, secret)}</div>`}
${create}${list.length > 0 && html`<h2>${texts.yourTokens}</h2><ul class="plain">${list.map((t) => renderToken(visit, t))}</ul>`}`
    })
    return secret === undefined ? response : oneTimeSecrets.forget(response)
  })

  const mint = Effect.fnUntraced(function* (visit: MemberVisit, fields: Fields) {
    const { current, person } = visit
    const scopes = fields.all("scope").filter(isScope)
    const ids = (group: string) => [...new Set(fields.all(group).flatMap((text) => idOf(text) ?? []))]
    const selected = { workspaceIds: ids("workspace_id"), appIds: ids("app_id") }
    const isSelected = fields.get("content") === "selected"
    const input = { name: fields.get("name"), scopes, selection: isSelected ? selected : ("all" as const) }
    const { token } = yield* credentials.mintToken(current.user_id, input, { personId: person.person_id })
    return oneTimeSecrets.keep(seeOther(path), visit, "token", token)
  })

  const act = Effect.fnUntraced(function* (visit: MemberVisit, fields: Fields) {
    const { user_id } = visit.current
    const id = fields.id("credential_id") ?? 0
    switch (fields.get("action")) {
      case "create":
        return yield* mint(visit, fields)
      case "rename":
        yield* credentials.renameToken(user_id, id, fields.get("name"))
        return seeOther(`${path}?done=renamed`)
      case "revoke":
        yield* credentials.revokeToken(user_id, id, { personId: visit.person.person_id })
        return seeOther(`${path}?done=revoked`)
      default:
        return forged
    }
  })

  return {
    show: Effect.fn("pages.tokens")((visit: MemberVisit) => view(visit, fieldsOf(""))),
    submit: Effect.fn("pages.tokensSubmit")((visit: MemberVisit, fields: Fields) =>
      act(visit, fields).pipe(
        Effect.catchTag(["ValidationError", "Restricted", "NotFound"], ({ message }) => view(visit, fields, message))
      )
    )
  }
})
