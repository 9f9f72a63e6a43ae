// Conditions and ranges of a download (RFC 9110 13.2.2, 14): what the validators say first, then which bytes are asked for. One range
// at a time: several, other units and what is no range are answered with the whole, as the RFC leaves to a server.
import type { Headers } from "effect/http"
import type { Span } from "../../../domain/records/files/Contents.ts"

export type Wanted =
  | { readonly type: "whole" | "unchanged" | "other" | "unsatisfiable" }
  | { readonly type: "part"; readonly span: Span }

/** `first-last`, `first-` or `-suffix`. */
export const spanOf = (range: string, size: number): Span | "unsatisfiable" | undefined => {
  const [, first = "", last = ""] = /^\s*bytes=[ \t]*(\d*)-(\d*)[ \t]*$/i.exec(range) ?? []
  const end = last === "" ? size - 1 : Math.min(Number(last), size - 1)
  if (first === "") {
    if (last === "" || size === 0) return undefined
    const length = Math.min(Number(last), size)
    return length === 0 ? "unsatisfiable" : { start: size - length, length }
  }
  const start = Number(first)
  if (last !== "" && Number(last) < start) return undefined
  return start >= size ? "unsatisfiable" : { start, length: end - start + 1 }
}

const names = (list: string, etag: string, weakly: boolean) =>
  list.trim() === "*" || list.split(",").some((one) => (weakly ? one.trim().replace(/^W\//, "") : one.trim()) === etag)

/** @param etag strong, in its quotes; `If-Range` with a date never matches, since no date is given out */
export const rangeAnswer = (method: string, headers: Headers.Headers, etag: string, size: number): Wanted => {
  const { range, "if-match": match, "if-none-match": noneMatch, "if-range": ifRange } = headers
  if (match !== undefined && !names(match, etag, false)) return { type: "other" }
  if (noneMatch !== undefined && names(noneMatch, etag, true)) return { type: "unchanged" }
  if (method !== "GET" || range === undefined || (ifRange ?? etag).trim() !== etag) return { type: "whole" }
  const span = spanOf(range, size)
  if (span === undefined) return { type: "whole" }
  return span === "unsatisfiable" ? { type: "unsatisfiable" } : { type: "part", span }
}
