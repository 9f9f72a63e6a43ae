// The code belongs to the client that presents it; nothing is consumed otherwise (decisions O1).
import type { Check } from "../../check.ts"
import { refuse } from "../../reasons.ts"
import type { Redemption } from "./Redemption.ts"

export const issuedToClient: Check<Redemption> = ({ client, code }) =>
  code.client_id === client.client_id ? undefined : refuse("TOKEN_CODE_BINDING_MISMATCH")
