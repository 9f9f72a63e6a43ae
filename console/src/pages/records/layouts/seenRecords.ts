// Records as a layout shows them: with cells that are not saved yet, and at their new place until the lists have been read again.
import { useCallback, useEffect, useMemo, useState } from "react"
import { queryClient } from "../../../api/client.ts"
import type { RecordRow } from "../../../api/types.ts"
import { onCellSaved } from "../writes/writeQueue.ts"
import { useWrites } from "../writes/writeStore.ts"
import type { MovedRecords, Writes } from "./seenCells.ts"

/** The unsaved cells of an app by record. */
export const useWritesByRecord = (appId: number): Writes => {
  const unsavedWrites = useWrites()
  return useMemo(
    () =>
      Map.groupBy(
        unsavedWrites.filter((write) => write.appId === appId),
        ({ recordId }) => recordId
      ),
    [unsavedWrites, appId]
  )
}

const noRecords: MovedRecords = new Map()

/** Records that were moved on this page. */
export const useMovedRecords = () => {
  const [moved, setMoved] = useState(noRecords)
  useEffect(() => {
    const end = onCellSaved(({ recordId }) => {
      const record = queryClient.getQueryData<RecordRow>(["record", recordId])
      const savedAt = Date.now()
      if (record !== undefined)
        setMoved((before) => (before.has(recordId) ? new Map(before).set(recordId, { record, savedAt }) : before))
    })
    return () => void end()
  }, [])
  const keep = useCallback(
    (record: RecordRow) => setMoved((before) => new Map(before).set(record.record_id, { record, savedAt: undefined })),
    []
  )
  return { moved, keep }
}
