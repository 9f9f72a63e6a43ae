// `/console/organization/sign-in` and below: whether an organization requires a second step, who has one, and the reset for who has lost
// theirs (decisions, "The second step"). The service asks for the role and for the confirmed identity.
import { Effect, Schema } from "effect"
import { graceDays } from "../../../domain/accounts/factorPolicy.ts"
import { OrgFactors } from "../../../domain/oauth/OrgFactors.ts"
import { callerOf, type MemberVisit } from "../../web/Visitors.ts"
import type { PageCalls } from "../pageCalls.ts"

const path = "/console/organization/sign-in"

/** Users of a page. */
const PAGE = 50

const Offset = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 1_000_000 }))
const Text = Schema.String.check(Schema.isMaxLength(254))

const adminOf = (visit: MemberVisit) => ({ caller: callerOf(visit, visit.current), session: visit.session })

export const addSignInPolicyActs = Effect.fnUntraced(function* ({ addAct }: PageCalls) {
  const factors = yield* OrgFactors

  yield* addAct(path, {}, (visit) =>
    Effect.map(factors.policy(adminOf(visit)), ({ from, isSetUp, mayChange, members, withFactor }) => ({
      required_from: from ?? null,
      grace_days: graceDays,
      members,
      with_second_step: withFactor,
      has_own: isSetUp,
      may_change: mayChange
    }))
  )

  yield* addAct(
    `${path}/members`,
    { text: Text, without: Schema.Boolean, offset: Offset },
    Effect.fnUntraced(function* (visit, { offset, text, without }) {
      const search = { text: text.trim(), without, offset, limit: PAGE + 1 }
      const members = yield* factors.members(adminOf(visit), search)
      return {
        members: members.slice(0, PAGE).map(({ email, factors, name, refusal, role, user_id }) => ({
          ...{ user_id, name, email, role },
          has_second_step: factors > 0,
          refusal: refusal ?? null
        })),
        next_offset: members.length > PAGE ? offset + PAGE : null
      }
    })
  )

  yield* addAct(`${path}/require`, { days: Schema.Literals(graceDays) }, (visit, { days }) =>
    factors.setPolicy(adminOf(visit), days)
  )

  yield* addAct(`${path}/release`, {}, (visit) => factors.setPolicy(adminOf(visit), undefined))

  yield* addAct(`${path}/reset`, { user_id: Schema.Int }, (visit, { user_id }) =>
    factors.reset(adminOf(visit), user_id)
  )
})
