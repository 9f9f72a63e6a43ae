// `/organization/sign-in`: whether an organization asks for a second step, who has one, and the reset for who has lost theirs (decisions, "The second
// step").
import { Clock, Effect } from "effect"
import { graceDays } from "../../domain/accounts/factorPolicy.ts"
import { type FactorMember, OrgFactors } from "../../domain/accounts/factors/OrgFactors.ts"
import { SessionProofs } from "../../domain/oauth/SessionProofs.ts"
import type { Fields } from "../web/form.ts"
import { forged } from "../web/frame.ts"
import { html } from "../web/html.ts"
import { page, seeOther } from "../web/layout.ts"
import { confirm, hidden, name, note, plain, tag, time } from "../web/parts.ts"
import { callerOf, type MemberVisit } from "../web/Visitors.ts"
import { confirmAt } from "./confirm.ts"

const path = "/organization/sign-in"

const notices: Record<string, string> = {
  saved: "Saved.",
  reset: "Reset. They sign in by their password alone, and were told by mail."
}

const describeDelay = (days: number) => (days === 0 ? "at once" : `in ${days} days`)

export const makeSignInPolicy = Effect.gen(function* () {
  const org = yield* OrgFactors
  const proofs = yield* SessionProofs

  const view = Effect.fnUntraced(function* (visit: MemberVisit, problem?: string) {
    const { current, query, session } = visit
    const from = yield* org.policy(current.org_id)
    const members = yield* org.members(current.org_id)
    const nowMillis = yield* Clock.currentTimeMillis
    const form = (action: string, inner: ReturnType<typeof html>) =>
      html`<form method="post" action="${path}">${hidden("csrf", session.csrf)}${hidden("as", current.user_id)}${hidden("action", action)}${inner}</form>`
    const doneNotice = notices[query.get("done")]

    const resetOf = (member: FactorMember) => {
      if (member.factors === 0 || member.user_id === current.user_id) return false
      if (member.elsewhere) return html`<span class="muted">In other organizations as well: the operator can</span>`
      const label = `Reset the second step of ${plain(member.name)}`
      return confirm(
        "Reset…",
        "Every second step of theirs goes, and they are signed out everywhere.",
        form(
          "reset",
          html`${hidden("user_id", member.user_id)}<button class="danger" aria-label="${label}">Reset</button>`
        )
      )
    }
    const row = (member: FactorMember) =>
      html`<tr><td>${name(member.name)}<br><small class="muted">${member.email}</small></td><td>${member.role}</td><td>${member.factors > 0 ? tag("good", "On") : tag("warn", "Off")}</td><td>${resetOf(member)}</td></tr>`

    return page({
      title: "Sign-in policy",
      visit,
      status: problem === undefined ? 200 : 400,
      body: html`<h1>Sign-in to ${name(current.org_name)}</h1>
${problem !== undefined && note("bad", problem)}${doneNotice !== undefined && note("good", doneNotice)}
<div class="card"><h2>Second step</h2>${
        from === undefined
          ? html`<p>Everybody's own choice. If you ask for it, who has none by then is led to set one up before anything else. Apps, keys and tokens go on.</p>${form(
              "require",
              html`<div class="inline"><div class="field"><label for="days">Ask everybody for one</label><select id="days" name="days">${graceDays.map(
                (days) => html`<option value="${days}"${days === 7 && html` selected`}>${describeDelay(days)}</option>`
              )}</select></div><button>Ask for it</button></div>`
            )}`
          : html`<p>${from.getTime() > nowMillis ? "Asked for from" : "Asked for since"} ${time(from, current.timezone)}.</p>${form("release", html`<button class="quiet">Leave it to everybody</button>`)}`
      }</div>
<h2>People</h2><div class="card"><div class="scroll" tabindex="0" role="region" aria-label="People"><table><thead><tr><th scope="col">Person</th><th scope="col">Role</th><th scope="col">Second step</th><th scope="col">Reset</th></tr></thead><tbody>${members.map(row)}</tbody></table></div></div>`
    })
  })

  const act = Effect.fnUntraced(function* (visit: MemberVisit, fields: Fields) {
    const caller = callerOf(visit, visit.current)
    if (!(yield* proofs.isFresh(visit.session, false))) return seeOther(confirmAt(path))
    switch (fields.get("action")) {
      case "require": {
        const days = graceDays.find((one) => String(one) === fields.get("days"))
        if (days === undefined) return forged
        yield* org.setPolicy(caller, days)
        return seeOther(`${path}?done=saved`)
      }
      case "release":
        yield* org.setPolicy(caller, undefined)
        return seeOther(`${path}?done=saved`)
      case "reset":
        yield* org.reset(caller, fields.id("user_id") ?? 0)
        return seeOther(`${path}?done=reset`)
      default:
        return forged
    }
  })

  return {
    show: Effect.fn("pages.signInPolicy")((visit: MemberVisit) => view(visit)),
    submit: Effect.fn("pages.signInPolicySubmit")((visit: MemberVisit, fields: Fields) =>
      act(visit, fields).pipe(
        Effect.catchTag(["Conflict", "NotFound", "Restricted"], ({ message }) => view(visit, message))
      )
    )
  }
})
