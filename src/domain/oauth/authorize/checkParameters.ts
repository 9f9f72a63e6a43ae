// No parameter but `resource` twice (service.md 4.1; decisions O6).
import { Result } from "effect"
import type { Check } from "../check.ts"
import { checkParams } from "../params.ts"
import type { TrustedRequest } from "./TrustedRequest.ts"

export const parameters: Check<TrustedRequest> = ({ params }) => Result.getOrUndefined(Result.flip(checkParams(params)))
