// Cost of a call, as a multiple of the base credits (developer-api.md 1.6): the table of the endpoints, each of which names its row in
// `requires`, and what a request pays.
import type { HttpServerRequest } from "effect/http"
import type { Requirement } from "./Requires.ts"

/** An endpoint that names no row costs 1. */
export const costs = {
  /** Lists of automations, their tags, runs, jobs and audit events; summaries of runs. */
  lists: 2,
  /** `GET /v1/view/{id}`. */
  oneView: 2,
  /** Export of a portable automation, of the deliveries of a hook. */
  exports: 2,
  /** Comparison of two revisions, of two runs. */
  comparisons: 2,
  /** Jobs over the runs that a filter selects. */
  manyRuns: 2,
  fieldConversion: 2,
  eventStream: 2,
  homeSummary: 2,
  fileUpload: 2,
  /** Addition for every 100 MB of an upload. */
  per100Megabytes: 2,
  /** Views of an app: listed, created, updated, made the default, deleted. */
  views: 5,
  /** Deletion of a workspace or an app. */
  deletions: 5,
  recordBatches: 5,
  imports: 5,
  groups: 5,
  /** Reports of what uses a field, an app, a mail account or a sign-in provider, and of what an organization uses (`GET /v1/org/usage` by decision). */
  usage: 5,
  /** Calls of mail servers and providers, lookups of their names. */
  otherServers: 10
} as const

const HUNDRED_MEGABYTES = 100_000_000

/** Cost of a request's bytes, in addition to the call. */
export const costOfBytes = ({ costPer100Megabytes = 0 }: Requirement, bytes: number) =>
  costPer100Megabytes * Math.floor(bytes / HUNDRED_MEGABYTES)

/** Cost of a request. A request without Content-Length pays only the call here: its bytes are paid for once they have been counted. */
export const costOf = (requirement: Requirement, { headers }: HttpServerRequest.HttpServerRequest) =>
  (requirement.cost ?? 1) + costOfBytes(requirement, Number(headers["content-length"] ?? 0))
