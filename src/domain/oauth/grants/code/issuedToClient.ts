// The code belongs to the client that presents it; nothing is consumed otherwise (decisions O1).
import { refuse } from "../../reasons.ts"
import type { Check } from "./Redemption.ts"

export const issuedToClient: Check = ({ client, code }) =>
  code.client_id === client.client_id ? undefined : refuse("TOKEN_CODE_BINDING_MISMATCH")
