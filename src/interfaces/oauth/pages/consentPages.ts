// Pages of an authorization: consent, errors (service.md 2.2, 4.1; decisions O12, O19, O24).
import { HttpServerResponse } from "effect/http"
import type { Scope, ScopeVerb } from "../../../domain/accounts/Scope.ts"
import { keptOutWords } from "../../../domain/connections/connectPermission.ts"
import type { RequestView } from "../../../domain/oauth/Authorizations.ts"
import type { Choice } from "../../../domain/oauth/authorizationRequests.ts"
import { describe, type OAuthRefused } from "../../../domain/oauth/reasons.ts"
import { scopeLines, scopeVerbs, strongScopes } from "../../../domain/oauth/scopes.ts"
import { type Html, html } from "../../web/html.ts"
import { page } from "../../web/layout.ts"
import { hiddenField, name, note, tag } from "../../web/pageParts.ts"
import { appOf, warning, whereTo } from "./askingClient.ts"
import { consentViews as texts } from "./texts.ts"

/** Client or redirect URI cannot be trusted, or nothing can be told yet: no way back to the app. */
export const untrustedPage = (refused: OAuthRefused, status: number) => {
  const later = refused.retryAfterSeconds
  const title = later === undefined ? texts.thisAppCannotBeConnected : texts.tryAgainInAMoment
  const refusalPage = page({
    title,
    status,
    body: html`<h1>${title}</h1><p>${describe(refused.reasonId, refused.detail)}</p>
<p class="muted">${texts.nothingWasSent(later === undefined ? texts.tellItsMakers : texts.reloadThisPageOrStart)}</p><p><a href="/">${texts.startPage}</a></p>`
  })
  return later === undefined ? refusalPage : HttpServerResponse.setHeader(refusalPage, "retry-after", String(later))
}

export type Consent = Extract<RequestView, { readonly _tag: "Consent" }>
type Fault = Extract<RequestView, { readonly _tag: "Fault" }>

const form = (requestId: string, csrf: string, inner: Html) =>
  html`<form method="post" action="/oauth/consent/${requestId}">${hiddenField("csrf", csrf)}${inner}</form>`

/** None is chosen beforehand: where there are several the person says which. */
const organization = (choice: Choice, only: boolean) => {
  const id = `user-${choice.userId}`
  if (choice.keptOut !== undefined)
    return html`<div class="pick"><input type="radio" name="user_id" id="${id}" value="${choice.userId}" disabled><label for="${id}">${name(choice.orgName)}<br><small>${keptOutWords[choice.keptOut]}</small></label></div>`
  return only
    ? html`${hiddenField("user_id", choice.userId)}<p>${name(choice.orgName)}</p>`
    : html`<div class="pick"><input type="radio" name="user_id" id="${id}" value="${choice.userId}" required><label for="${id}">${name(choice.orgName)}</label></div>`
}

const verbs: Record<ScopeVerb, string> = texts.verbs

/** Lists a line for each scope, under a heading for what it lets the app do. */
const permissions = (scopes: ReadonlyArray<Scope>) =>
  Object.entries(verbs).map(([verb, title]) => {
    const lines = scopes.filter((scope) => scopeVerbs[scope] === verb)
    return (
      lines.length > 0 &&
      html`<h2>${title}</h2><ul class="ticks">${lines.map((scope) => html`<li>${scopeLines[scope]}${strongScopes.has(scope) && html` ${tag("warn", "Far-reaching")}`}</li>`)}</ul>`
    )
  })

const goBack = html`<div class="buttons"><button name="decision" value="return">${texts.returnToApp}</button></div>`

export const consentPage = (view: Consent, csrf: string, email: string, problem?: string) => {
  const { client, choices, scopes, requestId, redirectUri } = view
  const app = appOf(view)
  const blocked = choices.every((choice) => choice.keptOut !== undefined)
  const head = html`<div class="monogram" aria-hidden="true">${[...app][0]?.toUpperCase() ?? "?"}</div>`
  const account = html`<p class="muted app">${texts.signedInAsEmailUse(html`<strong>${email}</strong>`, html`<a href="/sign-in?next=${encodeURIComponent(`/oauth/consent/${requestId}`)}">${texts.useAnotherAccount}</a>`)}</p>`
  const formTargets = [redirectUri, ...client.redirect_uris]
  if (blocked) {
    return page({
      title: texts.youCannotConnectApp(app),
      status: problem === undefined ? 200 : 403,
      formTargets,
      body: html`${head}<h1 class="app">${texts.youCannotConnect(name(app))}</h1>
${note("bad", describe("AUTHORIZE_USER_REFUSED"))}
${choices.length === 0 ? html`<p>${texts.youAreNotAUser}</p>` : html`<ul>${choices.map((c) => html`<li><strong>${name(c.orgName)}</strong>: ${keptOutWords[c.keptOut!]}</li>`)}</ul>`}
${form(requestId, csrf, goBack)}<hr>${account}`
    })
  }
  return page({
    title: texts.connectApp(app),
    status: problem === undefined ? 200 : 400,
    formTargets,
    body: html`${head}<h1 class="app">${texts.connect(name(app))}</h1>${whereTo(view)}${warning(view)}
${problem !== undefined && note("bad", problem)}
<p>${texts.asksToAct(html`<strong>${name(app)}</strong>`)}</p>
${permissions(scopes)}
${form(
  requestId,
  csrf,
  html`<fieldset><legend>${texts.organization}</legend>${choices.map((choice) => organization(choice, choices.length === 1))}</fieldset>
<div class="buttons"><button name="decision" value="approve">${texts.allow}</button><button class="quiet" name="decision" value="decline" formnovalidate>${texts.decline}</button></div>`
)}
<p class="muted"><br>${texts.youCanDisconnect}</p><hr>${account}`
  })
}

export const faultPage = (view: Fault, csrf: string) =>
  page({
    title: texts.appsRequestCannotBeCarried,
    status: 400,
    formTargets: [view.redirectUri, ...view.client.redirect_uris],
    body: html`<h1>${texts.appsRequestCannotBeCarried}</h1>
${note("bad", describe(view.reasonId, view.detail))}
<p class="muted">${texts.goBackToTheApp}</p>
${form(view.requestId, csrf, goBack)}`
  })
