// Choosing the organization to act in: a person in two organizations is two users (service.md 2.4; decisions O12).
import { Effect } from "effect"
import type { Fields } from "../web/form.ts"
import { forged } from "../web/frame.ts"
import { html } from "../web/html.ts"
import { page, seeOther } from "../web/layout.ts"
import { localPath } from "../web/next.ts"
import { hidden, name, note, plain } from "../web/parts.ts"
import { type SignedIn, Visitors } from "../web/Visitors.ts"

export const makeOrganizations = Effect.gen(function* () {
  const visitors = yield* Visitors

  const show = (visit: SignedIn) => {
    const { users, waiting, current, session, query } = visit
    const next = localPath(query.get("next"))
    const renderOrganization = (user: (typeof users)[number]) =>
      html`<li class="card row"><div><h2>${name(user.org_name)}</h2><p class="muted">You are ${user.role}${user.user_id === current?.user_id && html` · chosen`}</p></div>
<form method="post" action="/organization">${hidden("csrf", session.csrf)}${hidden("next", next)}${hidden("user_id", user.user_id)}
<button aria-label="Go on in ${plain(user.org_name)}">Go on here</button></form></li>`
    const later = (user: (typeof users)[number]) =>
      html`<li class="card row"><div><h2>${name(user.org_name)}</h2><p class="muted">Asks for a second step at sign-in.</p></div>
<a class="button" href="/account/factors?next=${encodeURIComponent(next)}" aria-label="Set up a second step for ${plain(user.org_name)}">Set one up</a></li>`
    return Effect.succeed(
      page({
        title: "Choose an organization",
        visit,
        body: html`<h1>Choose an organization</h1>
${users.length + waiting.length === 0 ? note("warn", "You are not an active user of any organization.") : html`<p class="lead">Keys, tokens and policies belong to one organization at a time.</p><ul class="plain">${users.map(renderOrganization)}${waiting.map(later)}</ul>`}`
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
