// Queries of a run's page. All keys lie below the run's key, so that a change of the run refreshes what is visible.
import type { AnswerOf, InputOf } from "@millrace/client"
import { queryOptions, useQueries } from "@tanstack/react-query"
import { useState } from "react"
import { client } from "../../api/client.ts"
import { againWhile } from "../../api/goingOn.ts"
import { isOver } from "./runWords.tsx"

export type LogEntry = AnswerOf<"automationRuns.log">["logs"][number]
export type Loop = AnswerOf<"automationRuns.loops">["loops"][number]
export type LoopItem = AnswerOf<"automationRuns.loopItems">["shown"][number]
export type ItemState = LoopItem["status"]

/** Which part of a run's log. */
export type LogPart = Pick<InputOf<"automationRuns.log">, "iteration" | "loop" | "outside_loops" | "status">

/** Run without its log, which is loaded by pages. */
export const runOf = (run_id: string) =>
  queryOptions({
    queryKey: ["run", run_id],
    queryFn: async ({ signal }) =>
      (await client.automationRuns.get({ run_id, log_limit: 0 }, { signal })).automation_run,
    refetchInterval: ({ state }) => againWhile(state.data && !isOver(state.data.status))
  })

export const failuresOf = (run_id: string) =>
  queryOptions({
    queryKey: ["run", run_id, "failures"],
    queryFn: ({ signal }) => client.automationRuns.log({ run_id, status: "failure", limit: 1 }, { signal })
  })

/** Failures that are searched for the step at which the run ended: it is the last of them. */
const FAILURES = 100
/** The step at which a run failed; null if none of its steps did. */
export const failedStepOf = (run_id: string) =>
  queryOptions({
    queryKey: ["run", run_id, "failed step"],
    queryFn: async ({ signal }) => {
      const { logs } = await client.automationRuns.log({ run_id, status: "failure", limit: FAILURES }, { signal })
      const entry = logs.findLast(({ action_id }) => action_id !== null)
      return entry === undefined ? null : { id: entry.action_id!, label: entry.label }
    }
  })

export const loopsOf = (run_id: string, place: { readonly loop?: string; readonly iteration?: string }) =>
  queryOptions({
    queryKey: ["run", run_id, "loops", place],
    queryFn: ({ signal }) => client.automationRuns.loops({ run_id, ...place }, { signal })
  })

interface ItemsAsked {
  readonly loop: string
  readonly around: string
  readonly limit: number
  readonly status?: ItemState | undefined
}
export const itemsOf = (run_id: string, asked: ItemsAsked) =>
  queryOptions({
    queryKey: ["run", run_id, "items", asked],
    queryFn: ({ signal }) =>
      client.automationRuns.loopItems(
        {
          run_id,
          action_id: asked.loop,
          limit: asked.limit,
          ...(asked.around === "" ? {} : { iteration: asked.around }),
          ...(asked.status === undefined ? {} : { status: asked.status })
        },
        { signal }
      )
  })

const PAGE = 200

/** A log only grows: a page that is full is asked for once, the last one whenever the run has changed. */
export const useLog = (run_id: string, part: LogPart) => {
  const [cursors, setCursors] = useState<ReadonlyArray<string>>([""])
  const pages = useQueries({
    queries: cursors.map((cursor) => ({
      queryKey: ["run", run_id, "log", part, cursor],
      queryFn: ({ signal }: { readonly signal: AbortSignal }) =>
        client.automationRuns.log({ run_id, limit: PAGE, ...part, ...(cursor === "" ? {} : { cursor }) }, { signal }),
      enabled: (query: { readonly state: { readonly data?: { readonly cursor: string | null } | undefined } }) =>
        (query.state.data?.cursor ?? null) === null
    }))
  })
  const next = pages.at(-1)?.data?.cursor ?? null
  return {
    first: pages[0]!,
    entries: pages.flatMap(({ data }) => data?.logs ?? []),
    more: next === null ? undefined : () => setCursors([...cursors, next])
  }
}
