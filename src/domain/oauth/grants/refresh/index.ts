// Grant refresh_token: its checks in the order of service.md 7.1.
import { defineGrant } from "../Grant.ts"
import { grantActive } from "./grantActive.ts"
import { issuedToClient } from "./issuedToClient.ts"
import { notReplayed } from "./notReplayed.ts"
import { renew } from "./renew.ts"
import { scopeHeld } from "./scopeHeld.ts"

export const refreshToken = defineGrant({
  type: "refresh_token",
  parameters: ["refresh_token", "scope"],
  checks: [issuedToClient, grantActive, scopeHeld, notReplayed],
  handler: renew
})
