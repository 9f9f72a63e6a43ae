// `response_type` is required and must be `code` (service.md 4.1; decisions O18).

import type { Check } from "../check.ts"
import { refuse } from "../reasons.ts"
import type { TrustedRequest } from "./TrustedRequest.ts"

export const responseType: Check<TrustedRequest> = ({ params }) => {
  const type = params.get("response_type")
  if (type === undefined) return refuse("REQUEST_INVALID", { detail: "The parameter response_type is missing" })
  return type === "code" ? undefined : refuse("AUTHORIZE_RESPONSE_TYPE_UNSUPPORTED")
}
