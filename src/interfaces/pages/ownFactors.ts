// `/account/factors`: second steps and recovery codes (decisions, "The second step") of people whom the console does not let in yet, and of
// those on their way to something else (`next`). Others are led to the console.
import { Effect, Option } from "effect"
import type { Factor, FactorKind } from "../../domain/accounts/factors/factorRows.ts"
import { CODES } from "../../domain/accounts/factors/recoveryCodes.ts"
import { FactorChanges } from "../../domain/oauth/FactorChanges.ts"
import type { Fields } from "../web/form.ts"
import { queryOf } from "../web/formBody.ts"
import { forged } from "../web/frame.ts"
import { html } from "../web/html.ts"
import { page, seeOther } from "../web/layout.ts"
import { localPath } from "../web/next.ts"
import { makeOnce } from "../web/once.ts"
import { confirm, field, hidden, name, note, plain, time, timeOr } from "../web/parts.ts"
import type { SignedIn } from "../web/Visitors.ts"
import { confirmAt } from "./confirm.ts"
import { factorName, NAME_LENGTH, shownCodes } from "./factorNames.ts"
import { passkeyScripts } from "./passkeyAssets.ts"
import { passkeyForm } from "./stepForms.ts"

const path = "/account/factors"

const kinds: Record<FactorKind, string> = { totp: "Authenticator app", passkey: "Passkey" }

const notices: Record<string, string> = {
  added: "Added.",
  removed: "Removed.",
  confirmed: "Confirmed. You can change your second steps for ten minutes."
}

