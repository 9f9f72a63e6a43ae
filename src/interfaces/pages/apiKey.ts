// `/account/api-key`: one key per user, shown once, then masked; rotation kills the old value at once (developer-api.md 1.7).
import { Effect } from "effect"
import { ApiCredentials } from "../../domain/accounts/ApiCredentials.ts"
import { prefixes } from "../../domain/accounts/credentialPrefixes.ts"
import { html } from "../web/html.ts"
import { page, seeOther } from "../web/layout.ts"
import { makeOneTimeSecret } from "../web/oneTimeSecret.ts"
import { forged } from "../web/pageFrame.ts"
import { confirm, hiddenField, name, note, time } from "../web/pageParts.ts"
import type { MemberVisit } from "../web/Visitors.ts"
import { apiKey as texts } from "./texts/account.ts"

export const shownOnce = (what: string, secret: string) =>
  html`${note("good", texts.whatCopyItNow(what))}<pre class="secret" tabindex="0" aria-label="${texts.theSecret}">${secret}</pre>`

export const makeApiKey = Effect.gen(function* () {
  const credentials = yield* ApiCredentials
  const oneTimeSecrets = yield* makeOneTimeSecret

  const show = Effect.fn("pages.apiKey")(function* (visit: MemberVisit) {
    const { current, session } = visit
    const secret = yield* oneTimeSecrets.read(visit, "api-key")
    const key = yield* credentials.keyHint(current.user_id)
    const form = (label: string, style: string) =>
      html`<form method="post" action="/account/api-key">${hiddenField("csrf", session.csrf)}${hiddenField("as", current.user_id)}<button class="${style}">${label}</button></form>`
    const response = page({
      title: texts.apiKey,
      visit,
      body: html`<h1>${texts.apiKey}</h1>
<p class="lead">${texts.itMayDoEverything(name(current.org_name), html`<a href="/account/tokens">${texts.personalAccessToken}</a>`)}</p>
<div class="card">${secret !== undefined && shownOnce(texts.thisIsYourNewApi, secret)}
${
  key === null
    ? html`<p>${texts.youHaveNoApiKey}</p>${form(texts.createApiKey, "")}`
    : html`<p><code>${prefixes.apiKey}••••••••${key.hint}</code></p><p class="muted">${texts.madeTime(time(key.created_on, current.timezone))}</p>
${confirm(texts.rotate, texts.presentKeyStopsWorking, form(texts.rotateKey, "danger"))}`
}</div>`
    })
    return secret === undefined ? response : oneTimeSecrets.forget(response)
  })

  const rotate = Effect.fn("pages.rotateApiKey")(function* (visit: MemberVisit) {
    const { current, person } = visit
    return yield* Effect.gen(function* () {
      const { token } = yield* credentials.rotateKey(current.user_id, { personId: person.person_id })
      return oneTimeSecrets.keep(seeOther("/account/api-key"), visit, "api-key", token)
    }).pipe(Effect.catchTag("NotFound", () => Effect.succeed(forged)))
  })

  return { show, rotate }
})
