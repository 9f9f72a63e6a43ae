// What a call costs, as a multiple of the base credits (developer-api.md 1.6).
import type { HttpServerRequest } from "effect/http"
import type { Requirement } from "./Requires.ts"

const HUNDRED_MEGABYTES = 100_000_000

/** All files of an upload together. */
export const mostUploaded = ({ uploadMaxMegabytes }: { readonly uploadMaxMegabytes: number }) =>
  uploadMaxMegabytes * 10_000_000

/** @param most bytes: what comes without its length may be as long as that */
export const costOf = (
  { cost = 1, costPer100Megabytes }: Requirement,
  { headers }: HttpServerRequest.HttpServerRequest,
  most: number
) =>
  costPer100Megabytes === undefined
    ? cost
    : cost + costPer100Megabytes * Math.floor(Number(headers["content-length"] ?? most) / HUNDRED_MEGABYTES)
