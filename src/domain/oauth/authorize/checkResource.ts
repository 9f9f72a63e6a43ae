// Each `resource` is one of the two of this service (service.md 4.1; decisions O3).

import type { Check } from "../check.ts"
import { refuse } from "../reasons.ts"
import { isResource } from "../resource.ts"
import type { TrustedRequest } from "./TrustedRequest.ts"

export const resource: Check<TrustedRequest> = ({ params, origins }) =>
  params.getAll("resource").every((text) => isResource(text, origins))
    ? undefined
    : refuse("AUTHORIZE_RESOURCE_INVALID")
