// Adds the record to bodies of record events (decisions W15, W17): as `GET /v1/record/{id}` shows it at the event's revision to the person
// who saved the hook last, with the rights that both this person and the credential have now. If these rights or the record are missing,
// the body stays without it.
import { Effect } from "effect"
import { Access } from "../accounts/Access.ts"
import { Revisions } from "../records/reading/Revisions.ts"
import { withMember } from "../records/reading/recordText.ts"
import { type HookReader, makeHookReadRights } from "./hookReadRights.ts"

export interface BodyOfHook extends HookReader {
  readonly app_id: number
  readonly payload: string
}

export interface MadeBody {
  readonly body: string
  /** Reason that the hook can no longer read records. */
  readonly withheld?: string
}

interface RecordBody {
  readonly record_id?: number
  readonly revision_id?: number
}

export const makeBodiesWithRecord = Effect.gen(function* () {
  const access = yield* Access
  const reader = yield* makeHookReadRights
  const revisions = yield* Revisions

  return Effect.fnUntraced(function* ({ app_id, payload, ...hook }: BodyOfHook) {
    const body = JSON.parse(payload) as RecordBody
    const { record_id, revision_id } = body
    const plainBody: MadeBody = { body: payload }
    if (record_id === undefined || revision_id === undefined) return plainBody
    const withheld = yield* reader.problem(hook, app_id)
    if (withheld !== undefined) return { ...plainBody, withheld }
    return yield* reader.of(hook).present.pipe(
      Effect.flatMap((caller) => access.check(caller, "record", record_id, 1)),
      Effect.flatMap((grant) => revisions.at(grant, revision_id, true)),
      Effect.map((record): MadeBody => ({ body: withMember(JSON.stringify(body), "record", record) })),
      Effect.catchTag(["AuthorityLost", "NotFound", "RecordNotFound", "RecordDeleted", "Restricted"], () =>
        Effect.succeed(plainBody)
      )
    )
  })
})
