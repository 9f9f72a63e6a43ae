// Between approval and redemption the user may have been deactivated, made a guest or kept out (service.md 7.1).
import { keepsOut } from "../../../connections/connectPermission.ts"
import type { Check } from "../../check.ts"
import { refuse } from "../../reasons.ts"
import type { Redemption } from "./Redemption.ts"

export const mayConnect: Check<Redemption> = ({ standing, code }) =>
  standing !== undefined && keepsOut(standing) === undefined && code.disabled_on === null
    ? undefined
    : refuse("TOKEN_CODE_REDEMPTION_REFUSED")
