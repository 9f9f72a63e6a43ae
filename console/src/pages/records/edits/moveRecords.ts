// Creates records of a grid, moves them to the trash and back, by batches. What somebody else has deleted or restored meanwhile stays as it is.
import { isApiError } from "@millrace/client"
import { client, queryClient } from "../../../api/client.ts"
import type { FieldInput } from "../../../api/types.ts"
import { patiently } from "../csv/patience.ts"
import { recordsChanged } from "../recordQueries.ts"
import type { Change } from "./history.ts"

/** Records of a batch. */
const BATCH = 50

/** A limit of the service is waited for: the change is not left half made. */
const patience = { signal: new AbortController().signal, waits: () => {} }

/** Moves records to the trash, fifty in a transaction. @param removed is told of each transaction */
export const removeRecords = async (
  appId: number,
  ids: ReadonlyArray<number>,
  removed: (ids: ReadonlyArray<number>) => void
) => {
  for (let from = 0; from < ids.length; from += BATCH) {
    const record_ids = ids.slice(from, from + BATCH)
    await patiently(patience, () => client.batch.remove({ app_id: appId, body: { record_ids } }))
    removed(record_ids)
  }
}

/** True if the service will never do it, as with a record that somebody else has deleted or restored. */
const isRefused = (error: unknown) =>
  isApiError(error) && error.status >= 400 && error.status < 500 && ![401, 408, 429].includes(error.status)

/** Does it for each record. @returns how many it was refused for @throws what may pass */
const forEachRecord = async (ids: ReadonlyArray<number>, act: (record_id: number) => Promise<unknown>) => {
  let refusedCount = 0
  for (const id of ids)
    try {
      await patiently(patience, () => act(id))
    } catch (error) {
      if (!isRefused(error)) throw error
      refusedCount++
    }
  return refusedCount
}

/** Moves what a change has created to the trash, as far as it is not there, and restores what it has deleted. @returns how many records it was refused for */
export const moveRecords = async (appId: number, { created, deleted }: Pick<Change, "created" | "deleted">) => {
  if (created.length + deleted.length === 0) return 0
  let refusedCount = 0
  for (let from = 0; from < deleted.length; from += BATCH) {
    const batch = deleted.slice(from, from + BATCH)
    try {
      await removeRecords(appId, batch, () => {})
    } catch (error) {
      if (!isRefused(error)) throw error
      refusedCount += await forEachRecord(batch, (record_id) => client.records.remove({ record_id }))
    }
  }
  refusedCount += await forEachRecord(created, (record_id) => client.records.restore({ record_id }))
  await recordsChanged(queryClient, appId, [...deleted, ...created])
  return refusedCount
}

interface Created {
  readonly ids: ReadonlyArray<number>
  /** @property from index of the first input of the batch that was refused */
  readonly failure?: { readonly from: number; readonly error: unknown }
}

/** Creates records in the order of the inputs, until a batch is refused. */
export const createRecords = async (
  appId: number,
  inputs: ReadonlyArray<Readonly<Record<string, FieldInput>>>
): Promise<Created> => {
  const ids: Array<number> = []
  try {
    for (let from = 0; from < inputs.length; from += BATCH) {
      const body = { inputs: inputs.slice(from, from + BATCH).map((fields) => ({ fields })) }
      const { records } = await client.batch.create({ app_id: appId, body })
      ids.push(...records.map(({ record_id }) => record_id))
    }
    return { ids }
  } catch (error) {
    return { ids, failure: { from: ids.length, error } }
  } finally {
    void recordsChanged(queryClient, appId, ids)
  }
}
