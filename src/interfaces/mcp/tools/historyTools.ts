// Tools that read former states of records (developer-api.md 4.5).
import { Schema } from "effect"
import { reads, tool } from "../Tool.ts"
import { flag, id } from "./args.ts"

const recordId = id("From search_records.")

export const historyTools = [
  tool({
    name: "list_record_revisions",
    title: "List revisions of a record",
    description: "Who changed the record when, newest first; automations are named as such.",
    hints: reads,
    endpoint: ["records", "revisions"],
    args: { record_id: recordId, include_deleted: flag("Even if it is in the trash.") },
    // The API has the oldest first.
    shape: ({ revisions, total }) => ({ total, revisions: revisions.toReversed() })
  }),
  tool({
    name: "read_record_change",
    title: "Read what a revision changed",
    description: "The fields that a revision of the record changed, with their values before and after.",
    hints: reads,
    endpoint: ["records", "revisionDelta"],
    args: {
      record_id: recordId,
      revision: Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 2_147_483_647 })).annotate({
        description: "From list_record_revisions."
      })
    }
  })
]
