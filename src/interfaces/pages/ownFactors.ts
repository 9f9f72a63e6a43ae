// `/account/factors`: second steps and recovery codes (decisions, "The second step") of people whom the console does not let in yet, and of
// those on their way to something else (`next`). Others are led to the console.
import { Effect, Option } from "effect"
import type { Factor, FactorKind } from "../../domain/accounts/factors/factorRows.ts"
import { CODES } from "../../domain/accounts/factors/recoveryCodes.ts"
import { FactorChanges } from "../../domain/oauth/FactorChanges.ts"
import type { Fields } from "../web/form.ts"
import { queryOf } from "../web/formBody.ts"
import { html } from "../web/html.ts"
import { page, seeOther } from "../web/layout.ts"
import { localPath } from "../web/localPath.ts"
import { makeOneTimeSecret } from "../web/oneTimeSecret.ts"
import { forged } from "../web/pageFrame.ts"
import { confirm, field, hiddenField, name, note, plainName, time, timeOr } from "../web/pageParts.ts"
import type { SignedIn } from "../web/Visitors.ts"
import { confirmAt } from "./confirm.ts"
import { factorName, NAME_LENGTH, shownCodes } from "./factorNames.ts"
import { passkeyScripts } from "./passkeyAssets.ts"
import { passkeyForm } from "./stepForms.ts"
import { ownFactors as texts } from "./texts/secondSteps.ts"

const path = "/account/factors"

const kinds: Record<FactorKind, string> = texts.kinds

const notices: Record<string, string> = texts.notices

export const makeOwnFactors = Effect.gen(function* () {
  const ownFactors = yield* FactorChanges
  const oneTimeSecrets = yield* makeOneTimeSecret
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
    const common = html`${hiddenField("csrf", session.csrf)}${hiddenField("next", next)}`
    const doneNotice = notices[query.get("done")]
    const form = (action: string, inner: ReturnType<typeof html>) =>
      html`<form method="post" action="${path}">${common}${hiddenField("action", action)}${inner}</form>`

    const renderFactor = (factor: Factor) =>
      html`<li class="card row"><div><h2>${name(factor.name)}</h2><p class="muted">${kinds[factor.kind]}<br>${texts.addedTime(time(factor.created_on, zone))}<br>${texts.lastUsedTimeOr(timeOr(factor.last_used_on, zone, "never"))}</p></div>
${mayChange && confirm(texts.remove, texts.itNoLongerSigns, form("remove", html`${hiddenField("factor_id", factor.factor_id)}<button class="danger" aria-label="${texts.removePlain(plainName(factor.name))}">${texts.removeNow}</button>`))}</li>`
    const needed = factors.length === 0 ? asking[0] : undefined
    const toConfirm = html`<p><a class="button" href="${confirmAt(`${path}?done=confirmed`)}">${texts.confirmThatItIsYou}</a></p>`

    return page({
      title: texts.twoStepSignIn,
      visit,
      status: problem === undefined ? 200 : 400,
      scripts: registration === undefined ? [] : passkeyScripts,
      body: html`<h1>${texts.twoStepSignIn}</h1>
<p class="lead">${texts.afterYourPasswordYouShow}</p>
${problem !== undefined && note("bad", problem)}${doneNotice !== undefined && note("good", doneNotice)}
${needed !== undefined && note("warn", html`${texts.asksForASecondStep(name(needed.name), time(needed.required_from, zone))}`)}
${factors.length === 0 ? html`<div class="card"><p>${texts.itIsOff}</p></div>` : html`<ul class="plain">${factors.map(renderFactor)}</ul>`}
${
  mayAdd
    ? html`<h2>${texts.addASecondStep}</h2><div class="grid"><div class="card"><h3>${texts.passkey}</h3>${
        registration === undefined
          ? html`<p class="muted">${texts.notPossibleHere}</p>`
          : html`<p class="muted">${texts.fingerprintFaceOrCode}</p>${passkeyForm(path, "create", registration, html`${common}${hiddenField("action", "passkey")}${field({ name: texts.nameInSentence, label: texts.name, type: "text", value: texts.thisDevice, max: NAME_LENGTH })}`, texts.addPasskey)}`
      }</div>
<div class="card"><h3>${texts.authenticatorApp}</h3><p class="muted">${texts.appOnYourPhoneShows}</p><p><a class="button quiet" href="${path}/app?next=${encodeURIComponent(next)}">${texts.setUpAnApp}</a></p></div></div>`
    : html`<h2>${texts.changeIt}</h2><p>${texts.toAddRemoveOrReplace}</p>${toConfirm}`
}
${
  factors.length > 0 &&
  html`<h2>${texts.recoveryCodes}</h2><div class="card"><p>${texts.codesLeftOfCodesLeft(codesLeft, CODES)}</p>${
    mayChange
      ? confirm(
          texts.makeNewCodes,
          texts.presentOnesAreWorthNothing,
          form("codes", html`<button>${texts.makeNewCodesNow}</button>`)
        )
      : html`<p class="muted">${texts.toMakeNewOnes}</p>${mayAdd && toConfirm}`
  }</div>`
}`
    })
  })

  const toCodes = (visit: SignedIn, made: ReadonlyArray<string>, next: string) => codes.keep(visit, made, next)

  const act = Effect.fnUntraced(function* (visit: SignedIn, fields: Fields) {
    const next = localPath(fields.get("next"))
    switch (fields.get("action")) {
      case "passkey": {
        const newCodes = yield* ownFactors.addPasskey(visit, factorName(fields, texts.passkey), fields.get("answer"))
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
          title: texts.recoveryCodes,
          visit,
          body: html`<h1>${texts.recoveryCodes}</h1>${note("good", texts.twoStepSign)}
<p class="lead">${texts.whenYouHaveLost}</p>
<div class="card"><ul class="codes" aria-label="${texts.recoveryCodes}">${codeList.codes.map((code) => html`<li><code>${code}</code></li>`)}</ul>
<div class="buttons"><a class="button" href="${codeList.next}">${texts.iHaveKeptThem}</a></div></div>`
        })
      )
    })
  }
})
