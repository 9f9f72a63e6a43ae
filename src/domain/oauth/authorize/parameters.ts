// No parameter but `resource` twice (service.md 4.1; decisions O6).
import { Result } from "effect"
import { checkParams } from "../params.ts"
import type { Check } from "./Check.ts"

export const parameters: Check = ({ params }) => Result.getOrUndefined(Result.flip(checkParams(params)))
