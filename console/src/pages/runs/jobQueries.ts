// Jobs that work on runs: the latest ones, asked for again while one of them goes on.
import type { AnswerOf } from "@millrace/client"
import { queryOptions } from "@tanstack/react-query"
import { client } from "../../api/client.ts"
import { againWhile } from "../../api/goingOn.ts"

export type Job = AnswerOf<"jobs.list">["jobs"][number]

const LATEST = 5

export const isOpen = ({ status }: Job) => status === "pending" || status === "running"

export const latestJobs = queryOptions({
  queryKey: ["jobs", "latest"],
  queryFn: ({ signal }) => client.jobs.list({ limit: LATEST }, { signal }),
  refetchInterval: ({ state }) => againWhile(state.data?.jobs.some(isOpen))
})