export const makeOwnFactors = Effect.gen(function* () {
  const ownFactors = yield* FactorChanges
  const oneTimeSecrets = yield* makeOnce
  const codes = yield* shownCodes

  const view = Effect.fnUntraced(function* (visit: SignedIn, problem?: string) {
    const { query, session } = visit
    const { asking, codesLeft, factors, mayAdd, mayChange, passkeysPossible } = yield* ownFactors.state(visit)
    const registration =
      mayAdd && passkeysPossible
        ? Option.getOrUndefined(yield* Effect.option(ownFactors.askToRegister(visit)))
        : undefined
    const next = localPath(query.get("next"))
    const zone = visit.users[0]?.timezone ?? "UTC"
    const common = html`${hidden("csrf", session.csrf)}${hidden("next", next)}`
    const doneNotice = notices[query.get("done")]
    const form = (action: string, inner: ReturnType<typeof html>) =>
      html`<form method="post" action="${path}">${common}${hidden("action", action)}${inner}</form>`

    const renderFactor = (factor: Factor) =>
      html`<li class="card row"><div><h2>${name(factor.name)}</h2><p class="muted">${kinds[factor.kind]}<br>Added ${time(factor.created_on, zone)}<br>Last used ${timeOr(factor.last_used_on, zone, "never")}</p></div>
${mayChange && confirm("Remove…", "It no longer signs you in.", form("remove", html`${hidden("factor_id", factor.factor_id)}<button class="danger" aria-label="Remove ${plain(factor.name)}">Remove</button>`))}</li>`
    const needed = factors.length === 0 ? asking[0] : undefined
    const toConfirm = html`<p><a class="button" href="${confirmAt(`${path}?done=confirmed`)}">Confirm that it is you</a></p>`

    return page({
      title: "Two-step sign-in",
      visit,
      status: problem === undefined ? 200 : 400,
      scripts: registration === undefined ? [] : passkeyScripts,
      body: html`<h1>Two-step sign-in</h1>
<p class="lead">After your password you show something that you have: a passkey of your device, or a code of an app.</p>
${problem !== undefined && note("bad", problem)}${doneNotice !== undefined && note("good", doneNotice)}
${needed !== undefined && note("warn", html`${name(needed.name)} asks for a second step from ${time(needed.required_from, zone)} on.`)}
${factors.length === 0 ? html`<div class="card"><p>It is off: your password alone signs you in.</p></div>` : html`<ul class="plain">${factors.map(renderFactor)}</ul>`}
${
  mayAdd
    ? html`<h2>Add a second step</h2><div class="grid"><div class="card"><h3>Passkey</h3>${
        registration === undefined
          ? html`<p class="muted">Not possible here: passkeys need an address with a name, by https.</p>`
          : html`<p class="muted">Fingerprint, face or code of this device, or a security key. It cannot be phished.</p>${passkeyForm(path, "create", registration, html`${common}${hidden("action", "passkey")}${field({ name: "name", label: "Name", type: "text", value: "This device", max: NAME_LENGTH })}`, "Add passkey")}`
      }</div>
<div class="card"><h3>Authenticator app</h3><p class="muted">An app on your phone shows a code of six digits.</p><p><a class="button quiet" href="${path}/app?next=${encodeURIComponent(next)}">Set up an app</a></p></div></div>`
    : html`<h2>Change it</h2><p>To add, remove or replace anything, show first that it is you.</p>${toConfirm}`
}
${
  factors.length > 0 &&
  html`<h2>Recovery codes</h2><div class="card"><p>${codesLeft} of ${CODES} left. Each signs you in once, in place of a second step.</p>${
    mayChange
      ? confirm(
          "Make new codes…",
          "The present ones are worth nothing then.",
          form("codes", html`<button>Make new codes</button>`)
        )
      : html`<p class="muted">To make new ones or to remove a second step, confirm first.</p>${mayAdd && toConfirm}`
  }</div>`
}`
    })
  })

  const toCodes = (visit: SignedIn, made: ReadonlyArray<string>, next: string) => codes.keep(visit, made, next)

  const act = Effect.fnUntraced(function* (visit: SignedIn, fields: Fields) {
    const next = localPath(fields.get("next"))
    switch (fields.get("action")) {
      case "passkey": {
        const newCodes = yield* ownFactors.addPasskey(visit, factorName(fields, "Passkey"), fields.get("answer"))
        return newCodes === undefined ? seeOther(`${path}?done=added`) : toCodes(visit, newCodes, next)
      }
      case "remove":
        yield* ownFactors.remove(visit, fields.id("factor_id") ?? 0)
        return seeOther(`${path}?done=removed`)
      case "codes":
        return toCodes(visit, yield* ownFactors.newCodes(visit), path)
      default:
        return forged
    }
  })

  return {
    show: Effect.fn("pages.factors")((visit: SignedIn) =>
      visit.users.length > 0 && queryOf(visit.request.originalUrl) === ""
        ? Effect.succeed(seeOther("/console/account/sign-in"))
        : view(visit)
    ),
    submit: Effect.fn("pages.factorsSubmit")((visit: SignedIn, fields: Fields) =>
      act(visit, fields).pipe(
        Effect.catchTag("ConfirmationRequired", () => Effect.succeed(seeOther(confirmAt(path)))),
        Effect.catchTag(["ValidationError", "Conflict", "NotFound"], ({ message }) => view(visit, message))
      )
    ),
    codes: Effect.fn("pages.recoveryCodes")(function* (visit: SignedIn) {
      const codeList = yield* codes.read(visit)
      if (codeList === undefined) return seeOther(path)
      return oneTimeSecrets.forget(
        page({
          title: "Recovery codes",
          visit,
          body: html`<h1>Recovery codes</h1>${note("good", "Two-step sign-in is on.")}
<p class="lead">When you have lost your second step, one of these signs you in. Each works once. Print them, or keep them where you keep passwords: they are not shown again.</p>
<div class="card"><ul class="codes" aria-label="Recovery codes">${codeList.codes.map((code) => html`<li><code>${code}</code></li>`)}</ul>
<div class="buttons"><a class="button" href="${codeList.next}">I have kept them</a></div></div>`
        })
      )
    })
  }
})
