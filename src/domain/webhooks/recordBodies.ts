// Bodies of record events with the record in them (decisions W15): as `GET /v1/record/{id}` shows it, as of the event's revision, to the
// person who created the hook, with the rights that this person has now. Without that right, or without the record, the body is
// what it would be otherwise.
import { Effect } from "effect"
import { Access } from "../accounts/Access.ts"
import { Authorities, everything } from "../accounts/Authority.ts"
import { Revisions } from "../records/reading/Revisions.ts"

export interface BodyOfHook {
  readonly org_id: number
  /** The hook's creator. */
  readonly created_by: number
  readonly payload: string
}

interface RecordBody {
  readonly record_id?: number
  readonly revision_id?: number
}

export const makeRecordBodies = Effect.gen(function* () {
  const access = yield* Access
  const authorities = yield* Authorities
  const revisions = yield* Revisions

  return Effect.fnUntraced(function* ({ created_by, org_id, payload }: BodyOfHook) {
    const body = JSON.parse(payload) as RecordBody
    const { record_id, revision_id } = body
    if (record_id === undefined || revision_id === undefined) return payload
    const reader = authorities.of({
      userId: created_by,
      orgId: org_id,
      author: { type: "user", user_id: created_by },
      automationId: 0,
      reach: everything
    })
    return yield* reader.present.pipe(
      Effect.flatMap((caller) => access.check(caller, "record", record_id, 1)),
      Effect.flatMap((grant) => revisions.at(grant, revision_id, true)),
      Effect.map((record) => JSON.stringify({ ...body, record })),
      Effect.catchTag(["AuthorityLost", "NotFound", "RecordNotFound", "RecordDeleted", "Restricted"], () =>
        Effect.succeed(payload)
      )
    )
  })
})
