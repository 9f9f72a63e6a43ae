// Records of a grouped grid by their place among the rows that are shown: each group is a listing of its own, asked for in blocks as a plain
// grid's are (useRows.ts).
import { useQueries, useQueryClient } from "@tanstack/react-query"
import type { RecordRow } from "../../../api/types.ts"
import type { GridSearch } from "../recordQueries.ts"
import { type GroupSpan, lineAt, lineOfRow, spanOfRow } from "./groups.ts"
import { searchOfGroup, type useGroups } from "./useGroups.ts"
import { BLOCK, blockOf, type GridRows, startOf, usePaced } from "./useRows.ts"

interface Wanted {
  readonly span: GroupSpan
  readonly block: number
}

/** Blocks of the rows from one up to another, without the first of each group, which comes with its head. */
const blocksBetween = (spans: ReadonlyArray<GroupSpan>, from: number, to: number): ReadonlyArray<Wanted> =>
  spans.flatMap((span) => {
    const firstRow = Math.max(0, from - span.first)
    const lastRow = Math.min(span.count, to - span.first) - 1
    if (lastRow < firstRow) return []
    const [firstBlock, lastBlock] = [Math.floor(firstRow / BLOCK), Math.floor(lastRow / BLOCK)]
    return Array.from({ length: lastBlock - firstBlock + 1 }, (_, at) => ({ span, block: firstBlock + at })).filter(
      ({ block }) => block > 0
    )
  })

const keyOf = ({ group }: GroupSpan, block: number) => `${group.key} ${block}`

/** @param first line of the grid that is wanted @param last behind the last of them */
export const useGroupedRows = (
  appId: number,
  search: GridSearch,
  { headOf, spans }: ReturnType<typeof useGroups>,
  first: number,
  last: number
): GridRows => {
  const queries = useQueryClient()
  const total = spans.reduce((sum, { count }) => sum + count, 0)
  const lines = total + spans.length
  const rowFrom = (line: number): number => {
    const content = lineAt(spans, line)
    return typeof content === "number" ? content : content.first
  }
  const pacedRange = usePaced(`${rowFrom(first)} ${Math.min(total, rowFrom(Math.max(first, last - 1)) + 1)}`)
  const [from, to] = pacedRange.split(" ").map(Number) as [number, number]
  const wantedBlocks = blocksBetween(spans, from, to).filter(
    ({ span }) => headOf.get(span.group.key)?.data !== undefined
  )
  const startIn = ({ block, span }: Wanted) =>
    startOf(queries, appId, searchOfGroup(search, span.group), block, headOf.get(span.group.key)?.data?.cursor)
  const queryOf = (one: Wanted) => blockOf(appId, searchOfGroup(search, one.span.group), one.block, startIn(one))
  const isWanted = (span: GroupSpan, block: number) =>
    wantedBlocks.some((one) => one.span === span && one.block === block)
  const blocks = useQueries({
    queries: wantedBlocks.map((one) => ({
      ...queryOf(one),
      // Jumps once, as a plain grid does.
      enabled: startIn(one).offset === undefined || !isWanted(one.span, one.block - 1)
    }))
  })
  const pages = [
    ...spans
      .filter(({ count }) => count > 0)
      .map((span) => ({ span, block: 0, rows: headOf.get(span.group.key)?.data?.records })),
    ...wantedBlocks.map((one, at) => ({ ...one, rows: blocks[at]!.data?.records }))
  ]
  const rowsByPage = new Map(pages.map(({ block, rows, span }) => [keyOf(span, block), rows]))
  const rowAt = (row: number): RecordRow | undefined => {
    const span = spanOfRow(spans, row)
    if (span === undefined) return undefined
    const rowInGroup = row - span.first
    return rowsByPage.get(keyOf(span, Math.floor(rowInGroup / BLOCK)))?.[rowInGroup % BLOCK]
  }
  const rowOf = (recordId: number): number | undefined => {
    for (const { block, rows, span } of pages) {
      const index = rows?.findIndex(({ record_id }) => record_id === recordId) ?? -1
      if (index >= 0) return span.first + block * BLOCK + index
    }
    return undefined
  }
  const load = async (rowFrom: number, rowTo: number): Promise<ReadonlyArray<RecordRow>> => {
    const loadedRows: Array<RecordRow> = []
    for (const span of spans) {
      const [start, end] = [Math.max(0, rowFrom - span.first), Math.min(span.count, rowTo - span.first)]
      for (let block = Math.floor(start / BLOCK); block * BLOCK < end; block++) {
        const rows =
          block === 0
            ? headOf.get(span.group.key)?.data?.records
            : (await queries.fetchQuery(queryOf({ span, block }))).records
        loadedRows.push(...(rows ?? []).slice(Math.max(0, start - block * BLOCK), end - block * BLOCK))
      }
    }
    return loadedRows
  }
  const heads = [...headOf.values()]
  const shownQueries = [...heads.filter(({ isFetching, data }) => isFetching || data !== undefined), ...blocks]
  return {
    ...{ total, lines, rowAt, rowOf, load },
    lineAt: (line) => lineAt(spans, line),
    lineOf: (row) => lineOfRow(spans, row),
    isFormer: false,
    isSettled: shownQueries.every(({ data, isPlaceholderData }) => data !== undefined && !isPlaceholderData),
    failed: [...heads, ...blocks].find(({ isError }) => isError)
  }
}
