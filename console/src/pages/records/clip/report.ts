// Reports what became of a paste or another change of many cells, in words.

export interface Problem {
  readonly place: string
  readonly reason: string
}
export interface GridReport {
  readonly summary: string
  readonly problems: ReadonlyArray<Problem>
}

const countWords = (count: number, one: string, many = `${one}s`) =>
  `${count.toLocaleString()} ${count === 1 ? one : many}`

export const recordsWords = (count: number) => countWords(count, "record")
export const cellsWords = (count: number) => countWords(count, "cell")

/** @param done as "pasted" @param all cells that were meant @param created new records */
export const reportOf = (done: string, all: number, problems: ReadonlyArray<Problem>, created = 0): GridReport => {
  const otherReasons = problems.length
  const cells =
    otherReasons === 0
      ? `${cellsWords(all)} ${done}.`
      : `${(all - otherReasons).toLocaleString()} of ${cellsWords(all)} ${done}; ${otherReasons.toLocaleString()} did not fit.`
  return { summary: created === 0 ? cells : `${cells} ${countWords(created, "new record")}.`, problems }
}
