// `/account/api-key`: one key per user, shown once, then masked; rotation kills the old value at once (developer-api.md 1.7).
import { Effect } from "effect"
import { ApiCredentials } from "../../domain/accounts/ApiCredentials.ts"
import { apiKeyPrefix } from "../../domain/accounts/Credentials.ts"
import { forged } from "../web/frame.ts"
import { html } from "../web/html.ts"
import { page, seeOther } from "../web/layout.ts"
import { makeOnce } from "../web/once.ts"
import { confirm, hidden, name, note, time } from "../web/parts.ts"
import type { MemberVisit } from "../web/Visitors.ts"

export const shownOnce = (what: string, secret: string) =>
  html`${note("good", `${what} Copy it now: it is not shown again.`)}<pre class="secret" tabindex="0" aria-label="The secret">${secret}</pre>`

export const makeApiKey = Effect.gen(function* () {
  const credentials = yield* ApiCredentials
  const oneTimeSecrets = yield* makeOnce

  const show = Effect.fn("pages.apiKey")(function* (visit: MemberVisit) {
    const { current, session } = visit
    const secret = yield* oneTimeSecrets.read(visit, "api-key")
    const key = yield* credentials.keyHint(current.user_id)
    const form = (label: string, style: string) =>
      html`<form method="post" action="/account/api-key">${hidden("csrf", session.csrf)}${hidden("as", current.user_id)}<button class="${style}">${label}</button></form>`
    const response = page({
      title: "API key",
      visit,
      body: html`<h1>API key</h1>
<p class="lead">It may do everything you may do in ${name(current.org_name)}. For a single purpose, a <a href="/account/tokens">personal access token</a> is safer.</p>
<div class="card">${secret !== undefined && shownOnce("This is your new API key.", secret)}
${
  key === null
    ? html`<p>You have no API key.</p>${form("Create API key", "")}`
    : html`<p><code>${apiKeyPrefix}••••••••${key.hint}</code></p><p class="muted">Made ${time(key.created_on, current.timezone)}</p>
${confirm("Rotate…", "The present key stops working at once, wherever it is used.", form("Rotate key", "danger"))}`
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
