// decisions A20: the rights that came with the claim are those of a run's first step; each later step asks anew.
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { everything } from "../../../../src/domain/accounts/Authority.ts"
import type { PlanNode } from "../../../../src/domain/automations/model/Plan.ts"
import type { Revision } from "../../../../src/domain/automations/run/RevisionCache.ts"
import { RunContextFactory } from "../../../../src/domain/automations/run/RunContextFactory.ts"
import type { LoadedRun } from "../../../../src/domain/automations/run/RunRow.ts"
import { spineLayer } from "../../../support/spine.ts"
import { seedApp } from "../support.ts"

layer(spineLayer(), { excludeTestServices: true })("the rights of a step", (it) => {
  it.effect("are the claim's for the first step alone", () =>
    Effect.gen(function* () {
      const contexts = yield* RunContextFactory
      const { appId, orgId, owner } = yield* seedApp()
      const { userId } = owner
      const run = { run_id: "1", org_id: orgId, app_id: appId, automation_id: 1, record_id: null, chain: [] }
      const loaded = { run, holder: { workspace_id: 1 }, trigger: {}, fresh: true } as unknown as LoadedRun
      const revision = {
        ...{ revision_id: "1", author_id: userId, reach: everything, secrets: [], declared: [] },
        definition: { trigger: null, actions: [] }
      } as unknown as Revision
      // What the claim read is no longer so: the owner is a guest in it.
      const rights = {
        ...{ user_id: userId, org_id: orgId, app_id: appId, person_id: 1, role: "guest" as const },
        ...{ workspace_id: null, type: null, member_role: null }
      }
      const context = contexts.make(loaded, revision, null, {
        rights: { rights, until: Number.MAX_SAFE_INTEGER }
      })
      const node = {
        path: "0",
        loops: [],
        action: { id: "a", type: "custom_variable", config: {} }
      } as unknown as PlanNode
      const roleOf = Effect.flatMap(context.begin(node, [], 0), ({ step }) =>
        Effect.map(step.authority.on(appId), ({ caller }) => caller.role)
      )
      assert.deepStrictEqual([yield* roleOf, yield* roleOf, yield* roleOf], ["guest", "owner", "owner"])
    })
  )
})
