// Translates batch writes (developer-api.md 4.2) between HTTP and the record writer; a problem names its `inputs[i]`.

import { Effect } from "effect"
import { Granted } from "../../../domain/accounts/Access.ts"
import type { CallerShape } from "../../../domain/accounts/Caller.ts"
import { ownWrite, type RecordRow } from "../../../domain/records/model/RecordRow.ts"
import { Records } from "../../../domain/records/reading/Records.ts"
import { switchesOf } from "../../../domain/records/reading/sideEffectSwitches.ts"
import { RecordWriter } from "../../../domain/records/writing/RecordWriter.ts"
import { ValidationError } from "../../../platform/primitives/errors.ts"
import { prefersMinimal } from "../../middleware/prefer.ts"
import { group } from "../../middleware/requestContext.ts"
import { jsonText, listText } from "../answers.ts"
import { mayRead, stubOf } from "../handlers.ts"
import { BatchApi } from "./Api.ts"

const MAX_INPUTS = 50
const inputPath = (index: number) => `inputs[${index}].`

const limited = (name: string, inputs: ReadonlyArray<unknown>) =>
  inputs.length > MAX_INPUTS
    ? new ValidationError({ message: `${name}: at most ${MAX_INPUTS} in one call.` })
    : Effect.void

export const BatchHandlers = group(
  BatchApi,
  Effect.fnUntraced(function* (handlers) {
    const records = yield* Records
    const writer = yield* RecordWriter
    const renderRecords = Effect.fnUntraced(function* (caller: CallerShape, rows: ReadonlyArray<RecordRow>) {
      const isMinimal = !mayRead(caller) || (yield* prefersMinimal)
      return isMinimal
        ? { records: rows.map(stubOf) }
        : jsonText(`{"records":${listText(yield* records.written(rows, caller))}}`)
    })
    return handlers.handleAll({
      create: Effect.fnUntraced(function* ({ payload, query }) {
        const { appId, caller } = yield* Granted
        yield* limited("inputs", payload.inputs)
        const inputs = payload.inputs.map((input) => input.fields)
        const rows = yield* writer.create(ownWrite(caller, switchesOf(query)), appId, inputs, inputPath)
        return yield* renderRecords(caller, rows)
      }),
      update: Effect.fnUntraced(function* ({ payload, query }) {
        const { appId, caller } = yield* Granted
        yield* limited("inputs", payload.inputs)
        const rows = yield* writer.update(ownWrite(caller, switchesOf(query)), appId, payload.inputs, inputPath)
        return query.empty_response === true ? {} : yield* renderRecords(caller, rows)
      }),
      upsert: Effect.fnUntraced(function* ({ payload, query }) {
        const { appId, caller } = yield* Granted
        const { match, records: sent } = payload
        yield* limited("records", sent)
        if (sent.length === 0) return yield* new ValidationError({ message: "records: name at least one." })
        const inputs = sent.map(({ fields }) => fields)
        const write = ownWrite(caller, switchesOf(query))
        const results = yield* writer.upsert(write, appId, match, inputs, (index) => `records[${index}].`)
        return {
          results: results.map(({ created, record: { record_id, revision } }) => ({
            record_id,
            revision_id: revision,
            created
          }))
        }
      }),
      remove: Effect.fnUntraced(function* ({ payload, query }) {
        const { appId, caller } = yield* Granted
        yield* limited("record_ids", payload.record_ids)
        const write = ownWrite(caller, switchesOf(query))
        const rows = yield* writer.remove(write, appId, payload.record_ids, query.skip_trash ?? false)
        return { record_ids: rows.map((row) => row.record_id) }
      })
    })
  })
)
