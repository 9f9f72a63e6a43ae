// A second presentation is a replay, however late; the grant then ends the code's connection (service.md 3.2; decisions O1).
import type { Check } from "../../check.ts"
import { refuse } from "../../reasons.ts"
import type { Redemption } from "./Redemption.ts"

export const codeNotReplayed: Check<Redemption> = ({ code }) =>
  code.connection_id === null ? undefined : refuse("TOKEN_CODE_REPLAYED", { connectionId: code.connection_id })
