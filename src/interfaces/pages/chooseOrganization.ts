// Choosing the organization to act in: a person in two organizations is two users (service.md 2.4; decisions O12).
import { Effect } from "effect"
import type { Fields } from "../web/form.ts"
import { html } from "../web/html.ts"
import { page, seeOther } from "../web/layout.ts"
import { localPath } from "../web/localPath.ts"
import { forged } from "../web/pageFrame.ts"
import { hiddenField, name, note, plainName } from "../web/pageParts.ts"
import { type SignedIn, Visitors } from "../web/Visitors.ts"
import { chooseOrganization as texts } from "./texts/account.ts"

export const makeOrganizations = Effect.gen(function* () {
  const visitors = yield* Visitors

  const show = (visit: SignedIn) => {
    const { users, waiting, current, session, query } = visit
    const next = localPath(query.get("next"))
    const renderOrganization = (user: (typeof users)[number]) =>
      html`<li class="card row"><div><h2>${name(user.org_name)}</h2><p class="muted">${texts.youAreRole(user.role, user.user_id === current?.user_id && html` ${texts.chosen}`)}</p></div>
<form method="post" action="/organization">${hiddenField("csrf", session.csrf)}${hiddenField("next", next)}${hiddenField("user_id", user.user_id)}
<button aria-label="${texts.goOnInPlain(plainName(user.org_name))}">${texts.goOnHere}</button></form></li>`
    const later = (user: (typeof users)[number]) =>
      html`<li class="card row"><div><h2>${name(user.org_name)}</h2><p class="muted">${texts.asksForASecondStep}</p></div>
<a class="button" href="/account/factors?next=${encodeURIComponent(next)}" aria-label="${texts.setUpASecondStep(plainName(user.org_name))}">${texts.setOneUp}</a></li>`
    return Effect.succeed(
      page({
        title: texts.chooseAnOrganization,
        visit,
        body: html`<h1>${texts.chooseAnOrganization}</h1>
${users.length + waiting.length === 0 ? note("warn", texts.youAreNotAnActive) : html`<p class="lead">${texts.keysTokensAndPoliciesBelong}</p><ul class="plain">${users.map(renderOrganization)}${waiting.map(later)}</ul>`}`
      })
    )
  }

  const choose = Effect.fn("pages.chooseOrganization")(function* (visit: SignedIn, fields: Fields) {
    const user = visit.users.find(({ user_id }) => user_id === fields.id("user_id"))
    if (user === undefined) return forged
    yield* visitors.choose(visit.session, user.user_id)
    return seeOther(localPath(fields.get("next")))
  })

  return { show, choose }
})
