// Grant authorization_code: its checks in the order of decisions O1 (a code that is not known fails before them).
import { defineGrant } from "../Grant.ts"
import { codeNotReplayed } from "./codeNotReplayed.ts"
import { issuedToClient } from "./issuedToClient.ts"
import { mayConnect } from "./mayConnect.ts"
import { verifierFits } from "./pkceVerifier.ts"
import { redeem } from "./redeem.ts"
import { sameRedirectUri } from "./sameRedirectUri.ts"

export const authorizationCode = defineGrant({
  type: "authorization_code",
  parameters: ["code", "code_verifier", "redirect_uri"],
  checks: [issuedToClient, codeNotReplayed, sameRedirectUri, verifierFits, mayConnect],
  handler: redeem
})
