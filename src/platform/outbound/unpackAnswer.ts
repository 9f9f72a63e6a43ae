// Undoes the content codings of an answer, which some servers apply whatever the client accepts (RFC 9110 8.4). The output is bounded like
// the input (decisions W9).
import { Result } from "effect"
import { canUnpack, codingsOf, unpack } from "../bounds/contentCoding.ts"
import type { Answer } from "./exchange.ts"
import { OutboundError } from "./OutboundError.ts"
import type { Policy } from "./policies.ts"

/** Codings to undo; none if one of them is unknown: the body stays as it came. */
export const codingsIn = ({ body, headers }: Answer): ReadonlyArray<string> => {
  const coded = headers["content-encoding"]
  if (coded === undefined || body.length === 0) return []
  const codings = codingsOf(coded)
  return canUnpack(codings) ? codings : []
}

/** Unpacks the body. @param host named in the message about an answer that does not have its codings */
export const unpackAnswer = async (
  answer: Answer,
  codings: ReadonlyArray<string>,
  { maxBytes, overrun }: Policy,
  host: string
): Promise<Result.Result<Answer, OutboundError>> => {
  const { bytes, end } = await unpack(answer.body, codings, maxBytes)
  if (end === "whole") return Result.succeed({ ...answer, body: bytes })
  // A policy that cuts long answers also accepts one that was cut before it was unpacked.
  if (overrun === "truncate") return Result.succeed({ ...answer, body: bytes, truncated: true })
  return Result.fail(
    end === "larger"
      ? new OutboundError({ reason: "too_large", message: `${host}: the answer is longer than ${maxBytes} bytes` })
      : new OutboundError({
          reason: "protocol_error",
          message: `${host}: the answer says Content-Encoding ${codings.join(", ")} and cannot be unpacked`
        })
  )
}
