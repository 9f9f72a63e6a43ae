// What people see on the way through an authorization: sign in, consent, errors (service.md 2.2, 4.1; decisions O5, O19).

import { keptOutWords } from "../../connections/standing.ts"
import type { RequestView } from "../Authorizations.ts"
import { displayName } from "../clients/Client.ts"
import { describe, type OAuthRefused, type ReasonId, reasons } from "../reasons.ts"
import type { RedirectTarget } from "../redirectUri.ts"
import { scopeLines } from "../scopes.ts"
import { escape, page } from "./html.ts"

const hidden = (name: string, value: string) => `<input type="hidden" name="${name}" value="${escape(value)}">`

export const signInPage = (options: { readonly csrf: string; readonly next: string; readonly failed: boolean }) =>
  page({
    title: "Sign in",
    status: options.failed ? 401 : 200,
    body: `${options.failed ? `<p role="alert">The e-mail address or the password is wrong.</p>` : ""}
<form method="post" action="/sign-in">${hidden("csrf", options.csrf)}${hidden("next", options.next)}
<label>E-mail <input type="email" name="email" autocomplete="username" required></label>
<label>Password <input type="password" name="password" autocomplete="current-password" required></label>
<button>Sign in</button></form>`
  })

export const messagePage = (title: string, text: string, status: number) =>
  page({ title, status, body: `<p>${escape(text)}</p>` })

/** Client or redirect URI cannot be trusted: no way back to the app. */
export const untrustedPage = (refused: OAuthRefused, status: number) =>
  page({
    title: "This app cannot be connected",
    status,
    body: `<p>${escape(describe(refused.reasonId, refused.detail))}</p>`
  })

const hostOf = (target: RedirectTarget) => (target.type === "app" ? `${target.scheme}:` : target.host)

const mark = (target: RedirectTarget) =>
  target.type === "website"
    ? `<p>Verified website: <strong>${escape(target.host)}</strong></p>`
    : `<p><strong>Unverified</strong>: this app cannot be tied to a website.</p>
<p>You will be sent to <strong>${escape(hostOf(target))}</strong>${
        target.type === "loopback"
          ? ", a program on your own computer. Go on only if you have just started it yourself."
          : "."
      }</p>`

const form = (requestId: string, csrf: string, inner: string) =>
  `<form method="post" action="/oauth/consent/${escape(requestId)}">${hidden("csrf", csrf)}${inner}</form>`

type Consent = Extract<RequestView, { readonly _tag: "Consent" }>
type Fault = Extract<RequestView, { readonly _tag: "Fault" }>

export const consentPage = (view: Consent, csrf: string) => {
  const name = displayName(view.client, view.target.type === "app" ? undefined : view.target.host)
  const free = view.choices.filter((choice) => choice.keptOut === undefined)
  const options = view.choices.map((choice, i) => {
    const id = `user-${choice.userId}`
    const input = `<input type="radio" name="user_id" id="${id}" value="${choice.userId}" required${
      choice.keptOut === undefined ? (choice === free[0] ? " checked" : "") : " disabled"
    }>`
    const why = choice.keptOut === undefined ? "" : `<br><small>${escape(keptOutWords[choice.keptOut])}</small>`
    return `<div data-choice="${i}">${input} <label for="${id}">${escape(choice.orgName)}</label>${why}</div>`
  })
  const buttons =
    free.length > 0
      ? `<button name="decision" value="approve">Allow</button><button name="decision" value="decline" formnovalidate>Decline</button>`
      : `<button name="decision" value="return" formnovalidate>Return to app</button>`
  const blocked =
    free.length > 0 ? "" : `<p role="alert">You cannot connect this app. ${describe("AUTHORIZE_USER_REFUSED")}</p>`
  return page({
    title: `Connect ${name}?`,
    formTarget: view.redirectUri,
    body: `<p><strong>${escape(name)}</strong> asks to act for you.</p>${mark(view.target)}
<ul>${view.scopes.map((scope) => `<li>${escape(scopeLines[scope])}</li>`).join("")}</ul>${blocked}
${form(view.requestId, csrf, `<fieldset><legend>Organization</legend>${options.join("")}</fieldset>${buttons}`)}`
  })
}

export const faultPage = (view: Fault, csrf: string) =>
  page({
    title: "The app's request is wrong",
    status: 400,
    formTarget: view.redirectUri,
    body: `<p>${escape(faultWords(view.reasonId, view.detail))}</p>
${form(view.requestId, csrf, `<button name="decision" value="return">Return to app</button>`)}`
  })

const faultWords = (reasonId: ReasonId, detail: string | null) => describe(reasonId, detail ?? reasons[reasonId].text)
