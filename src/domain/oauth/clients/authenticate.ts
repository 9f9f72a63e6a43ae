// Authenticates a client by its kind: confidential clients, and only they, must present their secret (service.md 2.2, 7.1
// CLIENT_AUTH_FAILED).
import { timingSafeEqual } from "node:crypto"
import { hashToken } from "../../../platform/sealing/Secrets.ts"
import { type OAuthRefused, refuse } from "../reasons.ts"
import type { Client } from "./Client.ts"
import type { ClientCredentials } from "./clientCredentials.ts"

const proves = (given: ClientCredentials, { secret_hash }: Client) => {
  if (secret_hash === null) return given.method === "none"
  return given.secret !== null && timingSafeEqual(hashToken(given.secret), secret_hash)
}

/**
 * Refusal of a client that is not the one it claims to be; every cause gives the same response. `client` is undefined if unknown or gone.
 */
export const authenticationFault = (client: Client | undefined, given: ClientCredentials): OAuthRefused | undefined => {
  const proven = client !== undefined && proves(given, client)
  return proven ? undefined : refuse("CLIENT_AUTH_FAILED", { clientId: given.clientId })
}
