// Computes what a call costs, as a multiple of the base credits (developer-api.md 1.6).
import type { HttpServerRequest } from "effect/http"
import type { Requirement } from "./Requires.ts"

const HUNDRED_MEGABYTES = 100_000_000

/** Cost of a request's bytes, in addition to the call. */
export const costOfBytes = ({ costPer100Megabytes = 0 }: Requirement, bytes: number) =>
  costPer100Megabytes * Math.floor(bytes / HUNDRED_MEGABYTES)

/** Cost of a request. A request without Content-Length pays only the call here: its bytes are paid for once they have been counted. */
export const costOf = (requirement: Requirement, { headers }: HttpServerRequest.HttpServerRequest) =>
  (requirement.cost ?? 1) + costOfBytes(requirement, Number(headers["content-length"] ?? 0))
