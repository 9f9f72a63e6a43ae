// The connection is neither ended nor lapsed, and the organization does not shut its user out (service.md 3.2, 7.1, 8).
import { isActive } from "../../../connections/Connection.ts"
import { shutsOut } from "../../../connections/connectPermission.ts"
import type { Check } from "../../check.ts"
import { refuse } from "../../reasons.ts"
import type { Refresh } from "./Refresh.ts"

export const grantActive: Check<Refresh> = ({ held, now }) =>
  isActive(held, now) && shutsOut(held) === undefined
    ? undefined
    : refuse("TOKEN_REFRESH_GRANT_INACTIVE", { connectionId: held.connection_id })
