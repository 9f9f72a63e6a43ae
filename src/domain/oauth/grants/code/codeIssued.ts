// The code was issued and, unless it was used, is at most 60 seconds old (service.md 3.2; decisions O1).
import { limits } from "../../../connections/oauthLimits.ts"
import type { IssuedCode } from "./Redemption.ts"

export const codeIssued = (code: IssuedCode | undefined, now: number): code is IssuedCode =>
  code !== undefined && (code.connection_id !== null || now - code.issued_on.getTime() <= limits.codeMillis)
