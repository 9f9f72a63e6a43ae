// `/account/factors/app`: an authenticator app is set up by a QR code and counts when it has shown a code. Until then its secret is in the form
// alone, sealed for this session and for ten minutes.
import { Effect } from "effect"
import { renderSVG } from "uqr"
import { type AppOffer, FactorChanges } from "../../domain/oauth/FactorChanges.ts"
import type { ConfirmationRequired } from "../../domain/oauth/SessionProofs.ts"
import type { Fields } from "../web/form.ts"
import { html, trusted } from "../web/html.ts"
import { page, seeOther } from "../web/layout.ts"
import { localPath } from "../web/localPath.ts"
import { field, hiddenField, note } from "../web/pageParts.ts"
import type { SignedIn } from "../web/Visitors.ts"
import { confirmAt } from "./confirm.ts"
import { factorName, NAME_LENGTH, shownCodes } from "./factorNames.ts"
import { totpSetup as texts } from "./texts/secondSteps.ts"

const path = "/account/factors/app"
/** Groups the secret in fours, as people read it. */
const spaced = (secret: string) => secret.match(/.{1,4}/g)?.join(" ") ?? secret

interface Shown {
  readonly next: string
  readonly offer: AppOffer
  readonly problem?: string
}

const view = (visit: SignedIn, { next, offer: { sealed, secret, uri }, problem }: Shown) =>
  page({
    title: texts.setUpAnAuthenticatorApp,
    visit,
    status: problem === undefined ? 200 : 400,
    body: html`<h1>${texts.setUpAnAuthenticatorApp}</h1>${problem !== undefined && note("bad", problem)}
<div class="card"><h2>${texts.scanThisWithTheApp}</h2><div class="qr" role="img" aria-label="${texts.qrCodeOfTheSecret}">${trusted(renderSVG(uri, { border: 2 }))}</div>
<details><summary>${texts.orTypeThisSecretIn}</summary><pre class="secret" tabindex="0" aria-label="${texts.theSecret}">${spaced(secret)}</pre></details></div>
<div class="card"><h2>${texts.enterTheCode}</h2><form method="post" action="${path}">${hiddenField("csrf", visit.session.csrf)}${hiddenField("next", next)}${hiddenField("secret", sealed)}
${field({ name: texts.nameInSentence, label: texts.name, type: "text", value: texts.authenticatorApp, max: NAME_LENGTH })}
${field({ name: texts.codeInSentence, label: texts.code, type: "text", autocomplete: "one-time-code", numeric: true, max: 12 })}
<div class="buttons"><button>${texts.turnOn}</button></div></form></div>`
  })

export const makeTotpSetup = Effect.gen(function* () {
  const ownFactors = yield* FactorChanges
  const codes = yield* shownCodes

  const showNewSecret = (visit: SignedIn, next: string) =>
    Effect.map(ownFactors.offerApp(visit), (offer) => view(visit, { next, offer }))

  /** Leads to the confirmation and back. */
  const confirmed =
    (next: string) =>
    <A, E, R>(work: Effect.Effect<A, E | ConfirmationRequired, R>) =>
      Effect.catchTag(work, "ConfirmationRequired", () =>
        Effect.succeed(seeOther(confirmAt(`${path}?next=${encodeURIComponent(next)}`)))
      )

  const show = Effect.fn("pages.totpSetup")(function* (visit: SignedIn) {
    const next = localPath(visit.query.get("next"))
    return yield* confirmed(next)(showNewSecret(visit, next))
  })

  const add = Effect.fnUntraced(function* (visit: SignedIn, fields: Fields, next: string) {
    const offer = yield* ownFactors.reopen(visit, fields.get("secret"))
    if (offer === undefined) return yield* showNewSecret(visit, next)
    return yield* ownFactors
      .addApp(visit, offer.sealed, factorName(fields, texts.authenticatorApp), fields.get("code"))
      .pipe(
        Effect.map((made) =>
          made === undefined ? seeOther("/account/factors?done=added") : codes.keep(visit, made, next)
        ),
        Effect.catchTag(["ValidationError", "Conflict"], ({ message }) =>
          Effect.succeed(view(visit, { next, offer, problem: message }))
        )
      )
  })

  const submit = Effect.fn("pages.totpSetupSubmit")((visit: SignedIn, fields: Fields) => {
    const next = localPath(fields.get("next"))
    return confirmed(next)(add(visit, fields, next))
  })

  return { show, submit }
})
