// Whether the proof fits the client's kind: a secret exactly for a confidential one (service.md 2.2, 7.1 CLIENT_AUTH_FAILED).
import { timingSafeEqual } from "node:crypto"
import { hashToken } from "../../../ground/sealing/Secrets.ts"
import { type OAuthRefused, refuse } from "../reasons.ts"
import type { Client } from "./Client.ts"
import type { ClientCredentials } from "./clientCredentials.ts"

/** Why the client is not the one it claims to be; all answers read alike. `client` is undefined when unknown or gone. */
export const authenticationFault = (client: Client | undefined, given: ClientCredentials): OAuthRefused | undefined => {
  const failed = refuse("CLIENT_AUTH_FAILED", { clientId: given.clientId })
  if (client === undefined) return failed
  if (client.secret_hash === null) return given.method === "none" ? undefined : failed
  if (given.secret === null) return failed
  return timingSafeEqual(hashToken(given.secret), client.secret_hash) ? undefined : failed
}
