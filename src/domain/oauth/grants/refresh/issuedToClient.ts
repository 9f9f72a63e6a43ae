// Another client's refresh token is as good as none (service.md 7.1).
import type { Check } from "../../check.ts"
import { refuse } from "../../reasons.ts"
import type { Refresh } from "./Refresh.ts"

export const issuedToClient: Check<Refresh> = ({ client, held }) =>
  held.client_id === client.client_id ? undefined : refuse("TOKEN_REFRESH_TOKEN_UNKNOWN")
