// Records by their place in the list: blocks of a hundred, asked for where they are seen. A block behind one that is known goes on from it;
// one in the middle is jumped to (docs/decisions.md, "A page in the middle").
import {
  keepPreviousData,
  type QueryClient,
  queryOptions,
  useQueries,
  useQuery,
  useQueryClient
} from "@tanstack/react-query"
import { useEffect, useState } from "react"
import type { RecordRow } from "../../../api/types.ts"
import { type GridSearch, pageOf } from "../recordQueries.ts"
import type { GroupSpan } from "./groups.ts"

export const BLOCK = 100
/** Blocks are asked for no oftener, however fast somebody scrolls. */
const PACE = 120

interface From {
  readonly cursor?: string
  readonly offset?: number
}

export const blockOf = (appId: number, search: GridSearch, block: number, from: From) =>
  queryOptions({
    queryKey: ["records", appId, "block", search, block, from],
    queryFn: ({ signal }) => pageOf(appId, search, { limit: BLOCK, ...from }, signal),
    gcTime: 120_000
  })

/** The latest cursor of a block that is known. */
const cursorOf = (queries: QueryClient, appId: number, search: GridSearch, block: number) =>
  queries
    .getQueryCache()
    .findAll({ queryKey: ["records", appId, "block", search, block] })
    .map(({ state }) => state)
    .sort((a, b) => b.dataUpdatedAt - a.dataUpdatedAt)
    .flatMap(({ data }) => (data as { cursor: string | null } | undefined)?.cursor ?? [])[0]

/** Start of a block: behind the one before it, if that is known, else so many records behind the first block. */
export const startOf = (
  queries: QueryClient,
  appId: number,
  search: GridSearch,
  block: number,
  headCursor: string | null | undefined
): From => {
  const cursor = block === 1 ? headCursor : cursorOf(queries, appId, search, block - 1)
  return cursor == null ? { cursor: headCursor!, offset: (block - 1) * BLOCK } : { cursor }
}

/** The last of many values, at a pace. */
export const usePaced = (value: string): string => {
  const [kept, setKept] = useState({ value, at: 0 })
  useEffect(() => {
    if (kept.value === value) return
    const wait = Math.max(0, kept.at + PACE - Date.now())
    const timer = setTimeout(() => setKept({ value, at: Date.now() }), wait)
    return () => clearTimeout(timer)
  }, [value, kept])
  return kept.value
}

/** Records by their row, and what each line of the grid shows. */
export interface GridRows {
  readonly total: number
  /** Rows, and heads of groups between them. */
  readonly lines: number
  readonly lineAt: (line: number) => GroupSpan | number
  readonly lineOf: (row: number) => number
  readonly rowAt: (row: number) => RecordRow | undefined
  /** Row of a record that is loaded. */
  readonly rowOf: (recordId: number) => number | undefined
  /** The records are those of a former search. */
  readonly isFormer: boolean
  readonly isSettled: boolean
  readonly load: (from: number, to: number) => Promise<ReadonlyArray<RecordRow>>
  readonly failed: { readonly error: unknown; readonly refetch: () => unknown } | undefined
}

const self = (at: number) => at

/** The first block, which tells how many there are. */
export const useHead = (appId: number, search: GridSearch) =>
  useQuery({ ...blockOf(appId, search, 0, {}), placeholderData: keepPreviousData })

/** @param first of the rows that are wanted @param last behind the last of them */
export const useRows = (
  appId: number,
  search: GridSearch,
  head: ReturnType<typeof useHead>,
  first: number,
  last: number
): GridRows => {
  const queries = useQueryClient()
  const total = head.data?.total ?? 0
  const pacedRange = usePaced(`${Math.floor(first / BLOCK)} ${Math.floor(Math.max(first, last - 1) / BLOCK)}`)
  const [from, until] = pacedRange.split(" ").map(Number) as [number, number]
  const headCursor = head.isPlaceholderData ? undefined : (head.data?.cursor ?? undefined)
  const blockNumbers = Array.from({ length: until - from + 1 }, (_, at) => from + at).filter(
    (block) => block > 0 && block * BLOCK < total && headCursor !== undefined
  )
  const blocks = useQueries({
    queries: blockNumbers.map((block) => {
      const blockStart = startOf(queries, appId, search, block, headCursor)
      // A jump is dear, and one is enough: the next block goes on from it.
      const enabled = blockStart.offset === undefined || !blockNumbers.includes(block - 1)
      return { ...blockOf(appId, search, block, blockStart), placeholderData: keepPreviousData<any>, enabled }
    })
  })
  const rowsByBlock = new Map(
    blockNumbers.map((block, at) => [block, blocks[at]!.data?.records as ReadonlyArray<RecordRow> | undefined])
  )
  rowsByBlock.set(0, head.data?.records)
  const rowAt = (index: number): RecordRow | undefined => rowsByBlock.get(Math.floor(index / BLOCK))?.[index % BLOCK]
  const rowOf = (recordId: number): number | undefined => {
    for (const [block, records] of rowsByBlock) {
      const rowIndex = records?.findIndex(({ record_id }) => record_id === recordId) ?? -1
      if (rowIndex >= 0) return block * BLOCK + rowIndex
    }
    return undefined
  }
  const isSettled =
    !head.isPlaceholderData && blocks.every(({ data, isPlaceholderData }) => data !== undefined && !isPlaceholderData)
  /** Loads records in their order, whether they are seen or not. @param to behind the last of them */
  const load = async (from: number, to: number): Promise<ReadonlyArray<RecordRow>> => {
    const end = Math.min(to, total)
    const records: Array<RecordRow> = []
    for (let block = Math.floor(from / BLOCK); block * BLOCK < end; block++) {
      const loaded = block === 0 ? head.data?.records : await loadBlock(block)
      records.push(...(loaded ?? []).slice(Math.max(0, from - block * BLOCK), end - block * BLOCK))
    }
    return records
  }
  const loadBlock = async (block: number) => {
    const start = startOf(queries, appId, search, block, headCursor)
    return (await queries.fetchQuery(blockOf(appId, search, block, start))).records
  }
  return {
    ...{ total, lines: total, lineAt: self, lineOf: self },
    rowAt,
    rowOf,
    isFormer: head.isPlaceholderData,
    isSettled,
    load,
    failed: blocks.find(({ isError }) => isError)
  }
}
