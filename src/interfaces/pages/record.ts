// `/record/{record_id}`: the address of a record (developer-api.md 4.1 `record_url`) leads to its page in the console. In several
// organizations, the user of the record's organization counts; who acts in another one is asked first.
import { Effect, Option } from "effect"
import { HttpRouter } from "effect/http"
import { Access } from "../../domain/accounts/Access.ts"
import { idOf } from "../web/form.ts"
import { html } from "../web/html.ts"
import { page, seeOther } from "../web/layout.ts"
import { hiddenField, name } from "../web/pageParts.ts"
import { callerOf, type Membership, type SignedIn } from "../web/Visitors.ts"
import { record as texts } from "./texts/secondSteps.ts"

const missing = (visit: SignedIn) =>
  page({
    title: texts.noSuchRecord,
    visit,
    status: 404,
    body: html`<h1>${texts.noSuchRecord}</h1><p class="lead">${texts.itDoesNotExist}</p>`
  })

const inOtherOrganization = (visit: SignedIn, user: Membership, address: string) =>
  page({
    title: texts.record,
    visit,
    body: html`<h1>${texts.thisRecordIsIn(name(user.org_name))}</h1><p class="lead">${visit.current === undefined ? texts.chooseThatOrganizationToOpen : html`${texts.youAreWorkingInOpening(name(visit.current.org_name))}`}</p>
<form method="post" action="/organization">${hiddenField("csrf", visit.session.csrf)}${hiddenField("next", address)}${hiddenField("user_id", user.user_id)}<button>${texts.openTheRecord}</button></form>`
  })

export const makeRecord = Effect.gen(function* () {
  const access = yield* Access

  const userOf = Effect.fnUntraced(function* (visit: SignedIn, recordId: number) {
    for (const user of visit.users) {
      const grant = yield* Effect.option(access.check(callerOf(visit, user), "record", recordId, 1, true))
      if (Option.isSome(grant)) return user
    }
    return undefined
  })

  return Effect.fn("pages.record")(function* (visit: SignedIn) {
    const recordId = idOf((yield* HttpRouter.params)["record_id"] ?? "")
    const user = recordId === undefined ? undefined : yield* userOf(visit, recordId)
    if (user === undefined) return missing(visit)
    const address = `/console/records/${recordId}`
    return user.user_id === visit.current?.user_id ? seeOther(address) : inOtherOrganization(visit, user, address)
  })
})
