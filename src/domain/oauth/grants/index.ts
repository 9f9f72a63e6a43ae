// The grants of the token endpoint (service.md 4.1); every other list of them derives from this one.
import { authorizationCode } from "./code/index.ts"
import type { Grant } from "./Grant.ts"
import { refreshToken } from "./refresh/index.ts"

export const grants: ReadonlyArray<Grant> = [authorizationCode, refreshToken]

export const grantTypes: ReadonlyArray<string> = grants.map((grant) => grant.type)

/** The parameters that some grant reads. */
export const grantParameters: ReadonlyArray<string> = grants.flatMap((grant) => grant.parameters)
