// Writes rows in batches of 50, several batches at a time. A value that the service refuses is taken out and reported with the
// service's own words; the row goes in without it. A row that cannot do without it is refused as a whole.
import { Effect, Ref } from "effect"
import { type Client, type GaveUp, Refused } from "./client.ts"
import { inputOf, type Row } from "./movies.ts"

export interface Refusal {
  /** Number of the row, from 1. */
  readonly row: number
  /** Absent: the whole row. */
  readonly field?: string
  readonly value: unknown
  readonly why: string
}

export interface Imported {
  readonly recordIds: ReadonlyArray<number>
  readonly refusals: ReadonlyArray<Refusal>
}

interface Input {
  readonly row: number
  readonly fields: Record<string, unknown>
}

export const BATCH = 50
/**
 * People who share the whole data set without waiting for a rate limit: a batch costs five times the base, one with a value that is
 * refused is sent again, and the first of them looks after hooks and runs besides (test/demo/demo.test.ts counts it).
 */
export const IMPORTERS = 4

/** Input, and mostly its field, that a refusal names. */
const placeOf = (message: string) => {
  const [, index, field, why] = /^inputs\[(\d+)\](?:\.fields\.(\w+))?[^:]*: (.*)$/s.exec(message) ?? []
  return index === undefined ? undefined : { index: Number(index), field, why: why ?? message }
}

/**
 * @param clients one for each batch that may be on its way at the same time
 * @param name of this import, part of the Idempotency-Keys
 */
export const importRows = Effect.fn("importRows")(function* (
  clients: ReadonlyArray<Client>,
  appId: number,
  name: string,
  rows: ReadonlyArray<Row>,
  onProgress: (written: number) => void
) {
  const recordIds: Array<number> = []
  const refusals: Array<Refusal> = []

  const write = (client: Client, inputs: ReadonlyArray<Input>, key: string): Effect.Effect<void, GaveUp | Refused> =>
    Effect.gen(function* () {
      if (inputs.length === 0) return
      const body = { inputs: inputs.map(({ fields }) => ({ fields })) }
      const { status, json } = yield* client.call("POST", `/v1/record/app/batch/${appId}`, { body, key })
      if (status === 200) {
        recordIds.push(...json.records.map((record: any) => record.record_id))
        onProgress(recordIds.length)
        return
      }
      const message = String(json?.error_message)
      if (status !== 400) return yield* new Refused({ status, message: `batch ${key}: ${status} ${message}` })
      const invalidInput = placeOf(message)
      const input = inputs[invalidInput?.index ?? -1]
      if (invalidInput === undefined || input === undefined) {
        // Not said which: halves find it.
        const half = Math.ceil(inputs.length / 2)
        if (half === inputs.length) {
          refusals.push({ row: inputs[0]!.row, value: inputs[0]!.fields, why: message })
          return
        }
        yield* write(client, inputs.slice(0, half), `${key}-a`)
        return yield* write(client, inputs.slice(half), `${key}-b`)
      }
      const { field, why } = invalidInput
      const next = [...inputs]
      if (field === undefined || input.fields[field] === undefined) {
        refusals.push({ row: input.row, value: input.fields, why: field === undefined ? why : `${field}: ${why}` })
        next.splice(invalidInput.index, 1)
      } else {
        refusals.push({ row: input.row, field, value: input.fields[field], why })
        const { [field]: _, ...fields } = input.fields
        next[invalidInput.index] = { row: input.row, fields }
      }
      yield* write(client, next, `${key}-${field ?? "row"}-${input.row}`)
    })

  const inputs = rows.map((row, i): Input => ({ row: i + 1, fields: inputOf(row) }))
  const starts = inputs.flatMap((_, i) => (i % BATCH === 0 ? [i] : []))
  const next = yield* Ref.make(0)
  const work = (client: Client) =>
    Effect.gen(function* () {
      for (;;) {
        const batchIndex = yield* Ref.getAndUpdate(next, (n) => n + 1)
        const start = starts[batchIndex]
        if (start === undefined) return
        yield* write(client, inputs.slice(start, start + BATCH), `${name}-${batchIndex}`)
      }
    })
  yield* Effect.all(clients.map(work), { concurrency: "unbounded", discard: true })
  return { recordIds, refusals } satisfies Imported
})
