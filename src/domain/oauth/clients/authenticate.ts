// Whether the proof fits the client's kind: a secret exactly for a confidential one (service.md 2.2, 7.1 CLIENT_AUTH_FAILED).
import { timingSafeEqual } from "node:crypto"
import { hashToken } from "../../../ground/sealing/Secrets.ts"
import { type OAuthRefused, refuse } from "../reasons.ts"
import type { Client } from "./Client.ts"
import type { ClientCredentials } from "./clientCredentials.ts"

const proves = (given: ClientCredentials, { secret_hash }: Client) => {
  if (secret_hash === null) return given.method === "none"
  return given.secret !== null && timingSafeEqual(hashToken(given.secret), secret_hash)
}

/** Why the client is not the one it claims to be; all answers read alike. `client` is undefined when unknown or gone. */
export const authenticationFault = (client: Client | undefined, given: ClientCredentials): OAuthRefused | undefined => {
  const proven = client !== undefined && proves(given, client)
  return proven ? undefined : refuse("CLIENT_AUTH_FAILED", { clientId: given.clientId })
}
