// `scope` may only narrow; nothing is consumed otherwise (service.md 4.1, 7.1).
import type { Check } from "../../check.ts"
import { refuse } from "../../reasons.ts"
import type { Refresh } from "./Refresh.ts"

export const scopeHeld: Check<Refresh> = ({ held, requested }) =>
  requested === undefined || requested.every((scope) => (held.scopes as ReadonlyArray<string>).includes(scope))
    ? undefined
    : refuse("TOKEN_REFRESH_SCOPE_INVALID", { connectionId: held.connection_id })
