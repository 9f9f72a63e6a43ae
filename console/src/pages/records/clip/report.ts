// Reports what became of a paste or another change of many cells, in words.
import { report as texts } from "../../../texts/records/clip.ts"

export interface Problem {
  readonly place: string
  readonly reason: string
}
export interface GridReport {
  readonly summary: string
  readonly problems: ReadonlyArray<Problem>
}

export const recordsWords = (count: number) => texts.records(count)
export const cellsWords = (count: number) => texts.cells(count)

/** @param done as "pasted" @param all cells that were meant @param created new records */
export const reportOf = (done: string, all: number, problems: ReadonlyArray<Problem>, created = 0): GridReport => {
  const otherReasons = problems.length
  const cells =
    otherReasons === 0
      ? `${cellsWords(all)} ${done}.`
      : texts.restOfCellsDoneOther(
          (all - otherReasons).toLocaleString(),
          cellsWords(all),
          done,
          otherReasons.toLocaleString()
        )
  return { summary: created === 0 ? cells : `${cells} ${texts.newRecords(created)}.`, problems }
}
