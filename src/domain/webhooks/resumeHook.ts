// Resumes a hook (decisions W12): waiting deliveries are sent in order. The first of each record may be blocked by one that has expired
// meanwhile (hookHousekeeping.ts), so it is released here. Runs in the transaction of the change.
import { Effect } from "effect"
import { Outbox } from "../../engine/outbox/Outbox.ts"
import type { AccessGrant } from "../accounts/Access.ts"
import { wakeHooks } from "./hookActorCommands.ts"
import { makeResultStatements } from "./resultStatements.ts"

export const makeResumeHook = Effect.gen(function* () {
  const { releaseAll } = yield* makeResultStatements
  const outbox = yield* Outbox

  return ({ appId, id, orgId }: AccessGrant) =>
    Effect.andThen(releaseAll("hook_id", id), outbox.append([wakeHooks({ org_id: orgId, app_id: appId })]))
})
