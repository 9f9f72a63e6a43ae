// `scope` may only narrow; nothing is consumed otherwise (service.md 4.1, 7.1).
import { refuse } from "../../reasons.ts"
import type { Check } from "./Refresh.ts"

export const scopeHeld: Check = ({ held, requested }) =>
  requested === undefined || requested.every((scope) => (held.scopes as ReadonlyArray<string>).includes(scope))
    ? undefined
    : refuse("TOKEN_REFRESH_SCOPE_INVALID", { connectionId: held.connection_id })
